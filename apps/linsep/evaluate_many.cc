#include "evaluate_many.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/words.h"

namespace linsep::app {
namespace {

constexpr std::size_t kFewClasses = 12;  // at most this many fit into a table of all by all

/// One class against all others.
struct ClassCounts {
  std::int64_t rows = 0, predicted = 0, right = 0;
};

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
  Json classes = Json::array(), confusion = Json::array();
  std::int64_t right = 0;
  for (std::size_t c = 0; c < k; ++c) {
    right += counts[c].right;
    classes.push_back({{"class", model.schema.classes[c]},
                       {"rows", counts[c].rows},
                       {"precision", ratio_json(ratio(counts[c].right, counts[c].predicted))},
                       {"recall", ratio_json(ratio(counts[c].right, counts[c].rows))}});
    const auto first = result.confusion.begin() + static_cast<std::ptrdiff_t>(c * k);
    confusion.push_back(std::vector<std::int64_t>(first, first + static_cast<std::ptrdiff_t>(k)));
  }
  Json object{{"rows", result.rows},
              {"mistakes", result.mistakes},
              {"error", ratio_json(ratio(result.mistakes, result.rows))},
              {"accuracy", ratio_json(ratio(right, result.rows))},
              {"classes", classes},
              {"confusion", confusion}};
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
  const std::size_t left = widest(names, 5) + 2;
  text += fmt::format("\n  {}{:>10}{:>12}{:>12}\n", padded("class", left), "rows", "precision", "recall");
  for (std::size_t c = 0; c < names.size(); ++c) {
    text += fmt::format("  {}{:>10}{:>12}{:>12}\n", padded(names[c], left), thousands(counts[c].rows),
                        ratio_words(ratio(counts[c].right, counts[c].predicted)),
                        ratio_words(ratio(counts[c].right, counts[c].rows)));
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
                      {"area_under_curve", area ? Json(own.area_under_curve) : Json(nullptr)}});
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
