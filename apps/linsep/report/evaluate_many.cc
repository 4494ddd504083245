#include "report/evaluate_many.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/ranking.h"
#include "report/words.h"

namespace linsep::app {
namespace {

constexpr std::size_t kFewClasses = 12;  // at most this many fit into a table of all by all

/// One class against all others.
struct ClassCounts {
  std::int64_t rows = 0, predicted = 0, right = 0;

  std::optional<double> precision() const { return ratio(right, predicted); }
  std::optional<double> recall() const { return ratio(right, rows); }
  std::optional<double> f1() const { return ratio(2 * right, rows + predicted); }
};

/// Means over the classes that have rows: of all alike, and weighted by their rows. A precision of a class that is
/// never predicted counts as 0.
struct Means {
  double precision = 0, recall = 0, f1 = 0;
  std::optional<double> area;
};

Means means_of(const std::vector<ClassCounts>& counts, const std::vector<Ranking>& rankings, bool weighted) {
  Means means;
  double area = 0, sum = 0;
  bool has_area = !rankings.empty();
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c].rows == 0) continue;
    const double weight = weighted ? static_cast<double>(counts[c].rows) : 1;
    sum += weight;
    means.precision += weight * counts[c].precision().value_or(0);
    means.recall += weight * counts[c].recall().value_or(0);
    means.f1 += weight * counts[c].f1().value_or(0);
    has_area = has_area && rankings[c].area_under_curve.defined();
    if (has_area) area += weight * rankings[c].area_under_curve.middle();
  }
  if (sum == 0) return means;
  for (double* mean : {&means.precision, &means.recall, &means.f1}) *mean /= sum;
  if (has_area) means.area = area / sum;
  return means;
}

std::vector<Ranking> rankings_of(const Evaluation& result) {
  std::vector<Ranking> all;
  for (const ScoreCounts& counts : result.scores) all.push_back(rank_rows(counts));
  return all;
}

/// Of one class against the rest, or a label column.
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

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text_width(text)), ' ');
}
std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text_width(text)), ' ') + text;
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
    for (std::size_t b = 0; b < k; ++b) text += padded_left(thousands(result.confusion[a * k + b]), column);
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
std::string ratio_words(const std::optional<double>& value) { return value ? figure(*value) : "undefined"; }

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
    object[weighted ? "weighted" : "macro"] = {{"precision", means.precision},
                                               {"recall", means.recall},
                                               {"f1", means.f1},
                                               {"area_under_curve", ratio_json(means.area)}};
  }
  if (const auto& found = result.probabilities) {
    object["probabilities"] = {{"log_loss", found->log_loss}, {"brier", found->brier}};
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
    line(names[c], thousands(counts[c].rows), counts[c].precision(), counts[c].recall(), counts[c].f1(),
         rankings.empty() ? "" : bounded_words(rankings[c].area_under_curve));
  }
  for (const bool weighted : {false, true}) {
    const Means means = means_of(counts, rankings, weighted);
    line(weighted ? "weighted" : "mean", "", means.precision, means.recall, means.f1,
         rankings.empty() ? "" : ratio_words(means.area));
  }
  if (const auto& found = result.probabilities) {
    text += fmt::format("\nProbabilities: log loss {}, Brier score {} (the sum over classes).\n",
                        figure(found->log_loss), figure(found->brier));
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
      labels.back()["probabilities"] = {{"log_loss", found->log_loss}, {"brier", found->brier}};
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
    text += fmt::format("  {}{:>10}{:>12}{:>12}{:>12}{}\n", padded(names[k], left), thousands(own.mistakes),
                        ratio_words(ratio(own.mistakes, own.rows)),
                        ratio_words(ratio(own.true_positive, own.true_positive + own.false_positive)),
                        ratio_words(ratio(own.true_positive, own.true_positive + own.false_negative)),
                        likely ? fmt::format("{:>12}", figure(own.probabilities->log_loss)) : "");
  }
  return text;
}

}  // namespace linsep::app
