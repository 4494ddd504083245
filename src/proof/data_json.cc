#include "proof/data_json.h"

#include <nlohmann/json.hpp>

#include "linsep/error.h"

namespace linsep {
namespace {

using Json = nlohmann::json;  // fields in the order of their names

Json reading_json(const Reading& reading) {
  if (reading.format != "csv") return {{"format", reading.format}};
  return {{"format", reading.format},
          {"delimiter", reading.delimiter},
          {"header", reading.header},
          {"label", reading.label},
          {"left_out", reading.left_out}};
}

}  // namespace

DataDigest described_data(const Schema& schema, std::int64_t rows, std::uint32_t features) {
  DataDigest data{rows, features, schema.classes[0], schema.classes[1], {}, schema.feature_names, schema.reading};
  // A stream's rows may reach further than its names.
  data.names.resize(data.names.empty() ? 0 : features);
  return data;
}

std::string data_json(const DataDigest& data, int version) {
  Json json = {
      {"rows", data.rows}, {"features", data.features}, {"negative", data.negative}, {"positive", data.positive}};
  if (version >= 2 && !data.names.empty()) json["names"] = data.names;
  if (version >= 2 && !data.reading.format.empty()) json["reading"] = reading_json(data.reading);
  try {
    return json.dump(-1, ' ', true);
  } catch (const Json::type_error&) {
    throw input_error("a proof names classes and features: their names must be UTF-8");
  }
}

}  // namespace linsep
