// linsep evaluate measures a model on labeled rows.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <memory>

#include "linsep/error.h"
#include "linsep/tools/compare.h"
#include "linsep/tools/fields.h"
#include "linsep/tools/shown_text.h"
#include "linsep/train.h"
#include "options/command_options.h"
#include "output.h"
#include "progress_bar.h"
#include "reading.h"
#include "report/comparison.h"
#include "report/evaluation.h"
#include "report/json.h"
#include "report/run.h"
#include "report/table.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

/// Reads "10:1", two costs that aren't negative and not both 0. Throws a usage Error.
void read_costs(const std::string& text, ThresholdQuestions& questions) {
  const std::size_t colon = text.find(':');
  const auto number = [](std::string_view word, double& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size() && std::isfinite(value) && value >= 0;
  };
  const std::string_view whole = text;
  if (colon == std::string::npos || !number(whole.substr(0, colon), questions.false_negative) ||
      !number(whole.substr(colon + 1), questions.false_positive) || !questions.has_costs()) {
    throw usage_error(fmt::format("--cost takes the costs of a missed row and of a false alarm, such as 10:1, not '{}'",
                                  shown_text(text)));
  }
}

/// The first characters of a UTF-8 text.
std::string first_characters(const std::string& text, std::size_t count) {
  std::size_t end = 0;
  for (; end < text.size() && count > 0; --count) {
    for (++end; end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80;) ++end;
  }
  return text.substr(0, end);
}

struct EvaluateCommand {
  InputOptions reading;
  std::string model_path, cost, save_path, against_path, worse, if_unsure = "fail", by;
  std::optional<double> precision;
  std::int64_t by_letters = 0, seed = 1;
  bool no_area = false, json = false;

  void declare(CommandOptions& options) {
    reading.declare(options, false);
    options.add({
        {"-m,--model", &model_path, "FILE", "The model that `linsep train` wrote."},
        {"--no-auc", &no_area,
         "Skip everything that needs sorted scores: areas under curves, KS, lift, calibration by rank."},
        {"--cost", &cost, "FN:FP",
         "Find the cheapest threshold, given the costs of a missed positive row and of a false alarm, such as 10:1."},
        {"--at-precision", &precision, "X", "Find the highest recall with at least this precision, such as 0.9.",
         NumberFromTo{0, 1}},
        {"--save-threshold", &save_path, "FILE",
         "Save the model with the threshold found by --cost or --at-precision to this file."},
        {"--json", &json, "Print one JSON object instead of words."},
    });
    options.add("Comparing",
                {{"--against", &against_path, "MODEL",
                  "Compare with this model on the same rows, with intervals of the differences."},
                 {"--fail-if-worse", &worse, "RULES",
                  "End with exit code 1 if the model is worse than the other by more than this, such as error+0.005 or "
                  "error+1%,area_under_curve-0.01. A percentage is of the other model's figure."},
                 {"--if-unsure", &if_unsure, "WORD",
                  "What --fail-if-worse does if the interval doesn't tell. fail: only a model shown to be no worse "
                  "passes; pass: only a model shown to be worse fails. [fail]",
                  OneOf{"fail pass"}},
                 {"--seed", &seed, "N", "Seed of the bootstrap. [1]", WholeFromTo{0, 4294967295}},
                 {"--by", &by, "COLUMN", "Measure also the rows of each value of this column."},
                 {"--by-letters", &by_letters, "N",
                  "Group by the first N characters of the value, such as 7 for the month of 2026-11-19.",
                  WholeFromTo{1, 1000}}});
  }

  int run() const;

 private:
  ThresholdQuestions questions(const Model& model) const;
  std::vector<WorseRule> rules() const;
  RowGroups groups(Source& source) const;
  std::string save_threshold(Model model, const ThresholdAnswers& answers) const;
};

ThresholdQuestions EvaluateCommand::questions(const Model& model) const {
  ThresholdQuestions asked;
  if (!cost.empty()) read_costs(cost, asked);
  asked.precision = precision;
  const bool any = asked.has_costs() || precision;
  if (!save_path.empty() && !any)
    throw usage_error("--save-threshold needs --cost or --at-precision to find a threshold");
  if (any && no_area) throw usage_error("--cost and --at-precision need sorted scores: leave out --no-auc");
  if (any && (model.regression || scores_per_row(model) > 1 || model.form == Model::Form::kLabels)) {
    throw usage_error("--cost and --at-precision need a model of two classes: this one has no single threshold");
  }
  return asked;
}

std::string EvaluateCommand::save_threshold(Model model, const ThresholdAnswers& answers) const {
  if (save_path.empty()) return "";
  const std::optional<double> threshold = answers.threshold();
  if (!threshold) return "No threshold was found, so no model was written.\n";
  model.threshold = *threshold;
  rethrow_on_all(workers(), [&] {
    if (first_worker()) save_model(model, save_path);
  });
  return fmt::format("Model with this threshold written to {}.\n", shown_text(save_path));
}

