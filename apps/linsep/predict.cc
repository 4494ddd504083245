// linsep predict writes a model's prediction for every row, in bounded memory.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/tools/fields.h"
#include "options/command_options.h"
#include "ordered_output.h"
#include "output.h"
#include "predictions.h"
#include "progress_bar.h"
#include "reading.h"
#include "report/json.h"
#include "report/run.h"
#include "report/table.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

using Write = std::function<void(std::string_view)>;

/// Counts over all workers.
struct Predicted {
  std::int64_t rows = 0;
  std::int64_t not_finite = 0;  ///< rows with a score that isn't finite
  UnknownColumns unknown;
  Skew skew;
};

std::int64_t count_not_finite(std::span<const double> z, std::size_t parts) {
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < z.size(); i += parts) {
    if (!std::ranges::all_of(z.subspan(i, parts), [](double one) { return std::isfinite(one); })) ++rows;
  }
  return rows;
}

/// The lists of all workers, one after the other.
std::vector<std::uint64_t> of_all_workers(const std::vector<std::uint64_t>& mine) {
  const std::string bytes(reinterpret_cast<const char*>(mine.data()), mine.size() * sizeof(mine[0]));
  std::string all;
  for (const std::string& one : gather_text(workers(), bytes)) all += one;
  std::vector<std::uint64_t> sizes(all.size() / sizeof(mine[0]));
  std::memcpy(sizes.data(), all.data(), all.size());
  return sizes;
}

struct PredictCommand {
  InputOptions reading;
  std::string model_path, output, form, keep;
  std::optional<double> threshold;
  bool scores = false, probabilities = false, json = false;

  void declare(CommandOptions& options) {
    reading.declare(options, false);
    constexpr double kLargest = std::numeric_limits<double>::max();
    options.add({
        {"-m,--model", &model_path, "FILE", "The model that `linsep train` wrote."},
        {"-o,--output", &output, "FILE", "Write the predictions to this file. [standard output]"},
        {"--scores", &scores, "Write the score z after each label, or all scores if there are several classes."},
        {"--probabilities", &probabilities,
         "Write the probability of the positive class, or of each class, after each label (and score)."},
        {"--keep", &keep, "COLUMNS", "Columns to write before each label, separated by commas; --id comes first."},
        {"--to", &form, "FORM",
         "The output format: lines, csv, tsv, svmlight, arrow (a file), arrow-stream or parquet. "
         "[by the file's ending; csv with --keep]"},
        {"--threshold", &threshold, "Z", "Predict the positive class from this score on. [the model's, or 0]",
         NumberFromTo{-kLargest, kLargest}},
        {"--json", &json, "Print one JSON object about the run; needs -o."},
    });
  }

  int run() const;

 private:
  Model load() const;
  const PredictionFormat& format() const { return prediction_format(form, output, !kept_columns().empty()); }
  Predicted predict_rows(const Model& model, const Write& write) const;
  std::vector<std::string> kept_columns() const;
};

std::vector<std::string> PredictCommand::kept_columns() const {
  std::vector<std::string> columns = split_words(keep);
  if (!reading.options.id.empty()) columns.insert(columns.begin(), reading.options.id);
  return columns;
}

Model PredictCommand::load() const {
  Model model = model_for_rows(model_path, reading.memory_limit());
  if (probabilities && !has_probabilities(model)) {
    const bool classes = model.form == Model::Form::kClasses;
    throw usage_error(fmt::format("the model {} has no probabilities: train it with --loss {} --probabilities",
                                  model_path, classes ? "logistic or softmax, or with" : "logistic or with"));
  }
  if (!threshold) return model;
  if (model.regression || model.form == Model::Form::kClasses || model.form == Model::Form::kLabels) {
    throw usage_error("--threshold is for models of two classes");
  }
  model.threshold = *threshold;
  return model;
}

