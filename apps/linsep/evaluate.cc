// linsep evaluate: how a model does on labelled rows.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "evaluate_many.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "linsep/train.h"
#include "output.h"
#include "reading.h"
#include "report/bar.h"
#include "report/json.h"
#include "report/notes.h"
#include "report/words.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

struct Measures {
  std::optional<double> error, accuracy, precision, recall, area;

  explicit Measures(const Evaluation& result)
      : error(ratio(result.mistakes, result.rows)),
        accuracy(ratio(result.true_positive + result.true_negative, result.rows)),
        precision(ratio(result.true_positive, result.true_positive + result.false_positive)),
        recall(ratio(result.true_positive, result.true_positive + result.false_negative)) {
    if (!std::isnan(result.area_under_curve)) area = result.area_under_curve;
  }
};

Json probability_json(const ProbabilityEvaluation& result) {
  Json bins = Json::array();
  for (const auto& bin : result.bins) {
    bins.push_back({{"rows", bin.rows},
                    {"predicted", bin.rows == 0 ? Json(nullptr) : Json(bin.predicted)},
                    {"observed", ratio_json(ratio(bin.positive, bin.rows))}});
  }
  return {{"log_loss", result.log_loss}, {"brier", result.brier}, {"bins", bins}};
}

std::string probability_words(const ProbabilityEvaluation& result, const std::string& positive) {
  std::string text =
      fmt::format("\nProbabilities: log loss {}, Brier score {}.\n", figure(result.log_loss), figure(result.brier));
  text += fmt::format("\n  {:>10}{:>12}{:>12}{:>12}\n", "from", "predicted", "observed", "rows");
  for (std::size_t k = 0; k < result.bins.size(); ++k) {
    const auto& bin = result.bins[k];
    if (bin.rows == 0) continue;
    text += fmt::format("  {:>9.0f}%{:>11.1f}%{:>11.1f}%{:>12}\n", 10 * static_cast<double>(k), 100 * bin.predicted,
                        100 * *ratio(bin.positive, bin.rows), thousands(bin.rows));
  }
  return text +
         fmt::format("\nPredicted: mean probability of {0}; observed: the share of rows that are {0}.\n", positive);
}

Json class_json(const Evaluation& result) {
  const Measures measures(result);
  Json object{{"rows", result.rows},
              {"mistakes", result.mistakes},
              {"error", ratio_json(measures.error)},
              {"accuracy", ratio_json(measures.accuracy)},
              {"confusion",
               {{"true_positive", result.true_positive},
                {"true_negative", result.true_negative},
                {"false_positive", result.false_positive},
                {"false_negative", result.false_negative}}},
              {"precision", ratio_json(measures.precision)},
              {"recall", ratio_json(measures.recall)},
              {"area_under_curve", ratio_json(measures.area)}};
  if (result.probabilities) object["probabilities"] = probability_json(*result.probabilities);
  return object;
}

Json number_json(const Evaluation& result) {
  const std::int64_t summed = result.rows - result.not_finite;
  return {{"rows", result.rows},
          {"sum_of_squares", result.sum_of_squares},
          {"mean_square", summed == 0 ? Json(nullptr) : Json(result.sum_of_squares / static_cast<double>(summed))}};
}

std::string class_words(const Model& model, const Evaluation& result) {
  const Measures measures(result);
  const std::string negative = shown_text(model.schema.classes[0]);
  const std::string positive = shown_text(model.schema.classes[1]);
  const std::size_t label = std::max(text_width(negative), text_width(positive));
  const auto line = [&](const std::string& name, const std::string& left, const std::string& right) {
    const std::size_t pad = label + 10 - text_width(name);
    return fmt::format("  {}{:{}}{:>{}}{:>{}}\n", name, "", pad, left, label + 13, right, label + 13);
  };
  std::string text =
      fmt::format("{}: {} (error {}; a score of 0 counts as a mistake).\n\n", counted(result.rows, "row"),
                  counted(result.mistakes, "mistake"), ratio_words(measures.error));
  text += line("", "predicted " + negative, "predicted " + positive);
  text += line("actually " + negative, thousands(result.true_negative), thousands(result.false_positive));
  text += line("actually " + positive, thousands(result.false_negative), thousands(result.true_positive));
  text += fmt::format("\nAccuracy {}, precision {}, recall {} (of {}).\n", ratio_words(measures.accuracy),
                      ratio_words(measures.precision), ratio_words(measures.recall), positive);
  if (measures.area) text += fmt::format("Area under the ROC curve {}.\n", figure(*measures.area));
  if (result.probabilities) text += probability_words(*result.probabilities, positive);
  return text;
}

std::string number_words(const Evaluation& result) {
  return fmt::format("{}: sum of squared residuals {}, root mean square {}.\n", counted(result.rows, "row"),
                     figure(result.sum_of_squares),
                     figure(std::sqrt(result.sum_of_squares / static_cast<double>(std::max<std::int64_t>(
                                                                  result.rows - result.not_finite, 1)))));
}

Json result_json(const Model& model, const Evaluation& result) {
  if (model.form == Model::Form::kLabels) return labels_json(model, result);
  if (model.form == Model::Form::kClasses) return classes_json(model, result);
  return model.regression ? number_json(result) : class_json(result);
}

std::string result_words(const Model& model, const Evaluation& result) {
  if (model.form == Model::Form::kLabels) return labels_words(model, result);
  if (model.form == Model::Form::kClasses) return classes_words(model, result);
  return model.regression ? number_words(result) : class_words(model, result);
}

struct EvaluateCommand {
  Reading reading;
  std::string model_path;
  bool no_area = false, json = false;

  void declare(CLI::App& app) {
    reading.declare(app, false);
    app.add_option("-m,--model", model_path, "The model that `linsep train` wrote.")->type_name("FILE");
    app.add_flag("--no-auc", no_area, "Leave out the area under the curve, which keeps a number per row.");
    app.add_flag("--json", json, "Print one JSON object instead of words.");
  }

  int run() const {
    if (model_path.empty()) throw usage_error("-m MODEL is missing: which model should be evaluated?");
    const Model model = model_for_rows(model_path, reading.memory_limit());
    tell_if_waiting(reading);
    const std::unique_ptr<Source> source = open_stream(reading.paths, reading.complete_for(model), workers());
    ProgressBar bar("evaluating");
    const Evaluation result = evaluate(
        *source, model, !no_area, workers(), [&](const Progress& progress) { bar.observe(progress); },
        reading.limits(0));
    bar.wipe();
    const std::int64_t dropped = all_reduce_sum(workers(), source->schema().dropped);
    const UnknownColumns unknown = unknown_columns(*source, model, reading, workers());
    if (json) {
      Json object = result_json(model, result);
      object["not_finite"] = result.not_finite;
      object["unknown_columns"] = unknown.count;
      if (dropped > 0) object["dropped"] = dropped;
      print_json(object);
    } else {
      tell(unknown_columns_sentence(unknown));
      print_words(result_words(model, result) + dropped_sentence(dropped) + not_finite_sentence(result.not_finite));
    }
    return kDone;
  }
};

}  // namespace

Verb evaluate_verb() {
  return {"evaluate", "See how a model does on labelled rows.",
          "  linsep evaluate test.svm -m model.json\n"
          "      Mistakes, confusion table, precision, recall, area under the ROC curve.\n"
          "  linsep evaluate test.csv --label type -m model.json --json\n"
          "      The same as one JSON object.\n",
          [](CLI::App& app) -> std::function<int()> {
            auto command = std::make_shared<EvaluateCommand>();
            command->declare(app);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
