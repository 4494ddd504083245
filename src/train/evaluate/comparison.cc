#include "train/evaluate/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "core/from_chars.h"
#include "linsep/tools/ranking.h"
#include "linsep/tools/shown_text.h"
#include "model/model.h"
#include "train/evaluate/row_counts.h"

namespace linsep {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMostRows = std::int64_t{1} << 31;

bool of_two_classes(const Model& model) {
  return !model.regression && model.form != Model::Form::kClasses && model.form != Model::Form::kLabels;
}

double share(std::int64_t part, std::int64_t all) {
  return all == 0 ? kUndefined : static_cast<double>(part) / static_cast<double>(all);
}

/// What the metrics of two classes are made of.
struct Figures {
  std::int64_t true_positive = 0, true_negative = 0, false_positive = 0, false_negative = 0, rows = 0;
  double area = kUndefined, average_precision = kUndefined, ks = kUndefined;
  double cost_of_missed = 0, cost_of_false_alarm = 0;

  void rank(const ScoreCounts& counts) {
    const Ranking ranking = rank_rows(counts);
    area = ranking.area_under_curve.middle();
    average_precision = ranking.average_precision.middle();
    ks = ranking.ks.middle();
  }
};

struct ClassMetric {
  std::string_view name;
  bool more_is_better;
  double (*of)(const Figures&);
};

constexpr ClassMetric kCounted[] = {
    {"precision", true, [](const Figures& f) { return share(f.true_positive, f.true_positive + f.false_positive); }},
    {"recall", true, [](const Figures& f) { return share(f.true_positive, f.true_positive + f.false_negative); }},
    {"f1", true,
     [](const Figures& f) {
       return share(2 * f.true_positive, 2 * f.true_positive + f.false_positive + f.false_negative);
     }},
};
constexpr ClassMetric kRanked[] = {
    {"area_under_curve", true, [](const Figures& f) { return f.area; }},
    {"average_precision", true, [](const Figures& f) { return f.average_precision; }},
    {"ks", true, [](const Figures& f) { return f.ks; }},
};
constexpr ClassMetric kCost = {"cost", false, [](const Figures& f) {
                                 return (f.cost_of_missed * static_cast<double>(f.false_negative) +
                                         f.cost_of_false_alarm * static_cast<double>(f.false_positive)) /
                                        static_cast<double>(f.rows);
                               }};

MetricComparison error_of(const PairedMistakes& mistakes, const Evaluation& model, const Evaluation& against) {
  MetricComparison error{"error", false, true, share(model.mistakes, model.rows),
                         share(against.mistakes, against.rows)};
  const PairedInterval interval = paired_interval(mistakes.mistake, model.rows);
  error.at_least = interval.at_least;
  error.at_most = interval.at_most;
  return error;
}

/// Shares of rows that aren't wrong: the interval is that of the wrong ones, mirrored.
void take_counts(MetricComparison& metric, const Discordant& wrong, std::int64_t rows) {
  if (rows == 0) return;
  const PairedInterval interval = paired_interval(wrong, rows);
  metric.counted = true;
  metric.at_least = -interval.at_most;
  metric.at_most = -interval.at_least;
}

/// The middle 95 % of replicates, around the difference of all rows instead of that in bins. The replicates come last
/// in `drawn`, after that of all rows.
void take_draws(MetricComparison& metric, const std::vector<double>& drawn) {
  metric.at_least = metric.at_most = kUndefined;
  std::vector<double> sorted;
  for (std::size_t r = 1; r < drawn.size(); ++r) {
    if (!std::isnan(drawn[r])) sorted.push_back(drawn[r]);
  }
  if (sorted.size() * 100 < (drawn.size() - 1) * 99 || std::isnan(drawn[0])) return;
  std::ranges::sort(sorted);
  const auto quantile = [&](double p) {
    const double at = p * static_cast<double>(sorted.size() + 1) - 1;
    const auto below = static_cast<std::size_t>(at);
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
  };
  metric.at_least = metric.difference() + (quantile(0.025) - drawn[0]);
  metric.at_most = metric.difference() + (quantile(0.975) - drawn[0]);
}

/// A power of two that turns amounts which add up to `sum` at most into whole numbers below 2⁵⁸ in all.
double scale_for(double sum) {
  if (!(sum > 0) || !std::isfinite(sum)) return 1;
  int exponent = 0;
  std::frexp(sum, &exponent);
  return std::ldexp(1, std::min(57 - exponent, 1000));
}

std::string class_list(const Model& model) {
  std::string text;
  for (const std::string& name : model.schema.classes) text += (text.empty() ? "" : ", ") + shown_text(name);
  return model.regression ? "numbers" : text.empty() ? "-1, 1" : text;
}

struct RowLoss {
  double log_loss = 0, brier = 0;
};

RowLoss loss_of(const Model& model, double label, std::span<const double> z) {
  if (model.form != Model::Form::kClasses) {
    const double p = positive_probability(model.calibration, z[0]), truth = label > 0 ? 1 : 0;
    return {log_loss(model.calibration, z[0], label), (p - truth) * (p - truth)};
  }
  std::vector<double> p(z.size());
  probabilities(model, z, p);
  const std::size_t own = class_index(label, z.size());
  RowLoss loss{class_log_loss(p, own), 0};
  for (std::size_t c = 0; c < p.size(); ++c) loss.brier += (p[c] - (c == own ? 1 : 0)) * (p[c] - (c == own ? 1 : 0));
  return loss;
}

}  // namespace

