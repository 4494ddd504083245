#include "picture/rows/survey.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "linsep/error.h"
#include "linsep/picture/geometry.h"
#include "picture/rows/judge.h"
#include "picture/rows/place_of_row.h"

namespace linsep {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

const Model* first_model(const PictureInput& input) {
  return input.models.empty() ? nullptr : input.models.front().model;
}

/// So many rows that their values take little memory, and that components are well known.
std::size_t sample_size(const Source& data) {
  constexpr double kValues = 4e6, kFewest = 50, kMost = 2000;
  const Shape shape = data.shape();
  const double values = shape.rows > 0 && shape.nonzeros >= 0
                            ? static_cast<double>(shape.nonzeros) / static_cast<double>(shape.rows)
                            : kValues / kMost;
  return static_cast<std::size_t>(std::clamp(kValues / std::max(values, 1.0), kFewest, kMost));
}

template <class Row>
SampledRow sampled(const Row& row, std::int64_t number) {
  SampledRow result;
  result.row = number;
  for_each_entry(row, [&](std::uint32_t column, double value) {
    if (value == 0) return;
    result.column.push_back(column);
    result.value.push_back(value);
  });
  return result;
}

void count_class(Gathered& gathered, double label) {
  const Schema& schema = gathered.schema;
  if (!schema.labels.empty()) {
    if (!(label >= 0 && label < static_cast<double>(schema.combinations.size()))) return;
    const std::string& combination = schema.combinations[static_cast<std::size_t>(label)];
    for (std::size_t k = 0; k < std::min(combination.size(), gathered.class_rows.size()); ++k) {
      if (combination[k] == '1') ++gathered.class_rows[k];
    }
    return;
  }
  const std::int64_t own = class_of(schema, true, label);
  if (own >= 0) ++gathered.class_rows[static_cast<std::size_t>(own)];
}

void note_margin(ModelRows& rows, double margin, std::int64_t row) {
  if (!(rows.least_margin <= margin)) {
    rows.least_margin = margin;
    rows.least_row = row;
  }
  if (margin > 0 && !(rows.least_right <= margin)) rows.least_right = margin;
}

}  // namespace

void HullKeeper::add(const PlanePoint& point) {
  if (!std::isfinite(point.x) || !std::isfinite(point.y)) return;
  points_.push_back(point);
  if (points_.size() < next_) return;
  points_ = convex_hull(points_);
  next_ = std::max<std::size_t>(4096, 2 * points_.size());
}

std::vector<PlanePoint> HullKeeper::hull() const { return points_.empty() ? points_ : convex_hull(points_); }

PlaneSurvey::PlaneSurvey(const PictureInput& input, const PictureSpec& spec)
    : input_(input),
      spec_(spec),
      first_(first_model(input)),
      asked_(asked_columns(spec, first_, input.data->schema(), input.data->shape().features)),
      drawn_(spec.seed, static_cast<std::size_t>(std::max<std::int64_t>(spec.rows, 0))),
      sample_(spec.seed, sample_size(*input.data)),
      corners_{{kNothing, kNothing}, {kNothing, kNothing}},
      z_(input.models.size()) {}

template <class Row>
void PlaneSurvey::see_values(const Row& row, std::int64_t number, std::int64_t label) {
  drawn_.offer(number, [&] { return number; });
  sample_.offer(number, [&] { return sampled(row, number); });
  const PlanePoint at{column_value(row, asked_.x), column_value(row, asked_.y)};
  corners_[0] = {std::fmin(corners_[0].x, at.x), std::fmin(corners_[0].y, at.y)};
  corners_[1] = {std::fmax(corners_[1].x, at.x), std::fmax(corners_[1].y, at.y)};
  if (input_.data->shape().features > 2) return;
  if (label == 0) negative_.add(at);
  if (label == 1) positive_.add(at);
}

