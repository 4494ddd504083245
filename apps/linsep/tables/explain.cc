// linsep explain shows why rows have their scores.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/tools/explain.h"
#include "linsep/tools/shown_text.h"
#include "options/command_options.h"
#include "output.h"
#include "reading.h"
#include "report/explanation.h"
#include "report/json.h"
#include "report/words.h"
#include "verb.h"

namespace linsep::app {
namespace {

constexpr std::int64_t kMostRows = 1'000'000;

/// A number from 1, or nothing if it is none.
std::optional<std::int64_t> row_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

struct ExplainCommand {
  InputOptions reading;
  std::string model_path, row, rows, of;
  std::size_t top = 10;
  bool json = false;

  void declare(CommandOptions& options) {
    options.add({
        {"-m,--model", &model_path, "FILE", "The model that `linsep train` wrote."},
        {"--row", &row, "N", "The row to explain, counted from 1."},
        {"--rows", &rows, "FROM-TO", "Several rows: 1-50, or 3,8,20."},
        {"--top", &top, "N", "How many parts to show. [10]"},
        {"--class", &of, "NAME", "The class or label column to explain. [the one with the highest score]"},
        {"--json", &json, "Print one JSON object instead of words."},
    });
    reading.declare(options, false);
  }

  std::vector<std::int64_t> asked() const {
    if (row.empty() == rows.empty()) {
      throw usage_error("which rows should be explained? Use --row N or --rows FROM-TO");
    }
    std::vector<std::int64_t> all;
    for (const std::string& piece : split_words(row + rows)) {
      const std::size_t dash = row.empty() ? piece.find('-') : std::string::npos;
      const auto from = row_number(std::string_view(piece).substr(0, dash));
      const auto to = dash == std::string::npos ? from : row_number(std::string_view(piece).substr(dash + 1));
      if (!from || !to || *from > *to || (!row.empty() && row != piece)) {
        throw usage_error(fmt::format("{}: '{}' isn't a row number; rows are counted from 1{}",
                                      row.empty() ? "--rows" : "--row", shown_text(piece),
                                      row.empty() ? " or range" : ""));
      }
      if (*to - *from >= kMostRows) throw usage_error("--rows: at most 1,000,000 rows can be explained at once");
      for (std::int64_t i = *from; i <= *to; ++i) all.push_back(i - 1);
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  /// The index of the score to explain.
  std::optional<std::size_t> part(const Model& model) const {
    if (of.empty()) return std::nullopt;
    if (model.offsets.empty()) throw usage_error("--class: this model has only one score");
    for (std::size_t k = 0; k < scores_per_row(model); ++k) {
      if (part_name(model, k) == of) return k;
    }
    throw usage_error(fmt::format("--class {}: the model has no such class or label", shown_text(of)));
  }

  int run() const {
    if (model_path.empty()) throw usage_error("-m MODEL is missing: which model should be explained?");
    const std::vector<std::int64_t> numbers = asked();
    const Model model = model_for_rows(model_path, reading.memory_limit());
    const std::optional<std::size_t> chosen = part(model);
    ReadOptions options = explain_options_for(model, reading.paths, reading.complete());
    options.labelled = false;
    tell_if_waiting(reading);
    const std::unique_ptr<Source> source = open_stream(reading.paths, options, *solo());
    Json all = Json::array();
    bool first = true;
    explain(*source, model, numbers, chosen, [&](const Explanation& explanation) {
      if (json) {
        all.push_back(explanation_json(model, explanation, top));
      } else {
        print_words((first ? "" : "\n") + explanation_words(model, explanation, top));
      }
      first = false;
    });
    if (json) print_json({{"model", model_path}, {"rows", all}});
    return kDone;
  }
};

}  // namespace

Verb explain_verb() {
  return {"explain", "Show why rows have their scores: what each feature contributes.",
          "  linsep explain new.csv -m spam.model --row 17\n"
          "      What speaks for and against the class of row 17, largest first.\n"
          "  linsep explain new.csv -m spam.model --rows 1-50 --top 3 --json\n"
          "      The three largest parts of each of 50 rows, as JSON.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<ExplainCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
