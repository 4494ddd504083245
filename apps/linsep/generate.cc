// linsep generate streams data sets to learn and to measure with.
#include "linsep/tools/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "linsep/error.h"
#include "options/command_options.h"
#include "options/table_options.h"
#include "output.h"
#include "progress_bar.h"
#include "report/json.h"
#include "verb.h"

namespace linsep::app {
namespace {

TableOptions generator_options() {
  std::vector<TableOptions::Owner> owners;
  for (const GeneratorInfo& info : generators()) owners.push_back({info.name, &info.table});
  return {"data set", owners};
}

std::vector<std::string_view> generator_names() {
  std::vector<std::string_view> names;
  for (const GeneratorInfo& info : generators()) names.push_back(info.name);
  return names;
}

std::string kinds_help() {
  std::string text = "Which data set:";
  for (const GeneratorInfo& info : generators()) text += fmt::format("\n{}: {}", info.name, info.help);
  return text;
}

Progress generated(std::int64_t rows, std::int64_t in_all) {
  Progress progress;
  progress.phase = Phase::kGenerating;
  progress.rows = rows;
  progress.rows_in_all = in_all;
  return progress;
}

struct GenerateCommand {
  TableOptions table = generator_options();
  std::string kind, format, output;
  int threads = 0;
  bool json = false;

  void declare(CommandOptions& options) {
    options.add({
        {"NAME", &kind, kinds_help()},
        {"-o,--output", &output, "FILE", "Write to this file. [standard output]"},
        {"--format", &format, "WORD", "svmlight or csv. [csv for a table or a file that ends in .csv, else svmlight]"},
        {"--threads", &threads, "N", "Threads; never changes the result. [one per core]", WholeFromTo{0, 1024}},
        {"--json", &json, "Print one JSON object about the set; needs -o."},
    });
    table.declare(options);
  }

  TextKind text_kind(const Recipe& recipe) const {
    const bool plainly_csv = output.ends_with(".csv") || recipe.append;
    if (format == "csv" || (format.empty() && plainly_csv)) return TextKind::kCsv;
    if (format.empty() || format == "svmlight") return TextKind::kSvmlight;
    throw usage_error(fmt::format("--format takes svmlight or csv, not '{}'", format));
  }

  int run() const {
    if (kind.empty()) throw usage_error("NAME is missing: which data set should be generated?");
    const auto began = std::chrono::steady_clock::now();
    const std::string_view name = generator_info(kind).name;
    const Options options = table.chosen(name);
    const Recipe recipe = make_recipe(name, options);
    if (json && (output.empty() || output == "-")) throw usage_error("--json needs -o FILE for the rows");
    const TextKind text = text_kind(recipe);
    Output file(output);
    std::int64_t bytes = 0, rows = 0;
    {
      ProgressBar bar("generating");
      write_recipe(recipe, text, threads, [&](std::string_view piece) {
        file.write(piece);
        bytes += static_cast<std::int64_t>(piece.size());
        rows += std::count(piece.begin(), piece.end(), '\n');
        if (!file.standard()) bar.observe(generated(std::min(rows, recipe.rows), recipe.rows));
      });
    }
    file.close();
    if (json) {
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      print_json({{"name", name},
                  {"options", to_json(complete_options(generator_info(kind).table, options))},
                  {"rows", recipe.rows},
                  {"features", recipe.features},
                  {"bytes", bytes},
                  {"seconds", seconds},
                  {"output", output}});
    }
    return kDone;
  }
};

}  // namespace

Verb generate_verb() {
  return {"generate",
          "Generate a data set: a small textbook example, or any number of random rows.",
          "  linsep generate xor\n"
          "      Four rows on standard output.\n"
          "  linsep generate separable --rows 100000 --features 50 --margin 0.001 --seed 7 -o rows.csv\n"
          "      Dense rows that a hidden classifier separates with at least that margin.\n"
          "  linsep generate sparse --rows 20000000 | linsep train - --online\n"
          "      Twenty million sparse rows, never stored.\n"
          "  linsep generate table --rows 300000 -o cards.csv\n"
          "      A table with numbers, times, categories and missing values.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<GenerateCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          },
          {},
          generator_names()};
}

}  // namespace linsep::app
