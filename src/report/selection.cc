#include "report/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linsep/tools/shown_text.h"
#include "report/words.h"

namespace linsep {
namespace {

/// C = 1/(λ·Σ weight).
double c_of(const Selection& selection, double lambda) { return 1 / (lambda * selection.total_weight); }

Json point_json(const Selection& selection, const SelectionPoint& point) {
  Json object{{"lambda", point.lambda},
              {"C", c_of(selection, point.lambda)},
              {"objective", point.objective},
              {"gap", point.gap},
              {"norm", point.norm},
              {"features", point.support},
              {"mistakes", point.mistakes < 0 ? Json(nullptr) : Json(point.mistakes)},
              {"passes", point.passes},
              {"converged", point.converged}};
  if (point.held_out) {
    object["held_out_error"] = point.held_out->error;
    object["held_out_error_spread"] = point.held_out->error_spread;
    object["held_out_loss"] = point.held_out->loss;
    object["held_out_loss_spread"] = point.held_out->loss_spread;
  }
  return object;
}

std::string short_figure(double number) { return fmt::format("{:.4g}", number); }
std::string with_spread(double mean, double spread) { return fmt::format("{:.4f} ± {:.4f}", mean, spread); }

// Right-aligned in `width` columns of a terminal.
std::string cell(const std::string& text, std::size_t width) {
  const std::size_t taken = text_width(text);
  return std::string(width > taken ? width - taken : 1, ' ') + text;
}

bool has_l1(const Selection& selection) { return selection.outcome.margin && selection.outcome.margin->l1_ratio > 0; }

std::string table(const Selection& selection) {
  const bool folds = selection.folds > 0, sparse = has_l1(selection);
  std::string text = cell("λ", 12) + cell("C", 11) + cell("objective", 12) + cell("gap", 11) +
                     (sparse ? cell("features", 10) : cell("‖θ‖", 10)) + cell("mistakes", 11) + cell("passes", 8);
  if (folds) text += cell("held-out error", 18) + cell("held-out loss", 18);
  text += "\n";
  for (std::size_t l = 0; l < selection.path.size(); ++l) {
    const SelectionPoint& point = selection.path[l];
    text += l == selection.chosen ? '*' : ' ';
    text += cell(short_figure(point.lambda), 11) + cell(short_figure(c_of(selection, point.lambda)), 11) +
            cell(short_figure(point.objective), 12) +
            cell(is_bound(point.gap) ? fmt::format("{:.2g}", point.gap) : "–", 11) +
            cell(sparse ? with_commas(point.support) : short_figure(point.norm), 10) +
            cell(point.mistakes < 0 ? "–" : with_commas(point.mistakes), 11) + cell(with_commas(point.passes), 8);
    if (folds && point.held_out) {
      text += cell(with_spread(point.held_out->error, point.held_out->error_spread), 18) +
              cell(with_spread(point.held_out->loss, point.held_out->loss_spread), 18);
    } else if (folds) {
      text += cell("–", 18) + cell("–", 18);
    }
    text += "\n";
  }
  return text;
}

std::string choice_sentence(const Selection& selection) {
  const SelectionPoint& chosen = selection.path[selection.chosen];
  const std::string lambda =
      fmt::format("λ = {} (C = {})", short_figure(chosen.lambda), short_figure(c_of(selection, chosen.lambda)));
  if (selection.asked == 1) return "";
  if (chosen.held_out) {
    const HeldOut& held = *chosen.held_out;
    const auto [what, mean, spread] = selection.by_loss ? std::tuple("loss", held.loss, held.loss_spread)
                                                        : std::tuple("error", held.error, held.error_spread);
    const std::string limit = selection.features > 0
                                  ? fmt::format(" of models with at most {} features", with_commas(selection.features))
                                  : "";
    if (selection.one_se) {
      return fmt::format(
          "Chosen: {}, the largest within one standard error of the lowest held-out {}{} in {} folds, {}.\n", lambda,
          what, limit, selection.folds, with_spread(mean, spread));
    }
    return fmt::format("Chosen: {}, with the lowest held-out {}{} in {} folds, {}.\n", lambda, what, limit,
                       selection.folds, with_spread(mean, spread));
  }
  if (selection.features > 0 && chosen.mistakes >= 0) {
    return fmt::format("Chosen: {}, the smallest with at most {} features.\n", lambda, with_commas(selection.features));
  }
  if (chosen.mistakes < 0) return fmt::format("Chosen: {}, as far as it got.\n", lambda);
  if (selection.folds > 0 || selection.path.size() < selection.asked || selection.path.back().mistakes < 0) {
    return fmt::format("Chosen: {}, the last one that finished on all rows.\n", lambda);
  }
  return fmt::format("Chosen: {}, the last one. --cv 5 would choose by held-out rows.\n", lambda);
}

/// Whether the best λ stands at an end of the path and is better than its neighbor.
bool at_the_end(const Selection& selection) {
  const std::size_t chosen = selection.chosen, last = selection.path.size() - 1;
  if (last == 0 || (chosen != 0 && chosen != last)) return false;
  const auto& best = selection.path[chosen].held_out;
  const auto& neighbour = selection.path[chosen == 0 ? 1 : last - 1].held_out;
  if (!best || !neighbour) return false;
  return selection.by_loss ? best->loss < neighbour->loss : best->error < neighbour->error;
}

std::string grid_sentence(const Selection& selection) {
  std::string text;
  if (selection.added > 0) {
    text = fmt::format("The best of the {} planned λ was at an end of the range, so {} more {} tried beyond it.\n",
                       selection.asked, selection.added, selection.added == 1 ? "was" : "were");
  }
  if (selection.path.size() < selection.asked + selection.added || !at_the_end(selection)) return text;
  return text + fmt::format("{} is at the end of the range: {} λ may do better (--lambdas FROM:TO:COUNT).\n",
                            selection.added > 0 ? "It still" : "It", selection.chosen == 0 ? "greater" : "smaller");
}

std::string stop_sentence(const Selection& selection) {
  const StopReason reason = selection.outcome.reason;
  if (reason != StopReason::kTime && reason != StopReason::kInterrupted) return "";
  const std::size_t done = finished_points(selection);
  const std::size_t tried = selection.asked + selection.added;
  return fmt::format("Stopped early: {} of {} λ {} finished{}.\n", done, tried, tried == 1 ? "was" : "were",
                     selection.folds > 0 ? " by all folds" : "");
}

}  // namespace

void add_selection(Json& object, const Selection& selection) {
  Json path = Json::array();
  for (const SelectionPoint& point : selection.path) path.push_back(point_json(selection, point));
  object["path"] = path;
  const double lambda = selection.path[selection.chosen].lambda;
  object["chosen"] = {{"index", selection.chosen}, {"lambda", lambda}, {"C", c_of(selection, lambda)}};
  if (selection.added > 0) object["added"] = selection.added;
  object["folds"] = selection.folds;
}

std::string selection_words(const Selection& selection) {
  return fmt::format("\n{}\n{}{}{}", table(selection), choice_sentence(selection), grid_sentence(selection),
                     stop_sentence(selection));
}

std::string calibration_words(const Calibration& calibration) {
  if (calibration.kind == Calibration::Kind::kIsotonic) {
    return fmt::format("isotonic function of z, {}",
                       counted(static_cast<std::int64_t>(calibration.score.size()), "knot"));
  }
  if (calibration.slope == 1 && calibration.offset == 0) return "1/(1 + e^−z)";
  return fmt::format("1/(1 + e^−({}·z {} {}))", figure_text(calibration.slope), calibration.offset < 0 ? "−" : "+",
                     figure_text(std::fabs(calibration.offset)));
}

Json calibration_json(const Calibration& calibration) {
  switch (calibration.kind) {
    case Calibration::Kind::kSigmoid:
      return {{"kind", "sigmoid"}, {"slope", calibration.slope}, {"offset", calibration.offset}};
    case Calibration::Kind::kIsotonic:
      return {{"kind", "isotonic"}, {"knots", calibration.score.size()}};
    case Calibration::Kind::kSoftmax:
      return {{"kind", "softmax"}};
    case Calibration::Kind::kNone:
      break;
  }
  return nullptr;
}

namespace {

constexpr std::size_t kFewParts = 12;  // at most this many are listed one by one

std::string several_words(const Model& model) {
  const std::vector<Calibration>& all = model.calibrations;
  const bool classes = model.form == Model::Form::kClasses;
  const std::string_view name = classes ? "class" : "label", means = classes ? "∝" : "=";
  if (std::ranges::all_of(all, [&](const Calibration& own) { return own == all[0]; })) {
    return fmt::format("P({}) {} {}\n", name, means, calibration_words(all[0]));
  }
  if (all.size() > kFewParts) {
    return fmt::format("P({}) {} a function of its score, fitted for each of the {}\n", name, means, all.size());
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

}  // namespace linsep
