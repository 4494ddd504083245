#include "report/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "linsep/tools/shown_text.h"
#include "report/words.h"

namespace linsep {
namespace {

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
      "\nLowest cost {} ({} for each missed {}, {} for each false alarm): threshold {}; at {} it is {}.\n",
      figure_text(least.cost), figure_text(questions.false_negative), positive, figure_text(questions.false_positive),
      figure_text(at.threshold), figure_text(model.threshold), figure_text(*answers.cost_now));
  if (least.no_less_than < least.cost) {
    text += fmt::format("No threshold costs less than {}.\n", figure_text(least.no_less_than));
  }
  return text + "\n" +
         confusion_words(model, at.true_negative, at.false_positive, at.false_negative, at.true_positive) +
         fmt::format("\nAt that threshold, precision is {} and recall {} (for {}).\n",
                     ratio_words(ratio(at.true_positive, at.true_positive + at.false_positive)),
                     ratio_words(ratio(at.true_positive, at.true_positive + at.false_negative)), positive);
}

std::string precision_words(const ThresholdQuestions& questions, const ThresholdAnswers& answers) {
  const std::string asked = figure_text(*questions.precision);
  if (!answers.recall) return fmt::format("\nNo threshold has a precision of {}.\n", asked);
  const ThresholdResult& at = answers.recall->at;
  return fmt::format("\nPrecision of at least {}: recall {}, at a score of {} or more ({}; {} false alarms).\n", asked,
                     bounded_words(answers.recall->recall), figure_text(at.threshold),
                     counted(at.true_positive + at.false_positive, "row"), with_commas(at.false_positive));
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
  const std::string least = figure_text(value.at_least), most = figure_text(value.at_most);
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
  const auto rows = static_cast<double>(ranking.positive + ranking.negative);
  std::string lines;
  for (const TopRows& top : ranking.top) {
    if (top.share * rows < 1) continue;  // less than a row
    lines += fmt::format("  {:>9}%{:>12}{:>16}{:>16}{:>16}\n", figure_text(100 * top.share), with_commas(top.rows),
                         short_words(top.precision), short_words(top.recall), short_words(top.lift));
  }
  if (lines.empty()) return text;
  return text + fmt::format("\n  {:>10}{:>12}{:>16}{:>16}{:>16}\n", "top", "rows", "precision", "recall", "lift") +
         lines;
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
         line("actually " + negative, with_commas(true_negative), with_commas(false_positive)) +
         line("actually " + positive, with_commas(false_negative), with_commas(true_positive));
}

namespace {

constexpr std::size_t kFewClasses = 12;  // at most this many fit into a table of all by all

/// One class against all others.
struct ClassCounts {
  std::int64_t rows = 0, predicted = 0, right = 0;

  std::optional<double> precision() const { return ratio(right, predicted); }
  std::optional<double> recall() const { return ratio(right, rows); }
  std::optional<double> f1() const { return ratio(2 * right, rows + predicted); }
};

/// Means over the classes that have rows, of all alike, and weighted by their rows. A precision of a class that is
/// never predicted counts as 0. Nothing if no class has rows.
struct Means {
  std::optional<double> precision, recall, f1, area;
};

Means means_of(const std::vector<ClassCounts>& counts, const std::vector<Ranking>& rankings, bool weighted) {
  Means means;
  double precision = 0, recall = 0, f1 = 0, area = 0, sum = 0;
  bool has_area = !rankings.empty();
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c].rows == 0) continue;
    const double weight = weighted ? static_cast<double>(counts[c].rows) : 1;
    sum += weight;
    precision += weight * counts[c].precision().value_or(0);
    recall += weight * counts[c].recall().value_or(0);
    f1 += weight * counts[c].f1().value_or(0);
    has_area = has_area && rankings[c].area_under_curve.defined();
    if (has_area) area += weight * rankings[c].area_under_curve.middle();
  }
  if (sum == 0) return means;
  means.precision = precision / sum;
  means.recall = recall / sum;
  means.f1 = f1 / sum;
  if (has_area) means.area = area / sum;
  return means;
}

std::vector<Ranking> rankings_of(const Evaluation& result) {
  std::vector<Ranking> all;
  for (const ScoreCounts& counts : result.scores) all.push_back(rank_rows(counts));
  return all;
}

