// How a model does on labelled rows: one pass of scores.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/bytes.h"
#include "core/exact_sum.h"
#include "core/slice.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/train.h"
#include "model/class_probability.h"
#include "numeric/exact_all_reduce.h"
#include "os/available.h"
#include "os/resident.h"

namespace linsep {
namespace {

// The probability that a positive row scores above a negative one, half for ties (Mann and Whitney).
// REQUIRES: finite scores.
double area(std::vector<std::pair<double, bool>>& scored) {
  std::sort(scored.begin(), scored.end());
  double wins = 0, negatives = 0, positives = 0;
  for (std::size_t i = 0; i < scored.size();) {
    double tied_negatives = 0, tied_positives = 0;
    const double z = scored[i].first;
    for (; i < scored.size() && scored[i].first == z; ++i) (scored[i].second ? tied_positives : tied_negatives) += 1;
    wins += tied_positives * (negatives + tied_negatives / 2);
    negatives += tied_negatives;
    positives += tied_positives;
  }
  if (negatives == 0 || positives == 0) return std::numeric_limits<double>::quiet_NaN();
  return wins / (negatives * positives);
}

bool all_finite(std::span<const double> z) {
  return std::ranges::all_of(z, [](double one) { return std::isfinite(one); });
}

/// A row whose scores aren't all finite: whatever its label, no prediction can be read from them.
void count_not_finite(Evaluation& result, bool regression) {
  ++result.rows;
  ++result.not_finite;
  if (!regression) ++result.mistakes;
}

void count(Evaluation& result, double y, double z) {
  if (!std::isfinite(z)) return count_not_finite(result, false);
  ++result.rows;
  if (!(y * z > 0)) ++result.mistakes;
  const bool said_positive = predicted_sign(z) > 0;
  if (y > 0) {
    ++(said_positive ? result.true_positive : result.false_negative);
  } else {
    ++(said_positive ? result.false_positive : result.true_negative);
  }
}

/// Sums over rows, which don't depend on their order or on who added them up.
struct Sums {
  ExactSum squares, log_loss, brier;
  std::array<ExactSum, 10> predicted;

