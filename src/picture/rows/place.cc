#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "linsep/error.h"
#include "linsep/picture/geometry.h"
#include "picture/gathered.h"
#include "picture/parts.h"
#include "picture/rows/judge.h"
#include "picture/rows/plane.h"
#include "report/words.h"

namespace linsep {
namespace {

// The part of the plane that is shown, and its cells.

/// Corners of the area with the rows, before the third pass.
std::vector<PlanePoint> corners_of(const Gathered& gathered);

/// The plane with its axes, around points. Scales are equal unless one range is much larger than the other.
Picture::Plane plane_around(const Gathered& gathered, const PictureSpec& spec, std::span<const PlanePoint> points);

/// Counts rows by cell. A row beyond the axes counts in the cell at the edge, so that every row counts.
class CellCounts {
 public:
  static constexpr std::size_t kAcross = 40, kUp = 30;

  explicit CellCounts(const Picture::Plane& plane);
  /// REQUIRES: the point is finite.
  void add(const PlanePoint& point, bool positive);
  Picture::Cells take() { return std::move(cells_); }

 private:
  Picture::Cells cells_;
};

std::vector<double> edges(double low, double high, std::size_t count) {
  std::vector<double> result(count + 1);
  for (std::size_t k = 0; k <= count; ++k) {
    result[k] = low + (high - low) * (static_cast<double>(k) / static_cast<double>(count));
  }
  result.back() = high;
  return result;
}

/// The index of the part that a value lies in. The last part has its upper edge too.
std::size_t part_of(const std::vector<double>& edge, double value) {
  const auto above = std::upper_bound(edge.begin() + 1, edge.end() - 1, value);
  return static_cast<std::size_t>(above - edge.begin()) - 1;
}

/// Whether one scale serves both axes.
bool are_alike(std::span<const PlanePoint> points) {
  constexpr double kMost = 8;
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  for (const PlanePoint& point : points) {
    x_low = std::min(x_low, point.x);
    x_high = std::max(x_high, point.x);
    y_low = std::min(y_low, point.y);
    y_high = std::max(y_high, point.y);
  }
  const double x = x_high - x_low, y = y_high - y_low;
  if (!(x > 0) || !(y > 0)) return true;
  return x <= kMost * y && y <= kMost * x;
}

std::vector<PlanePoint> corners_of(const Gathered& gathered) {
  const PlaneChoice& plane = gathered.plane;
  std::array<double, 2> x = plane.x_range;
  if (plane.kind == "boundary" && gathered.evaluation && !gathered.evaluation->scores.empty()) {
    const ScoreCounts& counts = gathered.evaluation->scores.front();
    if (!counts.places.empty()) {
      x = {counts.places.back().least / gathered.norm, greatest_score(counts, 0) / gathered.norm};
    }
  }
  return {{x[0], plane.y_range[0]}, {x[1], plane.y_range[1]}};
}

Picture::Plane plane_around(const Gathered& gathered, const PictureSpec& spec, std::span<const PlanePoint> points) {
  const PlaneChoice& choice = gathered.plane;
  Picture::Plane plane;
  plane.kind = choice.kind;
  plane.x_column = choice.x_column;
  plane.y_column = choice.y_column;
  plane.equal_scales = choice.kind != "feature" && are_alike(points);
  Window window = window_around(points, plane.equal_scales ? spec.aspect : 0);
  if (choice.kind == "feature") {
    window.y_low = -1;
    window.y_high = 1;
  }
  plane.x = {choice.x_name, window.x_low, window.x_high, round_ticks(window.x_low, window.x_high)};
  plane.y = {choice.y_name, window.y_low, window.y_high, {}};
  if (choice.kind != "feature") plane.y.ticks = round_ticks(window.y_low, window.y_high);
  return plane;
}

CellCounts::CellCounts(const Picture::Plane& plane) {
  cells_.x = edges(plane.x.low, plane.x.high, kAcross);
  cells_.y = edges(plane.y.low, plane.y.high, kUp);
  cells_.negative.resize(kAcross * kUp);
  cells_.positive.resize(kAcross * kUp);
}

void CellCounts::add(const PlanePoint& point, bool positive) {
  const std::size_t at = part_of(cells_.y, point.y) * kAcross + part_of(cells_.x, point.x);
  ++(positive ? cells_.positive : cells_.negative)[at];
}

// The third pass, in which every row gets its place in the plane and becomes a point, a count of a cell, or both.

/// The rows that are shown as points, ascending. They are those that the proof names, and drawn ones.
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

/// Rows at one point with one class become one mark. It has the number of a row that the proof names, otherwise of the
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

/// The names of rows, if few enough are shown for the input to be read again.
void name_points(std::vector<Picture::Points::At>& points, const PictureInput& input, const Gathered& gathered) {
  constexpr std::int64_t kMost = 2000;
  if (gathered.rows > kMost || points.empty()) return;
  std::vector<std::int64_t> rows;
  for (const auto& point : points) rows.push_back(point.row);
  try {
    const std::vector<WrittenRow> written = input.data->written(rows);
    for (std::size_t i = 0; i < std::min(points.size(), written.size()); ++i) points[i].id = short_text(written[i].id);
  } catch (const Error& error) {  // the input can be read only once, so its rows have numbers
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
