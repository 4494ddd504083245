#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "core/keyed_map.h"
#include "linsep/tools/shown_text.h"
#include "report/words.h"

namespace linsep {
Json account_json(const TableAccount& account) {
  Json columns = Json::array();
  for (const ColumnAccount& column : account.columns) {
    Json one = {{"name", column.name}, {"purpose", column.purpose}};
    if (!column.format.empty()) one["format"] = column.format;
    if (!column.reason.empty()) one["reason"] = column.reason;
    if (!column.detail.empty()) one["detail"] = column.detail;
    columns.push_back(std::move(one));
  }
  Json all = {{"file", account.file}, {"rows", account.rows}, {"looked_at", account.looked_at}};
  if (account.delimiter != 0) {
    all["header"] = account.header;
    all["delimiter"] = std::string(1, account.delimiter);
  }
  all["decimal"] = std::string(1, account.decimal);
  all["features"] = account.features;
  all["columns"] = std::move(columns);
  return all;
}

namespace {

/// With this many rows, they hardly lack a value by chance that some rows of the training lacked too.
constexpr std::int64_t kSeveralRows = 10;

/// More than a tenth.
bool is_much(std::int64_t part, std::int64_t rows) { return part > rows / 10; }

std::string share_words(std::int64_t part, std::int64_t rows) {
  return fmt::format("{} ({:.1f}%)", counted(part, "row"), 100 * static_cast<double>(part) / static_cast<double>(rows));
}

}  // namespace

std::shared_ptr<TableCounts> counts_for(const Model& model) {
  return model.table.empty() ? nullptr : std::make_shared<TableCounts>(model.table.encoders.size());
}

Skew skew_of(const Model& model, const TableCounts* counts, Comm& comm) {
  Skew skew;
  if (counts == nullptr) return skew;
  std::vector<std::int64_t> sums = {counts->rows, counts->nothing};
  for (const auto& unseen : counts->unseen) sums.push_back(unseen);
  for (const auto& holes : counts->holes) sums.push_back(holes);
  comm.all_reduce(std::span(sums), Comm::Op::kSum);
  skew.rows = sums[0];
  skew.nothing = sums[1];
  const std::size_t encoders = counts->unseen.size();
  KeyedMap<std::string, std::size_t> places;
  for (std::size_t k = 0; k < encoders; ++k) {
    const Encoder& encoder = model.table.encoders[k];
    if (encoder.is<CrossEncoder>()) continue;  // its columns speak for themselves
    const auto [place, is_new] = places.emplace(encoder.column, skew.columns.size());
    if (is_new) skew.columns.push_back({encoder.column});
    Skew::Column& column = skew.columns[place->second];
    column.unseen = std::max(column.unseen, sums[2 + k]);
    column.holes = std::max(column.holes, sums[2 + encoders + k]);
    column.complete = column.complete && !encoder.has_indicator();
  }
  return skew;
}

Json skew_json(const Skew& skew) {
  Json columns = Json::array();
  for (const Skew::Column& column : skew.columns) {
    columns.push_back({{"column", column.name}, {"unseen", column.unseen}, {"holes", column.holes}});
  }
  return {{"rows", skew.rows}, {"nothing", skew.nothing}, {"columns", columns}};
}

std::string skew_words(const Skew& skew) {
  std::string text;
  for (const Skew::Column& column : skew.columns) {
    if (column.unseen == 0 && column.holes == 0) continue;
    std::string parts;
    if (column.unseen > 0) parts = fmt::format("never seen in training: {}", share_words(column.unseen, skew.rows));
    if (column.holes > 0) {
      parts += fmt::format("{}without a value: {}", parts.empty() ? "" : "; ", share_words(column.holes, skew.rows));
    }
    text += fmt::format("  {}: {}\n", shown_text(column.name), parts);
  }
  if (!text.empty()) text = "\nColumns:\n" + text;
  if (skew.nothing > 0)
    text += fmt::format("Rows without any known feature: {}.\n", share_words(skew.nothing, skew.rows));
  return text;
}

std::vector<std::string> skew_warnings(const Skew& skew) {
  std::vector<std::string> all;
  for (const Skew::Column& column : skew.columns) {
    const std::string name = shown_text(column.name);
    if (is_much(column.unseen, skew.rows)) {
      all.push_back(fmt::format("column '{}' has values never seen in training in {}.", name,
                                share_words(column.unseen, skew.rows)));
    }
    if (column.complete && is_much(column.holes, skew.rows)) {
      all.push_back(fmt::format("column '{}' has missing values in {}, but had none in training.", name,
                                share_words(column.holes, skew.rows)));
    } else if (column.holes == skew.rows && skew.rows >= kSeveralRows) {
      all.push_back(fmt::format("column '{}' has a value in none of the {}.", name, counted(skew.rows, "row")));
    }
  }
  if (is_much(skew.nothing, skew.rows)) {
    all.push_back(fmt::format("{} without any known feature: their score is just the intercept.",
                              share_words(skew.nothing, skew.rows)));
  }
  return all;
}

}  // namespace linsep