/// NaN, of no row with a finite score, is undefined.
std::string mean_words(double mean) { return std::isnan(mean) ? ratio_words(std::nullopt) : figure_text(mean); }

Json mean_json(double mean) { return std::isnan(mean) ? Json(nullptr) : Json(mean); }

Json probability_json(const ProbabilityEvaluation& result) {
  return {{"log_loss", mean_json(result.log_loss)}, {"brier", mean_json(result.brier)}};
}

/// For one class against the rest, or a label column.
Json short_ranking_json(const Ranking& ranking) {
  return {{"area_under_curve", bounded_json(ranking.area_under_curve)},
          {"average_precision", bounded_json(ranking.average_precision)},
          {"ks", bounded_json(ranking.ks)}};
}

std::vector<ClassCounts> counts_of(const Evaluation& result, std::size_t classes) {
  std::vector<ClassCounts> all(classes);
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = 0; b < classes; ++b) {
      const std::int64_t rows = result.confusion[a * classes + b];
      all[a].rows += rows;
      all[b].predicted += rows;
      if (a == b) all[a].right += rows;
    }
  }
  return all;
}

std::size_t widest(const std::vector<std::string>& names, std::size_t least) {
  for (const std::string& name : names) least = std::max(least, text_width(name));
  return least;
}

std::string confusion_words(const Model& model, const Evaluation& result) {
  const std::vector<std::string> classes = shown_names(model.schema).classes;
  const std::size_t k = classes.size(), left = widest(classes, 0), column = widest(classes, 7) + 2;
  std::string text = "\n  " + std::string(left + 9, ' ') + padded_left("predicted", column) + "\n";
  text += "  " + padded("actually", left + 9);
  for (const std::string& name : classes) text += padded_left(name, column);
  text += "\n";
  for (std::size_t a = 0; a < k; ++a) {
    text += "  " + padded(classes[a], left + 9);
    for (std::size_t b = 0; b < k; ++b) text += padded_left(with_commas(result.confusion[a * k + b]), column);
    text += "\n";
  }
  return text;
}

}  // namespace

std::optional<double> ratio(std::int64_t a, std::int64_t b) {
  if (b == 0) return std::nullopt;
  return static_cast<double>(a) / static_cast<double>(b);
}

Json ratio_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
std::string ratio_words(const std::optional<double>& value) { return value ? figure_text(*value) : "undefined"; }

Json classes_json(const Model& model, const Evaluation& result) {
  const std::size_t k = model.schema.classes.size();
  const std::vector<ClassCounts> counts = counts_of(result, k);
  const std::vector<Ranking> rankings = rankings_of(result);
  Json classes = Json::array(), confusion = Json::array();
  std::int64_t right = 0;
  for (std::size_t c = 0; c < k; ++c) {
    right += counts[c].right;
    classes.push_back({{"class", model.schema.classes[c]},
                       {"rows", counts[c].rows},
                       {"precision", ratio_json(counts[c].precision())},
                       {"recall", ratio_json(counts[c].recall())},
                       {"f1", ratio_json(counts[c].f1())}});
    if (!rankings.empty()) {
      const Bounded& area = rankings[c].area_under_curve;
      classes.back()["area_under_curve"] = area.defined() ? Json(area.middle()) : Json(nullptr);
      classes.back()["ranking"] = short_ranking_json(rankings[c]);
    }
    const auto first = result.confusion.begin() + static_cast<std::ptrdiff_t>(c * k);
    confusion.push_back(std::vector<std::int64_t>(first, first + static_cast<std::ptrdiff_t>(k)));
  }
  Json object{{"rows", result.rows},
              {"mistakes", result.mistakes},
              {"error", ratio_json(ratio(result.mistakes, result.rows))},
              {"accuracy", ratio_json(ratio(right, result.rows))},
              {"classes", classes},
              {"confusion", confusion}};
  for (const bool weighted : {false, true}) {
    const Means means = means_of(counts, rankings, weighted);
    object[weighted ? "weighted" : "macro"] = {{"precision", ratio_json(means.precision)},
                                               {"recall", ratio_json(means.recall)},
                                               {"f1", ratio_json(means.f1)},
                                               {"area_under_curve", ratio_json(means.area)}};
  }
  if (const auto& found = result.probabilities) {
    object["probabilities"] = probability_json(*found);
  }
  return object;
}

