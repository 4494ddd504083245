// linsep evaluate measures a model on labeled rows.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <memory>

#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "linsep/train.h"
#include "options/command_options.h"
#include "output.h"
#include "progress_bar.h"
#include "reading.h"
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

struct EvaluateCommand {
  InputOptions reading;
  std::string model_path, cost, save_path;
  std::optional<double> precision;
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
  }

  int run() const;

 private:
  ThresholdQuestions questions(const Model& model) const;
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

int EvaluateCommand::run() const {
  if (model_path.empty()) throw usage_error("-m MODEL is missing: which model should be evaluated?");
  const Model model = model_for_rows(model_path, reading.memory_limit());
  const ThresholdQuestions asked = questions(model);
  try_outputs({save_path});
  tell_if_waiting(reading);
  ReadOptions options = reading.complete_for(model);
  options.counts = counts_for(model);
  const std::unique_ptr<Source> source = open_stream(reading.paths, options, workers());
  ProgressBar bar("evaluating");
  const Evaluation result = evaluate(
      *source, model, !no_area, workers(), [&](const Progress& progress) { bar.observe(progress); }, reading.limits(0));
  bar.wipe();
  const std::int64_t dropped = all_reduce_sum(workers(), source->schema().dropped);
  const UnknownColumns unknown = unknown_columns(*source, model, reading, workers());
  warn_of_tiny_values(*source);
  const Skew skew = skew_of(model, options.counts.get(), workers());
  ThresholdAnswers answers;
  if (asked.has_costs() || asked.precision) {
    answers = answer(asked, result.scores.at(0), result.false_negative, result.false_positive);
  }
  const std::string saved = save_threshold(model, answers);
  if (json) {
    Json object = evaluation_json(model, result);
    add_thresholds(object, asked, answers);
    object["not_finite"] = result.not_finite;
    object["unknown_columns"] = unknown.count;
    if (dropped > 0) object["dropped"] = dropped;
    if (options.counts) object["table"] = skew_json(skew);
    print_json(object);
  } else {
    tell(unknown_columns_sentence(unknown));
    for (const std::string& warning : skew_warnings(skew)) tell("warning: " + warning + "\n");
    print_words(evaluation_words(model, result) + threshold_words(model, asked, answers) + saved + skew_words(skew) +
                dropped_sentence(dropped) + not_finite_sentence(result.not_finite));
  }
  return kDone;
}

}  // namespace

Verb evaluate_verb() {
  return {"evaluate", "Measure how well a model does on labeled rows.",
          "  linsep evaluate test.svm -m model.json\n"
          "      Mistakes, confusion table, precision, recall, areas under curves, lift, calibration.\n"
          "  linsep evaluate test.csv -m model.json --cost 10:1 --save-threshold costs.json\n"
          "      The cheapest threshold if a missed row costs as much as ten false alarms, in a new model.\n"
          "  linsep evaluate test.csv --label type -m model.json --json\n"
          "      The same as one JSON object.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<EvaluateCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
