#include "train/evaluate/row_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/exact_sum.h"
#include "core/parallel.h"
#include "linsep/error.h"
#include "linsep/tools/ranking.h"
#include "model/model.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/score_table.h"
#include "os/memory.h"

namespace linsep {

bool all_finite(std::span<const double> z) {
  return std::ranges::all_of(z, [](double one) { return std::isfinite(one); });
}

bool is_mistake(double threshold, double y, double z) {
  if (!std::isfinite(z)) return true;
  return threshold == 0 ? !(y * z > 0) : (z >= threshold) != (y > 0);
}

bool is_class_mistake(std::size_t own, std::span<const double> z) {
  if (!all_finite(z)) return true;
  for (std::size_t c = 0; c < z.size(); ++c) {
    if (c != own && !(z[own] > z[c])) return true;
  }
  return false;
}

bool is_mistake_of_labels(const std::string& combination, std::span<const double> z) {
  for (std::size_t k = 0; k < z.size(); ++k) {
    if (combination[k] != '-' && is_mistake(0, combination[k] == '1' ? 1 : -1, z[k])) return true;
  }
  return false;
}

std::size_t class_index(double label, std::size_t classes) {
  if (classes == 2) label = label > 0 ? 1 : 0;
  if (label >= 0 && label < static_cast<double>(classes)) return static_cast<std::size_t>(label);
  throw input_error("a row's label isn't one of the model's classes");
}

const std::string& combination_of(const Schema& schema, double label) {
  if (label >= 0 && label < static_cast<double>(schema.combinations.size())) {
    return schema.combinations[static_cast<std::size_t>(label)];
  }
  throw input_error("a row's label isn't one of the model's label columns");
}

namespace {

// Sums over rows that judge a model's probabilities.

/// Sums over rows, which don't depend on their order or on who added them up.
struct EvaluationSums {
  ExactSum squares, log_loss, brier;
  std::array<ExactSum, 10> predicted;

  void exact_all_reduce(Comm& comm);
};

/// A row of two classes with score z.
void count_probability(ProbabilityEvaluation& result, EvaluationSums& sums, const Calibration& calibration, double y,
                       double z);
/// A row of several classes: its scores, and the index of its own class.
void count_probability(EvaluationSums& sums, const Model& model, std::size_t own, std::span<const double> z);

double mean(const ExactSum& sum, std::int64_t count) {
  return sum.value() / static_cast<double>(std::max<std::int64_t>(count, 1));
}

void EvaluationSums::exact_all_reduce(Comm& comm) {
  std::vector<ExactSum*> all = {&squares, &log_loss, &brier};
  for (ExactSum& sum : predicted) all.push_back(&sum);
  linsep::exact_all_reduce(comm, all);
}

void count_probability(ProbabilityEvaluation& result, EvaluationSums& sums, const Calibration& calibration, double y,
                       double z) {
  const double p = positive_probability(calibration, z), truth = y > 0 ? 1 : 0;
  sums.log_loss.add(log_loss(calibration, z, y));
  sums.brier.add((p - truth) * (p - truth));
  const std::size_t place = std::min<std::size_t>(static_cast<std::size_t>(p * 10), result.bins.size() - 1);
  ++result.bins[place].rows;
  if (y > 0) ++result.bins[place].positive;
  sums.predicted[place].add(p);
}

void count_probability(EvaluationSums& sums, const Model& model, std::size_t own, std::span<const double> z) {
  std::vector<double> p(z.size());
  probabilities(model, z, p);
  sums.log_loss.add(class_log_loss(p, own));
  for (std::size_t c = 0; c < p.size(); ++c) sums.brier.add((p[c] - (c == own ? 1 : 0)) * (p[c] - (c == own ? 1 : 0)));
}

/// Turns sums into means, over `rows` rows.
void finish_probabilities(ProbabilityEvaluation& result, const EvaluationSums& sums, std::int64_t rows) {
  for (std::size_t k = 0; k < result.bins.size(); ++k) {
    result.bins[k].predicted = mean(sums.predicted[k], result.bins[k].rows);
  }
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  result.log_loss = rows == 0 ? kUndefined : mean(sums.log_loss, rows);
  result.brier = rows == 0 ? kUndefined : mean(sums.brier, rows);
}

/// Rows by score in ten bins of about as many rows each. If places hold several scores, a row's probability is the
/// middle of its place's.
std::vector<ProbabilityEvaluation::Bin> equal_count_bins(const ScoreCounts& counts, const Calibration& calibration) {
  constexpr std::int64_t kBins = 10;
  std::int64_t rows = 0, before = 0;
  for (const auto& place : counts.places) rows += place.negative + place.positive;
  std::vector<ProbabilityEvaluation::Bin> bins(kBins);
  std::vector<ExactSum> predicted(kBins);
  for (std::size_t i = counts.places.size(); i-- > 0;) {
    const auto& place = counts.places[i];
    const std::int64_t here = place.negative + place.positive;
    // The bin of the middle one of its rows.
    const auto bin = static_cast<std::size_t>(std::min((2 * before + here) * kBins / (2 * rows), kBins - 1));
    const double least = positive_probability(calibration, place.least);
    const double most = counts.dropped_bits == 0 ? least : positive_probability(calibration, greatest_score(counts, i));
    bins[bin].rows += here;
    bins[bin].positive += place.positive;
    predicted[bin].add(static_cast<double>(here) * (least + (most - least) / 2));
    before += here;
  }
  for (std::size_t k = 0; k < bins.size(); ++k) bins[k].predicted = mean(predicted[k], bins[k].rows);
  return bins;
}

// ScoreTables counts rows by each score that a model gives them.

class ScoreTables {
 public:
  /// `parts` is the number of scores of a row. All tables together have at most this many places, or 2¹⁰ each.
  ScoreTables(std::size_t parts, std::size_t places);