std::string classes_words(const Model& model, const Evaluation& result) {
  const std::vector<std::string> names = shown_names(model.schema).classes;
  const std::vector<ClassCounts> counts = counts_of(result, names.size());
  std::string text =
      fmt::format("{}: {} (error {}; a tie with a wrong class counts as a mistake).\n", counted(result.rows, "row"),
                  counted(result.mistakes, "mistake"), ratio_words(ratio(result.mistakes, result.rows)));
  if (names.size() <= kFewClasses) text += confusion_words(model, result);
  const std::size_t left = widest(names, 8) + 2;
  const std::vector<Ranking> rankings = rankings_of(result);
  const auto line = [&](const std::string& name, const std::string& rows, const std::optional<double>& precision,
                        const std::optional<double>& recall, const std::optional<double>& f1, const std::string& area) {
    text += fmt::format("  {}{:>10}{:>12}{:>12}{:>12}{}\n", padded(name, left), rows, ratio_words(precision),
                        ratio_words(recall), ratio_words(f1), area.empty() ? "" : "  " + padded_left(area, 10));
  };
  const std::string with_area = rankings.empty() ? "" : fmt::format("{:>12}", "ROC area");
  text += fmt::format("\n  {}{:>10}{:>12}{:>12}{:>12}{}\n", padded("class", left), "rows", "precision", "recall", "F1",
                      with_area);
  for (std::size_t c = 0; c < names.size(); ++c) {
    line(names[c], with_commas(counts[c].rows), counts[c].precision(), counts[c].recall(), counts[c].f1(),
         rankings.empty() ? "" : bounded_words(rankings[c].area_under_curve));
  }
  for (const bool weighted : {false, true}) {
    const Means means = means_of(counts, rankings, weighted);
    line(weighted ? "weighted" : "mean", "", means.precision, means.recall, means.f1,
         rankings.empty() ? "" : ratio_words(means.area));
  }
  if (const auto& found = result.probabilities) {
    text += fmt::format("\nProbabilities: log loss {}, Brier score {} (summed over classes).\n",
                        mean_words(found->log_loss), mean_words(found->brier));
  }
  return text;
}

Json labels_json(const Model& model, const Evaluation& result) {
  Json labels = Json::array();
  for (std::size_t k = 0; k < result.labels.size(); ++k) {
    const Evaluation& own = result.labels[k];
    const bool area = !std::isnan(own.area_under_curve);
    labels.push_back({{"label", model.schema.labels[k]},
                      {"mistakes", own.mistakes},
                      {"error", ratio_json(ratio(own.mistakes, own.rows))},
                      {"precision", ratio_json(ratio(own.true_positive, own.true_positive + own.false_positive))},
                      {"recall", ratio_json(ratio(own.true_positive, own.true_positive + own.false_negative))},
                      {"f1", ratio_json(ratio(2 * own.true_positive,
                                              2 * own.true_positive + own.false_positive + own.false_negative))},
                      {"area_under_curve", area ? Json(own.area_under_curve) : Json(nullptr)}});
    if (!result.scores.empty()) labels.back()["ranking"] = short_ranking_json(rank_rows(result.scores[k]));
    if (const auto& found = own.probabilities) {
      labels.back()["probabilities"] = probability_json(*found);
    }
  }
  return {{"rows", result.rows},
          {"mistakes", result.mistakes},
          {"error", ratio_json(ratio(result.mistakes, result.rows))},
          {"labels", labels}};
}

std::string labels_words(const Model& model, const Evaluation& result) {
  const std::vector<std::string> names = shown_names(model.schema).labels;
  std::string text = fmt::format("{}: {} in at least one label column (share {}).\n", counted(result.rows, "row"),
                                 counted(result.mistakes, "row") + " with a mistake",
                                 ratio_words(ratio(result.mistakes, result.rows)));
  const std::size_t left = widest(names, 5) + 2;
  const bool likely = !result.labels.empty() && result.labels[0].probabilities.has_value();
  text += fmt::format("\n  {}{:>10}{:>12}{:>12}{:>12}{}\n", padded("label", left), "mistakes", "error", "precision",
                      "recall", likely ? "    log loss" : "");
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Evaluation& own = result.labels[k];
    text += fmt::format("  {}{:>10}{:>12}{:>12}{:>12}{}\n", padded(names[k], left), with_commas(own.mistakes),
                        ratio_words(ratio(own.mistakes, own.rows)),
                        ratio_words(ratio(own.true_positive, own.true_positive + own.false_positive)),
                        ratio_words(ratio(own.true_positive, own.true_positive + own.false_negative)),
                        likely ? fmt::format("{:>12}", mean_words(own.probabilities->log_loss)) : "");
  }
  return text;
}

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

