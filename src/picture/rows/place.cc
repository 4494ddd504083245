// The third pass: every row gets its place in the plane, and becomes a point, a count of a cell, or both.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "linsep/error.h"
#include "picture/parts.h"
#include "picture/rows/cells.h"
#include "picture/rows/judge.h"
#include "picture/rows/place_of_row.h"

namespace linsep {
namespace {

/// The rows that are shown as points, ascending: those that the proof names, and drawn ones.
std::vector<std::int64_t> rows_shown(const Picture& picture, const PictureSpec& spec, const Gathered& gathered) {
  std::vector<std::int64_t> shown;
  if (spec.no_rows) return shown;
  if (picture.proof) {
    for (const auto& row : picture.proof->witness) shown.push_back(row.row);
    std::ranges::sort(shown);
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  }
  const std::vector<std::int64_t> named = shown;
  for (const std::int64_t row : gathered.drawn) {
    if (static_cast<std::int64_t>(shown.size()) >= spec.rows) break;
    if (!std::ranges::binary_search(named, row)) shown.push_back(row);
  }
  std::ranges::sort(shown);
  return shown;
}

class Placing {
 public:
  Placing(const PictureInput& input, const PictureSpec& spec, const Gathered& gathered, std::vector<std::int64_t> shown,
          CellCounts* cells)
      : input_(input), spec_(spec), gathered_(gathered), shown_(std::move(shown)), cells_(cells) {
    if (!input.models.empty() && is_two_class(*input.models.front().model)) model_ = input.models.front().model;
  }

  std::vector<Picture::Points::At> run() {
    std::vector<double> z;
    input_.data->rewind(0);
    while (const auto batch = input_.data->next()) {
      if (spec_.limits.interrupted()) throw interrupted_error();
      z.assign(static_cast<std::size_t>(batch->rows), std::numeric_limits<double>::quiet_NaN());
      if (model_ != nullptr) score(*model_, *batch, z, spec_.limits.threads);
      for_each_row(*batch, [&](const auto& row, std::int64_t i) {
        const PlanePoint at = place_of_row(gathered_.plane, gathered_.norm, row, z[static_cast<std::size_t>(i)]);
        place(*batch, i, at, z[static_cast<std::size_t>(i)]);
      });
    }
    return std::move(points_);
  }

 private:
  void place(const Batch& batch, std::int64_t i, const PlanePoint& at, double z) {
    if (!std::isfinite(at.x) || !std::isfinite(at.y)) return;
    const bool labelled = batch.labelled();
    const double y = labelled ? batch.label_of(i) : 0;
    const std::int64_t label = class_of(gathered_.schema, labelled, y);
    if (cells_ != nullptr) cells_->add(at, gathered_.schema.classes.size() != 2 || label != 0);
    const std::int64_t row = batch.number_of(i);
    if (!std::ranges::binary_search(shown_, row)) return;
    Picture::Points::At point;
    point.row = row;
    point.x = at.x;
    point.y = at.y;
    point.label = label;
    point.margin = model_ != nullptr && labelled ? y * z : std::numeric_limits<double>::quiet_NaN();
    point.role = role(labelled, y, z);
    points_.push_back(std::move(point));
  }

  std::string role(bool labelled, double y, double z) const {
    constexpr double kTolerance = 0.001;  // as `inspect` has it
    if (model_ == nullptr || !labelled) return "row";
    if (judge(*model_, gathered_.schema, true, y, {&z, 1}).mistake) return "wrong";
    return gathered_.has_margin && y * z <= 1 + kTolerance ? "support" : "right";
  }

  const PictureInput& input_;
  const PictureSpec& spec_;
  const Gathered& gathered_;
  std::vector<std::int64_t> shown_;
  CellCounts* cells_;
  const Model* model_ = nullptr;
  std::vector<Picture::Points::At> points_;
};

/// Rows at one place with one class become one mark. It has the number of a row that the proof names, else of the
/// first.
std::vector<Picture::Points::At> together(const std::vector<Picture::Points::At>& points, const Picture& picture) {
  std::vector<std::int64_t> named;
  if (picture.proof) {
    for (const auto& row : picture.proof->witness) named.push_back(row.row);
  }
  std::ranges::sort(named);
  std::map<std::tuple<double, double, std::int64_t>, std::size_t> known;
  std::vector<Picture::Points::At> marks;
  for (const auto& point : points) {
    const auto [at, is_new] = known.try_emplace({point.x, point.y, point.label}, marks.size());
    if (is_new) {
      marks.push_back(point);
      continue;
    }
    auto& mark = marks[at->second];
    ++mark.together;
    const bool better = std::ranges::binary_search(named, point.row) && !std::ranges::binary_search(named, mark.row);
    if (better) mark.row = point.row;
  }
  return marks;
}

void place_witness(Picture& picture, const std::vector<Picture::Points::At>& points) {
  if (!picture.proof) return;
  for (auto& row : picture.proof->witness) {
    const auto at = std::ranges::lower_bound(points, row.row, {}, &Picture::Points::At::row);
    if (at == points.end() || at->row != row.row) continue;
    row.x = at->x;
    row.y = at->y;
  }
}

/// What rows are called, where few enough are shown for the input to be read again.
void name_points(std::vector<Picture::Points::At>& points, const PictureInput& input, const Gathered& gathered) {
  constexpr std::int64_t kMost = 2000;
  if (gathered.rows > kMost || points.empty()) return;
  std::vector<std::int64_t> rows;
  for (const auto& point : points) rows.push_back(point.row);
  try {
    const std::vector<WrittenRow> written = input.data->written(rows);
    for (std::size_t i = 0; i < std::min(points.size(), written.size()); ++i) points[i].id = short_name(written[i].id);
  } catch (const Error& error) {  // the input can be read once only: its rows have numbers
    if (error.kind() == Error::Kind::kInterrupted) throw;
  }
}

}  // namespace

void add_rows(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered) {
  if (gathered.plane.kind.empty()) return;
  const bool all = gathered.rows <= spec.rows && !spec.no_rows;
  std::optional<CellCounts> cells;
  if (!all) {
    picture.plane = plane_around(gathered, spec, corners_of(gathered));
    cells.emplace(*picture.plane);
  }
  Placing placing(input, spec, gathered, rows_shown(picture, spec, gathered), cells ? &*cells : nullptr);
  std::vector<Picture::Points::At> points = placing.run();
  std::ranges::sort(points, {}, &Picture::Points::At::row);
  if (all) {
    std::vector<PlanePoint> places;
    for (const auto& point : points) places.push_back({point.x, point.y});
    picture.plane = plane_around(gathered, spec, places);
  }
  place_witness(picture, points);
  name_points(points, input, gathered);
  if (cells) picture.cells = cells->take();
  Picture::Points& shown = *(picture.points = Picture::Points{});
  shown.total = gathered.rows;
  shown.shown = static_cast<std::int64_t>(points.size());
  shown.how = all ? "all" : spec.no_rows ? "binned" : "drawn";
  shown.seed = spec.seed;
  shown.at = together(points, picture);
}

}  // namespace linsep