  /// Takes the scores of whole rows, those of one row together, and whether row i is positive for score k. Without a
  /// value the row is left out there. A row with a score that isn't finite is left out for all its scores if
  /// `whole_rows`, otherwise only for that one. Throws a usage Error if memory isn't sufficient.
  using Positive = std::function<std::optional<bool>(std::size_t row, std::size_t part)>;
  void add(std::span<const double> z, const Positive& positive, bool whole_rows, const RunLimits& limits);

  void all_reduce(Comm& comm);
  std::vector<ScoreCounts> counts();

 private:
  void require_room(std::size_t rows, const RunLimits& limits) const;

  std::vector<ScoreTable> tables_;
};

std::size_t capacity_of_each(std::size_t parts, std::size_t places) {
  constexpr std::size_t kFewestPlaces = std::size_t{1} << 10;
  return std::clamp(places / std::max<std::size_t>(parts, 1), kFewestPlaces, ScoreTable::kCapacity);
}

ScoreTables::ScoreTables(std::size_t parts, std::size_t places)
    : tables_(parts, ScoreTable(capacity_of_each(parts, places))) {}

void ScoreTables::require_room(std::size_t rows, const RunLimits& limits) const {
  std::uint64_t more = 0;
  for (const ScoreTable& table : tables_) more += table.room_for(rows);
  if (more < (std::uint64_t{1} << 20)) return;
  const MemoryLeft left = limits.memory > 0 ? MemoryLeft{} : memory_left();
  if (limits.memory > 0 ? resident_bytes() + more <= limits.memory : more <= left.bytes) return;
  const std::string sentence =
      fmt::format("the area under the curve needs {} more memory to count rows by score, but ", size_words(more));
  if (limits.memory > 0) {
    throw options_error({"memory", "no-auc"},
                        fmt::format("{}{{}} allows {}: {{}} skips it", sentence, size_words(limits.memory)));
  }
  throw Error(Error::Kind::kSystem, Place{}, {"no-auc"},
              fmt::format("{}{}: {{}} leaves it out", sentence, memory_words(left)));
}

void ScoreTables::add(std::span<const double> z, const Positive& positive, bool whole_rows, const RunLimits& limits) {
  const std::size_t parts = tables_.size(), rows = z.size() / parts;
  require_room(rows, limits);
  std::vector<bool> left_out(whole_rows ? rows : 0);
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    left_out[i] = !std::ranges::all_of(z.subspan(i * parts, parts), [](double one) { return std::isfinite(one); });
  }
  constexpr double kScoreNanoseconds = 50;
  const double work = kScoreNanoseconds * static_cast<double>(z.size());
  parallel_for(parts, parts == 1 ? 1 : thread_count(limits.threads), work, [&](std::size_t k, std::size_t) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double score = z[i * parts + k];
      if (whole_rows ? left_out[i] : !std::isfinite(score)) continue;
      if (const auto is_positive = positive(i, k)) tables_[k].add(score, *is_positive);
    }
  });
}

void ScoreTables::all_reduce(Comm& comm) {
  for (ScoreTable& table : tables_) table.all_reduce(comm);
}

std::vector<ScoreCounts> ScoreTables::counts() {
  std::vector<ScoreCounts> all;
  for (ScoreTable& table : tables_) {
    all.push_back(table.counts());
    table = ScoreTable();
  }
  return all;
}

