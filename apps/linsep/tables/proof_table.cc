#include "tables/proof_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "linsep/error.h"
#include "linsep/tools/encoder_words.h"
#include "linsep/tools/listed_name.h"
#include "linsep/tools/purpose.h"
#include "linsep/tools/shown_text.h"
#include "report/words.h"
#include "tables/saved_table.h"

namespace linsep::app {

namespace {

/// The numbers of all columns but the label and those left out, if columns have no name. None if a proof, which nobody
/// has to believe, claims that there are very many.
std::vector<std::string> numbered_columns(const DataDigest& data) {
  constexpr std::uint32_t kMost = 1U << 16;
  std::vector<std::string> names;
  if (data.features > kMost) return names;
  std::set<std::string> others(data.reading.left_out.begin(), data.reading.left_out.end());
  others.insert(data.reading.label);
  for (std::uint64_t number = 1; names.size() < data.features; ++number) {
    if (std::string name = std::to_string(number); !others.contains(name)) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

std::vector<ProofColumn> proof_columns(const DataDigest& data, const TableMap* known) {
  std::vector<ProofColumn> columns;
  if (data.table.empty()) {
    if (data.reading.format != "csv" && data.names.empty()) return columns;
    for (const std::string& name : data.names.empty() ? numbered_columns(data) : data.names) {
      columns.push_back({name, "number", data.reading.format.empty() ? "as stored" : "as written"});
    }
    return columns;
  }
  const TableMap map = !has_table_hash(data) ? table_from_json(data.table, "the proof") : known ? *known : TableMap();
  for (const Encoder& encoder : map.encoders) {
    columns.push_back({encoder_column(encoder), std::string(encoder_kind(encoder)), encoder_words(encoder)});
  }
  return columns;
}

std::string columns_words(const DataDigest& data, const std::vector<ProofColumn>& columns) {
  constexpr std::size_t kMost = 10;
  if (columns.empty() && data.table.empty()) return "";
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(kMost, columns.size()); ++k) names.push_back(listed_name(columns[k].name));
  const std::string more = columns.size() > kMost
                               ? fmt::format("… and {} more (--json shows all)", with_commas(columns.size() - kMost))
                               : "";
  std::string text = data.reading.label.empty() ? "" : fmt::format("Label     {}\n", listed_name(data.reading.label));
  text += "Columns   ";
  if (columns.empty()) {
    text += fmt::format("of a table; the proof has only the hash of its encoding ({})\n", data.table);
  } else if (data.table.empty()) {
    text += fmt::format("{}{}{}; numbers {}\n", fmt::join(names, ", "), more.empty() ? "" : " ", more,
                        columns.front().encoding);
  } else {
    std::size_t width = 0;
    for (const std::string& name : names) width = std::max(width, text_width(name));
    for (std::size_t k = 0; k < names.size(); ++k) {
      text +=
          fmt::format("{}{}{}  {:<8}  {}\n", k == 0 ? "" : "          ", names[k],
                      std::string(width - text_width(names[k]), ' '), columns[k].kind, shown_text(columns[k].encoding));
    }
    if (!more.empty()) text += fmt::format("          {}\n", more);
  }
  if (data.reading.format != "csv") return text;
  std::vector<std::string> left_out;
  for (const std::string& name : data.reading.left_out) left_out.push_back(listed_name(name));
  return text + fmt::format("Left out  {}\n", left_out.empty() ? "none" : fmt::format("{}", fmt::join(left_out, ", ")));
}

nlohmann::ordered_json columns_json(const std::vector<ProofColumn>& columns) {
  auto list = nlohmann::ordered_json::array();
  for (const ProofColumn& column : columns) {
    list.push_back({{"name", column.name}, {"kind", column.kind}, {"encoding", column.encoding}});
  }
  return list;
}

ReadOptions options_as_encoded(const DataDigest& data, const std::string& proof, const std::string& model,
                               ReadOptions options) {
  if (!has_table_hash(data)) {
    if (!model.empty()) throw usage_error("--table is for proofs that have only the hash of their table");
    return read_options_as_encoded(data, proof, nullptr, std::move(options));
  }
  if (model.empty()) {
    throw usage_error(fmt::format(
        "{} has only the hash of its table: use --table with the model or the file of `certify --save-table`", proof));
  }
  const TableMap known = load_table(model);
  return read_options_as_encoded(data, proof, &known, std::move(options));
}

Schema with_feature_names(Schema schema) {
  constexpr std::uint32_t kMost = 1U << 20;
  if (!schema.table || schema.table->empty() || !schema.feature_names.empty()) return schema;
  const std::uint32_t features = encoder_starts(*schema.table).back();
  if (features > kMost) return schema;
  // Goes encoder by encoder, because finding the encoder of a feature takes time that grows with their number.
  const std::vector<std::uint32_t> starts = encoder_starts(*schema.table);
  for (std::size_t e = 0; e < schema.table->encoders.size(); ++e) {
    const Encoder& encoder = schema.table->encoders[e];
    TableMap alone;
    alone.header = schema.table->header;
    const bool cross = encoder.is<CrossEncoder>();
    if (!cross) alone.encoders.push_back(encoder);
    for (std::uint32_t j = starts[e]; j < starts[e + 1]; ++j) {
      schema.feature_names.push_back(cross ? encoded_name(*schema.table, j) : encoded_name(alone, j - starts[e]));
    }
  }
  return schema;
}

}  // namespace linsep::app
