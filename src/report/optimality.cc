#include "report/optimality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/elementary.h"
#include "learn/margin/losses.h"
#include "linsep/tools/shown_text.h"
#include "report/words.h"

namespace linsep {
double approximate_number(const std::string& exact) {
  const std::size_t slash = exact.find('/');
  const double numerator = std::strtod(exact.c_str(), nullptr);
  return slash == std::string::npos ? numerator : numerator / std::strtod(exact.c_str() + slash + 1, nullptr);
}

namespace {

/// A number of so many figures that isn't above it (up: below it).
std::string rounded_figures(double exact, int figures, bool up) {
  constexpr double kRounding = 1e-14;
  const double number = exact * (up ? 1 + kRounding : 1 - kRounding);
  if (!(number > 0) || !std::isfinite(number)) return fmt::format("{}", number);
  const double unit = elementary::pow(10, std::floor(elementary::log10(number)) + 1 - figures);
  return fmt::format("{:.{}g}", (up ? std::ceil(number / unit) : std::floor(number / unit)) * unit, figures);
}

/// A share as a percentage.
std::string rounded_percent(double share, bool up) { return rounded_figures(100 * share, 4, up) + " %"; }

/// "12 of 30 weights are"
std::string some_of(std::int64_t some, std::int64_t all, std::string_view one, std::string_view many) {
  return fmt::format("{} of {} {}", with_commas(some), with_commas(all), all == 1 ? one : many);
}

std::int64_t count_certain_signs(const OptimalityProof& proof) {
  const std::vector<int> signs = certain_signs(proof);
  return static_cast<std::int64_t>(signs.size()) - std::ranges::count(signs, 0);
}

/// How far the objective is from the best possible one.
std::string above_best_words(const OptimalityProof& proof) {
  const AboveBest above = above_best(proof);
  if (!(above.at_least > 0)) {
    const double gap = proven_gap(proof);
    return (is_bound(gap) ? "proven " : "") + distance_words(gap);
  }
  const std::string least = fmt::format("at least {}", rounded_percent(above.at_least, false));
  const std::string most =
      std::isfinite(above.at_most) ? fmt::format(" and at most {}", rounded_percent(above.at_most, true)) : "";
  return fmt::format("{}{} above the best possible one", least, most);
}

}  // namespace

std::string objective_words(const OptimalityProof& proof) {
  const TrainingObjective& objective = worst_part(proof).objective;
  std::string name(facts_of(objective.loss).name);
  std::ranges::replace(name, '-', ' ');
  const bool weighted = objective.negative_weight != "1" || objective.positive_weight != "1" ||
                        !std::ranges::all_of(objective.class_weights, [](const auto& weight) { return weight == "1"; });
  const std::string penalty = objective.l1_ratio == "0"   ? ""
                              : objective.l1_ratio == "1" ? ", L1 penalty"
                                                          : fmt::format(", elastic net with ρ = {:.4g}",
                                                                        approximate_number(objective.l1_ratio));
  return fmt::format("{} loss, λ = {:.4g}{}{}{}", name, approximate_number(objective.lambda), penalty,
                     weighted ? ", weighted classes" : "",
                     objective.offset_penalty == "0" ? "" : ", penalized intercept");
}

std::string audit_words(const OptimalityProof& proof) {
  const OptimalityProof& worst = worst_part(proof);
  const std::string of_class =
      proof.parts.empty() ? ""
                          : fmt::format("{} classifiers, of which that of {} has the largest gap: ", proof.parts.size(),
                                        shown_text(worst.data.positive));
  return fmt::format("{}objective {}, {} ({}, proven)", of_class, exact_figure(worst.at_most, true),
                     above_best_words(worst), worst.at_least == "0" ? "0" : exact_figure(worst.at_least, false));
}

std::string objective_sentences(const OptimalityProof& proof) {
  const OptimalityProof& worst = worst_part(proof);
  const std::string at_most = exact_figure(worst.at_most, true);
  const std::string at_least = worst.at_least == "0" ? "0" : exact_figure(worst.at_least, false);
  if (proof.parts.empty()) {
    return fmt::format(
        "The model's objective is at most {}. No linear classifier's is below {}.\nSo its objective is {}.", at_most,
        at_least, above_best_words(proof));
  }
  return fmt::format(
      "Of the {} classifiers, that of {} has the largest gap: its objective is at most {}. No linear classifier's is "
      "below {}.\nSo its objective is {}. No other classifier's gap is larger.",
      proof.parts.size(), shown_text(worst.data.positive), at_most, at_least, above_best_words(worst));
}

std::string weights_sentence(const OptimalityProof& proof) {
  const double within = weights_within(proof);
  if (!std::isfinite(within)) return "";
  return fmt::format("Every weight of the best possible {} is within {} of the model's, and {} certain.",
                     proof.parts.empty() ? "classifier" : "classifiers", rounded_figures(within, 3, true),
                     some_of(count_certain_signs(proof), std::ssize(certain_signs(proof)), "sign is", "signs are"));
}

std::string check_sentences(const OptimalityProof& proof, const OptimalityCheck& check) {
  if (proof.objective.loss == Loss::kSoftmax) return "";
  const bool sparse = worst_part(proof).objective.l1_ratio != "0";
  if (check.parts.empty()) {
    return fmt::format("The best possible classifier's label is certain for {}.\n",
                       some_of(check.certain_labels, proof.data.rows, "row", "rows")) +
           (sparse ? fmt::format("{} 0 in every optimum.\n",
                                 some_of(std::ssize(check.zeros), proof.data.features, "weight is", "weights are"))
                   : "");
  }
  std::int64_t fewest = proof.data.rows, zeros = 0;
  for (const OptimalityCheck& part : check.parts) {
    fewest = std::min(fewest, part.certain_labels);
    zeros += std::ssize(part.zeros);
  }
  const std::int64_t weights = std::ssize(check.parts) * std::int64_t{proof.data.features};
  const std::string least = some_of(fewest, proof.data.rows, "row", "rows");
  return (proof.data.labels.empty()
              ? fmt::format("For each class, whether the best possible classifier takes a row for it is certain for at "
                            "least {}.\n",
                            least)
              : fmt::format("Each label by the best possible classifier is certain for at least {}.\n", least)) +
         (sparse ? fmt::format("{} 0 in every optimum.\n", some_of(zeros, weights, "weight is", "weights are")) : "");
}

std::string bounds_words(const OptimalityReport& report) {
  const OptimalityProof& proof = report.bounds;
  const std::string weights = weights_sentence(proof);
  const std::string classes =
      !proof.data.labels.empty()               ? fmt::format(", {}", counted(std::ssize(proof.parts), "label"))
      : !proof.parts.empty()                   ? fmt::format(", {} classes, each against the rest", proof.parts.size())
      : proof.objective.loss == Loss::kSoftmax ? fmt::format(", {} classes together", proof.data.classes.size())
                                               : "";
  return fmt::format("{}: {}, {}{} ({}){}.\n{}\n{}{}", shown_text(report.data), counted(proof.data.rows, "row"),
                     counted(proof.data.features, "feature"), classes, objective_words(proof),
                     proof.origin ? ", classifiers through the origin" : "", objective_sentences(proof), weights,
                     weights.empty() ? "" : "\n");
}

std::string optimality_words(const OptimalityReport& report) {
  const std::string text = bounds_words(report);
  if (report.proof.empty()) return text + "The proof was not saved; use -o proof.json to save it.\n";
  if (report.check.empty()) return text;
  return text + fmt::format("Proof written to {}. To check it:\n  {}\n", shown_text(report.proof), report.check);
}

namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

/// What is proven of one classifier.
Json bounds_json(const OptimalityProof& proof) {
  const AboveBest above = above_best(proof);
  const double within = weights_within(proof);
  Json json = {{"loss", facts_of(proof.objective.loss).name}, {"lambda", proof.objective.lambda}};
  if (!proof.objective.class_weights.empty()) {
    json["class_weights"] = proof.objective.class_weights;
  } else {
    json["negative_weight"] = proof.objective.negative_weight;
    json["positive_weight"] = proof.objective.positive_weight;
  }
  json["l1_ratio"] = proof.objective.l1_ratio;
  json["intercept_penalty"] = proof.objective.offset_penalty;
  json["at_most"] = proof.at_most;
  json["at_least"] = proof.at_least;
  json["gap"] = proven_gap(proof);
  json["above_best_at_least"] = above.at_least;
  json["above_best_at_most"] = std::isfinite(above.at_most) ? Json(above.at_most) : Json(nullptr);
  json["weights_within"] = std::isfinite(within) ? Json(within) : Json(nullptr);
  json["signs_certain"] = count_certain_signs(proof);
  return json;
}

}  // namespace

