#include "tables/table_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "linsep/error.h"
#include "linsep/table/first_rows.h"
#include "linsep/table/options.h"
#include "linsep/tools/purpose.h"
#include "options/command_options.h"
#include "output.h"
#include "progress_bar.h"
#include "report/words.h"
#include "tables/saved_table.h"
#include "workers.h"

namespace linsep::app {
namespace {

using nlohmann::json;

json columns_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(Place{path, 0, 0}, "can't be read");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  constexpr int kMostDepth = 64;  // deeper ones take unlimited memory and mean nothing
  const json object =
      json::parse(text, [](int depth, json::parse_event_t, json&) { return depth < kMostDepth; }, false);
  if (!object.is_object() || !object.contains("columns") || !object["columns"].is_array()) {
    throw Error(Place{path, 0, 0}, "isn't what `linsep columns --json` prints: it should have a list of columns");
  }
  return object["columns"];
}

/// Every column by the purpose that the file gives it.
void take_columns(const std::string& path, TableSpec& spec, ReadOptions& reading) {
  for (const json& column : columns_in(path)) {
    const bool whole = column.is_object() && column.contains("name") && column["name"].is_string() &&
                       column.contains("purpose") && column["purpose"].is_string();
    if (!whole) throw Error(Place{path, 0, 0}, "each of its columns should have a name and a purpose");
    const auto name = column["name"].get<std::string>();
    const auto purpose = column["purpose"].get<std::string>();
    if (purpose == "number") {
      spec.number.push_back(name);
    } else if (purpose == "category") {
      spec.category.push_back(name);
    } else if (purpose == "text") {
      spec.text.push_back(name);
    } else if (purpose == "date") {
      const bool has_format = column.contains("format") && column["format"].is_string();
      spec.date.push_back({name, has_format ? column["format"].get<std::string>() : "iso"});
    } else if (purpose == "label") {
      reading.label = name;
    } else if (purpose == "id") {
      reading.id = name;
    } else if (purpose == "weight") {
      reading.weight = name;
    } else if (purpose == "left out") {
      reading.ignore.push_back(name);
    } else {
      throw Error(Place{path, 0, 0}, fmt::format("column '{}' has the purpose '{}': it should be number, category, "
                                                 "text, date, label, id, weight or left out",
                                                 name, purpose));
    }
  }
  spec.only = true;
}

bool is_plain_number(const ColumnAccount& column) {
  const auto says = [&](const char* words) { return column.detail.find(words) != std::string::npos; };
  return column.purpose == "number" && column.reason.empty() && !says("missing") && !says("written as");
}

/// One line if all columns are numbers without missing values. With many columns, those in one line and at most a dozen
/// others, because `linsep columns` shows every column.
std::string account_words(TableAccount account, const TableMap& map, const std::string& data) {
  constexpr std::size_t kMostLines = 12;
  const auto numbers = std::ranges::count_if(account.columns, is_plain_number);
  const auto others = std::ranges::count_if(account.columns, [](const ColumnAccount& column) {
    return !is_plain_number(column) && column.purpose != "label";
  });
  if (others == 0 && numbers > 0) {
    return fmt::format("{}: {} of numbers{}; `linsep columns {}` shows every column.\n", account.file,
                       counted(numbers, "column"), is_scaled(map) ? ", scaled" : "", data);
  }
  if (account.columns.size() > kMostLines && numbers > 1) {
    std::erase_if(account.columns, is_plain_number);
    account.columns.insert(account.columns.begin(), {fmt::format("{} others", numbers), "number", "",
                                                     "`linsep columns` shows every column", ""});
  }
  if (account.columns.size() > kMostLines + 1) {
    std::ranges::stable_partition(account.columns,
                                  [](const ColumnAccount& column) { return column.purpose == "label"; });
    const auto more = account.columns.size() - kMostLines;
    account.columns.resize(kMostLines);
    account.columns.push_back({fmt::format("{} more", with_commas(more)), "", "",
                               fmt::format("`linsep columns {}` shows every column", data), ""});
  }
  return account_text(account);
}

}  // namespace

TableChoice::TableChoice() : options("table", {{"table", &table_options()}}, kColumnsOfTables) {}

void TableChoice::declare(CommandOptions& command) {
  options.declare(command);
  command.add(kColumnsOfTables,
              {{"--columns", &columns, "FILE",
                "What each column is, as `linsep columns --json` prints it; nothing is inferred."},
               {"--table", &model, "MODEL",
                "Encode rows like this model or the file of `certify --save-table`; nothing is fitted."}});
}

bool TableChoice::given() const { return !options.given().empty() || !columns.empty() || !model.empty(); }

TableSpec TableChoice::spec(bool as_written) const { return table_spec(options.chosen("table"), as_written); }

std::optional<TableAccount> TableChoice::take(const InputOptions& data, TableSpec spec, ReadOptions& reading,
                                              bool quiet) const {
  if (!model.empty()) {
    if (!options.given().empty() || !columns.empty()) {
      throw usage_error("--table MODEL defines the columns: leave out the other table options");
    }
    TableMap map = load_table(model, data.memory_limit());
    reading.table =
        reading.exact_values ? exact_table(std::move(map)) : std::make_shared<const TableMap>(std::move(map));
    return std::nullopt;
  }
  if (!columns.empty()) take_columns(columns, spec, reading);
  ProgressBar bar("fitting");
  FittedTable fitted =
      fit_table(data.paths, reading, spec, workers(), [&](const Progress& progress) { bar.observe(progress); });
  bar.wipe();
  // Even an empty one, which records the rows that were looked at. A message about a later word shows them.
  reading.table = std::make_shared<const TableMap>(std::move(fitted.map));
  if (reading.table->empty()) return std::nullopt;
  if (!quiet && first_worker()) print_words(account_words(fitted.account, *reading.table, data.argument()), stderr);
  return std::move(fitted.account);
}

void TableChoice::take_first_rows(const InputOptions& data, ReadOptions& reading, bool quiet) const {
  TableSpec asked = spec();
  if (!columns.empty()) take_columns(columns, asked, reading);
  FittedTable fitted = fit_first_rows(data.paths, reading, asked);
  if (fitted.map.empty()) return;
  reading.table = std::make_shared<const TableMap>(std::move(fitted.map));
  if (!quiet && first_worker()) print_words(account_text(fitted.account), stderr);
}

}  // namespace linsep::app