/// This worker's rows in their order.
Predicted PredictCommand::predict_rows(const Model& model, const Write& write) const {
  const std::vector<std::string> kept = kept_columns();
  const PredictionFormat& how = format();
  ReadOptions options = reading.complete_for(model);
  options.labelled = false;
  options.counts = counts_for(model);
  tell_if_waiting(reading);
  const std::unique_ptr<Source> source = open_stream(reading.paths, options, workers());
  PredictionColumns columns{{}, {}, scores, probabilities};
  ProgressBar bar("predicting");
  std::int64_t rows = 0, not_finite = 0;
  std::vector<std::uint64_t> sizes;
  rethrow_on_all(workers(), [&] {
    if (!kept.empty()) columns.kept = field_names(*source, kept);
    if (!kept.empty()) columns.types = field_types(*source, kept);
    if (first_worker()) write(how.header(model, columns));
    std::vector<double> shares;
    std::vector<std::string> fields;
    const auto take = [&](const Batch&, std::span<const double> z) {
      not_finite += count_not_finite(z, scores_per_row(model));
      shares.resize(probabilities ? z.size() : 0);
      if (probabilities) linsep::probabilities(model, z, shares);
      if (!kept.empty()) fields = fields_of_batch(*source, kept);
      const std::string written = how.rows({model, z, shares, fields}, columns);
      if (how.end != nullptr) sizes.push_back(written.size());
      write(written);
    };
    rows = predict(*source, model, reading.limits(0), take, [&](const Progress& progress) { bar.observe(progress); });
  });
  if (how.end != nullptr) {
    sizes = of_all_workers(sizes);
    if (workers().rank() == workers().size() - 1) write(how.end(model, columns, sizes));
  }
  warn_of_tiny_values(*source);
  InputOptions named = reading;
  if (!keep.empty()) named.ignore += (named.ignore.empty() ? "" : ",") + keep;
  return {all_reduce_sum(workers(), rows), all_reduce_sum(workers(), not_finite),
          unknown_columns(*source, model, named, workers()), skew_of(model, options.counts.get(), workers())};
}

int PredictCommand::run() const {
  if (model_path.empty()) {
    std::string meant;
    if (const auto& given = reading.paths; given.size() == 3) {  // as LIBLINEAR takes them
      meant =
          fmt::format(" Perhaps: linsep predict {} -m {} -o {}", quoted(given[0]), quoted(given[1]), quoted(given[2]));
    }
    throw usage_error("-m MODEL is missing: which model should predict?" + meant);
  }
  if (json && (output.empty() || output == "-")) throw usage_error("--json needs -o FILE for the predictions");
  const auto began = std::chrono::steady_clock::now();
  const Model model = load();
  OrderedOutput file(output, workers(), format().parquet);
  const Predicted made = predict_rows(model, [&](std::string_view lines) { file.write(lines); });
  file.close();
  if (json) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    Json object{{"rows", made.rows},
                {"not_finite", made.not_finite},
                {"unknown_columns", made.unknown.count},
                {"seconds", seconds},
                {"predictions", output}};
    if (!model.table.empty()) object["table"] = skew_json(made.skew);
    print_json(object);
  } else {
    tell(unknown_columns_sentence(made.unknown));
    for (const std::string& warning : skew_warnings(made.skew)) tell("warning: " + warning + "\n");
    tell(not_finite_sentence(made.not_finite));
  }
  return kDone;
}

}  // namespace

Verb predict_verb() {
  return {"predict", "Predict the label of every row, one per line.",
          "  linsep predict new.svm -m model.json\n"
          "      One label per line, in the order of the rows. Labels in the file are ignored.\n"
          "  linsep predict new.csv --label type -m model.json --scores -o answers.tsv\n"
          "      Label and score z, separated by a tab.\n"
          "  linsep predict new.svm -m model.json --probabilities\n"
          "      Label and probability of the positive class, or of each of several classes.\n"
          "  linsep predict new.csv -m model.json --id name --keep city,age --probabilities -o answers.csv\n"
          "      A table: the columns kept, the label, its probability. Also answers.arrow and answers.parquet.\n"
          "  zstdcat huge.svm.zst | linsep predict - -m model.json | sort | uniq -c\n"
          "      A stream of any length, in bounded memory.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<PredictCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
