// The words of a picture, which are headlines, captions and notes by section, the names of the classifiers, and how it
// was made. Sentences only put results into words and compute nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "linsep/learner_info.h"
#include "linsep/map.h"
#include "linsep/stop_reason.h"
#include "picture/names.h"
#include "picture/parts.h"
#include "picture/report_chart.h"
#include "picture/sentences.h"
#include "report/optimality.h"
#include "report/proof.h"
#include "report/words.h"

namespace linsep {

const Model* Sentences::model() const {
  if (!input.models.empty()) return input.models.front().model;
  return input.trained != nullptr ? &input.trained->model : nullptr;
}

namespace {

bool has_judged(const Sentences& writer) { return !writer.gathered.models.empty() && writer.gathered.rows > 0; }

}  // namespace

bool theta_is_zero(const Sentences& writer) {
  const Model* model = writer.model();
  return model != nullptr && model->form == Model::Form::kLinear && norm_of(*model) == 0;
}

bool one_class(const Sentences& writer) {
  std::int64_t classes = 0;
  for (const std::int64_t rows : writer.gathered.class_rows) classes += rows > 0 ? 1 : 0;
  return classes == 1;
}

bool are_two_classes(const Sentences& writer) {
  return has_judged(writer) && (writer.gathered.task == kTwoClasses || writer.gathered.task == kOneClass);
}

std::string wrong_text(const Sentences& writer) {
  if (!has_judged(writer)) return "";
  const Model* model = writer.model();
  if (model == nullptr || model->regression) return "";
  const ModelRows& rows = writer.gathered.models.front();
  const std::string wrong = rows.mistakes == 0
                                ? fmt::format("None of {} is wrong", counted(writer.gathered.rows, "row"))
                                : fmt::format("{} of {} {} wrong", with_commas(rows.mistakes),
                                              counted(writer.gathered.rows, "row"), rows.mistakes == 1 ? "is" : "are");
  if (writer.gathered.task != kTwoClasses || !(writer.gathered.norm > 0) || !std::isfinite(rows.least_right)) {
    return wrong + ".";
  }
  const std::string distance = figure_text(rows.least_right / writer.gathered.norm);
  return rows.mistakes == 0 ? fmt::format("{}; the closest row is {} from the boundary.", wrong, distance)
                            : fmt::format("{}; the closest correct row is {} from the boundary.", wrong, distance);
}

namespace {

std::string learner_words(const std::string& learner) { return learner.empty() ? "The run" : capitalized(learner); }

// Progress, mistakes and mistakes by row.

using History = Picture::History;

bool is(const History& history, StopReason reason) { return history.reason == stop_reason_name(reason); }
bool counts_mistakes(const History& history) { return !history.bars.empty(); }

/// How near the last pass is, as in "the objective is within 0.08 % of the best possible (…)".
std::string objective_words(const History& history) {
  if (history.passes.empty() || !history.passes.back().gap) return "";
  const double gap = *history.passes.back().gap;
  if (history.claimed && is_bound(gap)) {
    return fmt::format("the objective is {}, as the log claims", distance_words(gap));
  }
  return "the objective is " + gap_words(gap, history.gap_asked.value_or(0));
}

std::string converged_words(const History& history) {
  if (counts_mistakes(history)) return "a pass made no mistake";
  if (!objective_words(history).empty()) return objective_words(history);
  return "it was finished";
}

std::int64_t mistakes_made(const History& history) { return history.bars.back().mistakes_so_far.value_or(0); }

std::string reason_text(const Picture::History& history) {
  if (is(history, StopReason::kConverged)) return converged_words(history);
  if (is(history, StopReason::kPasses)) return "the passes ran out";
  if (is(history, StopReason::kTime)) return "the time ran out";
  if (is(history, StopReason::kInterrupted)) return "it was interrupted";
  if (is(history, StopReason::kEndOfStream)) return "the stream ended";
  if (is(history, StopReason::kStalled)) return "rounding errors keep it from getting closer";
  if (is(history, StopReason::kInseparable)) return "no classifier of this kind separates the rows";
  return "";
}

/// Whether the proof is about the classifiers of the run too, since one about those through the origin needn't be.
bool proof_forbids_a_clean_pass(const Sentences& writer) {
  const auto& proof = writer.picture.proof;
  const Model* model = writer.model();
  return proof && model != nullptr && proof->statement.has_witness && map_text(model->map) == proof->statement.map &&
         (model->origin || !proof->statement.origin);
}

std::string mistakes_text(const Sentences& writer) {
  const auto& history = writer.picture.history;
  if (!history || !counts_mistakes(*history)) return "";
  const std::string made = counted(mistakes_made(*history), "mistake");
  const std::string passes = counted_passes(history->passes_made);
  if (mistakes_made(*history) == 0) return fmt::format("No mistake in {}.", passes);
  if (writer.picture.bound)
    return fmt::format("{}; the theory allows at most {}.", made, writer.picture.bound->mistakes_text);
  if (history->bars.back().mistakes && is(*history, StopReason::kConverged)) {
    return fmt::format("{} in {}; the last pass made none.", made, passes);
  }
  if (proof_forbids_a_clean_pass(writer)) {
    return fmt::format("{} in {}, and no pass will ever be clean: the rows can't be separated.", made, passes);
  }
  if (writer.gathered.task == kSeveralClasses || writer.gathered.task == kLabelColumns) {
    return fmt::format("{} in {}, and no pass was clean.", made, passes);
  }
  return fmt::format("{} in {}, and no pass was clean. `linsep certify` decides whether these rows can be separated.",
                     made, passes);
}

std::string run_text(const Sentences& writer) {
  const auto& history = writer.picture.history;
  if (!history) return "";
  const std::string reason = reason_text(*history);
  const std::string gap = is(*history, StopReason::kConverged) ? "" : objective_words(*history);
  return fmt::format("{} stopped after {}{}{}.", learner_words(history->learner), counted_passes(history->passes_made),
                     reason.empty() ? "" : ": " + reason, gap.empty() ? "" : "; " + gap);
}

std::string bound_caption(const Sentences& writer) {
  const auto& bound = writer.picture.bound;
  if (!bound) return "";
  const Model* model = writer.model();
  const bool origin = model != nullptr && model->origin;
  return fmt::format(
      "Starting from θ = 0, a perceptron makes at most {} mistakes on these rows, in any order, by the bound (R/γ)²: R "
      "= {}, γ = {}{}.",
      bound->mistakes_text, figure_text(bound->radius), figure_text(bound->margin),
      origin ? "" : ", with the intercept as a feature that is always 1");
}

void write_mistakes(const Sentences& writer) {
  const History& history = *writer.picture.history;
  writer.headline("mistakes", mistakes_text(writer));
  std::string caption = "Bars: mistakes in each pass. Line: their running total.";
  if (history.group > 1) {
    caption = fmt::format("Bars: mistakes in {} passes each. Line: their running total.", history.group);
  }
  const std::int64_t made = mistakes_made(history);
  constexpr double kNear = 3;
  if (writer.picture.bound && writer.picture.bound->mistakes <= kNear * static_cast<double>(made)) {
    caption += " Dashed: the most that the theory allows.";
  }
  if (made > 0) writer.caption("mistakes", caption);
  writer.note("mistakes", bound_caption(writer));
  const Model* model = writer.model();
  if (!writer.picture.bound && model != nullptr && has_mistake_bound(*model) && model->options.contains("init") &&
      !get_numbers(model->options, "init").empty()) {
    writer.note("mistakes", "The bound (R/γ)² doesn't apply: this run didn't start at θ = 0.");
  }
}

void write_progress(const Sentences& writer) {
  const History& history = *writer.picture.history;
  const bool measured = std::ranges::any_of(
      history.passes, [](const History::Pass& pass) { return pass.objective || pass.gap || pass.residual; });
  if (!measured && counts_mistakes(history)) return;  // the mistakes show it
  writer.headline("progress", run_text(writer));
  if (!measured) return writer.note("progress", "This learner reports no progress measure.");
  if (history.passes.size() == 1) writer.note("progress", "There was only one pass, so there is no curve.");
  if (history.passes.back().gap) {
    writer.caption("progress",
                   "Line: the objective after each pass. Dashed: the lower bound. Below: the gap between the two, "
                   "relative to the objective.");
  } else if (history.passes.back().residual) {
    writer.caption("progress", "The quantity that the stopping rule checks, after each pass.");
  }
  if (history.other_run) {
    writer.note("progress",
                "The log is of another run than the model, whose file says that its run ended with another objective.");
  }
  if (static_cast<std::int64_t>(history.passes.size()) < history.passes_made) {
    writer.note("progress", fmt::format("{} of {} passes are drawn: the first, the last, and the best and the worst of "
                                        "each stretch.",
                                        with_commas(history.passes.size()), with_commas(history.passes_made)));
  }
}

void write_alpha(const Sentences& writer) {
  const auto& alpha = writer.picture.alpha;
  if (!alpha || alpha->rows.empty()) return;
  const auto& most = alpha->rows.front();
  const std::string id = most.id.empty() ? "" : fmt::format(" ({})", most.id);
  writer.headline("rows", fmt::format("Row {}{} was corrected most: {}.", most.row + 1, id,
                                      most.alpha == 1 ? "once" : fmt::format("{} times", with_commas(most.alpha))));
  writer.caption(
      "rows", "α counts how often a row was corrected; θ is the starting point plus the sum of α·y·x over all rows.");
  if (!alpha->rest.empty()) {
    writer.note("rows", fmt::format("The {} largest are shown, {}.", alpha->rows.size(), alpha->rest));
  }
}

void write_run(const Sentences& writer) {
  if (!writer.picture.history) return;
  write_progress(writer);
  if (counts_mistakes(*writer.picture.history)) write_mistakes(writer);
  write_alpha(writer);
}

// The data space and the comparison of several classifiers.

std::string class_marks(const Sentences& writer) {
  const auto& names = writer.picture.about.class_names;
  if (names.size() != 2) return "Each point is a row.";
  return fmt::format("Each point is a row: + class {}, ○ class {}.", names[1], names[0]);
}

bool has_path(const Sentences& writer, const char* kind) {
  return std::ranges::any_of(writer.picture.paths, [&](const Picture::Path& path) { return path.kind == kind; });
}

std::string lines_text(const Sentences& writer) {
  if (!has_path(writer, "boundary")) return "";
  const bool margin = has_path(writer, "margin-positive");
  if (writer.picture.plane->kind == "boundary") return margin ? " Dashed: z = ±1." : "";
  return margin ? " The line is the boundary z = 0; dashed, z = ±1." : " The line is the boundary z = 0.";
}

std::string plane_text(const Sentences& writer) {
  const std::string& kind = writer.picture.plane->kind;
  if (kind == "boundary") {
    return " Horizontal: the signed distance from the boundary, which is the line at 0. Vertical: the first principal "
           "component of the rest.";
  }
  if (kind == "components") return " The axes are the rows' first two principal components.";
  if (kind == "feature") return " The axis is the only feature.";
  return "";
}

/// Why there is no line, although one might be expected.
std::string missing_line(const Sentences& writer) {
  const Model* model = writer.model();
  if (writer.picture.plane->kind != "features" || model == nullptr || has_path(writer, "boundary")) return "";
  if (writer.gathered.features > 2) {
    return fmt::format("No boundary is drawn: it depends on {}, so it isn't a line in these two.",
                       counted(writer.gathered.features, "feature"));
  }
  if (writer.gathered.norm == 0 && model->form == Model::Form::kLinear) return "θ is 0: there is no boundary to draw.";
  return "";
}

/// How rows were chosen, and which ones are shown in any case.
std::string drawn_text(const Sentences& writer) {
  const auto& points = writer.picture.points;
  if (!points || points->how == "all") return "";
  const auto& proof = writer.picture.proof;
  std::string text;
  if (points->shown > 0) {
    text = fmt::format("{} of {} are shown, chosen by a hash of the row number with seed {}",
                       with_commas(points->shown), counted(points->total, "row"), points->seed);
    if (proof && proof->witness_rows > 0 && static_cast<std::int64_t>(proof->witness.size()) == proof->witness_rows) {
      text += fmt::format("; they include all {} of the proof", counted(proof->witness_rows, "row"));
    }
    text += ".";
  }
  return text;
}

std::string cells_text(const Sentences& writer) {
  const auto& cells = writer.picture.cells;
  if (!cells) return "";
  std::int64_t most = 0;
  for (std::size_t k = 0; k < cells->negative.size(); ++k)
    most = std::max(most, cells->negative[k] + cells->positive[k]);
  return fmt::format("All rows are counted; a cell holds up to {}.", counted(most, "row"));
}

/// The two sides that can be separated.
std::string sides_words(const Picture::Proof& proof) {
  return proof.statement.against.empty() ? "the classes" : proof.statement.against + " and the rest";
}

std::string space_headline(const Sentences& writer) {
  const auto& proof = writer.picture.proof;
  if (proof && proof->verdict == "separable" && proof->margin) {
    const std::string least = figure_text(2 * *proof->margin);
    const bool known = proof->margin_upper_bound && figure_text(2 * *proof->margin_upper_bound) == least;
    return fmt::format("{} are {}{} apart.", capitalized(sides_words(*proof)), known ? "" : "at least ", least);
  }
  if (proof && proof->verdict == "overlapping" && proof->common_point) {
    const std::string& one = proof->statement.against;
    const std::string both = one.empty() ? "both classes" : one + " and the rest";
    return proof->common_point->y == 0 && writer.picture.plane->kind == "feature"
               ? fmt::format("The convex hulls of {} contain {}.", both, figure_text(proof->common_point->x))
               : fmt::format("The convex hulls of {} contain ({}, {}).", both, figure_text(proof->common_point->x),
                             figure_text(proof->common_point->y));
  }
  const std::string wrong = wrong_text(writer);
  if (!wrong.empty() && writer.picture.models.size() == 1) return wrong;
  return fmt::format("{} × {}.", counted(writer.gathered.rows, "row"), counted(writer.gathered.features, "feature"));
}

void write_plane(const Sentences& writer) {
  if (!writer.picture.plane) {
    if (writer.spec.no_rows && writer.gathered.rows > 0) writer.note("space", "Individual rows are left out.");
    return;
  }
  writer.headline("space", space_headline(writer));
  const bool points = writer.picture.points && !writer.picture.points->at.empty();
  std::string caption = points ? class_marks(writer) : "";
  if (!points && writer.picture.cells)
    caption = "Each cell has a square per class, whose area shows how many rows it holds.";
  writer.caption("space", caption + plane_text(writer) + lines_text(writer));
  writer.note("space", missing_line(writer));
  writer.note("space", drawn_text(writer));
  writer.note("space", cells_text(writer));
  if (writer.spec.no_rows) writer.note("space", "Individual rows are left out.");
}

std::string comparison_text(const Sentences& writer) {
  const auto& models = writer.picture.models;
  if (models.size() < 2 || !std::ranges::all_of(models, [](const auto& one) { return one.mistakes.has_value(); })) {
    return "";
  }
  const auto [best, worst] = std::ranges::minmax_element(models, {}, [](const auto& one) { return *one.mistakes; });
  const auto& proof = writer.picture.proof;
  std::string least;
  if (proof && proof->verdict != "separable" && proof->mistakes_at_least) {
    least = "; " + least_words(proof->statement, *proof->mistakes_at_least);
  }
  if (*best->mistakes == *worst->mistakes) {
    return fmt::format("All {} make {}{}.", models.size(), counted(*best->mistakes, "mistake"), least);
  }
  return fmt::format("{} makes {}, {} {}{}.", best->name, counted(*best->mistakes, "mistake"), worst->name,
                     with_commas(*worst->mistakes), least);
}

void write_comparison(const Sentences& writer) {
  if (writer.picture.models.size() < 2) return;
  writer.headline("comparison", comparison_text(writer));
  if (has_path(writer, "boundary")) {
    writer.caption("comparison", "Rows are gray, shaped by class. Each line is the boundary of one classifier.");
  }
  if (writer.picture.models.front().disagreements) {
    writer.note("comparison",
                "Disagreements: rows on which a classifier's prediction differs from the first one's. A row on the "
                "boundary counts as a mistake.");
  }
}

void write_space(const Sentences& writer) {
  write_plane(writer);
  write_comparison(writer);
}

// Verdict, witness and the smallest number of mistakes.

using Proof = Picture::Proof;

/// "x1 and x2", "x1, x2, x3 and 4 more".
std::string infinite_names(const Proof& proof) {
  std::vector<std::string> names;
  for (const auto& coefficient : proof.infinite) names.push_back(coefficient.name);
  return listed(names, 5);
}

std::string goes(const Proof& proof) { return proof.infinite.size() == 1 ? "goes" : "go"; }

std::string quasi_text(const Sentences& writer) {
  const Proof& proof = *writer.picture.proof;
  const std::string features = proof.infinite.empty()
                                   ? ""
                                   : fmt::format(": {} {} to infinity in a {}", infinite_names(proof), goes(proof),
                                                 regression_words(proof.statement));
  return fmt::format("{}{}.", capitalized(verdict_words(proof.statement)), features);
}

/// "4 of them prove it", about the witness, after a sentence about the rows.
std::string witness_text(const Proof& proof) {
  const Statement& statement = proof.statement;
  if (!statement.jointly && statement.against.empty()) {
    return fmt::format("{} of them prove{} it", with_commas(proof.witness_rows), proof.witness_rows == 1 ? "s" : "");
  }
  return fmt::format("{} prove{} it", counted(proof.witness_rows, statement.jointly ? "comparison" : "row"),
                     proof.witness_rows == 1 ? "s" : "");
}

std::string undecided_text(const Sentences& writer) {
  const Proof& proof = *writer.picture.proof;
  const std::string why = proof.stopped_because.empty() ? "" : ": " + proof.stopped_because;
  if (proof.witness_rows > 0) {
    return fmt::format("{}: {}. Whether some rows can be separated is undecided{}.",
                       capitalized(not_separable_words(proof.statement)), witness_text(proof), why);
  }
  if (proof.margin_upper_bound) {
    return fmt::format("Undecided{}; no separator has a margin above {}.", why, figure_text(*proof.margin_upper_bound));
  }
  return fmt::format("Undecided{}.", why);
}

/// Twice the margin, in words that show whether it is known.
std::string apart_text(const Proof& proof) {
  if (!proof.margin) return "";
  const std::string least = figure_text(2 * *proof.margin);
  const bool known = proof.margin_upper_bound && figure_text(2 * *proof.margin_upper_bound) == least;
  return fmt::format("{} are {}{} apart", sides_words(proof), known ? "" : "at least ", least);
}

void write_meaning(const Sentences& writer) {
  const Proof& proof = *writer.picture.proof;
  const std::string regression = regression_words(proof.statement);
  if (!proof.infinite.empty() && proof.verdict == "separable") {
    writer.meaning("proof", fmt::format("A {} without a penalty has no finite estimate: the better it fits these rows, "
                                        "the larger its coefficients. {} {} to infinity.",
                                        regression, infinite_names(proof), goes(proof)));
  } else if (!proof.infinite.empty()) {
    writer.meaning("proof", fmt::format("A {} without a penalty has no finite estimate of these coefficients; a "
                                        "program that prints one stopped early.",
                                        regression));
  } else if (proof.verdict == "overlapping") {
    writer.meaning("proof", fmt::format("A {} has finite coefficients on these rows.", regression));
  }
}

void write_witness(const Sentences& writer) {
  const Proof& proof = *writer.picture.proof;
  if (proof.witness_rows == 0) return;
  if (proof.statement.jointly) {
    writer.caption("proof",
                   "Each comparison is of a row's own class with another one. For every classifier, the leads of the "
                   "own class, weighted like this, add up to 0, so they can't all be positive.");
  } else if (proof.statement.origin) {
    writer.caption("proof",
                   "With these weights, y·x of the rows sums to 0. A classifier that is right on all of them would "
                   "give that sum a positive score, but its score is 0.");
  } else {
    writer.caption(
        "proof",
        fmt::format("{} have the same weighted mean (◆), so every boundary touches or misclassifies one "
                    "of these rows.",
                    proof.statement.against.empty() ? "Both classes" : proof.statement.against + " and the rest"));
  }
  if (writer.spec.no_rows) {
    writer.note("proof", "The rows themselves are left out.");
  } else if (static_cast<std::int64_t>(proof.witness.size()) < proof.witness_rows && !proof.witness.empty()) {
    writer.note("proof", fmt::format("The {} heaviest of {} are listed; the proof has all of them.",
                                     with_commas(proof.witness.size()), counted(proof.witness_rows, "row")));
  }
}

void write_least(const Sentences& writer) {
  const Proof& proof = *writer.picture.proof;
  if (!proof.mistakes_at_least || proof.verdict == "separable") return;
  const std::string least = capitalized(least_words(proof.statement, *proof.mistakes_at_least));
  if (proof.mistakes_at_most == proof.mistakes_at_least) {
    writer.headline("least", fmt::format("{}, and one makes exactly that many.", least));
  } else if (proof.mistakes_at_most) {
    writer.headline("least",
                    fmt::format("{}; the best one found makes {}.", least, with_commas(*proof.mistakes_at_most)));
  } else {
    writer.headline("least", least + ".");
  }
  writer.caption("least", fmt::format("Solid: mistakes that no {} can avoid. Hatched: unknown.",
                                      classifier_words(proof.statement)));
  if (!proof.packing.empty()) {
    writer.note("least", wrong_in_each_words(proof.statement) + ".");
  } else if (!writer.spec.no_rows) {
    writer.note("least", "`linsep certify --mistakes` may prove more.");
  }
}

std::string verdict_text(const Sentences& writer) {
  if (!writer.picture.proof) return "";
  const Proof& proof = *writer.picture.proof;
  if (proof.verdict == "separable") {
    const std::string apart = apart_text(proof);
    return fmt::format("A {} {}{}.", classifier_words(proof.statement), separates_words(proof.statement),
                       apart.empty() ? "" : "; " + apart);
  }
  if (proof.verdict == "overlapping") {
    return fmt::format("{}: {}.", capitalized(not_separable_words(proof.statement)), witness_text(proof));
  }
  return proof.verdict == "quasi-separable" ? quasi_text(writer) : undecided_text(writer);
}

void write_proof(const Sentences& writer) {
  if (!writer.picture.proof) return;
  writer.headline("proof", verdict_text(writer));
  write_meaning(writer);
  write_witness(writer);
  write_least(writer);
}

// The summary.

std::string one_class_text(const Sentences& writer) {
  const auto& counts = writer.gathered.class_rows;
  const auto& names = writer.picture.about.class_names;
  for (std::size_t k = 0; k < counts.size() && k < names.size(); ++k) {
    if (counts[k] > 0) {
      return fmt::format("All {} belong to class {}: there is nothing to separate.",
                         counted(writer.gathered.rows, "row"), names[k]);
    }
  }
  return "";
}

/// What follows the verdict's sentence, as in "z = 2·x1 + 2·x2 − 3, proven margin 0.353553".
std::string separator_words(const Picture::Proof& proof) {
  if (proof.separator.empty()) return "";
  const std::string margin = proof.margin ? fmt::format(", proven margin {}", figure_text(*proof.margin)) : "";
  return fmt::format("{}{}", proof.separator, margin);
}

/// The name for what separates rows depends on how many features there are.
std::string separator_noun(const Sentences& writer) {
  const Statement& statement = writer.picture.proof->statement;
  if (statement.map != "none") return classifier_words(statement);
  switch (writer.gathered.features) {
    case 1:
      return classifier_words(statement, "point");
    case 2:
      return classifier_words(statement, "line");
    case 3:
      return classifier_words(statement, "plane");
    default:
      return classifier_words(statement);
  }
}

std::string summary_verdict(const Sentences& writer) {
  if (writer.gathered.task == kOneClass) return one_class_text(writer);
  const auto& proof = writer.picture.proof;
  if (!proof) return "";
  const std::string separator = separator_words(*proof);
  if (proof->verdict != "separable" || separator.empty()) return verdict_text(writer);
  const std::string& one = proof->statement.against;
  return fmt::format("A {} separates {}: {}.", separator_noun(writer),
                     one.empty() ? "the classes" : one + " from the rest", separator);
}

/// Follows a verdict that the rows are separable, as in "The perceptron found one after 18 mistakes; the theory allows
/// at most 51."
std::string summary_run(const Sentences& writer) {
  const auto& history = writer.picture.history;
  if (!history) return "";
  const bool clean = history->reason == stop_reason_name(StopReason::kConverged) && !history->bars.empty();
  if (clean && writer.picture.proof && writer.picture.proof->verdict == "separable" && !history->learner.empty()) {
    const std::int64_t mistakes = history->bars.back().mistakes_so_far.value_or(0);
    return fmt::format(
        "The {} found one after {}{}.", history->learner, counted(mistakes, "mistake"),
        writer.picture.bound ? fmt::format("; the theory allows at most {}", writer.picture.bound->mistakes_text) : "");
  }
  return history->bars.empty() ? run_text(writer) : mistakes_text(writer);
}

std::string joined(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + " " + second;
}

/// "4 rows × 2 features", if nothing else is known.
std::string size_text(const Sentences& writer) {
  if (writer.gathered.rows < 0) return "";
  std::string text =
      fmt::format("{} × {}", counted(writer.gathered.rows, "row"), counted(writer.gathered.features, "feature"));
  const auto& names = writer.picture.about.class_names;
  if (names.size() == 2) text += fmt::format(", classes {} and {} (positive)", names[0], names[1]);
  if (names.size() > 2) text += fmt::format(", {} classes", with_commas(names.size()));
  return text + ".";
}

void write_summary(const Sentences& writer) {
  std::string text = joined(summary_verdict(writer), summary_run(writer));
  if (writer.picture.models.size() > 1) {
    text = joined(text, comparison_text(writer));
  } else if (!writer.picture.history ||
             (!writer.gathered.models.empty() && writer.gathered.models.front().mistakes > 0)) {
    text = joined(text, wrong_text(writer));
  }
  if (text.empty()) text = size_text(writer);
  const auto& models = writer.picture.models;
  if (text.empty() && !models.empty() && !models.front().formula.empty()) text = models.front().formula + ".";
  writer.headline("summary", text.empty() ? writer.gathered.no_proof : text);
  if (!text.empty()) writer.note("summary", writer.gathered.no_proof);
  if (writer.gathered.rows == 0) writer.note("summary", "There are no rows.");
  if (writer.picture.about.not_finite > 0) {
    writer.note("summary", fmt::format("{} {} no finite score, because values or weights are too large for sums of "
                                       "doubles. They count as mistakes and appear in no chart.",
                                       counted(writer.picture.about.not_finite, "row"),
                                       writer.picture.about.not_finite == 1 ? "has" : "have"));
  }
  if (writer.spec.no_rows) writer.note("summary", "This file has counts only, and nothing about individual rows.");
}

// How it was made: what was given, with which options, and how it ended.

void add(Picture& picture, const std::string& name, const std::string& value) {
  if (!value.empty()) picture.made.push_back({name, value});
}

void add_model(Picture& picture, const NamedModel& named, bool several) {
  const Model& model = *named.model;
  const std::string of = several ? fmt::format(" ({})", short_text(named.name)) : "";
  add(picture, "Learner" + of, model.learner);
  const std::string options = options_not_default(model);
  add(picture, "Options" + of, options.empty() ? "all at their defaults" : options);
  if (model.map.kind != FeatureMap::Kind::kNone) add(picture, "Map" + of, map_text(model.map));
}

void add_proof_lines(Picture& picture, const Certificate& proof) {
  if (!proof.data.root.empty()) add(picture, "Data digest", "sha256 " + proof.data.root);
  if (proof.map.kind != FeatureMap::Kind::kNone) add(picture, "Map of the proof", map_text(proof.map));
}

/// Files that a reader can save and check, if they are small compared with the page.
void add_files(Picture& picture, const PictureInput& input) {
  constexpr std::size_t kMost = std::size_t{4} << 20;
  const auto offer = [&](std::string text) {
    if (text.size() <= kMost) picture.files.push_back({"proof.json", std::move(text)});
  };
  if (input.proof != nullptr && !input.proof->data.root.empty()) offer(certificate_to_json(*input.proof));
  if (input.bounds != nullptr) offer(optimality_to_json(*input.bounds));
}

}  // namespace

void add_comparison(Picture& picture, const PictureInput& input, const PictureSpec& /*spec*/,
                    const Gathered& /*gathered*/) {
  for (std::size_t k = 0; k < picture.models.size() && k < input.models.size(); ++k) {
    const Model& model = *input.models[k].model;
    const std::string options = options_not_default(model);
    picture.models[k].description = model.learner + (options.empty() ? "" : ", " + options);
    picture.models[k].formula = formula_text(model);
  }
}

void add_made(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& /*gathered*/) {
  const std::vector<Picture::ProvenanceEntry> checked = std::exchange(picture.made, {});  // what `add_proof` found
  if (input.run != nullptr) add(picture, "Training", input.run->command);
  for (const Picture::ProvenanceEntry& line : spec.made) add(picture, line.name, line.value);
  for (const NamedModel& model : input.models) add_model(picture, model, input.models.size() > 1);
  if (picture.history) {
    add(picture, "Passes", with_commas(picture.history->passes_made));
    add(picture, "Stopped because", reason_text(*picture.history));
    add(picture, "Solver", picture.history->solver);
  }
  if (input.proof != nullptr) add_proof_lines(picture, *input.proof);
  if (input.bounds != nullptr) {
    const std::string weights = weights_sentence(*input.bounds);
    add(picture, "Proof of the model",
        "valid for these rows. " + objective_sentences(*input.bounds) + (weights.empty() ? "" : " " + weights));
    add(picture, "Data digest", "sha256 " + input.bounds->data.root);
  }
  add_files(picture, input);
  picture.made.insert(picture.made.end(), checked.begin(), checked.end());
  if (input.proof == nullptr && picture.proof) {
    add(picture, "Verdict", "proven while this page was made; `linsep certify -o` saves the proof");
  }
  if (picture.points && picture.points->how != "all") add(picture, "Sampling seed", std::to_string(spec.seed));
  add(picture, "Program", spec.version.empty() ? "" : "linsep " + spec.version);
}

void add_sentences(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered) {
  const Sentences writer{picture, input, spec, gathered};
  write_summary(writer);
  write_run(writer);
  write_space(writer);
  for (const ReportChart* chart : kCharts) chart->write_sentences(writer);
  write_proof(writer);
  writer.headline("made", spec.version.empty() ? "" : fmt::format("Made by linsep {}.", spec.version));
}

}  // namespace linsep
