// linsep predict: a model's prediction for every row, in bounded memory.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>

#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "ordered_output.h"
#include "output.h"
#include "reading.h"
#include "report/bar.h"
#include "report/json.h"
#include "report/notes.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

using Write = std::function<void(std::string_view)>;

/// Of all workers.
struct Predicted {
  std::int64_t rows = 0;
  std::int64_t not_finite = 0;  ///< rows with a score that isn't
  UnknownColumns unknown;
};

std::int64_t count_not_finite(std::span<const double> z, std::size_t parts) {
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < z.size(); i += parts) {
    if (!std::ranges::all_of(z.subspan(i, parts), [](double one) { return std::isfinite(one); })) ++rows;
  }
  return rows;
}

struct PredictCommand {
  Reading reading;
  std::string model_path, output;
  bool scores = false, probabilities = false, json = false;

  void declare(CLI::App& app) {
    reading.declare(app, false);
    app.add_option("-m,--model", model_path, "The model that `linsep train` wrote.")->type_name("FILE");
    app.add_option("-o,--output", output, "Write the predictions to this file. [standard output]")->type_name("FILE");
    app.add_flag("--scores", scores,
                 "Write the score z (of several classes, all of them) after each label, behind tabs.");
    app.add_flag(
        "--probabilities", probabilities,
        "Write the probability of the positive class (of several classes, of each) after each label (and score).");
    app.add_flag("--json", json, "Print one JSON object about the run; needs -o.");
  }

  int run() const;

 private:
  Predicted predict_rows(const Model& model, const Write& write) const;
  void write_lines(const Model& model, std::span<const double> z, const Write& write) const;
  static void append_prediction(const Model& model, std::span<const double> z, fmt::memory_buffer& lines);
};

void PredictCommand::append_prediction(const Model& model, std::span<const double> z, fmt::memory_buffer& lines) {
  const std::vector<std::string>& classes = model.schema.classes;
  if (model.form == Model::Form::kClasses) return lines.append(classes[predicted_class(z)]);
  bool first = true;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const std::string& name = classes[2 * k + (predicted_sign(z[k]) > 0 ? 1 : 0)];
    if (name.empty()) continue;  // a label that the row hasn't, of a set
    if (!first) lines.push_back(',');
    lines.append(name);
    first = false;
  }
}

void PredictCommand::write_lines(const Model& model, std::span<const double> z, const Write& write) const {
  fmt::memory_buffer lines;
  std::vector<double> shares(probabilities ? z.size() : 0);
  if (probabilities) linsep::probabilities(model, z, shares);
  const std::size_t parts = scores_per_row(model);
  for (std::size_t i = 0; i < z.size(); i += parts) {
    const auto own = z.subspan(i, parts);
    if (model.regression) {
      fmt::format_to(std::back_inserter(lines), "{}\n", own[0]);
    } else {
      append_prediction(model, own, lines);
      if (scores) fmt::format_to(std::back_inserter(lines), "\t{}", fmt::join(own, "\t"));
      if (probabilities) {
        fmt::format_to(std::back_inserter(lines), "\t{}", fmt::join(std::span(shares).subspan(i, parts), "\t"));
      }
      lines.push_back('\n');
    }
  }
  write({lines.data(), lines.size()});
}

/// This worker's rows in their order.
Predicted PredictCommand::predict_rows(const Model& model, const Write& write) const {
  ReadOptions options = reading.complete_for(model);
  options.labelled = false;
  tell_if_waiting(reading);
  const std::unique_ptr<Source> source = open_stream(reading.paths, options, workers());
  ProgressBar bar("predicting");
  std::int64_t rows = 0, not_finite = 0;
  rethrow_on_all(workers(), [&] {
    const auto take = [&](const Batch&, std::span<const double> z) {
      not_finite += count_not_finite(z, scores_per_row(model));
      write_lines(model, z, write);
    };
    rows = predict(*source, model, reading.limits(0), take, [&](const Progress& progress) { bar.observe(progress); });
  });
  return {all_reduce_sum(workers(), rows), all_reduce_sum(workers(), not_finite),
          unknown_columns(*source, model, reading, workers())};
}

int PredictCommand::run() const {
  if (model_path.empty()) throw usage_error("-m MODEL is missing: which model should predict?");
  if (json && (output.empty() || output == "-")) throw usage_error("--json needs -o FILE for the predictions");
  const auto began = std::chrono::steady_clock::now();
  const Model model = model_for_rows(model_path, reading.memory_limit());
  if (probabilities && !has_probabilities(model)) {
    const bool classes = model.form == Model::Form::kClasses;
    throw usage_error(fmt::format("the model {} gives no probabilities: train it with --loss {} --probabilities",
                                  model_path, classes ? "logistic or softmax, or with" : "logistic or with"));
  }
  OrderedOutput file(output, workers());
  const Predicted made = predict_rows(model, [&](std::string_view lines) { file.write(lines); });
  file.close();
  if (json) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    print_json({{"rows", made.rows},
                {"not_finite", made.not_finite},
                {"unknown_columns", made.unknown.count},
                {"seconds", seconds},
                {"predictions", output}});
  } else {
    tell(unknown_columns_sentence(made.unknown));
    tell(not_finite_sentence(made.not_finite));
  }
  return kDone;
}

}  // namespace

Verb predict_verb() {
  return {"predict", "Write a model's prediction for every row, one per line.",
          "  linsep predict new.svm -m model.json\n"
          "      One label per line, in the order of the rows. Labels in the file are ignored.\n"
          "  linsep predict new.csv --label type -m model.json --scores -o answers.tsv\n"
          "      Label and score z, with a tab between them.\n"
          "  linsep predict new.svm -m model.json --probabilities\n"
          "      Label and probability of the positive class, or of each of several classes.\n"
          "  zstdcat huge.svm.zst | linsep predict - -m model.json | sort | uniq -c\n"
          "      A stream of any length, in bounded memory.\n",
          [](CLI::App& app) -> std::function<int()> {
            auto command = std::make_shared<PredictCommand>();
            command->declare(app);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