/// A row whose scores aren't all finite. Whatever its label, no prediction can be read from them.
void count_not_finite(Evaluation& result, bool regression) {
  ++result.rows;
  ++result.not_finite;
  if (!regression) ++result.mistakes;
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

/// A row of several classes: its scores, and the index of its own class.
void count_class(Evaluation& result, std::size_t own, std::span<const double> z) {
  if (!all_finite(z)) return count_not_finite(result, false);
  ++result.rows;
  ++result.confusion[own * z.size() + predicted_class(z)];
  if (is_class_mistake(own, z)) ++result.mistakes;
}

void count_labels(Evaluation& result, std::vector<EvaluationSums>& sums, const Model& model,
                  const std::string& combination, std::span<const double> z) {
  ++result.rows;
  if (!all_finite(z)) ++result.not_finite;
  for (std::size_t k = 0; k < z.size(); ++k) {
    if (combination[k] == '-') continue;
    const double y = combination[k] == '1' ? 1 : -1;
    Evaluation& label = result.labels[k];
    count(label, 0, y, z[k]);
    if (label.probabilities && std::isfinite(z[k])) {
      count_probability(*label.probabilities, sums[k], model.calibrations[k], y, z[k]);
    }
  }
  if (is_mistake_of_labels(combination, z)) ++result.mistakes;
}

/// An empty evaluation, with room for what the model's form needs.
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

/// Counts rows with the scores `z`.
void count_rows(Evaluation& result, std::vector<EvaluationSums>& sums, const Model& model, const Schema& schema,
                std::span<const double> labels, std::span<const double> z) {
  const std::size_t parts = scores_per_row(model);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double y = labels[i];
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

/// The same by score. REQUIRES: `count_rows` took the labels.
void count_scores(ScoreTables& tables, const Model& model, const Schema& schema, std::span<const double> labels,
                  std::span<const double> z, const RunLimits& limits) {
  const std::size_t parts = scores_per_row(model);
  const bool classes = model.form == Model::Form::kClasses, columns = model.form == Model::Form::kLabels;
  const auto positive = [&](std::size_t i, std::size_t k) -> std::optional<bool> {
    const double y = labels[i];
    if (classes) return class_index(y, parts) == k;
    if (!columns) return y > 0;
    const char own = combination_of(schema, y)[k];
    return own == '-' ? std::nullopt : std::optional(own == '1');
  };
  tables.add(z, positive, classes, limits);
}

/// Every count of an evaluation, one after another.
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

/// Fills in what depends on the order of scores.
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

struct RowCounts::State {
  const Model& model;
  std::vector<EvaluationSums> sums;  ///< one for each label column, or one in all
  std::optional<ScoreTables> tables;
  Evaluation result;
};

RowCounts::RowCounts(const Model& model, bool ranking, std::size_t places) {
  const std::size_t parts = scores_per_row(model);
  std::vector<EvaluationSums> sums(model.form == Model::Form::kLabels ? parts : 1);
  state_ = std::make_unique<State>(State{model, std::move(sums), std::nullopt, no_rows(model)});
  if (ranking && !model.regression) state_->tables.emplace(parts, places);
}

RowCounts::RowCounts(RowCounts&&) noexcept = default;
RowCounts::~RowCounts() = default;

void RowCounts::take(const Schema& schema, std::span<const double> labels, std::span<const double> z,
                     const RunLimits& limits) {
  count_rows(state_->result, state_->sums, state_->model, schema, labels, z);
  if (state_->tables) count_scores(*state_->tables, state_->model, schema, labels, z, limits);
}

void RowCounts::all_reduce(Comm& comm) {
  if (comm.size() == 1) return;
  add_up_counts(state_->result, comm);
  for (EvaluationSums& own : state_->sums) own.exact_all_reduce(comm);
  if (state_->tables) state_->tables->all_reduce(comm);
}

Evaluation RowCounts::finish() {
  Evaluation& result = state_->result;
  const std::vector<EvaluationSums>& sums = state_->sums;
  result.sum_of_squares = sums[0].squares.value();
  if (result.probabilities) finish_probabilities(*result.probabilities, sums[0], result.rows - result.not_finite);
  for (std::size_t k = 0; k < result.labels.size(); ++k) {
    Evaluation& label = result.labels[k];
    label.area_under_curve = result.area_under_curve;
    if (auto& own = label.probabilities) finish_probabilities(*own, sums[k], label.rows - label.not_finite);
  }
  if (state_->tables) take_ranking(result, state_->model, *state_->tables);
  return std::move(result);
}

}  // namespace linsep
