#include "report/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linsep/map.h"
#include "linsep/tools/shown_text.h"
#include "report/notes.h"
#include "report/probabilities.h"
#include "report/select.h"
#include "report/words.h"
#include "tables/account_json.h"

namespace linsep::app {
namespace {

constexpr std::size_t kFewFeatures = 10;

bool counts_mistakes(const TrainReport& report) {
  const auto& history = report.outcome.history;
  return report.outcome.stats.mistakes > 0 || (!history.empty() && history.back().mistakes.has_value());
}

// Mistakes / rows, of the final model or, for a stream, of each row when it came. Nothing in a regression, nor where
// neither is known.
std::optional<double> training_error(const TrainReport& report) {
  if (report.outcome.model.regression || report.rows == 0) return std::nullopt;
  if (report.result) return static_cast<double>(report.result->mistakes) / static_cast<double>(report.rows);
  if (!counts_mistakes(report) || !report.outcome.parts.empty()) return std::nullopt;
  return static_cast<double>(report.outcome.stats.mistakes) / static_cast<double>(report.rows);
}

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

void add_result(Json& object, const TrainReport& report) {
  object["training_error"] = optional_json(training_error(report));
  object["progressive"] = report.streamed;
  if (report.result && report.result->not_finite > 0) object["not_finite"] = report.result->not_finite;
  if (report.result && report.outcome.model.regression) {
    object["sum_of_squares"] = report.result->sum_of_squares;
  } else if (report.result) {
    object["training_mistakes"] = report.result->mistakes;
  }
}

void add_last_pass(Json& object, const TrainReport& report) {
  if (report.outcome.history.empty()) return;
  const Progress& last = report.outcome.history.back();
  if (last.objective) object["objective"] = *last.objective;
  if (last.gap) object["gap"] = *last.gap;
  if (last.residual) object["residual"] = *last.residual;
}

std::string size_sentence(const TrainReport& report) {
  std::string text = fmt::format("{}: {} × {}", shown_text(report.data), counted(report.rows, "row"),
                                 counted(report.features, "feature"));
  const Schema schema = shown_names(report.outcome.model.schema);
  const auto& classes = schema.classes;
  const auto& labels = schema.labels;
  if (!labels.empty()) {
    text += fmt::format(
        ", {}", counted(static_cast<std::int64_t>(labels.size()), classes[0].empty() ? "label" : "label column"));
  } else if (classes.size() > 2) {
    text += fmt::format(", {} classes from {} to {}", thousands(static_cast<std::int64_t>(classes.size())),
                        classes.front(), classes.back());
  } else if (classes.size() == 2)
    text += fmt::format(", classes {} and {} (positive)", classes[0], classes[1]);
  if (report.workers > 1) text += fmt::format(", shared by {} workers", report.workers);
  return text + ".\n" + dropped_sentence(report.dropped);
}

std::string mistakes_clause(const TrainReport& report) {
  if (!counts_mistakes(report)) return "";
  return fmt::format(", {} on the way", counted(report.outcome.stats.mistakes, "mistake"));
}

// Several classifiers that were trained together.
std::string how_trained(const Model& model) {
  if (model.form == Model::Form::kLabels) return ", each label by itself";
  if (model.form != Model::Form::kClasses) return "";
  const auto multiclass = model.options.find("multiclass");
  const bool joint = model.calibration.kind == Calibration::Kind::kSoftmax ||
                     (multiclass != model.options.end() && option_text(multiclass->second) == "joint");
  return joint ? ", all classes together" : ", each class against the rest";
}

std::string reason_sentence(const TrainReport& report) { return report.advice ? report.advice->sentence + "\n" : ""; }

std::string stop_sentence(const TrainReport& report) {
  const Outcome& outcome = report.outcome;
  const std::string who = fmt::format("Learner {}{}", outcome.model.learner, how_trained(outcome.model));
  const std::string passes = counted(outcome.passes, "pass");
  const std::string made = outcome.passes == 1 ? "1 pass" : fmt::format("{}es", passes.substr(0, passes.size() - 1));
  const std::string mistakes = mistakes_clause(report);
  if (report.advice && outcome.reason != StopReason::kConverged) return fmt::format("{}: {}.\n", who, made);
  switch (outcome.reason) {
    case StopReason::kConverged:
      if (!counts_mistakes(report)) return fmt::format("{}: done after {}.\n", who, made);
      return fmt::format("{}: converged, pass {} made no mistake{}.\n", who, thousands(outcome.passes), mistakes);
    case StopReason::kPasses:
      if (outcome.model.regression) return fmt::format("{}: made {}.\n", who, made);
      if (!outcome.parts.empty()) {
        const auto done = std::ranges::count_if(outcome.parts, [](const PartOutcome& part) { return part.converged; });
        return fmt::format("{}: {} of {} converged in {}{}.\n", who, done, outcome.parts.size(), made, mistakes);
      }
      return fmt::format("{}: did not converge in {}{}.\n", who, made, mistakes);
    case StopReason::kTime:
      return fmt::format("{}: stopped by --time after {}{}; the model is the one reached by then.\n", who, made,
                         mistakes);
    case StopReason::kInterrupted:
      return fmt::format("{}: interrupted after {}{}; the model is the one reached by then.\n", who, made, mistakes);
    case StopReason::kEndOfStream:
      return fmt::format("{}: went through the stream once{}.\n", who, mistakes);
    case StopReason::kStalled:
      return fmt::format("{}: after {} only rounding is left, and the gap asked for is below it.\n", who, made);
    case StopReason::kInseparable:
      return fmt::format("{}: no linear classifier separates the rows.\n", who);
  }
  return "";
}

std::string solver_sentence(const TrainReport& report) {
  const auto& found = report.outcome.margin;
  if (!found) return "";
  return fmt::format("Solver {}, because {}. λ = {}, C = {}.\n", found->solver, found->because, figure(found->lambda),
                     figure(found->c));
}

/// An objective is about the features that the learner saw.
std::string_view of_scaled(const TrainReport& report) {
  return is_scaled(report.outcome.model.table) ? " of the scaled features" : "";
}

std::string gap_sentence(const TrainReport& report) {
  if (report.outcome.history.empty()) return "";
  const Progress& last = report.outcome.history.back();
  if (!last.objective || !last.gap) return "";
  if (!report.outcome.parts.empty()) {
    const std::size_t parts = report.outcome.parts.size();
    if (is_bound(*last.gap)) {
      return fmt::format("Certified gap at most {} in each of {} classifiers.\n", figure(*last.gap), parts);
    }
    const auto unknown = std::ranges::count_if(
        report.outcome.parts, [](const PartOutcome& part) { return part.gap && !is_bound(*part.gap); });
    return fmt::format("Of {} of {} classifiers no bound is known yet: how much lower the objective could be.\n",
                       unknown, parts);
  }
  if (const auto& hard = report.outcome.hard_margin) {
    return fmt::format(
        "Geometric margin {}, proven for the values as written; no separator's is above {}.\n"
        "The margin's boundaries z = ±1 are {} apart. Objective ½‖θ‖² {}, {}.\n",
        figure(hard->margin), figure(hard->margin_upper_bound), figure(2 * hard->margin), figure(*last.objective),
        gap_words(*last.gap));
  }
  if (!is_bound(*last.gap)) {
    return fmt::format("Objective{} {}; no bound is known yet: another linear classifier's may be much lower.\n",
                       of_scaled(report), figure(*last.objective));
  }
  return fmt::format(
      "Objective{} {}, certified gap {}: no linear classifier's objective is lower by more than that share.\n",
      of_scaled(report), figure(*last.objective), figure(*last.gap));
}

std::string advice(const TrainReport& report) {
  const Outcome& outcome = report.outcome;
  if (scores_per_row(outcome.model) > 1) return "";
  if (outcome.reason != StopReason::kPasses || !counts_mistakes(report) || outcome.model.regression) return "";
  return fmt::format(
      "  A clean pass may come with more --passes, or never:\n"
      "  `linsep certify {}` decides whether any linear classifier can separate the data.\n{}",
      report.argument,
      report.uneven ? "  The columns differ in size by a factor of more than 100: --scale standard usually helps.\n"
                    : "");
}

/// Why a run whose last pass was clean can end in a model with mistakes.
std::string vote_sentence(const TrainReport& report) {
  const Outcome& outcome = report.outcome;
  const bool clean = outcome.reason == StopReason::kConverged && counts_mistakes(report);
  if (!clean || !report.result || report.result->mistakes == 0) return "";
  const auto variant = outcome.model.options.find("variant");
  if (variant == outcome.model.options.end()) return "";
  return fmt::format(
      "  The last θ of the run makes no mistake; the {} model also counts the θ before it, weighted by the rows that "
      "each "
      "got right,\n  and those outweigh it here. `--variant last` keeps the last θ.\n",
      shown_text(option_text(variant->second)));
}

std::string error_sentence(const TrainReport& report) {
  if (report.result && report.outcome.model.regression) {
    return fmt::format(
        "Sum of squared residuals {}, root mean square {}.\n", figure(report.result->sum_of_squares),
        figure(std::sqrt(report.result->sum_of_squares /
                         static_cast<double>(std::max<std::int64_t>(report.rows - report.result->not_finite, 1)))));
  }
  const std::optional<double> error = training_error(report);
  if (report.uncounted) return "Training error not counted: there was no time left for it.\n";
  if (!error) return "";
  if (report.streamed && scores_per_row(report.outcome.model) > 1) return "";
  if (report.streamed) return fmt::format("Error on each row before it was learnt from: {}.\n", figure(*error));
  return fmt::format("Training error {}: {} of {} wrong.\n", figure(*error), thousands(report.result->mistakes),
                     counted(report.rows, "row"));
}

Json parts_json(const Outcome& outcome) {
  Json all = Json::array();
  for (std::size_t k = 0; k < outcome.parts.size(); ++k) {
    const PartOutcome& part = outcome.parts[k];
    Json one{{"name", part_name(outcome.model, k)}, {"passes", part.passes}, {"converged", part.converged}};
    if (part.objective) one["objective"] = *part.objective;
    if (part.gap) one["gap"] = *part.gap;
    if (outcome.stats.mistakes > 0) one["mistakes"] = part.mistakes;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

Json report_json(const TrainReport& report, bool full) {
  const Outcome& outcome = report.outcome;
  const Model& model = outcome.model;
  Json object;
  object["learner"] = model.learner;
  object["options"] = to_json(model.options);
  object["map"] = map_text(model.map);
  object["classes"] = classes_json(model.schema);
  object["rows"] = report.rows;
  if (report.dropped > 0) object["dropped"] = report.dropped;
  if (report.workers > 1) object["workers"] = report.workers;
  object["features"] = report.features;
  if (report.table) object["table"] = account_json(*report.table);
  object["passes"] = outcome.passes;
  object["converged"] = outcome.reason == StopReason::kConverged;
  object["stopped_because"] = stop_reason_name(outcome.reason);
  if (report.advice) {
    object["code"] = report.advice->code;
    object["reason"] = report.advice->sentence;
    if (!report.outsized.empty()) object["outsized_columns"] = report.outsized;
  }
  if (const auto& found = outcome.margin) {
    object["solver"] = found->solver;
    object["solver_because"] = found->because;
    object["lambda"] = found->lambda;
    object["C"] = found->c;
  }
  object["mistakes"] = counts_mistakes(report) ? Json(outcome.stats.mistakes) : Json(nullptr);
  const auto& by_row = outcome.stats.mistakes_by_row;
  if (!by_row.empty() && (full || by_row.size() <= kLongVector)) object["mistakes_by_row"] = by_row;
  add_result(object, report);
  if (!model.theta.empty() && (full || model.theta.size() <= kLongVector)) object["theta"] = theta_json(model);
  object["offset"] = offset_json(model);
  if (!outcome.parts.empty()) object["parts"] = parts_json(outcome);
  add_last_pass(object, report);
  if (report.selection) add_selection(object, *report.selection);
  if (has_probabilities(model)) object["calibration"] = probabilities_json(model);
  if (const auto& hard = outcome.hard_margin) {
    object["margin"] = hard->margin;
    object["margin_at_most"] = hard->margin_upper_bound;
    object["margin_squared_at_least"] = hard->margin_squared;
  }
  if (!report.proof.empty()) object["proof"] = report.proof;
  object["seconds"] = {{"read", report.read_seconds}, {"train", report.train_seconds}};
  object["model"] = report.model.empty() ? Json(nullptr) : Json(report.model);
  return object;
}

std::string report_words(const TrainReport& report) {
  const Model& model = report.outcome.model;
  std::string text = size_sentence(report) + (report.meaning.empty() ? "" : report.meaning + ".\n") +
                     stop_sentence(report) + reason_sentence(report) + solver_sentence(report) + advice(report) +
                     (report.selection ? selection_words(*report.selection) : "") + gap_sentence(report) +
                     error_sentence(report) + vote_sentence(report) +
                     (report.result ? few_positive_sentence(model, *report.result) : "") +
                     not_finite_sentence(report.result ? report.result->not_finite : 0);
  if (model.form == Model::Form::kLinear && !model.theta.empty() && model.theta.size() <= kFewFeatures) {
    text += score_formula(model) + "\n";
  }
  text += probabilities_words(model);
  text += report.model.empty() ? "The model was not kept; -o FILE writes it.\n"
                               : fmt::format("Model written to {}.\n", shown_text(report.model));
  if (!report.proof.empty()) text += fmt::format("Proof written to {}.\n", shown_text(report.proof));
  return text;
}

}  // namespace linsep::app
