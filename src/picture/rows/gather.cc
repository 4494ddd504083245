#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "learn/margin/losses.h"
#include "learn/margin/solvers.h"
#include "linsep/error.h"
#include "linsep/learner_info.h"
#include "linsep/map.h"
#include "linsep/picture/geometry.h"
#include "linsep/read.h"
#include "linsep/tools/shown_text.h"
#include "numeric/compensated_sum.h"
#include "picture/gathered.h"
#include "picture/parts.h"
#include "picture/rows/judge.h"
#include "picture/rows/plane.h"
#include "report/words.h"

namespace linsep {
namespace {

// Rows drawn by a hash of their number, which are the same whatever the batches, threads and order.

/// Keeps the rows with the smallest hashes, each with what belongs to it.
template <class Kept>
class HashDraw {
 public:
  HashDraw(std::uint64_t seed, std::size_t most) : seed_(seed), most_(most) {}

  /// Keeps `make()` for the row if it is among those with the smallest hashes so far.
  template <class Make>
  void offer(std::int64_t row, const Make& make) {
    const std::pair key(keyed_hash(seed_, static_cast<std::uint64_t>(row)), row);
    if (kept_.size() == most_ && (most_ == 0 || !(key < kept_.front().first))) return;
    if (kept_.size() == most_) {
      std::pop_heap(kept_.begin(), kept_.end(), later);
      kept_.pop_back();
    }
    kept_.emplace_back(key, make());
    std::push_heap(kept_.begin(), kept_.end(), later);
  }

  /// Returns the rows by ascending hash.
  std::vector<Kept> take() {
    std::sort_heap(kept_.begin(), kept_.end(), later);
    std::vector<Kept> result;
    result.reserve(kept_.size());
    for (auto& [key, kept] : kept_) result.push_back(std::move(kept));
    kept_.clear();
    return result;
  }

 private:
  using Item = std::pair<std::pair<std::uint64_t, std::int64_t>, Kept>;
  static bool later(const Item& a, const Item& b) { return a.first < b.first; }

  std::uint64_t seed_;
  std::size_t most_;
  std::vector<Item> kept_;  ///< a heap, the largest hash in front
};

// PlaneSurvey is one pass over the rows for all that must be known before any of them is placed.

/// The hull of many points, with few of them in memory.
class HullKeeper {
 public:
  void add(const PlanePoint& point);
  std::vector<PlanePoint> hull() const;

 private:
  std::vector<PlanePoint> points_;
  std::size_t next_ = 4096;
};

class PlaneSurvey {
 public:
  PlaneSurvey(const PictureInput& input, const PictureSpec& spec);

  /// The whole pass. Fills rows, labels, classes, models, drawn rows, hulls and the plane.
  void run(Gathered& gathered, const Observer& observe);

 private:
  void see(Gathered& gathered, const Batch& batch);
  void see_scores(Gathered& gathered, const Batch& batch);
  template <class Row>
  void see_values(const Row& row, std::int64_t number, std::int64_t label);
  void take_ranges(Gathered& gathered, const std::vector<SampledRow>& sample) const;

