#include "proof/data_json.h"

#include <nlohmann/json.hpp>

#include "linsep/error.h"
#include "linsep/table/map.h"
#include "proof/sha256.h"

namespace linsep {
namespace {

using Json = nlohmann::json;  // fields in the order of their names

Json reading_json(const Reading& reading) {
  Json json = {{"format", reading.format}};
  if (reading.format == "csv") {
    json["delimiter"] = reading.delimiter;
    json["header"] = reading.header;
    json["label"] = reading.label;
    json["left_out"] = reading.left_out;
  }
  if (reading.drop_missing_labels) json["drop_missing_labels"] = true;
  return json;
}

}  // namespace

std::string_view loss_text(Loss loss) {
  switch (loss) {
    case Loss::kHinge:
      return "hinge";
    case Loss::kSquaredHinge:
      return "squared-hinge";
    case Loss::kLogistic:
      return "logistic";
    case Loss::kSoftmax:
      return "softmax";
  }
  return {};
}

std::string table_text(const Schema& schema) {
  constexpr std::size_t kLongest = 1000000;
  if (!schema.table || schema.table->empty()) return "";
  std::string json = table_to_json(*schema.table);
  return json.size() <= kLongest ? json : "sha256:" + to_hex(sha256("", json));
}

std::vector<LabelColumn> label_columns(const Schema& schema) {
  std::vector<LabelColumn> columns;
  for (std::size_t k = 0; k < schema.labels.size(); ++k) {
    columns.push_back({schema.labels[k], schema.classes[2 * k], schema.classes[2 * k + 1]});
  }
  return columns;
}

std::vector<std::string> part_names(const DataDigest& data) {
  std::vector<std::string> names = data.classes;
  for (const LabelColumn& column : data.labels) names.push_back(column.name);
  return names;
}

DataDigest described_data(const Schema& schema, std::int64_t rows, std::uint32_t features) {
  DataDigest data{rows, features, "", "", "", schema.feature_names, schema.reading, {}, table_text(schema)};
  if (!schema.labels.empty()) {
    data.labels = label_columns(schema);
  } else if (schema.classes.size() > 2) {
    data.classes = schema.classes;
  } else {
    data.negative = schema.classes[0];
    data.positive = schema.classes[1];
  }
  // The rows of a stream may reach further than its names.
  data.names.resize(data.names.empty() ? 0 : features);
  return data;
}

std::string data_json(const DataDigest& data, int version) {
  Json json = {{"rows", data.rows}, {"features", data.features}};
  if (!data.labels.empty()) {
    json["labels"] = Json::array();
    for (const LabelColumn& column : data.labels) {
      json["labels"].push_back({{"name", column.name}, {"negative", column.negative}, {"positive", column.positive}});
    }
  } else if (data.classes.empty()) {
    json["negative"] = data.negative;
    json["positive"] = data.positive;
  } else {
    json["classes"] = data.classes;
  }
  if (version >= 2 && !data.names.empty()) json["names"] = data.names;
  if (version >= 2 && !data.reading.format.empty()) json["reading"] = reading_json(data.reading);
  if (version >= 2 && !data.table.empty()) json["table"] = data.table;
  try {
    return json.dump(-1, ' ', true);
  } catch (const Json::type_error&) {
    throw input_error("a proof names classes and features: their names must be UTF-8");
  }
}

}  // namespace linsep
