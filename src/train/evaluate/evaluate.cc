// How a model does on labelled rows: one pass of scores.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/slice.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/train.h"
#include "train/evaluate/probability_sums.h"
#include "train/evaluate/score_tables.h"

namespace linsep {
namespace {

bool all_finite(std::span<const double> z) {
  return std::ranges::all_of(z, [](double one) { return std::isfinite(one); });
}

/// A row whose scores aren't all finite: whatever its label, no prediction can be read from them.
void count_not_finite(Evaluation& result, bool regression) {
  ++result.rows;
  ++result.not_finite;
  if (!regression) ++result.mistakes;
}

/// Whether a row is a mistake. At a threshold of 0, the boundary itself is one for both classes.
bool is_mistake(double threshold, double y, double z) {
  if (!std::isfinite(z)) return true;
  return threshold == 0 ? !(y * z > 0) : (z >= threshold) != (y > 0);
}

void count(Evaluation& result, double threshold, double y, double z) {
  if (!std::isfinite(z)) return count_not_finite(result, false);
  ++result.rows;
  if (is_mistake(threshold, y, z)) ++result.mistakes;
  const bool said_positive = z >= threshold;
  if (y > 0) {
    ++(said_positive ? result.true_positive : result.false_negative);
  } else {
    ++(said_positive ? result.false_positive : result.true_negative);
  }
}

/// The index of a row's class: its label; of two classes, which a source shows as -1 and 1, what stands there. Throws
/// where the source has classes that the model hasn't.
std::size_t class_index(double label, std::size_t classes) {
  if (classes == 2) label = label > 0 ? 1 : 0;
  if (label >= 0 && label < static_cast<double>(classes)) return static_cast<std::size_t>(label);
  throw input_error("a row's label is none of the model's classes");
}

/// What a row of label columns has in each of them. Throws where its label is none of the source's.
const std::string& combination_of(const Schema& schema, double label) {
  if (label >= 0 && label < static_cast<double>(schema.combinations.size())) {
    return schema.combinations[static_cast<std::size_t>(label)];
  }
  throw input_error("a row's label is none of its label columns'");
}

/// A row of several classes: its scores, and the index of its own class.
void count_class(Evaluation& result, std::size_t own, std::span<const double> z) {
  if (!all_finite(z)) return count_not_finite(result, false);
  ++result.rows;
  ++result.confusion[own * z.size() + predicted_class(z)];
  for (std::size_t c = 0; c < z.size(); ++c) {
    if (c == own || z[own] > z[c]) continue;
    ++result.mistakes;
    return;
  }
}

void count_labels(Evaluation& result, std::vector<EvaluationSums>& sums, const Model& model,
                  const std::string& combination, std::span<const double> z) {
  ++result.rows;
  if (!all_finite(z)) ++result.not_finite;
  bool mistake = false;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const double y = combination[k] == '1' ? 1 : -1;
    mistake = mistake || is_mistake(0, y, z[k]);
    Evaluation& label = result.labels[k];
    count(label, 0, y, z[k]);
    if (label.probabilities && std::isfinite(z[k])) {
      count_probability(*label.probabilities, sums[k], model.calibrations[k], y, z[k]);
    }
  }
  if (mistake) ++result.mistakes;
}

/// Nothing counted yet, with room for what the model's form asks for.
Evaluation no_rows(const Model& model) {
  Evaluation result;
  result.area_under_curve = std::numeric_limits<double>::quiet_NaN();
  const std::size_t parts = scores_per_row(model);
  if (model.form == Model::Form::kClasses) result.confusion.resize(parts * parts);
  if (model.form == Model::Form::kLabels) result.labels.resize(parts);
  if (!has_probabilities(model)) return result;
  for (Evaluation& label : result.labels) label.probabilities.emplace();
  if (result.labels.empty()) result.probabilities.emplace();
  return result;
}

/// As many rows as take some milliseconds.
std::int64_t rows_at_a_time(const Model& model) {
  constexpr std::uint64_t kValues = std::uint64_t{1} << 24, kFewest = 2;
  std::uint64_t a_row = 2 * model.kept.column.size() + 16 * model.kept.size();
  if (model.map.kind != FeatureMap::Kind::kNone) a_row += weights_of(model, 0).size() * scores_per_row(model);
  return static_cast<std::int64_t>(std::max<std::uint64_t>(kValues / std::max<std::uint64_t>(a_row, 256), kFewest));
}

/// The batches of a source, cut where they have more rows.
class BatchParts {
 public:
  BatchParts(Source& source, std::int64_t rows) : source_(source), rows_(rows) {}
  std::optional<Batch> next() {
    if (!batch_ || at_ >= batch_->rows) {
      batch_ = source_.next();
      at_ = 0;
    }
    if (!batch_ || batch_->rows <= rows_ || batch_->foreign()) {
      if (batch_) at_ = batch_->rows;
      return batch_;
    }
    const std::int64_t count = std::min(rows_, batch_->rows - at_);
    at_ += count;
    return slice(*batch_, at_ - count, count);
  }