  const PictureInput& input_;
  const PictureSpec& spec_;
  const Model* first_;
  AskedColumns asked_;
  HashDraw<std::int64_t> drawn_;
  HashDraw<SampledRow> sample_;
  HullKeeper negative_, positive_;
  std::vector<PlanePoint> corners_;  ///< smallest and largest value of both columns
  std::vector<std::vector<double>> z_;
};

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

const Model* first_model(const PictureInput& input) {
  return input.models.empty() ? nullptr : input.models.front().model;
}

/// Few enough rows that their values take little memory, and enough that components are well known.
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

/// θ·θ = Σ_i α_i·(Σ_j α_j·K(x_j, x_i)), by the scores of the rows that the model keeps.
double dual_norm(const Model& model) {
  constexpr std::size_t kMost = 5000;
  if (model.kept.size() == 0 || model.kept.size() > kMost) return 0;
  Model plain = model;
  plain.map = {};
  plain.table = {};
  plain.offset = 0;
  plain.features = mapped_features(model.map, model.features);
  Batch batch;
  batch.rows = static_cast<std::int64_t>(model.kept.size());
  batch.features = plain.features;
  batch.is_float = false;
  batch.start = model.kept.start;
  batch.column = model.kept.column;
  batch.value64 = model.kept.value;
  std::vector<double> z(model.kept.size());
  score(plain, batch, z);
  const double square = std::inner_product(z.begin(), z.end(), model.coefficient.begin(), 0.0);
  return square > 0 ? std::sqrt(square) : 0;
}

std::string task_of(const Schema& schema, const Model* model) {
  if (!schema.labels.empty()) return "label-columns";
  if (schema.classes.size() > 2) return "several-classes";
  if (!schema.classes.empty()) return "two-classes";
  return model != nullptr && model->regression ? "regression" : "";
}

void check_fit(const PictureInput& input, const PictureSpec& spec) {
  const Schema& schema = input.data->schema();
  for (const NamedModel& named : input.models) {
    const Model& model = *named.model;
    check_feature_names(model, *input.data, spec.files.empty() ? "the data" : spec.files.front());
    if (schema.classes == model.schema.classes && schema.labels == model.schema.labels) continue;
    throw input_error(fmt::format("the rows and the model '{}' have different classes", shown_text(named.name)));
  }
}

}  // namespace

double norm_of(const Model& model) {
  if (model.form == Model::Form::kLinear) return length_of(model.theta);
  return model.form == Model::Form::kDual ? dual_norm(model) : 0;
}

bool has_margin_planes(const Model& model) {
  const LearnerInfo* learner = find_learner(model.learner);
  if (learner == nullptr || !learner->objective || !is_two_class(model)) return false;
  const Options options = complete_options(learner->table, model.options);
  if (is_hard_margin(options)) return true;
  const LossFacts& loss = facts_of(margin_loss(options));
  return !loss.log_odds && !loss.joint;
}

Gathered gather(const PictureInput& input, const PictureSpec& spec, const Observer& observe) {
  Gathered gathered;
  const Model* first = input.models.empty() ? nullptr : input.models.front().model;
  if (input.data != nullptr) {
    gathered.schema = input.data->schema();
    gathered.features = input.data->shape().features;
  } else if (first != nullptr) {
    gathered.schema = first->schema;
    gathered.features = first->features;
  }
  gathered.task = task_of(gathered.schema, first);
  if (first != nullptr) {
    gathered.norm = norm_of(*first);
    gathered.has_margin = has_margin_planes(*first);
  }
  if (input.data == nullptr) return gathered;
  check_fit(input, spec);
  PlaneSurvey(input, spec).run(gathered, observe);
  const auto with_rows =
      std::count_if(gathered.class_rows.begin(), gathered.class_rows.end(), [](auto n) { return n > 0; });
  if (gathered.task == kTwoClasses && with_rows < 2 && gathered.rows > 0) gathered.task = kOneClass;
  if (!gathered.labelled) {
    gathered.models.clear();
  } else if (first != nullptr && gathered.rows > 0) {
    gathered.evaluation = evaluate(*input.data, *first, !first->regression, observe, spec.limits);
  }
  return gathered;
}

namespace {

std::string title_of(const PictureInput& input, const PictureSpec& spec) {
  if (!spec.title.empty()) return spec.title;
  std::vector<std::string> names = spec.files;
  for (const NamedModel& model : input.models) {
    if (spec.files.empty() && !model.name.empty()) names.push_back(model.name);
  }
  if (names.empty()) return "linsep";
  std::string title = short_text(names[0]);
  if (names.size() == 2) title += ", " + short_text(names[1]);
  if (names.size() > 2) title += " and " + std::to_string(names.size() - 1) + " others";
  return title;
}

std::vector<std::string> kinds_of(const PictureInput& input) {
  std::vector<std::string> kinds;
  if (input.run != nullptr || input.trained != nullptr) kinds.emplace_back("run");
  if (!input.models.empty()) kinds.emplace_back("model");
  if (input.data != nullptr) kinds.emplace_back("data");
  if (input.models.size() > 1) kinds.emplace_back("comparison");
  if (input.proof != nullptr || input.certified != nullptr) kinds.emplace_back("proof");
  return kinds;
}

}  // namespace

void add_about(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered) {
  Picture::About& about = picture.about;
  about.title = title_of(input, spec);
  about.kinds = kinds_of(input);
  about.task = gathered.task;
  about.rows = gathered.rows;
  about.features = gathered.features;
  const Model* model = input.models.empty() ? nullptr : input.models.front().model;
  const FeatureMap map = model != nullptr ? model->map : FeatureMap{};
  about.mapped_features = mapped_features(map, model != nullptr ? model->features : gathered.features);
  about.classes = gathered.schema.labels.empty() ? gathered.schema.classes : gathered.schema.labels;
  about.class_rows = gathered.class_rows;
  about.map = map_text(map);
  about.origin = model != nullptr && model->origin;
  about.files = spec.files;
  about.version = spec.version;
  if (!gathered.models.empty()) about.not_finite = gathered.models.front().not_finite;
  for (const std::string& name : about.classes) about.class_names.push_back(short_text(name));
}

void add_models(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/, const Gathered& gathered) {
  for (std::size_t m = 0; m < input.models.size(); ++m) {
    const Model& model = *input.models[m].model;
    Picture::Classifier& one = picture.models.emplace_back();
    one.name = short_text(input.models[m].name);
    one.learner = model.learner;
    one.norm = m == 0 ? gathered.norm : norm_of(model);
    one.offset = model.offset;
    one.seconds = input.models[m].seconds;
    if (gathered.models.empty() || model.regression) continue;
    const ModelRows& rows = gathered.models[m];
    one.mistakes = rows.mistakes;
    if (gathered.rows > 0) one.error = static_cast<double>(rows.mistakes) / static_cast<double>(gathered.rows);
    if (one.norm > 0 && std::isfinite(rows.least_margin)) one.margin = rows.least_margin / one.norm;
    if (input.models.size() > 1) one.disagreements = rows.disagreements;
  }
}

}  // namespace linsep
