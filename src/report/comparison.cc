#include "report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/from_chars.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "report/evaluation.h"
#include "report/words.h"

namespace linsep {
namespace {

struct MetricName {
  std::string_view name, words;
  bool more_is_better;
};
constexpr std::array<MetricName, 12> kMetrics = {{{"error", "error", false},
                                                  {"accuracy", "accuracy", true},
                                                  {"precision", "precision", true},
                                                  {"recall", "recall", true},
                                                  {"f1", "F1", true},
                                                  {"area_under_curve", "ROC area", true},
                                                  {"average_precision", "average precision", true},
                                                  {"ks", "KS", true},
                                                  {"cost", "cost per row", false},
                                                  {"log_loss", "log loss", false},
                                                  {"brier", "Brier score", false},
                                                  {"mean_square", "mean square", false}}};

const MetricName* metric_named(std::string_view name) {
  if (name == "auc") name = "area_under_curve";
  for (const MetricName& metric : kMetrics) {
    if (metric.name == name) return &metric;
  }
  return nullptr;
}

std::string_view words_of(std::string_view metric) { return metric_named(metric)->words; }

Json number_or_null(double value) { return std::isnan(value) ? Json(nullptr) : Json(value); }
std::string number_or_undefined(double value) { return std::isnan(value) ? "undefined" : figure_text(value); }

std::string interval_words(const MetricComparison& metric) {
  if (std::isnan(metric.at_least)) return "undefined";
  return fmt::format("{} … {}", figure_text(metric.at_least), figure_text(metric.at_most));
}

WorseRule read_rule(const std::string& text) {
  const auto refuse = [&](const std::string& sentence) {
    return option_error("fail-if-worse", fmt::format("{{}}: {}", sentence));
  };
  const std::size_t sign = text.find_first_of("+-");
  const MetricName* const metric = metric_named(text.substr(0, sign));
  if (metric == nullptr) {
    std::vector<std::string> names;
    for (const MetricName& one : kMetrics) names.emplace_back(one.name);
    throw refuse(fmt::format("no metric is called '{}', but {} are", shown_text(text.substr(0, sign)),
                             listed(names, names.size())));
  }
  WorseRule rule{text, std::string(metric->name), 0, false};
  if (sign == std::string::npos) return rule;
  const char wanted = metric->more_is_better ? '-' : '+';
  if (text[sign] != wanted) {
    throw refuse(fmt::format("{} {} is better, so its margin is written as in {}{}0.005",
                             metric->more_is_better ? "more" : "less", metric->name, metric->name, wanted));
  }
  std::string_view number = std::string_view(text).substr(sign + 1);
  rule.relative = number.ends_with('%');
  if (rule.relative) number.remove_suffix(1);
  const auto [end, error] = from_chars(number.data(), number.data() + number.size(), rule.margin);
  if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(rule.margin) || rule.margin < 0) {
    throw refuse(fmt::format("'{}' isn't a margin such as {}{}0.005 or {}{}1%", shown_text(text), metric->name, wanted,
                             metric->name, wanted));
  }
  if (rule.relative) rule.margin /= 100;
  return rule;
}

/// Throws if all rows are of one class.
void require_two_classes(const Model& model, const Evaluation& result) {
  if (model.regression || model.form == Model::Form::kLabels) return;
  std::vector<std::int64_t> rows = {result.true_negative + result.false_positive,
                                    result.true_positive + result.false_negative};
  if (model.form == Model::Form::kClasses) {
    rows.assign(scores_per_row(model), 0);
    for (std::size_t c = 0; c < result.confusion.size(); ++c) rows[c / rows.size()] += result.confusion[c];
  }
  if (std::ranges::count_if(rows, [](std::int64_t own) { return own > 0; }) >= 2) return;
  const auto only = std::ranges::find_if(rows, [](std::int64_t own) { return own > 0; });
  if (only == rows.end()) throw input_error("no row has a finite score: nothing can be decided by these rows");
  const auto index = static_cast<std::size_t>(only - rows.begin());
  const std::string name = index < model.schema.classes.size() ? model.schema.classes[index] : index == 0 ? "-1" : "1";
  throw input_error(fmt::format(
      "all rows are of the class '{}', so they can't decide between models: evaluate rows of several classes",
      shown_text(name)));
}

RuleResult judge(const WorseRule& rule, const FullEvaluation& result, IfUnsure if_unsure) {
  const auto& metrics = result.comparison->metrics;
  const auto found = std::ranges::find(metrics, rule.metric, &MetricComparison::name);
  if (found == metrics.end()) {
    std::vector<std::string> names;
    for (const MetricComparison& one : metrics) names.push_back(one.name);
    throw option_error("fail-if-worse", fmt::format("{{}}: these models have no common '{}' on these rows, but {}",
                                                    rule.metric, listed(names, names.size())));
  }
  if (std::isnan(found->at_least) || std::isnan(found->at_most)) {
    const std::int64_t not_finite = result.model.not_finite + result.against->not_finite;
    throw input_error(fmt::format(
        "the {} can't be compared on these rows{}", words_of(rule.metric),
        not_finite > 0 ? fmt::format(", because {} not finite: check the values, or decide by error",
                                     not_finite == 1 ? "1 score is" : with_commas(not_finite) + " scores are")
                       : ": it isn't defined for both models. Evaluate more rows"));
  }
  RuleResult judged{rule, *found};
  judged.margin = rule.relative ? rule.margin * std::abs(found->against) : rule.margin;
  const double least = found->more_is_better ? -found->at_most : found->at_least;
  const double most = found->more_is_better ? -found->at_least : found->at_most;
  using Finding = RuleResult::Finding;
  judged.finding = most <= judged.margin   ? Finding::kNoWorse
                   : least > judged.margin ? Finding::kWorse
                                           : Finding::kUnsure;
  judged.passed =
      judged.finding == Finding::kNoWorse || (judged.finding == Finding::kUnsure && if_unsure == IfUnsure::kPass);
  return judged;
}

std::string rule_words(const RuleResult& judged) {
  using Finding = RuleResult::Finding;
  const std::string metric(words_of(judged.rule.metric));
  const std::string margin = judged.rule.relative ? fmt::format(" by more than {} ({} of the other model's)",
                                                                figure_text(judged.margin), percent(judged.rule.margin))
                             : judged.margin > 0  ? fmt::format(" by more than {}", figure_text(judged.margin))
                                                  : "";
  const std::string proof = fmt::format("difference {}, 95 % interval {}", figure_text(judged.metric.difference()),
                                        interval_words(judged.metric));
  const std::string verdict = judged.passed ? "Passed" : "Failed";
  if (judged.finding == Finding::kNoWorse) {
    return fmt::format("{}: the {} is shown to be no worse{} ({}).\n", verdict, metric, margin, proof);
  }
  if (judged.finding == Finding::kWorse) {
    return fmt::format("{}: the {} is shown to be worse{} ({}).\n", verdict, metric, margin, proof);
  }
  return fmt::format("{}: the {} isn't shown to be worse{}, nor to be no worse ({}){}.\n", verdict, metric, margin,
                     proof, judged.passed ? "" : ". More rows can decide it");
}

/// The figure that a line of a group shows: the error, or of a regression the mean square.
double figure_of(const Evaluation& result, bool regression) {
  const std::int64_t rows = regression ? result.rows - result.not_finite : result.rows;
  if (rows == 0) return std::nan("");
  const double sum = regression ? result.sum_of_squares : static_cast<double>(result.mistakes);
  return sum / static_cast<double>(rows);
}

}  // namespace