void PairedMistakes::add(const LabeledScores& first, const LabeledScores& second) {
  if (first.model.regression) return;
  struct Wrong {
    bool mistake = false, wrong = false, missed = false;
  };
  const auto judge = [](const LabeledScores& rows, std::size_t i) -> Wrong {
    const std::size_t parts = scores_per_row(rows.model);
    const double y = rows.labels[i];
    const auto z = rows.z.subspan(i * parts, parts);
    if (rows.model.form == Model::Form::kLabels) return {is_mistake_of_labels(combination_of(rows.schema, y), z)};
    if (rows.model.form == Model::Form::kClasses) {
      const std::size_t own = class_index(y, parts);
      return {is_class_mistake(own, z), !all_finite(z) || predicted_class(z) != own};
    }
    const bool positive = z[0] >= rows.model.threshold, finite = std::isfinite(z[0]);
    return {is_mistake(rows.model.threshold, y, z[0]), !finite || positive != (y > 0), finite && y > 0 && !positive};
  };
  for (std::size_t i = 0; i < first.labels.size(); ++i) {
    const Wrong one = judge(first, i), other = judge(second, i);
    mistake.add(one.mistake, other.mistake);
    wrong.add(one.wrong, other.wrong);
    missed.add(one.missed, other.missed);
  }
}

void PairedMistakes::all_reduce(Comm& comm) {
  std::array<std::int64_t, 6> all = {mistake.first, mistake.second, wrong.first,
                                     wrong.second,  missed.first,   missed.second};
  comm.all_reduce(std::span(all), Comm::Op::kSum);
  mistake = {all[0], all[1]};
  wrong = {all[2], all[3]};
  missed = {all[4], all[5]};
}

void check_comparable(const Model& model, const Model& against) {
  const bool same = model.regression == against.regression && model.schema.classes == against.schema.classes &&
                    model.schema.labels == against.schema.labels && of_two_classes(model) == of_two_classes(against);
  if (same) return;
  throw Error(
      Error::Kind::kInput, Place{}, {"classes"},
      fmt::format("the models can't be compared, since one predicts {} and the other {}: train both on the same "
                  "classes, in one order by {{}}",
                  class_list(model), class_list(against)));
}

std::int64_t first_row_of(Comm& comm, std::int64_t rows) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(comm.size()));
  all[static_cast<std::size_t>(comm.rank())] = rows;
  comm.all_reduce(std::span(all), Comm::Op::kSum);
  std::int64_t first = 0;
  for (int rank = 0; rank < comm.rank(); ++rank) first += all[static_cast<std::size_t>(rank)];
  return first;
}

Comparison compare_mistakes(const PairedMistakes& mistakes, const Evaluation& model, const Evaluation& against) {
  Comparison comparison;
  if (model.rows == 0) return comparison;
  comparison.only_model = mistakes.mistake.first;
  comparison.only_against = mistakes.mistake.second;
  comparison.mcnemar_p = mcnemar_p(mistakes.mistake);
  comparison.metrics = {error_of(mistakes, model, against)};
  return comparison;
}

