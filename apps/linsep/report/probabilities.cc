#include "report/probabilities.h"

#include <fmt/format.h>

#include <algorithm>

#include "linsep/tools/shown_text.h"
#include "report/select.h"
#include "report/words.h"

namespace linsep::app {
namespace {

constexpr std::size_t kFewParts = 12;  // at most this many are told one by one

std::string several_words(const Model& model) {
  const std::vector<Calibration>& all = model.calibrations;
  const bool classes = model.form == Model::Form::kClasses;
  const std::string_view name = classes ? "class" : "label", means = classes ? "∝" : "=";
  if (std::ranges::all_of(all, [&](const Calibration& own) { return own == all[0]; })) {
    return fmt::format("P({}) {} {}\n", name, means, calibration_words(all[0]));
  }
  if (all.size() > kFewParts) {
    return fmt::format("P({}) {} a function of its score, fitted to each of the {}\n", name, means, all.size());
  }
  std::string text;
  for (std::size_t part = 0; part < all.size(); ++part) {
    text += fmt::format("P({}) {} {}\n", shown_text(part_name(model, part)), means, calibration_words(all[part]));
  }
  return text;
}

}  // namespace

Json probabilities_json(const Model& model) {
  if (model.calibrations.empty()) return calibration_json(model.calibration);
  Json all = Json::array();
  for (std::size_t part = 0; part < model.calibrations.size(); ++part) {
    Json own = calibration_json(model.calibrations[part]);
    own["of"] = part_name(model, part);
    all.push_back(std::move(own));
  }
  return all;
}

std::string probabilities_words(const Model& model) {
  if (!has_probabilities(model)) return "";
  if (!model.calibrations.empty()) return several_words(model);
  if (model.calibration.kind == Calibration::Kind::kSoftmax) return "P(class) ∝ e^z\n";
  const std::vector<std::string>& classes = model.schema.classes;
  return fmt::format("P({}) = {}\n", classes.size() == 2 ? shown_text(classes[1]) : "positive",
                     calibration_words(model.calibration));
}

}  // namespace linsep::app
