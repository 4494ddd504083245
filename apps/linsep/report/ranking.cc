#include "report/ranking.h"

#include <fmt/format.h>

#include <algorithm>

#include "linsep/tools/shown_text.h"
#include "report/evaluate_many.h"
#include "report/words.h"

namespace linsep::app {
namespace {

constexpr std::int64_t kRowsForTable = 1000;

Json threshold_json(const ThresholdResult& at) {
  return {{"threshold", at.threshold},
          {"confusion",
           {{"true_positive", at.true_positive},
            {"true_negative", at.true_negative},
            {"false_positive", at.false_positive},
            {"false_negative", at.false_negative}}},
          {"precision", ratio_json(ratio(at.true_positive, at.true_positive + at.false_positive))},
          {"recall", ratio_json(ratio(at.true_positive, at.true_positive + at.false_negative))}};
}

std::string cost_words(const Model& model, const ThresholdQuestions& questions, const ThresholdAnswers& answers) {
  const LeastCost& least = *answers.least;
  const ThresholdResult& at = least.at;
  const std::string positive = shown_text(model.schema.classes[1]);
  std::string text = fmt::format(
      "\nLeast cost {} ({} for each {} that is missed, {} for each row falsely found): threshold {}; at {} it is {}.\n",
      figure(least.cost), figure(questions.false_negative), positive, figure(questions.false_positive),
      figure(at.threshold), figure(model.threshold), figure(*answers.cost_now));
  if (least.no_less_than < least.cost) {
    text += fmt::format("No threshold's cost is below {}.\n", figure(least.no_less_than));
  }
  return text + "\n" +
         confusion_words(model, at.true_negative, at.false_positive, at.false_negative, at.true_positive) +
         fmt::format("\nThere precision is {}, recall {} (of {}).\n",
                     ratio_words(ratio(at.true_positive, at.true_positive + at.false_positive)),
                     ratio_words(ratio(at.true_positive, at.true_positive + at.false_negative)), positive);
}

std::string precision_words(const ThresholdQuestions& questions, const ThresholdAnswers& answers) {
  const std::string asked = figure(*questions.precision);
  if (!answers.recall) return fmt::format("\nNo threshold has a precision of {}.\n", asked);
  const ThresholdResult& at = answers.recall->at;
  return fmt::format("\nPrecision {} or more: recall {}, from a score of {} on ({}, {} of them falsely found).\n",
                     asked, bounded_words(answers.recall->recall), figure(at.threshold),
                     counted(at.true_positive + at.false_positive, "row"), thousands(at.false_positive));
}

/// For a table: the figures in which both ends agree, or both ends to three.
std::string short_words(const Bounded& value) {
  if (!value.defined() || value.exact()) return bounded_words(value);
  for (int digits = 6; digits >= 3; --digits) {
    const std::string least = fmt::format("{:.{}g}", value.at_least, digits);
    if (least == fmt::format("{:.{}g}", value.at_most, digits)) return least;
  }
  return fmt::format("{:.3g} … {:.3g}", value.at_least, value.at_most);
}

}  // namespace

std::string bounded_words(const Bounded& value) {
  if (!value.defined()) return "undefined";
  const std::string least = figure(value.at_least), most = figure(value.at_most);
  return least == most ? least : fmt::format("{} … {}", least, most);
}

Json bounded_json(const Bounded& value) {
  if (!value.defined()) return nullptr;
  return {{"at_least", value.at_least}, {"at_most", value.at_most}};
}

Json ranking_json(const Ranking& ranking) {
  Json top = Json::array();
  for (const TopRows& rows : ranking.top) {
    top.push_back({{"share", rows.share},
                   {"rows", rows.rows},
                   {"threshold", rows.threshold},
                   {"precision", bounded_json(rows.precision)},
                   {"recall", bounded_json(rows.recall)},
                   {"lift", bounded_json(rows.lift)}});
  }
  return {{"exact", ranking.area_under_curve.exact() && ranking.average_precision.exact()},
          {"positive", ranking.positive},
          {"negative", ranking.negative},
          {"area_under_curve", bounded_json(ranking.area_under_curve)},
          {"average_precision", bounded_json(ranking.average_precision)},
          {"ks", bounded_json(ranking.ks)},
          {"top", top}};
}

std::string ranking_words(const Ranking& ranking) {
  if (!ranking.area_under_curve.defined()) return "";
  std::string text = fmt::format("Area under the ROC curve {}, average precision {}, KS {}.\n",
                                 bounded_words(ranking.area_under_curve), bounded_words(ranking.average_precision),
                                 bounded_words(ranking.ks));
  if (ranking.positive + ranking.negative < kRowsForTable) return text;
  text += fmt::format("\n  {:>10}{:>12}{:>16}{:>16}{:>16}\n", "top", "rows", "precision", "recall", "lift");
  for (const TopRows& top : ranking.top) {
    text += fmt::format("  {:>9}%{:>12}{:>16}{:>16}{:>16}\n", figure(100 * top.share), thousands(top.rows),
                        short_words(top.precision), short_words(top.recall), short_words(top.lift));
  }
  return text;
}

std::optional<double> ThresholdAnswers::threshold() const {
  if (least) return least->at.threshold;
  if (recall && recall->at.true_positive > 0) return recall->at.threshold;
  return std::nullopt;
}

ThresholdAnswers answer(const ThresholdQuestions& questions, const ScoreCounts& counts, std::int64_t missed_now,
                        std::int64_t falsely_found_now) {
  ThresholdAnswers answers;
  if (questions.has_costs()) {
    answers.least = least_cost(counts, questions.false_negative, questions.false_positive);
    answers.cost_now = questions.false_negative * static_cast<double>(missed_now) +
                       questions.false_positive * static_cast<double>(falsely_found_now);
  }
  if (questions.precision) answers.recall = recall_at_precision(counts, *questions.precision);
  return answers;
}

void add_thresholds(Json& object, const ThresholdQuestions& questions, const ThresholdAnswers& answers) {
  if (answers.least) {
    Json cost = threshold_json(answers.least->at);
    cost["false_negative"] = questions.false_negative;
    cost["false_positive"] = questions.false_positive;
    cost["cost"] = answers.least->cost;
    cost["no_less_than"] = answers.least->no_less_than;
    cost["cost_now"] = *answers.cost_now;
    object["cost"] = std::move(cost);
  }
  if (!questions.precision) return;
  Json found = answers.recall ? threshold_json(answers.recall->at) : Json::object();
  found["asked"] = *questions.precision;
  found["greatest_recall"] = answers.recall ? bounded_json(answers.recall->recall) : Json(nullptr);
  object["at_precision"] = std::move(found);
}

std::string threshold_words(const Model& model, const ThresholdQuestions& questions, const ThresholdAnswers& answers) {
  std::string text;
  if (answers.least) text += cost_words(model, questions, answers);
  if (questions.precision) text += precision_words(questions, answers);
  return text;
}

std::string confusion_words(const Model& model, std::int64_t true_negative, std::int64_t false_positive,
                            std::int64_t false_negative, std::int64_t true_positive) {
  const std::string negative = shown_text(model.schema.classes[0]);
  const std::string positive = shown_text(model.schema.classes[1]);
  const std::size_t label = std::max(text_width(negative), text_width(positive));
  const auto line = [&](const std::string& name, const std::string& left, const std::string& right) {
    const std::size_t pad = label + 10 - text_width(name);
    return fmt::format("  {}{:{}}{:>{}}{:>{}}\n", name, "", pad, left, label + 13, right, label + 13);
  };
  return line("", "predicted " + negative, "predicted " + positive) +
         line("actually " + negative, thousands(true_negative), thousands(false_positive)) +
         line("actually " + positive, thousands(false_negative), thousands(true_positive));
}

}  // namespace linsep::app