PairedDraws::PairedDraws(const Model& model, const Evaluation& own, const Model& against, const Evaluation& other,
                         const EvaluateRequest& request, std::int64_t first_row)
    : model_(model),
      against_(against),
      own_(own),
      other_(other),
      false_negative_(request.false_negative),
      false_positive_(request.false_positive),
      two_classes_(of_two_classes(model)),
      ranked_(two_classes_ && !own.scores.empty()),
      likely_(own.probabilities && other.probabilities),
      needed_((two_classes_ || likely_ || model.regression) && own.not_finite + other.not_finite == 0),
      bootstrap_(request.seed, first_row, ranked_ && needed_) {
  if (needed_ && own.rows > kMostRows) {
    throw input_error(fmt::format("models can be compared on {} rows at most, but there are {}", kMostRows, own.rows));
  }
  if (ranked_) {
    edges_ = {equal_count_edges(own.scores[0], PairedBootstrap::kBins),
              equal_count_edges(other.scores[0], PairedBootstrap::kBins)};
  }
  const auto rows = static_cast<double>(own.rows);
  if (likely_) {
    scale_ = {scale_for(rows * (own.probabilities->log_loss + other.probabilities->log_loss)),
              scale_for(rows * (own.probabilities->brier + other.probabilities->brier))};
  } else if (model.regression) {
    scale_[0] = scale_for(own.sum_of_squares + other.sum_of_squares);
    needed_ = needed_ && std::isfinite(own.sum_of_squares) && std::isfinite(other.sum_of_squares);
  }
}

void PairedDraws::add(const LabeledScores& model, const LabeledScores& against, int threads) {
  const std::array<const LabeledScores*, 2> both = {&model, &against};
  rows_.assign(model.labels.size(), {});
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    PairedRow& row = rows_[i];
    const double y = model.labels[i];
    row.positive = y > 0;
    std::array<double, 2> amounts = {0, 0};
    for (std::size_t m = 0; m < 2; ++m) {
      const std::size_t parts = scores_per_row(both[m]->model);
      const auto z = both[m]->z.subspan(i * parts, parts);
      const double sign = m == 0 ? 1 : -1;
      if (two_classes_ && z[0] >= both[m]->model.threshold) row.cell |= m == 0 ? 2U : 1U;
      if (ranked_) row.bin[m] = bin_of(edges_[m], z[0]);
      if (likely_) {
        const RowLoss loss = loss_of(both[m]->model, y, z);
        amounts[0] += sign * loss.log_loss;
        amounts[1] += sign * loss.brier;
      } else if (model_.regression) {
        amounts[0] += sign * ((y - z[0]) * (y - z[0]));
      }
    }
    if (two_classes_ && row.positive) row.cell |= 4U;
    for (std::size_t k = 0; k < 2; ++k) row.amount[k] = std::llround(amounts[k] * scale_[k]);
  }
  bootstrap_.add(rows_, threads);
}

struct PairedDraws::Sample {
  std::array<Figures, 2> figures;  ///< of the model, of the other
  std::array<double, 2> amounts{};
};

PairedDraws::Sample PairedDraws::sample(std::size_t replicate) const {
  Sample drawn;
  std::int64_t rows = 0;
  for (std::size_t cell = 0; cell < PairedBootstrap::kCells; ++cell) {
    const std::int64_t here = bootstrap_.rows(replicate, cell);
    rows += here;
    for (std::size_t m = 0; m < 2; ++m) {
      const bool positive = (cell & 4U) != 0, predicted = (cell & (m == 0 ? 2U : 1U)) != 0;
      Figures& own = drawn.figures[m];
      (positive    ? predicted ? own.true_positive : own.false_negative
       : predicted ? own.false_positive
                   : own.true_negative) += here;
    }
  }
  for (std::size_t m = 0; m < 2; ++m) {
    drawn.figures[m].rows = rows;
    drawn.figures[m].cost_of_missed = false_negative_;
    drawn.figures[m].cost_of_false_alarm = false_positive_;
    if (ranked_) drawn.figures[m].rank(bootstrap_.counts(replicate, m));
  }
  for (std::size_t k = 0; k < 2; ++k) {
    drawn.amounts[k] = static_cast<double>(bootstrap_.amount(replicate, k)) / scale_[k] / static_cast<double>(rows);
  }
  return drawn;
}

