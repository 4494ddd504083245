#include "report/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "linsep/tools/shown_text.h"
#include "report/evaluate_many.h"
#include "report/ranking.h"
#include "report/words.h"

namespace linsep::app {
namespace {

struct Measures {
  std::optional<double> error, accuracy, precision, recall, f1, area;

  explicit Measures(const Evaluation& result)
      : error(ratio(result.mistakes, result.rows)),
        accuracy(ratio(result.true_positive + result.true_negative, result.rows)),
        precision(ratio(result.true_positive, result.true_positive + result.false_positive)),
        recall(ratio(result.true_positive, result.true_positive + result.false_negative)),
        f1(ratio(2 * result.true_positive, 2 * result.true_positive + result.false_positive + result.false_negative)) {
    if (!std::isnan(result.area_under_curve)) area = result.area_under_curve;
  }
};

using Bins = std::span<const ProbabilityEvaluation::Bin>;

Json bins_json(Bins all) {
  Json bins = Json::array();
  for (const auto& bin : all) {
    bins.push_back({{"rows", bin.rows},
                    {"predicted", bin.rows == 0 ? Json(nullptr) : Json(bin.predicted)},
                    {"observed", ratio_json(ratio(bin.positive, bin.rows))}});
  }
  return bins;
}

Json probability_json(const ProbabilityEvaluation& result) {
  Json object{{"log_loss", result.log_loss}, {"brier", result.brier}, {"bins", bins_json(result.bins)}};
  if (!result.equal_count.empty()) object["equal_count_bins"] = bins_json(result.equal_count);
  return object;
}

/// "12.3%"; below 1 % two figures.
std::string percent(double share) {
  return share > 0 && share < 0.01 ? fmt::format("{:.2g}%", 100 * share) : fmt::format("{:.1f}%", 100 * share);
}

/// A line for each bin that has rows. Bins are called by `first` and the steps behind it, in per cent.
std::string bins_words(Bins bins, std::string_view heading, int first, std::string_view sign) {
  std::string text = fmt::format("\n  {:>10}{:>12}{:>12}{:>12}\n", heading, "predicted", "observed", "rows");
  for (std::size_t k = 0; k < bins.size(); ++k) {
    const auto& bin = bins[k];
    if (bin.rows == 0) continue;
    text += fmt::format("  {:>10}{:>12}{:>12}{:>12}\n", fmt::format("{}{}", first + 10 * static_cast<int>(k), sign),
                        percent(bin.predicted), percent(*ratio(bin.positive, bin.rows)), thousands(bin.rows));
  }
  return text;
}

std::string probability_words(const ProbabilityEvaluation& result, const std::string& positive) {
  std::string text =
      fmt::format("\nProbabilities: log loss {}, Brier score {}.\n", figure(result.log_loss), figure(result.brier));
  text += bins_words(result.bins, "from", 0, "%");
  if (!result.equal_count.empty()) text += bins_words(result.equal_count, "up to", 10, "%");
  text += fmt::format("\nPredicted: mean probability of {0}; observed: the share of rows that are {0}.\n", positive);
  if (result.equal_count.empty()) return text;
  return text +
         "The first table has rows by their probability, the second as many rows in each line, the least likely "
         "first.\n";
}

Json class_json(const Evaluation& result, double threshold) {
  const Measures measures(result);
  Json object{{"rows", result.rows},
              {"mistakes", result.mistakes},
              {"error", ratio_json(measures.error)},
              {"accuracy", ratio_json(measures.accuracy)},
              {"confusion",
               {{"true_positive", result.true_positive},
                {"true_negative", result.true_negative},
                {"false_positive", result.false_positive},
                {"false_negative", result.false_negative}}},
              {"precision", ratio_json(measures.precision)},
              {"recall", ratio_json(measures.recall)},
              {"f1", ratio_json(measures.f1)},
              {"threshold", threshold},
              {"area_under_curve", ratio_json(measures.area)}};
  if (!result.scores.empty()) object["ranking"] = ranking_json(rank_rows(result.scores[0]));
  if (result.probabilities) object["probabilities"] = probability_json(*result.probabilities);
  return object;
}

Json number_json(const Evaluation& result) {
  const std::int64_t summed = result.rows - result.not_finite;
  return {{"rows", result.rows},
          {"sum_of_squares", result.sum_of_squares},
          {"mean_square", summed == 0 ? Json(nullptr) : Json(result.sum_of_squares / static_cast<double>(summed))}};
}

std::string class_words(const Model& model, const Evaluation& result) {
  const Measures measures(result);
  const std::string positive = shown_text(model.schema.classes[1]);
  const std::string rule =
      model.threshold == 0 ? "a score of 0 counts as a mistake"
                           : fmt::format("{} is predicted from a score of {} on", positive, figure(model.threshold));
  std::string text = fmt::format("{}: {} (error {}; {}).\n\n", counted(result.rows, "row"),
                                 counted(result.mistakes, "mistake"), ratio_words(measures.error), rule);
  text +=
      confusion_words(model, result.true_negative, result.false_positive, result.false_negative, result.true_positive);
  text +=
      fmt::format("\nAccuracy {}, precision {}, recall {}, F1 {} (of {}).\n", ratio_words(measures.accuracy),
                  ratio_words(measures.precision), ratio_words(measures.recall), ratio_words(measures.f1), positive);
  if (!result.scores.empty()) text += ranking_words(rank_rows(result.scores[0]));
  if (result.probabilities) text += probability_words(*result.probabilities, positive);
  return text;
}

std::string number_words(const Evaluation& result) {
  return fmt::format("{}: sum of squared residuals {}, root mean square {}.\n", counted(result.rows, "row"),
                     figure(result.sum_of_squares),
                     figure(std::sqrt(result.sum_of_squares / static_cast<double>(std::max<std::int64_t>(
                                                                  result.rows - result.not_finite, 1)))));
}

}  // namespace

Json evaluation_json(const Model& model, const Evaluation& result) {
  if (model.form == Model::Form::kLabels) return labels_json(model, result);
  if (model.form == Model::Form::kClasses) return classes_json(model, result);
  return model.regression ? number_json(result) : class_json(result, model.threshold);
}

std::string evaluation_words(const Model& model, const Evaluation& result) {
  if (model.form == Model::Form::kLabels) return labels_words(model, result);
  if (model.form == Model::Form::kClasses) return classes_words(model, result);
  return model.regression ? number_words(result) : class_words(model, result);
}

}  // namespace linsep::app
