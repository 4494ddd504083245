#include "report/distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linsep/learner_info.h"
#include "linsep/tools/shown_text.h"
#include "report/words.h"

namespace linsep::app {
namespace {

constexpr std::size_t kFewFeatures = 10, kFewRows = 20, kNamedRows = 10, kBins = 12;
constexpr double kBarWidth = 40;

/// The plane z = level as an equation: "2·x1 + 2·x2 = 4".
std::string plane(const Model& model, double level) {
  Model without = model;
  without.offset = 0;
  return fmt::format("{} = {}", score_formula(without).substr(4), figure(level - model.offset));
}

/// Whether z = ±1 means anything: a perceptron's θ may be multiplied by any number, one of least loss may not.
bool has_scale(const Model& model) {
  const LearnerInfo* info = find_learner(model.learner);
  return info != nullptr && info->objective;
}

std::string boundary_words(const Model& model, const Distances& found) {
  if (!(found.norm > 0)) return "θ is 0: there is no boundary, and no row has a distance from it.\n";
  if (!has_scale(model)) {
    if (model.theta.size() > kFewFeatures) return "";
    return fmt::format("Boundary: {}\n", plane(model, 0));
  }
  const std::string text = fmt::format("The margin's boundaries z = ±1 are {} apart (2/‖θ‖, ‖θ‖ = {}).\n",
                                       figure(found.width()), figure(found.norm));
  if (model.theta.size() > kFewFeatures) return text;
  return fmt::format("{}  z =  1: {}\n  z =  0: {}\n  z = −1: {}\n", text, plane(model, 1), plane(model, 0),
                     plane(model, -1));
}

std::string rows_listed(const std::vector<std::int64_t>& rows) {
  std::string text;
  for (std::size_t k = 0; k < std::min(rows.size(), kNamedRows); ++k) {
    text += fmt::format("{}{}", k == 0 ? "" : ", ", thousands(rows[k] + 1));
  }
  return rows.size() > kNamedRows ? text + ", …" : text;
}

std::string support_words(const Model& model, const Distances& found, double tolerance) {
  if (!has_scale(model))
    return fmt::format("On the wrong side or on the boundary: {}.\n", counted(found.mistakes, "row"));
  const auto count = static_cast<std::int64_t>(found.support.size());
  std::string text = fmt::format("Support vectors (y·z ≤ 1 + {}): {}", figure(tolerance), counted(count, "row"));
  if (count > 0) text += fmt::format(", number {}", rows_listed(found.support));
  text += fmt::format(".\nWithin the margin (y·z < 1 − {}): {}, of which {} mistakes.\n", figure(tolerance),
                      counted(found.inside, "row"), thousands(found.mistakes));
  return text;
}

std::string objective_words(const Distances& found) {
  if (!found.objective) return "";
  const MarginObjective& objective = *found.objective;
  if (objective.hard) return fmt::format("Objective of the hard margin: ½‖θ‖² = {}.\n", figure(objective.value));
  return fmt::format("Objective on these rows: mean {} loss {} + (λ/2)‖θ‖² {} = {}, λ = {}.\n", objective.loss,
                     figure(objective.mean_loss), figure(objective.value - objective.mean_loss),
                     figure(objective.value), figure(objective.lambda));
}

std::vector<double> distances_of(const Distances& found) {
  std::vector<double> all(found.margin.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = found.distance(i);
  return all;
}

std::string table(const Distances& found) {
  std::string text = "  row           y·z    distance γ\n";
  for (std::size_t i = 0; i < found.margin.size(); ++i) {
    const std::string margin = figure(found.margin[i]), distance = figure(found.distance(i));
    text += fmt::format("  {:<6}{:>{}}{}{:>{}}{}\n", i + 1, "", 11 - text_width(margin), margin, "",
                        14 - text_width(distance), distance);
  }
  return text;
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text_width(text)), ' ') + text;
}

std::string picture(const Distances& found) {
  const std::vector<Bin> bins = histogram(distances_of(found), kBins);
  std::int64_t most = 1;
  std::size_t width = 0;
  for (const Bin& bin : bins) {
    most = std::max(most, bin.rows);
    width = std::max({width, text_width(figure(bin.low)), text_width(figure(bin.high))});
  }
  std::string text = "Signed distances γ = y·z/‖θ‖, below 0 on the wrong side:\n";
  for (const Bin& bin : bins) {
    const double length = std::ceil(kBarWidth * static_cast<double>(bin.rows) / static_cast<double>(most));
    std::string bar;
    for (int k = 0; k < static_cast<int>(length); ++k) bar += "█";
    text += fmt::format("  {} to {} │{} {}\n", padded(figure(bin.low), width), padded(figure(bin.high), width), bar,
                        bin.rows == 0 ? "" : thousands(bin.rows));
    while (text.ends_with(" \n")) text.erase(text.size() - 2, 1);
  }
  return text;
}

}  // namespace

Json distances_json(const Model& model, const Distances& found, double tolerance, bool full) {
  const std::size_t rows = found.margin.size();
  const bool known = found.norm > 0;
  Json object{{"rows", rows}, {"norm", found.norm}, {"width", known ? Json(found.width()) : Json(nullptr)}};
  object["boundaries"] = Json::array();
  for (const double z : {1.0, 0.0, -1.0}) object["boundaries"].push_back({{"z", z}, {"offset", model.offset - z}});
  if (found.least_row >= 0) {
    const auto at = static_cast<std::size_t>(found.least_row);
    object["least"] = {{"row", found.least_row + 1},
                       {"margin", found.margin[at]},
                       {"distance", known ? Json(found.distance(at)) : Json(nullptr)}};
  }
  object["mistakes"] = found.mistakes;
  object["scale_is_arbitrary"] = !has_scale(model);
  object["inside"] = found.inside;
  object["tolerance"] = tolerance;
  object["support_vectors"] = found.support.size();
  if (full || found.support.size() <= kLongVector) {
    Json support = Json::array();
    for (const std::int64_t row : found.support) support.push_back(row + 1);
    object["support_rows"] = std::move(support);
  }
  if (full || rows <= kLongVector) {
    object["margins"] = found.margin;
    if (known) object["distances"] = distances_of(found);
  }
  if (const auto& objective = found.objective) {
    object["objective"] = {{"value", objective->value}, {"hard", objective->hard}};
    if (!objective->hard) {
      object["objective"]["loss"] = objective->loss;
      object["objective"]["mean_loss"] = objective->mean_loss;
      object["objective"]["lambda"] = objective->lambda;
    }
  }
  return object;
}

std::string distances_words(const Model& model, const Distances& found, double tolerance, const std::string& data) {
  const auto rows = static_cast<std::int64_t>(found.margin.size());
  std::string text =
      fmt::format("\nOn {} ({}):\n", data == "-" ? "standard input" : shown_text(data), counted(rows, "row"));
  text += boundary_words(model, found);
  if (rows == 0) return text;
  if (found.norm > 0) {
    const auto least = static_cast<std::size_t>(found.least_row);
    text += fmt::format("The smallest signed distance is {}, that of row {}.\n", figure(found.distance(least)),
                        thousands(found.least_row + 1));
  }
  text += support_words(model, found, tolerance) + objective_words(found);
  if (!(found.norm > 0)) return text;
  return text + (found.margin.size() <= kFewRows ? table(found) : picture(found));
}

}  // namespace linsep::app
