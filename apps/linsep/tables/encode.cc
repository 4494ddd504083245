// linsep encode writes the rows of a table as their features, exactly as certify sees them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/tools/shown_text.h"
#include "options/command_options.h"
#include "os/process.h"
#include "output.h"
#include "progress_bar.h"
#include "reading.h"
#include "tables/table_choice.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {
namespace {

/// The double's value with all its digits.
std::string whole_decimal(double value) {
  constexpr int kMostPlaces = 1074;
  if (std::fabs(value) < 0x1p63 && value == std::trunc(value))
    return fmt::format("{}", static_cast<std::int64_t>(value));
  std::string text = fmt::format("{:.{}f}", value, kMostPlaces);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

struct EncodeCommand {
  InputOptions reading;
  TableChoice table;
  std::string model_path, output;
  bool brief = false;

  void declare(CommandOptions& options) {
    options.add({
        {"-m,--model", &model_path, "FILE",
         "Encode like this model; labels are written if DATA has them. [fitted to DATA, as train does]"},
        {"-o,--output", &output, "FILE", "Write svmlight rows to this file. [standard output]"},
        {"--short", &brief, "At most 17 digits per value, enough to read back the same double. [all digits]"},
    });
    table.declare(options);
    reading.declare(options, true);
  }

  ReadOptions read_options() const {
    if (!model_path.empty()) {
      if (table.given()) throw usage_error("-m MODEL defines the columns: leave out the table options");
      const Model model = model_for_rows(model_path, reading.memory_limit());
      ReadOptions options = reading.complete_for(model);
      options.labelled = model.form != Model::Form::kLabels;  // a row of svmlight has one label
      options.interrupt = &interrupt_flag();
      return options;
    }
    ReadOptions options = reading.complete();
    options.many_classes = true;
    TableSpec spec = table.spec();
    if (spec.scale == Scale::kAuto) spec.scale = Scale::kDeviation;
    options.interrupt = &interrupt_flag();
    table.take(reading, spec, options, true);
    return options;
  }

  /// Loads the rows. Rows that a model is to score may have no labels, which the first row shows. Then a message
  /// mentions it.
  std::unique_ptr<Source> load_rows(ReadOptions options) const {
    ProgressBar bar("reading");
    const auto load_as = [&](bool labelled) {
      options.labelled = labelled;
      return load(reading.paths, options, *solo(), [&](const Progress& progress) { bar.observe(progress); });
    };
    const bool may_lack_labels = !model_path.empty() && reading.options.label.empty();
    if (!may_lack_labels) return load_as(options.labelled);
    constexpr std::uint64_t kFirstRow = 2;  // after a header
    std::string reason = "a row of svmlight has one label, and this model has several label columns";
    try {
      if (options.labelled) return load_as(true);
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::kInput || error.place().line > kFirstRow) throw;
      reason = error.spelled("--", "");
    }
    std::unique_ptr<Source> rows = load_as(false);
    tell(fmt::format("No labels were found, so every row is written with the label 0 ({}).\n", reason));
    return rows;
  }

  std::string line(const WrittenRow& row) const {
    std::string text = row.label.empty() ? "0" : row.label;
    if (text.find_first_of(" \t\r\n#:") != std::string::npos) {
      throw usage_error(
          fmt::format("row {}: the label '{}' can't be written as svmlight", row.row + 1, shown_text(text)));
    }
    for (const WrittenValue& value : row.values) {
      if (!value.decimal.empty()) {
        fmt::format_to(std::back_inserter(text), " {}:{}", value.column + 1, value.decimal);
      } else if (value.binary != 0) {
        const std::string digits = brief ? fmt::format("{}", value.binary) : whole_decimal(value.binary);
        fmt::format_to(std::back_inserter(text), " {}:{}", value.column + 1, digits);
      }
    }
    return text + "\n";
  }

  int run() const {
    if (reading.standard_input()) throw usage_error("encode needs a file, because it reads the rows twice");
    try_outputs({output});
    catch_interrupt();
    const std::unique_ptr<Source> source = load_rows(read_options());
    constexpr std::int64_t kBlock = 8192;
    Output file(output);
    std::vector<std::int64_t> rows;
    for (std::int64_t first = 0; first < source->shape().rows; first += kBlock) {
      rows.resize(static_cast<std::size_t>(std::min(kBlock, source->shape().rows - first)));
      std::iota(rows.begin(), rows.end(), first);
      for (const WrittenRow& row : source->written(rows)) file.write(line(row));
      if (interrupt_flag()) throw interrupted_error();
    }
    file.close();
    return kDone;
  }
};

}  // namespace

Verb encode_verb() {
  return {"encode", "Write the rows of a table as their features, exactly as certify sees them.",
          "  linsep encode mail.csv -m spam.model -o mail.svm\n"
          "      Every value with all its digits; checker/encode_rows.py --label writes the same without linsep.\n"
          "  linsep encode mail.csv --short | head\n"
          "      Fitted to the file itself, with at most 17 digits per value.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<EncodeCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
