#include "tables/proof_table.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "linsep/error.h"
#include "linsep/table/map.h"
#include "tables/saved_table.h"

namespace linsep::app {

void take_proof_table(const DataDigest& data, const std::string& proof, const std::string& model,
                      ReadOptions& options) {
  if (data.table.empty()) {
    if (!model.empty()) throw usage_error("--table goes with a proof about a table");
    return;
  }
  TableMap map;
  if (!data.table.starts_with("sha256:")) {
    map = table_from_json(data.table, proof);
  } else if (!model.empty()) {
    map = load_table(model);
    map.single = false;
  } else {
    throw usage_error(fmt::format(
        "{} has only the hash of its table: name the model, or the file of `certify --save-table`, by --table", proof));
  }
  if (const std::string problem = problem_of(map); !problem.empty()) {
    throw Error(Place{proof, 0, 0}, fmt::format("its table is none: {}", problem));
  }
  options.table = std::make_shared<const TableMap>(std::move(map));
  if (options.label.empty()) options.label = data.reading.label;
  if (options.delimiter == 0 && data.reading.delimiter.size() == 1) options.delimiter = data.reading.delimiter[0];
  if (!options.header) options.header = data.reading.header;
}

Schema with_feature_names(Schema schema) {
  constexpr std::uint32_t kMost = 1U << 20;
  if (!schema.table || schema.table->empty() || !schema.feature_names.empty()) return schema;
  const std::uint32_t features = encoder_starts(*schema.table).back();
  if (features > kMost) return schema;
  for (std::uint32_t j = 0; j < features; ++j) schema.feature_names.push_back(encoded_name(*schema.table, j));
  return schema;
}

}  // namespace linsep::app
