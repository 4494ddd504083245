#include "report/optimality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

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

/// A share as a percentage of four figures that isn't above it (up: below it).
std::string rounded_percent(double share, bool up) {
  constexpr double kRounding = 1e-14;
  const double number = 100 * share * (up ? 1 + kRounding : 1 - kRounding);
  if (!(number > 0) || !std::isfinite(number)) return fmt::format("{} %", number);
  const double unit = elementary::pow(10, std::floor(elementary::log10(number)) - 3);
  return fmt::format("{:.4g} %", (up ? std::ceil(number / unit) : std::floor(number / unit)) * unit);
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

std::string objective_words(const TrainingObjective& objective) {
  std::string name(facts_of(objective.loss).name);
  std::ranges::replace(name, '-', ' ');
  const bool weighted = objective.negative_weight != "1" || objective.positive_weight != "1";
  const std::string penalty = objective.l1_ratio == "0"   ? ""
                              : objective.l1_ratio == "1" ? ", L1 penalty"
                                                          : fmt::format(", elastic net with ρ = {:.4g}",
                                                                        approximate_number(objective.l1_ratio));
  return fmt::format("{} loss, λ = {:.4g}{}{}{}", name, approximate_number(objective.lambda), penalty,
                     weighted ? ", weighted classes" : "",
                     objective.offset_penalty == "0" ? "" : ", penalized intercept");
}

std::string audit_words(const OptimalityProof& proof) {
  return fmt::format("objective {}, {} ({}, proven)", exact_figure(proof.at_most, true), above_best_words(proof),
                     proof.at_least == "0" ? "0" : exact_figure(proof.at_least, false));
}

std::string objective_sentences(const OptimalityProof& proof) {
  return fmt::format(
      "The model's objective is at most {}. No linear classifier's is below {}.\nSo its objective is {}.",
      exact_figure(proof.at_most, true), proof.at_least == "0" ? "0" : exact_figure(proof.at_least, false),
      above_best_words(proof));
}

double weight_radius(const OptimalityProof& proof) {
  constexpr double kRounding = 1 + 1e-9;
  const double apart = proven_gap(proof) * approximate_number(proof.at_most);
  const double squares = 1 - approximate_number(proof.objective.l1_ratio);  // the strongly convex part
  return kRounding * std::sqrt(2 * apart / (approximate_number(proof.objective.lambda) * squares));
}

std::string bounds_words(const OptimalityReport& report) {
  const OptimalityProof& proof = report.bounds;
  return fmt::format("{}: {}, {} ({}){}.\n{}\n", shown_text(report.data), counted(proof.data.rows, "row"),
                     counted(proof.data.features, "feature"), objective_words(proof.objective),
                     proof.origin ? ", classifiers through the origin" : "", objective_sentences(proof));
}

std::string optimality_words(const OptimalityReport& report) {
  const std::string text = bounds_words(report);
  if (report.proof.empty()) return text + "The proof was not saved; use -o proof.json to save it.\n";
  if (report.check.empty()) return text;
  return text + fmt::format("Proof written to {}. To check it:\n  {}\n", shown_text(report.proof), report.check);
}

Json optimality_json(const OptimalityReport& report) {
  const OptimalityProof& proof = report.bounds;
  const AboveBest above = above_best(proof);
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  return {{"data", report.data},
          {"model", text_or_null(report.model)},
          {"proof", text_or_null(report.proof)},
          {"claim", "near-optimal"},
          {"rows", proof.data.rows},
          {"features", proof.data.features},
          {"origin", proof.origin},
          {"loss", facts_of(proof.objective.loss).name},
          {"lambda", proof.objective.lambda},
          {"negative_weight", proof.objective.negative_weight},
          {"positive_weight", proof.objective.positive_weight},
          {"l1_ratio", proof.objective.l1_ratio},
          {"intercept_penalty", proof.objective.offset_penalty},
          {"at_most", proof.at_most},
          {"at_least", proof.at_least},
          {"gap", proven_gap(proof)},
          {"above_best_at_least", above.at_least},
          {"above_best_at_most", std::isfinite(above.at_most) ? Json(above.at_most) : Json(nullptr)},
          {"root", proof.data.root}};
}

}  // namespace linsep