Json binned_json(const ProbabilityEvaluation& result) {
  Json object = probability_json(result);
  object["bins"] = bins_json(result.bins);
  if (!result.equal_count.empty()) object["equal_count_bins"] = bins_json(result.equal_count);
  return object;
}

/// "12.3%", or below 1 % two figures.
std::string percent_cell(double share) {
  return share > 0 && share < 0.01 ? fmt::format("{:.2g}%", 100 * share) : fmt::format("{:.1f}%", 100 * share);
}

/// A line for each bin that has rows. Bins are called by `first` and the steps after it, in percent.
std::string bins_words(Bins bins, std::string_view heading, int first, std::string_view sign) {
  std::string text = fmt::format("\n  {:>10}{:>12}{:>12}{:>12}\n", heading, "predicted", "observed", "rows");
  for (std::size_t k = 0; k < bins.size(); ++k) {
    const auto& bin = bins[k];
    if (bin.rows == 0) continue;
    text +=
        fmt::format("  {:>10}{:>12}{:>12}{:>12}\n", fmt::format("{}{}", first + 10 * static_cast<int>(k), sign),
                    percent_cell(bin.predicted), percent_cell(*ratio(bin.positive, bin.rows)), with_commas(bin.rows));
  }
  return text;
}

std::string probability_words(const ProbabilityEvaluation& result, const std::string& positive) {
  std::string text = fmt::format("\nProbabilities: log loss {}, Brier score {}.\n", mean_words(result.log_loss),
                                 mean_words(result.brier));
  text += bins_words(result.bins, "from", 0, "%");
  if (!result.equal_count.empty()) text += bins_words(result.equal_count, "up to", 10, "%");
  text += fmt::format("\nPredicted: mean probability of {0}; observed: the share of rows that are {0}.\n", positive);
  if (result.equal_count.empty()) return text;
  return text +
         "The first table groups rows by probability; the second has equally many rows per line, least likely first.\n";
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
  if (result.probabilities) object["probabilities"] = binned_json(*result.probabilities);
  return object;
}

/// Over the rows with a finite score, or NaN without one.
double mean_square(const Evaluation& result) {
  const std::int64_t summed = result.rows - result.not_finite;
  return summed == 0 ? std::nan("") : result.sum_of_squares / static_cast<double>(summed);
}

Json number_json(const Evaluation& result) {
  return {{"rows", result.rows},
          {"sum_of_squares", result.sum_of_squares},
          {"mean_square", mean_json(mean_square(result))}};
}

std::string class_words(const Model& model, const Evaluation& result) {
  const Measures measures(result);
  const std::string positive = shown_text(model.schema.classes[1]);
  const std::string rule = model.threshold == 0 ? "a score of 0 counts as a mistake"
                                                : fmt::format("{} is predicted at a score of {} or more", positive,
                                                              figure_text(model.threshold));
  std::string text = fmt::format("{}: {} (error {}; {}).\n\n", counted(result.rows, "row"),
                                 counted(result.mistakes, "mistake"), ratio_words(measures.error), rule);
  text +=
      confusion_words(model, result.true_negative, result.false_positive, result.false_negative, result.true_positive);
  text +=
      fmt::format("\nAccuracy {}, precision {}, recall {}, F1 {} (for {}).\n", ratio_words(measures.accuracy),
                  ratio_words(measures.precision), ratio_words(measures.recall), ratio_words(measures.f1), positive);
  if (!result.scores.empty()) text += ranking_words(rank_rows(result.scores[0]));
  if (result.probabilities) text += probability_words(*result.probabilities, positive);
  return text;
}

std::string number_words(const Evaluation& result) {
  return fmt::format("{}: sum of squared residuals {}, root mean square error {}.\n", counted(result.rows, "row"),
                     figure_text(result.sum_of_squares), mean_words(std::sqrt(mean_square(result))));
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

}  // namespace linsep