void PairedDraws::add_bootstrapped(std::vector<MetricComparison>& metrics) const {
  std::vector<Sample> samples;
  for (std::size_t r = 0; needed_ && r < PairedBootstrap::kReplicates; ++r) samples.push_back(sample(r));
  const auto add = [&](MetricComparison metric, auto&& difference) {
    metric.at_least = metric.at_most = kUndefined;
    std::vector<double> drawn;
    for (const Sample& one : samples) drawn.push_back(difference(one));
    if (!drawn.empty()) take_draws(metric, drawn);
    metrics.push_back(std::move(metric));
  };
  if (two_classes_) {
    const auto figures = [&](const Evaluation& result) {
      Figures all{result.true_positive, result.true_negative, result.false_positive, result.false_negative,
                  result.rows};
      all.cost_of_missed = false_negative_;
      all.cost_of_false_alarm = false_positive_;
      if (ranked_) all.rank(result.scores[0]);
      return all;
    };
    const Figures own = figures(own_), other = figures(other_);
    const auto add_metric = [&](const ClassMetric& one) {
      add({std::string(one.name), one.more_is_better, false, one.of(own), one.of(other)},
          [&](const Sample& drawn) { return one.of(drawn.figures[0]) - one.of(drawn.figures[1]); });
    };
    for (const ClassMetric& one : kCounted) add_metric(one);
    for (const ClassMetric& one : kRanked) {
      if (ranked_) add_metric(one);
    }
    if (false_negative_ + false_positive_ > 0) add_metric(kCost);
  }
  const auto amount = [](std::size_t k) { return [k](const Sample& drawn) { return drawn.amounts[k]; }; };
  if (likely_) {
    add({"log_loss", false, false, own_.probabilities->log_loss, other_.probabilities->log_loss}, amount(0));
    add({"brier", false, false, own_.probabilities->brier, other_.probabilities->brier}, amount(1));
  }
  if (model_.regression) {
    const auto mean = [](const Evaluation& result) {
      const std::int64_t rows = result.rows - result.not_finite;
      return rows == 0 ? kUndefined : result.sum_of_squares / static_cast<double>(rows);
    };
    add({"mean_square", false, false, mean(own_), mean(other_)}, amount(0));
  }
}

Comparison PairedDraws::comparison(const PairedMistakes& mistakes) const {
  Comparison found;
  if (!model_.regression) found = compare_mistakes(mistakes, own_, other_);
  if (!model_.regression && model_.form != Model::Form::kLabels) {
    const auto right = [&](const Evaluation& result, const Model& model) {
      if (two_classes_) return result.true_positive + result.true_negative;
      std::int64_t sum = 0;
      const std::size_t classes = scores_per_row(model);
      for (std::size_t c = 0; c < classes; ++c) sum += result.confusion[c * classes + c];
      return sum;
    };
    MetricComparison& accuracy = found.metrics.emplace_back(MetricComparison{
        "accuracy", true, true, share(right(own_, model_), own_.rows), share(right(other_, against_), other_.rows)});
    take_counts(accuracy, mistakes.wrong, own_.rows);
  }
  add_bootstrapped(found.metrics);
  const std::int64_t positive = own_.true_positive + own_.false_negative;
  for (MetricComparison& metric : found.metrics) {
    // Recall is a share of the positive rows, which both models have in common.
    if (metric.name == "recall" && needed_) take_counts(metric, mistakes.missed, positive);
  }
  return found;
}

bool ValueOrder::operator()(const std::string& a, const std::string& b) const {
  const auto number = [](const std::string& text, double& value) {
    const auto [end, error] = from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  };
  double one = 0, other = 0;
  const bool first = number(a, one), second = number(b, other);
  if (first != second) return first;
  return first && one != other ? one < other : a < b;
}

Error too_many_groups() {
  return input_error("the column has more than 1,000 values: group by one with fewer, such as the month of a date");
}

}  // namespace linsep