  void exact_all_reduce(Comm& comm) {
    std::vector<ExactSum*> all = {&squares, &log_loss, &brier};
    for (ExactSum& sum : predicted) all.push_back(&sum);
    linsep::exact_all_reduce(comm, all);
  }
};

void count(ProbabilityEvaluation& result, Sums& sums, const Calibration& calibration, double y, double z) {
  const double p = positive_probability(calibration, z), truth = y > 0 ? 1 : 0;
  sums.log_loss.add(log_loss(calibration, z, y));
  sums.brier.add((p - truth) * (p - truth));
  const std::size_t place = std::min<std::size_t>(static_cast<std::size_t>(p * 10), result.bins.size() - 1);
  ++result.bins[place].rows;
  if (y > 0) ++result.bins[place].positive;
  sums.predicted[place].add(p);
}

/// Of several classes: the scores of a row, and the index of its own class.
void count(Sums& sums, const Model& model, std::size_t own, std::span<const double> z) {
  std::vector<double> p(z.size());
  probabilities(model, z, p);
  sums.log_loss.add(class_log_loss(p, own));
  for (std::size_t c = 0; c < p.size(); ++c) sums.brier.add((p[c] - (c == own ? 1 : 0)) * (p[c] - (c == own ? 1 : 0)));
}

void finish(ProbabilityEvaluation& result, const Sums& sums, std::int64_t rows) {
  const auto mean = [](const ExactSum& sum, std::int64_t count) {
    return sum.value() / static_cast<double>(std::max<std::int64_t>(count, 1));
  };
  for (std::size_t k = 0; k < result.bins.size(); ++k) {
    result.bins[k].predicted = mean(sums.predicted[k], result.bins[k].rows);
  }
  result.log_loss = mean(sums.log_loss, rows);
  result.brier = mean(sums.brier, rows);
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

void count_labels(Evaluation& result, std::vector<Sums>& sums, const Model& model, const std::string& combination,
                  std::span<const double> z) {
  ++result.rows;
  if (!all_finite(z)) ++result.not_finite;
  bool mistake = false;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const double y = combination[k] == '1' ? 1 : -1;
    mistake = mistake || !std::isfinite(z[k]) || !(y * z[k] > 0);
    Evaluation& label = result.labels[k];
    count(label, y, z[k]);
    if (label.probabilities && std::isfinite(z[k])) {
      count(*label.probabilities, sums[k], model.calibrations[k], y, z[k]);
    }
  }
  if (mistake) ++result.mistakes;
}

/// Scores of rows and whether they are positive, for each classifier of the model.
using Scored = std::vector<std::vector<std::pair<double, bool>>>;

/// Scores of `rows` more rows make arrays grow: the old and the new ones must fit together.
void require_room(const Scored& scored, std::size_t rows, const RunLimits& limits) {
  std::uint64_t more = 0;
  for (const auto& one : scored) {
    if (one.size() + rows > one.capacity()) more += one.capacity() * sizeof(one[0]);
  }
  if (more < (std::uint64_t{1} << 20)) return;
  const MemoryLeft left = limits.memory > 0 ? MemoryLeft{} : memory_left();
  if (limits.memory > 0 ? resident_bytes() + more <= limits.memory : more <= left.bytes) return;
  const std::string sentence = fmt::format(
      "the area under the curve keeps the score of every row, for which {} of memory more would be needed, and ",
      size_words(more));
  if (limits.memory > 0) {
    throw options_error({"memory", "no-auc"},
                        fmt::format("{}{{}} allows {}: {{}} leaves it out", sentence, size_words(limits.memory)));
  }
  throw option_error("no-auc", fmt::format("{}{}: {{}} leaves it out", sentence, memory_words(left)));
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

/// One pass over this worker's rows. `sums` has one element for each label column, or one.
Evaluation count_rows(Source& source, const Model& model, const RunLimits& limits, const Observer& observe,
                      std::vector<Sums>& sums, Scored* scored) {
  Evaluation result = no_rows(model);
  const std::size_t parts = scores_per_row(model);
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
    if (scored != nullptr) require_room(*scored, static_cast<std::size_t>(batch->rows), limits);
    z.resize(static_cast<std::size_t>(batch->rows) * parts);
    score(model, *batch, z, limits.threads);
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch->rows); ++i) {
      const double y = batch->label[i];
      const auto own = std::span<const double>(z).subspan(i * parts, parts);
      if (model.form == Model::Form::kClasses) {
        const std::size_t index = class_index(y, parts);
        count_class(result, index, own);
        if (result.probabilities && all_finite(own)) count(sums[0], model, index, own);
      } else if (model.form == Model::Form::kLabels) {
        const std::string& combination = combination_of(source.schema(), y);
        count_labels(result, sums, model, combination, own);
        for (std::size_t k = 0; scored != nullptr && k < parts; ++k) {
          if (std::isfinite(own[k])) (*scored)[k].emplace_back(own[k], combination[k] == '1');
        }
      } else if (!std::isfinite(z[i])) {
        count_not_finite(result, model.regression);
      } else if (model.regression) {
        ++result.rows;
        sums[0].squares.add((y - z[i]) * (y - z[i]));
      } else {
        count(result, y, z[i]);
        if (result.probabilities) count(*result.probabilities, sums[0], model.calibration, y, z[i]);
        if (scored != nullptr) (*scored)[0].emplace_back(z[i], y > 0);
      }
    }
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

/// The scores of all workers' rows.
void gather_scores(Scored& scored, Comm& comm) {
  for (auto& one : scored) {
    ByteWriter writer;
    for (const auto& [z, positive] : one) {
      writer.number(z);
      writer.number<std::uint8_t>(positive ? 1 : 0);
    }
    one.clear();
    for (const std::string& bytes : gather_text(comm, writer.bytes())) {
      ByteReader reader(bytes);
      while (!reader.at_end()) {
        const auto z = reader.number<double>();
        one.emplace_back(z, reader.number<std::uint8_t>() != 0);
      }
    }
  }
}

}  // namespace

Evaluation evaluate(Source& source, const Model& model, bool area_under_curve, Comm& comm, const Observer& observe,
                    const RunLimits& limits) {
  const std::size_t parts = scores_per_row(model);
  Scored scored(parts);
  Evaluation result;
  std::vector<Sums> sums(model.form == Model::Form::kLabels ? parts : 1);
  rethrow_on_all(
      comm, [&] { result = count_rows(source, model, limits, observe, sums, area_under_curve ? &scored : nullptr); });
  if (comm.size() > 1) {
    add_up_counts(result, comm);
    for (Sums& own : sums) own.exact_all_reduce(comm);
    if (area_under_curve) gather_scores(scored, comm);
  }
  result.sum_of_squares = sums[0].squares.value();
  if (result.probabilities) finish(*result.probabilities, sums[0], result.rows - result.not_finite);
  for (std::size_t k = 0; k < result.labels.size(); ++k) {
    const Evaluation& label = result.labels[k];
    if (auto& own = result.labels[k].probabilities) finish(*own, sums[k], label.rows - label.not_finite);
  }
  for (Evaluation& label : result.labels) label.area_under_curve = result.area_under_curve;
  if (!area_under_curve) return result;
  for (std::size_t k = 0; k < result.labels.size(); ++k) result.labels[k].area_under_curve = area(scored[k]);
  if (!model.regression && parts == 1) result.area_under_curve = area(scored[0]);
  return result;
}

Evaluation evaluate(Source& source, const Model& model, bool area_under_curve, const Observer& observe,
                    const RunLimits& limits) {
  return evaluate(source, model, area_under_curve, *solo(), observe, limits);
}

}  // namespace linsep