void PlaneSurvey::see_scores(Gathered& gathered, const Batch& batch) {
  for (std::size_t m = 0; m < input_.models.size(); ++m) {
    const Model& model = *input_.models[m].model;
    z_[m].resize(static_cast<std::size_t>(batch.rows) * scores_per_row(model));
    score(model, batch, z_[m], spec_.limits.threads);
  }
  for (std::int64_t i = 0; i < batch.rows; ++i) {
    const bool labelled = batch.labelled();
    const double label = labelled ? batch.label_of(i) : 0;
    Judgement first;
    for (std::size_t m = 0; m < input_.models.size(); ++m) {
      const Model& model = *input_.models[m].model;
      const std::size_t parts = scores_per_row(model);
      const auto z = std::span<const double>(z_[m]).subspan(static_cast<std::size_t>(i) * parts, parts);
      const Judgement own = judge(model, gathered.schema, labelled, label, z);
      ModelRows& rows = gathered.models[m];
      if (m == 0) first = own;
      rows.mistakes += own.mistake ? 1 : 0;
      rows.not_finite += own.finite ? 0 : 1;
      rows.disagreements += own.said != first.said ? 1 : 0;
      if (labelled && own.finite && is_two_class(model)) note_margin(rows, label * z[0], batch.number_of(i));
    }
  }
}

void PlaneSurvey::see(Gathered& gathered, const Batch& batch) {
  gathered.features = std::max(gathered.features, batch.features);
  gathered.labelled = gathered.labelled || batch.labelled();
  gathered.rows += batch.rows;
  gathered.schema.combinations = input_.data->schema().combinations;
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    std::int64_t label = -1;
    if (batch.labelled()) {
      count_class(gathered, batch.label_of(i));
      label = class_of(gathered.schema, true, batch.label_of(i));
    }
    see_values(row, batch.number_of(i), gathered.schema.classes.size() == 2 ? label : -1);
  });
  see_scores(gathered, batch);
}

void PlaneSurvey::take_ranges(Gathered& gathered, const std::vector<SampledRow>& sample) const {
  PlaneChoice& plane = gathered.plane;
  plane.x_range = {corners_[0].x, corners_[1].x};
  plane.y_range = {corners_[0].y, corners_[1].y};
  if (plane.kind == "feature") plane.y_range = {0, 0};
  if (plane.kind != "boundary" && plane.kind != "components") return;
  plane.x_range = plane.y_range = {kNothing, kNothing};
  for (const SampledRow& row : sample) {
    const SparseRow<double> view{row.column.data(), row.value.data(), row.column.size()};
    const double x = place_along(plane.x, view), y = place_along(plane.y, view);
    plane.x_range = {std::fmin(plane.x_range[0], x), std::fmax(plane.x_range[1], x)};
    plane.y_range = {std::fmin(plane.y_range[0], y), std::fmax(plane.y_range[1], y)};
  }
}

void PlaneSurvey::run(Gathered& gathered, const Observer& observe) {
  Source& data = *input_.data;
  gathered.rows = 0;
  gathered.models.resize(input_.models.size());
  gathered.class_rows.resize(data.schema().labels.empty() ? data.schema().classes.size() : data.schema().labels.size());
  Progress progress;
  progress.pass = 1;
  progress.phase = Phase::kMeasuring;
  progress.passes_in_all = 3;
  progress.rows_in_all = data.shape().rows;
  data.rewind(0);
  while (const auto batch = data.next()) {
    if (spec_.limits.interrupted()) throw interrupted_error();
    see(gathered, *batch);
    progress.rows += batch->rows;
    if (observe) observe(progress);
  }
  if (gathered.task.empty() && gathered.labelled) gathered.task = kRegression;
  gathered.drawn = drawn_.take();
  const std::vector<SampledRow> sample = sample_.take();
  gathered.plane = choose_plane(asked_, first_, gathered, sample);
  take_ranges(gathered, sample);
  if (!gathered.plane.whole) return;
  gathered.negative_hull = negative_.hull();
  gathered.positive_hull = positive_.hull();
}

}  // namespace linsep