std::vector<WorseRule> read_worse_rules(const std::string& text) {
  std::vector<WorseRule> rules;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    rules.push_back(read_rule(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return rules;
}

bool GateResult::passed() const {
  return std::ranges::all_of(rules, [](const RuleResult& rule) { return rule.passed; });
}

GateResult pass_gate(const Model& model, const FullEvaluation& result, const std::vector<WorseRule>& rules,
                     IfUnsure if_unsure) {
  require_two_classes(model, result.model);
  GateResult gate{if_unsure, {}};
  for (const WorseRule& rule : rules) gate.rules.push_back(judge(rule, result, if_unsure));
  return gate;
}

Json gate_json(const GateResult& gate) {
  Json rules = Json::array();
  constexpr std::array<std::string_view, 3> kFindings = {"no_worse", "unsure", "worse"};
  for (const RuleResult& judged : gate.rules) {
    rules.push_back({{"rule", judged.rule.text},
                     {"metric", judged.rule.metric},
                     {"margin", judged.margin},
                     {"finding", kFindings[static_cast<std::size_t>(judged.finding)]},
                     {"passed", judged.passed}});
  }
  return {{"passed", gate.passed()},
          {"if_unsure", gate.if_unsure == IfUnsure::kFail ? "fail" : "pass"},
          {"rules", std::move(rules)}};
}

std::string gate_words(const GateResult& gate) {
  std::string text;
  for (const RuleResult& judged : gate.rules) text += rule_words(judged);
  return text;
}

Json comparison_json(const Comparison& comparison) {
  Json metrics = Json::object();
  for (const MetricComparison& one : comparison.metrics) {
    metrics[one.name] = {{"model", number_or_null(one.model)},
                         {"against", number_or_null(one.against)},
                         {"difference", number_or_null(one.difference())},
                         {"at_least", number_or_null(one.at_least)},
                         {"at_most", number_or_null(one.at_most)},
                         {"interval", one.counted ? "counts" : "bootstrap"}};
  }
  return {{"confidence", 0.95},
          {"only_model", comparison.only_model},
          {"only_against", comparison.only_against},
          {"mcnemar_p", comparison.mcnemar_p},
          {"metrics", std::move(metrics)}};
}

std::string comparison_words(const FullEvaluation& result) {
  std::string text = fmt::format("{}.\n\n  {:<18}{:>14}{:>14}{:>14}    {}\n", counted(result.model.rows, "row"), "",
                                 "model", "against", "difference", "95 % interval");
  const auto cell = [](double value) { return padded_left(number_or_undefined(value), 14); };
  for (const MetricComparison& one : result.comparison->metrics) {
    text += fmt::format("  {:<18}{}{}{}    {}\n", words_of(one.name), cell(one.model), cell(one.against),
                        cell(one.difference()), interval_words(one));
  }
  const Comparison& found = *result.comparison;
  if (std::ranges::find(found.metrics, "error", &MetricComparison::name) == found.metrics.end()) return text;
  return text +
         fmt::format("\nOnly the model is mistaken on {}, only the other one on {} (McNemar's exact test: p = {}).\n",
                     counted(found.only_model, "row"), counted(found.only_against, "row"),
                     fmt::format("{:.3g}", found.mcnemar_p));
}

Json groups_json(const FullEvaluation& result, const Model& model, const Model* against) {
  Json groups = Json::array();
  for (const GroupEvaluation& group : result.groups) {
    Json one = evaluation_json(model, group.model);
    one["value"] = group.value;
    if (group.against) {
      one["against"] = evaluation_json(*against, *group.against);
      if (!model.regression) one["comparison"] = comparison_json(*group.comparison);
    }
    groups.push_back(std::move(one));
  }
  return groups;
}

std::string groups_words(const FullEvaluation& result, const Model& model, const std::string& column) {
  std::size_t left = text_width(shown_text(column));
  for (const GroupEvaluation& group : result.groups) left = std::max(left, text_width(short_text(group.value)));
  const bool area = !std::isnan(result.model.area_under_curve), likely = result.model.probabilities.has_value();
  const auto cell = [](double value) { return padded_left(number_or_undefined(value), 14); };
  std::string text = "\n  " + padded(shown_text(column), left) +
                     fmt::format("{:>12}{:>14}", "rows", model.regression ? "mean square" : "error");
  if (result.against) {
    text += fmt::format("{:>14}{:>14}{}\n", "against", "difference", model.regression ? "" : "    95 % interval");
  } else {
    text += fmt::format("{}{}\n", area ? "      ROC area" : "", likely ? "      log loss" : "");
  }
  for (const GroupEvaluation& group : result.groups) {
    const double own = figure_of(group.model, model.regression);
    text +=
        "  " + padded(short_text(group.value), left) + fmt::format("{:>12}", with_commas(group.model.rows)) + cell(own);
    if (group.against) {
      const double other = figure_of(*group.against, model.regression);
      text += cell(other) + cell(own - other);
      if (!model.regression) text += "    " + interval_words(group.comparison->metrics.front());
    } else {
      if (area) text += cell(group.model.area_under_curve);
      if (likely) text += cell(group.model.probabilities->log_loss);
    }
    text += "\n";
  }
  return text;
}

Json full_evaluation_json(const FullEvaluation& result, const Model& model, const Model* against) {
  Json object = evaluation_json(model, result.model);
  if (result.against) {
    object["against"] = evaluation_json(*against, *result.against);
    object["comparison"] = comparison_json(*result.comparison);
  }
  if (!result.groups.empty()) object["groups"] = groups_json(result, model, against);
  return object;
}

}  // namespace linsep