Json optimality_json(const OptimalityReport& report) {
  const OptimalityProof& proof = report.bounds;
  Json object = {{"data", report.data},
                 {"model", text_or_null(report.model)},
                 {"proof", text_or_null(report.proof)},
                 {"claim", "near-optimal"},
                 {"rows", proof.data.rows},
                 {"features", proof.data.features},
                 {"origin", proof.origin}};
  if (!proof.data.classes.empty()) object["classes"] = proof.data.classes;
  for (const LabelColumn& column : proof.data.labels) object["labels"].push_back(column.name);
  if (proof.parts.empty()) {
    object.update(bounds_json(proof));
  } else {
    object["gap"] = proven_gap(proof);
    object["parts"] = Json::array();
    for (const OptimalityProof& part : proof.parts) {
      Json said = {{proof.data.labels.empty() ? "class" : "label", part.data.positive}};
      said.update(bounds_json(part));
      object["parts"].push_back(std::move(said));
    }
  }
  object["root"] = proof.data.root;
  return object;
}

void add_check(Json& object, const OptimalityCheck& check) {
  if (!check.valid) return;
  for (std::size_t c = 0; c < check.parts.size(); ++c) add_check(object["parts"][c], check.parts[c]);
  if (!check.parts.empty() || object.at("loss") == facts_of(Loss::kSoftmax).name) return;
  object["labels_certain"] = check.certain_labels;
  object["zeros_certain"] = check.zeros.size();
}

}  // namespace linsep