std::vector<WorseRule> EvaluateCommand::rules() const {
  if (!worse.empty() && against_path.empty()) {
    throw usage_error("--fail-if-worse needs --against MODEL: worse than which model?");
  }
  if (!against_path.empty() && reading.standard_input()) {
    throw usage_error("--against needs a file, because both models read the rows, and more than once");
  }
  if (by_letters > 0 && by.empty()) throw usage_error("--by-letters needs --by COLUMN");
  return worse.empty() ? std::vector<WorseRule>{} : read_worse_rules(worse);
}

/// Fields of the column, or their first characters.
RowGroups EvaluateCommand::groups(Source& source) const {
  if (by.empty()) return {};
  const std::vector<std::string> columns = {by};
  field_names(source, columns);  // throws if there is no such column
  return [&source, columns, letters = by_letters](const Batch&) {
    std::vector<std::string> fields = fields_of_batch(source, columns);
    if (letters > 0) {
      for (std::string& field : fields) field = first_characters(field, static_cast<std::size_t>(letters));
    }
    return fields;
  };
}

int EvaluateCommand::run() const {
  if (model_path.empty()) throw usage_error("-m MODEL is missing: which model should be evaluated?");
  const Model model = model_for_rows(model_path, reading.memory_limit());
  const ThresholdQuestions asked = questions(model);
  const std::vector<WorseRule> worse_rules = rules();
  std::optional<Model> against;
  if (!against_path.empty()) against = model_for_rows(against_path, reading.memory_limit());
  try_outputs({save_path});
  tell_if_waiting(reading);
  ReadOptions options = reading.complete_for(model);
  options.counts = counts_for(model);
  const std::unique_ptr<Source> source = open_stream(reading.paths, options, workers());
  std::unique_ptr<Source> other;
  EvaluateRequest request;
  request.ranking = !no_area;
  request.false_negative = asked.false_negative;
  request.false_positive = asked.false_positive;
  request.seed = static_cast<std::uint64_t>(seed);
  request.groups = groups(*source);
  std::int64_t dropped = 0;
  Skew skew;
  request.on_first_pass = [&] {
    dropped = all_reduce_sum(workers(), source->schema().dropped);
    skew = skew_of(model, options.counts.get(), workers());
  };
  if (against) {
    other = open_stream(reading.paths, reading.complete_for(*against), workers());
    request.against = &*against;
    request.against_rows = other.get();
  }
  ProgressBar bar("evaluating");
  const FullEvaluation full = evaluate(
      *source, model, request, workers(), [&](const Progress& progress) { bar.observe(progress); }, reading.limits(0));
  const Evaluation& result = full.model;
  bar.wipe();
  std::optional<GateResult> gate;
  if (!worse_rules.empty()) {
    gate = pass_gate(model, full, worse_rules, if_unsure == "pass" ? IfUnsure::kPass : IfUnsure::kFail);
  }
  InputOptions named = reading;
  if (!by.empty()) named.ignore += (named.ignore.empty() ? "" : ",") + by;
  const UnknownColumns unknown = unknown_columns(*source, model, named, workers());
  warn_of_tiny_values(*source);
  ThresholdAnswers answers;
  if (asked.has_costs() || asked.precision) {
    answers = answer(asked, result.scores.at(0), result.false_negative, result.false_positive);
  }
  const std::string saved = save_threshold(model, answers);
  if (json) {
    Json object = full_evaluation_json(full, model, against ? &*against : nullptr);
    add_thresholds(object, asked, answers);
    object["not_finite"] = result.not_finite;
    object["unknown_columns"] = unknown.count;
    if (dropped > 0) object["dropped"] = dropped;
    if (options.counts) object["table"] = skew_json(skew);
    if (gate) object["gate"] = gate_json(*gate);
    print_json(object);
    if (gate && !gate->passed()) tell(gate_words(*gate));
  } else {
    tell(unknown_columns_sentence(unknown));
    for (const std::string& warning : skew_warnings(skew)) tell("warning: " + warning + "\n");
    print_words((against ? comparison_words(full) : evaluation_words(model, result)) +
                (by.empty() ? "" : groups_words(full, model, by)) + threshold_words(model, asked, answers) + saved +
                skew_words(skew) + dropped_sentence(dropped) + not_finite_sentence(result.not_finite) +
                (gate ? "\n" + gate_words(*gate) : ""));
  }
  return gate && !gate->passed() ? kCheckFailed : kDone;
}

}  // namespace

Verb evaluate_verb() {
  return {"evaluate", "Measure how well a model does on labeled rows.",
          "  linsep evaluate test.svm -m model.json\n"
          "      Mistakes, confusion table, precision, recall, areas under curves, lift, calibration.\n"
          "  linsep evaluate test.csv -m model.json --cost 10:1 --save-threshold costs.json\n"
          "      The cheapest threshold if a missed row costs as much as ten false alarms, in a new model.\n"
          "  linsep evaluate new.csv -m new.json --against old.json --fail-if-worse error+0.005\n"
          "      Both side by side. Exit code 1 unless the error is shown to be no worse by more than 0.005.\n"
          "  linsep evaluate new.csv -m model.json --by region\n"
          "      Also the figures of each region.\n"
          "  linsep evaluate test.csv --label type -m model.json --json\n"
          "      The same as one JSON object.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<EvaluateCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
