// What `linsep evaluate` reports about a model, in words for people and as one object for programs.
#pragma once

#include <optional>
#include <string>

#include "linsep/model.h"
#include "linsep/tools/ranking.h"
#include "linsep/train.h"
#include "report/json.h"

namespace linsep {
/// "0.8089", or "0.80 … 0.81" if only bounds are known that differ in the figures shown.
std::string bounded_words(const Bounded& value);
/// {"at_least", "at_most"}, or null if it isn't defined.
Json bounded_json(const Bounded& value);

Json ranking_json(const Ranking& ranking);
/// Areas and KS in a sentence, and the rows with the largest scores in a table, if there are enough rows for that.
std::string ranking_words(const Ranking& ranking);

/// The questions of `--cost` and `--at-precision`.
struct ThresholdQuestions {
  double false_negative = 0, false_positive = 0;  ///< both 0 if no costs were given
  std::optional<double> precision;

  bool has_costs() const { return false_negative > 0 || false_positive > 0; }
};

struct ThresholdAnswers {
  std::optional<LeastCost> least;
  std::optional<double> cost_now;  ///< at the model's threshold
  std::optional<RecallAtPrecision> recall;

  /// The threshold to keep, which is that of least cost, otherwise that of the precision. Nothing if there is none.
  std::optional<double> threshold() const;
};
/// `missed_now` and `falsely_found_now` are the false negatives and false positives of the model as it is.
ThresholdAnswers answer(const ThresholdQuestions& questions, const ScoreCounts& counts, std::int64_t missed_now,
                        std::int64_t falsely_found_now);

/// Adds "cost" and "at_precision" to the object.
void add_thresholds(Json& object, const ThresholdQuestions& questions, const ThresholdAnswers& answers);
std::string threshold_words(const Model& model, const ThresholdQuestions& questions, const ThresholdAnswers& answers);

/// A table of both classes, actual by predicted.
std::string confusion_words(const Model& model, std::int64_t true_negative, std::int64_t false_positive,
                            std::int64_t false_negative, std::int64_t true_positive);

/// a / b, or nothing if b is 0, and the words for it.
std::optional<double> ratio(std::int64_t a, std::int64_t b);
Json ratio_json(const std::optional<double>& value);
std::string ratio_words(const std::optional<double>& value);

Json classes_json(const Model& model, const Evaluation& result);
std::string classes_words(const Model& model, const Evaluation& result);

Json labels_json(const Model& model, const Evaluation& result);
std::string labels_words(const Model& model, const Evaluation& result);

Json evaluation_json(const Model& model, const Evaluation& result);
std::string evaluation_words(const Model& model, const Evaluation& result);

}  // namespace linsep
