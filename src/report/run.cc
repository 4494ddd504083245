#include "report/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "bytes/number.h"
#include "linsep/error.h"
#include "linsep/limits.h"
#include "linsep/map.h"
#include "linsep/table/map.h"
#include "linsep/tools/advice.h"
#include "linsep/tools/shown_text.h"
#include "linsep/tools/statement.h"
#include "report/optimality.h"
#include "report/selection.h"
#include "report/table.h"
#include "report/words.h"

namespace linsep {
std::string dropped_sentence(std::int64_t rows) {
  if (rows == 0) return "";
  return fmt::format("{} without a label {} left out.\n", counted(rows, "row"), rows == 1 ? "was" : "were");
}

namespace {

/// The first value of a source that was too small, as it is written, or "" if that can't be read again.
std::string first_tiny_value(Source& source, const TinyValues& tiny) {
  for (const WrittenRow& row : source.written(std::span(&tiny.row, 1))) {
    const auto value = std::ranges::find(row.values, tiny.column, &WrittenValue::column);
    if (value == row.values.end()) continue;
    return value->decimal.empty() ? fmt::format("{}", value->binary) : value->decimal;
  }
  return "";
}

std::string too_small_words(const std::string& number) {
  constexpr std::string_view kSingle = "too small for a 32-bit number and is read as 0";
  double value = 0;
  const NumberEnd got = parse_number(number.data(), number.data() + number.size(), value);
  if (number.empty() || got.fault != NumberFault::kNone) return std::string(kSingle);
  if (got.tiny) return "too small for a 64-bit number: it is read as 0 or with fewer digits";
  if (static_cast<float>(value) == 0) return "below the smallest 32-bit number and is read as 0";
  return fmt::format("{}, as it is scaled", kSingle);
}

/// Without the end of the sentence.
std::string tiny_words(Source& source) {
  const TinyValues tiny = source.schema().tiny;
  if (tiny.row < 0) return "";
  const Schema& schema = source.schema();
  const std::uint32_t j = tiny.column;
  std::string column = fmt::format("feature {}", std::uint64_t{j} + 1), number;
  if (schema.table) {
    column = fmt::format("column '{}'", encoded_name(*schema.table, j));
  } else if (j < schema.feature_names.size()) {
    column = fmt::format("column '{}'", schema.feature_names[j]);
  }
  Place place = tiny.place;
  try {
    if (place.file.empty()) place = source.place_of(tiny.row);
    number = first_tiny_value(source, tiny);
  } catch (const Error&) {  // standard input, or a file that has gone
  }
  const std::string what = number.empty() ? "a value" : number;
  const std::string where = place.line == 0 ? fmt::format("row {}: ", tiny.row + 1) : "";
  return Error(place, fmt::format("{}{} in {} is {}", where, what, column, too_small_words(number))).what();
}

}  // namespace

std::string tiny_sentence(Source& source, Comm& comm) {
  const TinyValues tiny = source.schema().tiny;
  const std::vector<std::string> words = gather_text(comm, tiny_words(source));
  const std::int64_t count = all_reduce_sum(comm, tiny.count);
  const auto first = std::ranges::find_if(words, [](const std::string& one) { return !one.empty(); });
  if (first == words.end()) return "";
  const std::string more = count > 1 ? fmt::format(" (and {} more)", with_commas(count - 1)) : "";
  return fmt::format("{}{}; multiply the column by a power of ten if this matters.\n", *first, more);
}

std::string not_finite_sentence(std::int64_t rows) {
  if (rows == 0) return "";
  return fmt::format(
      "{} {} no finite score, because values or weights are too large for sums of doubles. Scale the columns and train "
      "again.\n",
      counted(rows, "row"), rows == 1 ? "has" : "have");
}

std::string few_positive_sentence(const Model& model, const Evaluation& result) {
  const auto loss = model.options.find("loss"), hard = model.options.find("hard");
  const bool takes_loss = loss != model.options.end() && scores_per_row(model) == 1 && !model.regression;
  if (!takes_loss || has_probabilities(model) || (hard != model.options.end() && hard->second == OptionValue(true)))
    return "";
  const std::int64_t positive = result.true_positive + result.false_negative, rows = result.rows - result.not_finite;
  if (positive == 0 || positive > rows / 100) return "";
  return fmt::format(
      "Only {} of {} {} positive, and the {} loss ranks the others poorly. To rank rows, try --loss logistic;\n"
      "`linsep evaluate` shows the average precision.\n",
      with_commas(positive), counted(rows, "row"), positive == 1 ? "is" : "are", option_text(loss->second));
}

std::string unknown_columns_sentence(const UnknownColumns& unknown) {
  constexpr std::size_t kShown = 5;
  if (unknown.count == 0) return "";
  std::vector<std::string> names;
  for (const std::string& name : unknown.names) names.push_back(fmt::format("'{}'", shown_text(name)));
  const bool one = unknown.count == 1;
  const auto count = static_cast<std::size_t>(unknown.count);
  const std::string who =
      names.empty() ? counted(unknown.count, "column") : (one ? "Column " : "Columns ") + listed(names, kShown, count);
  return fmt::format("{} {} used by the model and {} ignored.\n", who, one ? "isn't" : "aren't", one ? "is" : "are");
}

namespace {

/// Whether the columns of a table that nobody has scaled differ much in size.
bool are_uneven(Source& rows, Comm& comm) {
  constexpr double kMuch = 100;
  constexpr std::uint32_t kMost = 10000;
  const Schema& schema = rows.schema();
  if (schema.table || schema.feature_names.empty() || rows.shape().features > kMost) return false;
  std::vector<ColumnSize> columns = column_sizes(rows, comm);
  std::erase_if(columns, [](const ColumnSize& column) { return column.size == 0; });
  if (columns.empty()) return false;
  const auto [least, greatest] = std::ranges::minmax_element(columns, {}, &ColumnSize::size);
  return greatest->size > kMuch * least->size;
}

}  // namespace

// The last pass of a perceptron that visited every row once and corrected nothing has tried the final θ on all rows.
bool clean_pass_proves(const Outcome& outcome) {
  const Options& options = outcome.model.options;
  if (outcome.reason != StopReason::kConverged || outcome.history.empty()) return false;
  if (outcome.history.back().mistakes != 0) return false;
  const auto order = options.find("order");
  if (order != options.end() && option_text(order->second) == "drawn") return false;
  const auto variant = options.find("variant");
  return variant == options.end() || option_text(variant->second) == "last";
}

void add_advice(Source& source, const Outcome& outcome, const RunFlags& asked, Comm& comm, TrainReport& report) {
  const LearnerInfo& learner = learner_info(outcome.model.learner);
  if (learner.mistake_bound && outcome.reason == StopReason::kPasses && !asked.online && asked.time == 0) {
    report.uneven = are_uneven(source, comm);
  }
  if (!learner.objective || report.selection || !outcome.parts.empty()) return;
  if (outcome.history.empty() || !outcome.history.back().gap) return;
  StopFacts facts;
  facts.reason = outcome.reason;
  facts.passes = outcome.passes;
  facts.gap = *outcome.history.back().gap;
  facts.gap_asked = get_number(outcome.model.options, "gap");
  facts.hard = asked.hard;
  facts.no_mistakes = report.result && report.result->mistakes == 0;
  facts.data = report.argument;
  facts.before_option = "--";
  facts.after_option = "";
  if (facts.gap > facts.gap_asked && !report.uncounted) {  // otherwise there is no time for another look at the rows
    facts.outsized = outsized(column_sizes(source, comm));
    Model raw = outcome.model;
    raw.map = {};
    for (const ColumnSize& column : facts.outsized) report.outsized.push_back(feature_name(raw, column.column));
    for (const std::string& name : report.outsized) facts.names.push_back(shown_text(name));
  }
  report.advice = stop_advice(facts);
}

namespace {

constexpr std::size_t kFewFeatures = 10;

bool counts_mistakes(const TrainReport& report) {
  const auto& history = report.outcome.history;
  return report.outcome.stats.mistakes > 0 || (!history.empty() && history.back().mistakes.has_value());
}

// Mistakes / rows, for the final model or, with a stream, for each row when it came. Nothing in a regression, and
// nothing if neither is known.
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
    text += fmt::format(", {} classes from {} to {}", with_commas(classes.size()), classes.front(), classes.back());
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

/// The facts known when no classifier of a model's kind separates the rows.
std::string not_separable_words(const Model& model) {
  Statement statement;
  statement.origin = model.origin;
  statement.map = map_text(model.map);
  return not_separable_words(statement);
}

std::string stop_sentence(const TrainReport& report) {
  const Outcome& outcome = report.outcome;
  const std::string who = fmt::format("Learner {}{}", outcome.model.learner, how_trained(outcome.model));
  const std::string made = counted_passes(outcome.passes);
  const std::string mistakes = mistakes_clause(report);
  if (report.advice && outcome.reason != StopReason::kConverged) return fmt::format("{}: {}.\n", who, made);
  switch (outcome.reason) {
    case StopReason::kConverged:
      if (!counts_mistakes(report)) return fmt::format("{}: done after {}.\n", who, made);
      return fmt::format("{}: converged, pass {} made no mistake{}.\n", who, with_commas(outcome.passes), mistakes);
    case StopReason::kPasses:
      if (outcome.model.regression) return fmt::format("{}: {}.\n", who, made);
      if (!outcome.parts.empty()) {
        const auto done = std::ranges::count_if(outcome.parts, [](const PartOutcome& part) { return part.converged; });
        return fmt::format("{}: {} of {} converged in {}{}.\n", who, done, outcome.parts.size(), made, mistakes);
      }
      return fmt::format("{}: did not converge in {}{}.\n", who, made, mistakes);
    case StopReason::kTime:
      return fmt::format("{}: out of time after {}{}; the model is the one at that point.\n", who, made, mistakes);
    case StopReason::kInterrupted:
      return fmt::format("{}: interrupted after {}{}; the model is the one at that point.\n", who, made, mistakes);
    case StopReason::kEndOfStream:
      return fmt::format("{}: read the stream once{}.\n", who, mistakes);
    case StopReason::kStalled:
      return fmt::format("{}: after {}, rounding errors keep it from reaching the gap asked for.\n", who, made);
    case StopReason::kInseparable:
      return fmt::format("{}: {}.\n", who, not_separable_words(outcome.model));
  }
  return "";
}

std::string solver_sentence(const TrainReport& report) {
  const auto& found = report.outcome.margin;
  if (!found || report.selection) return "";  // a table has more on several λ
  return fmt::format("Solver: {} ({}). λ = {}, C = {}.\n", found->solver, found->because, figure_text(found->lambda),
                     figure_text(found->c));
}

std::string start_sentence(const TrainReport& report) {
  if (report.start.empty()) return "";
  const Outcome& outcome = report.outcome;
  const std::string from = "Started from " + shown_text(report.start);
  const bool measured = outcome.margin && outcome.margin->start_objective && !outcome.history.empty() &&
                        outcome.history.back().objective && !report.selection;
  if (!measured) return from + ".\n";
  const double start = *outcome.margin->start_objective, now = *outcome.history.back().objective;
  if (!(now < start)) {
    return fmt::format("{}, whose objective is {}: no pass found a better classifier, so the model is the same.\n",
                       from, figure_text(start));
  }
  return fmt::format("{}, whose objective is {}: training found a better classifier.\n", from, figure_text(start));
}

/// An objective is about the features that the learner saw.
std::string_view of_scaled(const TrainReport& report) {
  return is_scaled(report.outcome.model.table) ? " on the scaled features" : "";
}

std::string gap_sentence(const TrainReport& report) {
  if (report.outcome.history.empty()) return "";
  const Progress& last = report.outcome.history.back();
  if (!last.objective || !last.gap) return "";
  if (!report.outcome.parts.empty()) {
    const std::size_t parts = report.outcome.parts.size();
    if (is_bound(*last.gap)) {
      return fmt::format("The objectives of all {} classifiers are {}.\n", parts, gap_words(*last.gap));
    }
    const auto unknown = std::ranges::count_if(
        report.outcome.parts, [](const PartOutcome& part) { return part.gap && !is_bound(*part.gap); });
    return fmt::format("The objectives of {} of {} classifiers are {}.\n", unknown, parts, gap_words(*last.gap));
  }
  const std::string reached = report.advice ? report.advice->reached : gap_words(*last.gap);
  if (const auto& hard = report.outcome.hard_margin) {
    return fmt::format(
        "Geometric margin {}, proven for the values as written; no separator has more than {}.\n"
        "The margin's boundaries z = ±1 are {} apart.\nObjective ½‖θ‖² = {}, {}.\n",
        figure_text(hard->margin), figure_text(hard->margin_upper_bound), figure_text(2 * hard->margin),
        figure_text(*last.objective), reached);
  }
  return fmt::format("Objective {}{}, {}.\n", figure_text(*last.objective), of_scaled(report), reached);
}

std::string advice(const TrainReport& report) {
  const Outcome& outcome = report.outcome;
  if (scores_per_row(outcome.model) > 1) return "";
  if (outcome.reason != StopReason::kPasses || !counts_mistakes(report) || outcome.model.regression) return "";
  return fmt::format(
      "  More --passes may help, or nothing may:\n"
      "  `linsep certify {}` decides whether any linear classifier separates the data.\n{}",
      report.argument,
      report.uneven ? "  Columns differ in size by a factor of more than 100: --scale standard usually helps.\n" : "");
}

/// Why a run whose last pass was clean can end in a model with mistakes.
std::string vote_sentence(const TrainReport& report) {
  const Outcome& outcome = report.outcome;
  const bool clean = outcome.reason == StopReason::kConverged && counts_mistakes(report);
  if (!clean || !report.result || report.result->mistakes == 0) return "";
  const auto variant = outcome.model.options.find("variant");
  if (variant == outcome.model.options.end()) return "";
  return fmt::format(
      "  The last θ makes no mistake, but the {} model also counts the earlier ones, weighted by the rows that each "
      "got "
      "right.\n  `--variant last` keeps only the last θ.\n",
      shown_text(option_text(variant->second)));
}

std::string error_sentence(const TrainReport& report) {
  if (report.result && report.outcome.model.regression) {
    return fmt::format(
        "Sum of squared residuals {}, root mean square {}.\n", figure_text(report.result->sum_of_squares),
        figure_text(std::sqrt(report.result->sum_of_squares / static_cast<double>(std::max<std::int64_t>(
                                                                  report.rows - report.result->not_finite, 1)))));
  }
  const std::optional<double> error = training_error(report);
  if (report.uncounted) return "Training error not computed: no time was left.\n";
  if (!error) return "";
  if (report.streamed && scores_per_row(report.outcome.model) > 1) return "";
  if (report.streamed) return fmt::format("Error on each row before learning from it: {}.\n", figure_text(*error));
  return fmt::format("Training error {}: {} of {} wrong.\n", figure_text(*error), with_commas(report.result->mistakes),
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
    object["reason"] = report.advice->sentence();
    if (!report.outsized.empty()) object["outsized_columns"] = report.outsized;
  }
  if (const auto& found = outcome.margin) {
    object["solver"] = found->solver;
    object["solver_because"] = found->because;
    object["lambda"] = found->lambda;
    object["C"] = found->c;
  }
  if (!report.start.empty()) {
    object["start"] = {{"from", report.start}, {"objective", nullptr}};
    if (outcome.margin && outcome.margin->start_objective)
      object["start"]["objective"] = *outcome.margin->start_objective;
  }
  if (model.open_zeros) object["proven_zeros"] = proven_zeros(model);
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
  if (report.bounds)
    object["proven"] = optimality_json({report.data, report.model, report.proof, report.check, *report.bounds});
  object["seconds"] = {{"read", report.read_seconds}, {"train", report.train_seconds}};
  object["model"] = report.model.empty() ? Json(nullptr) : Json(report.model);
  return object;
}

std::string report_words(const TrainReport& report) {
  const Model& model = report.outcome.model;
  std::string text = size_sentence(report) + (report.meaning.empty() ? "" : report.meaning + ".\n") +
                     stop_sentence(report) + solver_sentence(report) + start_sentence(report) + advice(report) +
                     (report.selection ? selection_words(*report.selection) : "") + gap_sentence(report) +
                     (report.advice && !report.advice->advice.empty() ? report.advice->advice + "\n" : "") +
                     zeros_words(report.outcome.model, false) + error_sentence(report) + vote_sentence(report) +
                     (report.result ? few_positive_sentence(model, *report.result) : "") +
                     not_finite_sentence(report.result ? report.result->not_finite : 0);
  if (model.form == Model::Form::kLinear && !model.theta.empty() && model.theta.size() <= kFewFeatures) {
    text += score_formula(model) + "\n";
  }
  text += probabilities_words(model);
  if (report.unwritten) {
    text += "The model was not saved.\n";
  } else if (report.model.empty()) {
    text += "The model was not saved; use -o FILE to save it.\n";
  } else {
    text += fmt::format("Model written to {}.\n", shown_text(report.model));
    if (!report.confirm.empty()) text += fmt::format("To check its objective: `{}`.\n", report.confirm);
  }
  if (report.bounds) {
    text += optimality_words({report.data, report.model, report.proof, report.check, *report.bounds});
  } else if (!report.proof.empty()) {
    text += fmt::format("Proof written to {}.\n", shown_text(report.proof));
  }
  if (!report.page.empty()) text += fmt::format("Report written to {}.\n", shown_text(report.page));
  return text;
}

namespace {

std::string size_sentence(const TrainPlan& plan, std::int64_t rows) {
  const std::string many = rows < 0 ? "A stream of rows" : counted(rows, "row");
  std::string text = fmt::format("{} with {}", many, counted(plan.shape.features, "feature"));
  if (plan.map.kind != FeatureMap::Kind::kNone) {
    text += fmt::format(", mapped to {} ({})", with_commas(plan.mapped.features), map_text(plan.map));
  }
  if (plan.workers > 1) text += fmt::format(", on {}", counted(plan.workers, "worker"));
  return text + ".\n";
}

std::string parts_sentence(const TrainPlan& plan) {
  if (plan.parts == 0) return "";
  const auto parts = static_cast<std::int64_t>(plan.parts);
  return fmt::format("{}, {}.\n", counted(parts, "classifier"),
                     plan.joint ? "trained together" : "trained in the same passes");
}

std::string_view order_words(VisitOrder order) {
  switch (order) {
    case VisitOrder::kGiven:
      return "as given";
    case VisitOrder::kShuffled:
      return "reshuffled in each pass";
    case VisitOrder::kDrawn:
      return "drawn at random";
    case VisitOrder::kPermuted:
      return "in a random order, with groups reshuffled in each pass";
  }
  return "";
}

}  // namespace

Json plan_json(const TrainPlan& plan, std::int64_t rows) {
  Json object;
  object["learner"] = plan.learner->name;
  object["formula"] = plan.learner->formula;
  object["options"] = to_json(plan.options);
  object["map"] = map_text(plan.map);
  object["rows"] = rows < 0 ? Json(nullptr) : Json(rows);
  object["features"] = plan.shape.features;
  object["mapped_features"] = plan.mapped.features;
  object["workers"] = plan.workers;
  object["classifiers"] = std::max<std::size_t>(plan.parts, 1);
  object["joint"] = plan.joint;
  if (!plan.choice.solver.empty()) {
    object["solver"] = plan.choice.solver;
    object["solver_because"] = plan.choice.because;
    object["solver_otherwise"] = plan.choice.otherwise.empty() ? Json(nullptr) : Json(plan.choice.otherwise);
  }
  object["order"] = visit_order_name(plan.order);
  object["certifies_first"] = plan.certifies;
  object["passes_at_most"] = plan.passes;
  object["bytes"] = plan.bytes;
  return object;
}

std::string plan_words(const TrainPlan& plan, std::int64_t rows) {
  std::string text = fmt::format("Learner {}: {}\n", plan.learner->name, plan.learner->formula);
  text += size_sentence(plan, rows) + parts_sentence(plan);
  if (plan.certifies) text += "Certifies first: training starts only once the rows are proven separable.\n";
  if (!plan.choice.solver.empty()) {
    text += fmt::format("Solver: {} ({})", plan.choice.solver, plan.choice.because);
    text +=
        plan.choice.otherwise.empty() ? ".\n" : fmt::format("; if it is slow, {} takes over.\n", plan.choice.otherwise);
  }
  text += fmt::format("Rows are visited {}, at most {}.\n", order_words(plan.order),
                      plan.passes == 1 ? "once" : fmt::format("{} times", with_commas(plan.passes)));
  text += fmt::format("Needs at most {} of memory besides the rows.\n", size_words(plan.bytes));
  return text + "Nothing was trained; run without --plan to train.\n";
}

}  // namespace linsep