 private:
  Source& source_;
  std::int64_t rows_;
  std::optional<Batch> batch_;
  std::int64_t at_ = 0;
};

/// Counts the rows of a batch, whose scores are `z`.
void count_batch(Evaluation& result, std::vector<EvaluationSums>& sums, const Model& model, const Schema& schema,
                 const Batch& batch, std::span<const double> z) {
  const std::size_t parts = scores_per_row(model);
  for (std::size_t i = 0; i < static_cast<std::size_t>(batch.rows); ++i) {
    const double y = batch.label[i];
    const auto own = z.subspan(i * parts, parts);
    if (model.form == Model::Form::kClasses) {
      const std::size_t index = class_index(y, parts);
      count_class(result, index, own);
      if (result.probabilities && all_finite(own)) count_probability(sums[0], model, index, own);
    } else if (model.form == Model::Form::kLabels) {
      count_labels(result, sums, model, combination_of(schema, y), own);
    } else if (!std::isfinite(z[i])) {
      count_not_finite(result, model.regression);
    } else if (model.regression) {
      ++result.rows;
      sums[0].squares.add((y - z[i]) * (y - z[i]));
    } else {
      count(result, model.threshold, y, z[i]);
      if (result.probabilities) count_probability(*result.probabilities, sums[0], model.calibration, y, z[i]);
    }
  }
}

/// The same by score. REQUIRES: `count_batch` took the labels.
void count_scores(ScoreTables& tables, const Model& model, const Schema& schema, const Batch& batch,
                  std::span<const double> z, const RunLimits& limits) {
  const std::size_t parts = scores_per_row(model);
  const bool classes = model.form == Model::Form::kClasses, labels = model.form == Model::Form::kLabels;
  const auto positive = [&](std::size_t i, std::size_t k) {
    const double y = batch.label[i];
    if (classes) return class_index(y, parts) == k;
    return labels ? combination_of(schema, y)[k] == '1' : y > 0;
  };
  tables.add(z, positive, classes, limits);
}

/// One pass over this worker's rows. `sums` has one element for each label column, or one.
Evaluation count_rows(Source& source, const Model& model, const RunLimits& limits, const Observer& observe,
                      std::vector<EvaluationSums>& sums, ScoreTables* tables) {
  Evaluation result = no_rows(model);
  std::vector<double> z;
  Progress progress;
  progress.pass = 1;
  progress.phase = Phase::kMeasuring;
  progress.passes_in_all = 1;
  progress.rows_in_all = source.shape().rows;
  source.rewind(0);
  for (BatchParts parts_of(source, rows_at_a_time(model)); const auto batch = parts_of.next();) {
    if (limits.interrupted()) throw interrupted_error();
    if (!batch->labelled()) throw input_error("a model can't be measured on rows without labels");
    z.resize(static_cast<std::size_t>(batch->rows) * scores_per_row(model));
    score(model, *batch, z, limits.threads);
    count_batch(result, sums, model, source.schema(), *batch, z);
    if (tables != nullptr) count_scores(*tables, model, source.schema(), *batch, z, limits);
    progress.rows += batch->rows;
    if (observe) observe(progress);
  }
  return result;
}

/// Every count of an evaluation, one behind another.
void list_counts(Evaluation& result, std::vector<std::int64_t*>& counts) {
  counts.insert(counts.end(), {&result.rows, &result.mistakes, &result.not_finite, &result.true_positive,
                               &result.true_negative, &result.false_positive, &result.false_negative});
  for (std::int64_t& count : result.confusion) counts.push_back(&count);
  if (result.probabilities) {
    for (auto& bin : result.probabilities->bins) counts.insert(counts.end(), {&bin.rows, &bin.positive});
  }
  for (Evaluation& label : result.labels) list_counts(label, counts);
}

void add_up_counts(Evaluation& result, Comm& comm) {
  std::vector<std::int64_t*> counts;
  list_counts(result, counts);
  std::vector<std::int64_t> values;
  for (const std::int64_t* count : counts) values.push_back(*count);
  comm.all_reduce(std::span(values), Comm::Op::kSum);
  for (std::size_t k = 0; k < counts.size(); ++k) *counts[k] = values[k];
}

/// What the order of scores decides.
void take_ranking(Evaluation& result, const Model& model, ScoreTables& tables) {
  result.scores = tables.counts();
  for (std::size_t k = 0; k < result.labels.size(); ++k) {
    Evaluation& label = result.labels[k];
    label.area_under_curve = rank_rows(result.scores[k]).area_under_curve.middle();
    if (auto& own = label.probabilities) {
      own->equal_count = equal_count_bins(result.scores[k], model.calibrations[k]);
    }
  }
  if (scores_per_row(model) > 1 || !result.labels.empty()) return;
  result.area_under_curve = rank_rows(result.scores[0]).area_under_curve.middle();
  if (auto& own = result.probabilities) own->equal_count = equal_count_bins(result.scores[0], model.calibration);
}

}  // namespace

Evaluation evaluate(Source& source, const Model& model, bool ranking, Comm& comm, const Observer& observe,
                    const RunLimits& limits) {
  const std::size_t parts = scores_per_row(model);
  std::optional<ScoreTables> tables;
  if (ranking && !model.regression) tables.emplace(parts);
  Evaluation result;
  std::vector<EvaluationSums> sums(model.form == Model::Form::kLabels ? parts : 1);
  rethrow_on_all(comm, [&] { result = count_rows(source, model, limits, observe, sums, tables ? &*tables : nullptr); });
  if (comm.size() > 1) {
    add_up_counts(result, comm);
    for (EvaluationSums& own : sums) own.exact_all_reduce(comm);
    if (tables) tables->all_reduce(comm);
  }
  result.sum_of_squares = sums[0].squares.value();
  if (result.probabilities) finish_probabilities(*result.probabilities, sums[0], result.rows - result.not_finite);
  for (std::size_t k = 0; k < result.labels.size(); ++k) {
    Evaluation& label = result.labels[k];
    label.area_under_curve = result.area_under_curve;
    if (auto& own = label.probabilities) finish_probabilities(*own, sums[k], label.rows - label.not_finite);
  }
  if (tables) take_ranking(result, model, *tables);
  return result;
}

Evaluation evaluate(Source& source, const Model& model, bool ranking, const Observer& observe,
                    const RunLimits& limits) {
  return evaluate(source, model, ranking, *solo(), observe, limits);
}

}  // namespace linsep
