// The file: JSON, version 1 (docs/formats/certificate.md).
#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "linsep/certificate.h"
#include "linsep/error.h"
#include "proof/columns.h"

namespace linsep {
namespace {

using Json = nlohmann::ordered_json;  // for writing: fields in the order in which they are put
using ReadJson = nlohmann::json;      // for reading: fields are found quickly

constexpr std::int64_t kVersion = 1;
constexpr std::array kClaims = {Claim::kSeparable, Claim::kQuasiSeparable, Claim::kOverlapping, Claim::kUndecided};

// What is wrong with a file; turned into an input Error that names it.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string map_to_text(const FeatureMap& map) {
  switch (map.kind) {
    case FeatureMap::Kind::kNone:
      return "none";
    case FeatureMap::Kind::kProducts:
      return "products";
    case FeatureMap::Kind::kPolynomial:
      return "polynomial:" + std::to_string(map.degree);
  }
  return {};
}

FeatureMap map_from_text(const std::string& text) {
  if (text == "none") return {};
  if (text == "products") return {FeatureMap::Kind::kProducts, 1};
  if (text.size() == 12 && text.starts_with("polynomial:") && text[11] >= '1' && text[11] <= '9') {
    return {FeatureMap::Kind::kPolynomial, text[11] - '0'};
  }
  throw Malformed("the map \"" + text + "\" is unknown");
}

// Appends without looking for the key, which would take quadratic time over many weights.
void append(Json::object_t& object, std::string key, Json value) {
  static_cast<Json::object_t::Container&>(object).emplace_back(std::move(key), std::move(value));
}

Json weights_json(const ExactWeights& weights, const Columns& columns) {
  Json::object_t object;
  for (const ColumnWeight& entry : weights) append(object, columns.name(entry.column), entry.weight);
  return object;
}

Json alphas_json(const RowWeights& alphas) {
  Json json = Json::array();
  for (const RowWeight& entry : alphas) json.push_back({{"row", entry.row + 1}, {"alpha", entry.alpha}});
  return json;
}

Json span_json(const SpanProof& span, const Columns& columns) {
  Json rows = Json::array();
  for (const std::int64_t row : span.rows) rows.push_back(row + 1);
  Json::object_t dependent;
  for (const SpanProof::Dependent& each : span.dependent) {
    append(dependent, columns.name(each.column), weights_json(each.sum, columns));
  }
  return {{"prime", std::to_string(span.prime)}, {"rows", rows}, {"dependent", dependent}};
}

Json margin_json(const MarginBounds& margin) {
  Json json = Json::object();
  if (margin.at_least_squared) json["at_least_squared"] = *margin.at_least_squared;
  if (margin.at_most_squared) {
    json["at_most_squared"] = *margin.at_most_squared;
    json["alpha"] = alphas_json(margin.alpha);
  }
  return json;
}

Json mistakes_json(const MistakeBounds& mistakes, const Columns& columns) {
  Json json = Json::object();
  if (!mistakes.witnesses.empty()) {
    json["at_least"] = mistakes.witnesses.size();
    json["witnesses"] = Json::array();
    for (const RowWeights& witness : mistakes.witnesses) json["witnesses"].push_back(alphas_json(witness));
  }
  if (mistakes.at_most) {
    json["at_most"] = *mistakes.at_most;
    json["weights"] = weights_json(mistakes.weights, columns);
  }
  return json;
}

// Reading: a cursor that knows where it is.
class Reader {
 public:
  Reader(const ReadJson& json, std::string place) : json_(json), place_(std::move(place)) {}

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }
  Reader at(const char* key) const {
    if (!has(key)) throw Malformed(place_ + " has no field \"" + key + "\"");
    return {json_.at(key), place_ + "." + key};
  }
  std::string text() const {
    if (!json_.is_string()) fail("a text");
    return json_.get<std::string>();
  }
  bool boolean() const {
    if (!json_.is_boolean()) fail("true or false");
    return json_.get<bool>();
  }
  std::int64_t count() const {
    const bool fine =
        json_.is_number_integer() && (!json_.is_number_unsigned() || json_.get<std::uint64_t>() >> 62 == 0);
    if (!fine || json_.get<std::int64_t>() < 0) fail("a count");
    return json_.get<std::int64_t>();
  }
  template <class F>
  void for_each_item(F&& f) const {
    if (!json_.is_array()) fail("a list");
    for (std::size_t k = 0; k < json_.size(); ++k) f(Reader(json_[k], place_ + "[" + std::to_string(k + 1) + "]"));
  }
  template <class F>
  void for_each_field(F&& f) const {
    if (!json_.is_object()) fail("an object");
    for (const auto& [key, value] : json_.items()) f(key, Reader(value, place_ + "." + key));
  }
  [[noreturn]] void fail(const std::string& wanted) const { throw Malformed(place_ + " is not " + wanted); }

 private:
  const ReadJson& json_;
  std::string place_;
};

std::uint32_t read_column(const std::string& name, const Columns& columns, const Reader& at) {
  const auto column = columns.number(name);
  if (!column) at.fail("a column of this data and map");
  return *column;
}

ExactWeights read_weights(const Reader& reader, const Columns& columns) {
  ExactWeights weights;
  reader.for_each_field([&](const std::string& name, const Reader& value) {
    weights.push_back({read_column(name, columns, value), value.text()});
  });
  std::ranges::sort(weights, {}, &ColumnWeight::column);
  return weights;
}

RowWeights read_alphas(const Reader& reader) {
  RowWeights alphas;
  reader.for_each_item(
      [&](const Reader& entry) { alphas.push_back({entry.at("row").count() - 1, entry.at("alpha").text()}); });
  return alphas;
}

SpanProof read_span(const Reader& reader, const Columns& columns) {
  SpanProof span;
  const std::string prime = reader.at("prime").text();
  const auto [end, error] = std::from_chars(prime.data(), prime.data() + prime.size(), span.prime);
  if (error != std::errc() || end != prime.data() + prime.size()) reader.at("prime").fail("a number below 2^62");
  reader.at("rows").for_each_item([&](const Reader& row) { span.rows.push_back(row.count() - 1); });
  reader.at("dependent").for_each_field([&](const std::string& name, const Reader& sum) {
    span.dependent.push_back({read_column(name, columns, sum), read_weights(sum, columns)});
  });
  std::ranges::sort(span.dependent, {}, &SpanProof::Dependent::column);
  return span;
}

void read_margin(const Reader& reader, MarginBounds& margin) {
  if (reader.has("at_least_squared")) margin.at_least_squared = reader.at("at_least_squared").text();
  if (reader.has("at_most_squared")) margin.at_most_squared = reader.at("at_most_squared").text();
  if (reader.has("alpha")) margin.alpha = read_alphas(reader.at("alpha"));
}

void read_mistakes(const Reader& reader, const Columns& columns, MistakeBounds& mistakes) {
  if (reader.has("witnesses")) {
    reader.at("witnesses").for_each_item([&](const Reader& each) { mistakes.witnesses.push_back(read_alphas(each)); });
  }
  const std::int64_t least = reader.has("at_least") ? reader.at("at_least").count() : 0;
  if (least != static_cast<std::int64_t>(mistakes.witnesses.size())) reader.fail("consistent: at_least");
  if (reader.has("at_most")) mistakes.at_most = reader.at("at_most").count();
  if (reader.has("weights")) mistakes.weights = read_weights(reader.at("weights"), columns);
}

void read_data(const Reader& reader, DataDigest& data) {
  data.rows = reader.at("rows").count();
  const std::int64_t features = reader.at("features").count();
  if (features >= std::int64_t{0xffffffff}) reader.at("features").fail("below 2^32 - 1");
  data.features = static_cast<std::uint32_t>(features);
  data.negative = reader.at("negative").text();
  data.positive = reader.at("positive").text();
  data.root = reader.at("root").text();
}

Claim read_claim(const Reader& reader) {
  const std::string text = reader.text();
  for (const Claim claim : kClaims) {
    if (text == claim_name(claim)) return claim;
  }
  reader.fail("a claim");
}

Certificate read(const Reader& file) {
  if (file.at("linsep_certificate").count() != kVersion) file.at("linsep_certificate").fail("version 1");
  Certificate certificate;
  certificate.claim = read_claim(file.at("claim"));
  certificate.origin = file.at("origin").boolean();
  certificate.map = map_from_text(file.at("map").text());
  read_data(file.at("data"), certificate.data);
  const Columns columns = columns_of(certificate);
  if (!columns.mapped()) file.at("map").fail("a map with fewer than 2^32 columns");
  if (file.has("levels")) {
    file.at("levels").for_each_item(
        [&](const Reader& level) { certificate.levels.push_back(read_weights(level, columns)); });
  }
  if (!certificate.levels.empty()) certificate.left_at_zero = file.at("left_at_zero").count();
  if (file.has("witness")) certificate.witness = read_alphas(file.at("witness"));
  if (file.has("span")) certificate.span = read_span(file.at("span"), columns);
  if (file.has("margin")) read_margin(file.at("margin"), certificate.margin);
  if (file.has("mistakes")) read_mistakes(file.at("mistakes"), columns, certificate.mistakes);
  if (file.has("stopped_because")) certificate.stopped_because = file.at("stopped_because").text();
  if (file.has("rows")) {
    file.at("rows").for_each_item([&](const Reader& row) {
      CarriedRow carried{row.at("leaf").text(), {}};
      row.at("path").for_each_item([&](const Reader& hash) { carried.path.push_back(hash.text()); });
      certificate.rows.push_back(std::move(carried));
    });
  }
  return certificate;
}

}  // namespace

std::string_view claim_name(Claim claim) {
  switch (claim) {
    case Claim::kSeparable:
      return "separable";
    case Claim::kQuasiSeparable:
      return "quasi-separable";
    case Claim::kOverlapping:
      return "overlapping";
    case Claim::kUndecided:
      return "undecided";
  }
  return {};
}

std::string certificate_to_json(const Certificate& certificate) {
  const Columns columns = columns_of(certificate);
  if (!columns.mapped()) throw usage_error("the certificate's feature map is unknown or has too many columns");
  const DataDigest& data = certificate.data;
  Json json;
  json["linsep_certificate"] = kVersion;
  json["claim"] = claim_name(certificate.claim);
  json["origin"] = certificate.origin;
  json["map"] = map_to_text(certificate.map);
  json["data"] = {{"rows", data.rows},
                  {"features", data.features},
                  {"negative", data.negative},
                  {"positive", data.positive},
                  {"root", data.root}};
  if (!certificate.levels.empty()) {
    json["levels"] = Json::array();
    for (const ExactWeights& level : certificate.levels) json["levels"].push_back(weights_json(level, columns));
    json["left_at_zero"] = certificate.left_at_zero;
  }
  if (!certificate.witness.empty()) json["witness"] = alphas_json(certificate.witness);
  if (certificate.span) json["span"] = span_json(*certificate.span, columns);
  if (Json margin = margin_json(certificate.margin); !margin.empty()) json["margin"] = std::move(margin);
  if (Json mistakes = mistakes_json(certificate.mistakes, columns); !mistakes.empty()) {
    json["mistakes"] = std::move(mistakes);
  }
  if (!certificate.stopped_because.empty()) json["stopped_because"] = certificate.stopped_because;
  if (!certificate.rows.empty()) {
    json["rows"] = Json::array();
    for (const CarriedRow& row : certificate.rows) json["rows"].push_back({{"leaf", row.leaf}, {"path", row.path}});
  }
  return json.dump(1) + "\n";
}

Certificate certificate_from_json(std::string_view text, const std::string& name) {
  try {
    const ReadJson json = ReadJson::parse(text);
    return read(Reader(json, "the certificate"));
  } catch (const Malformed& malformed) {
    throw Error(Place{name, 0, 0}, malformed.what());
  } catch (const ReadJson::exception& error) {
    throw Error(Place{name, 0, 0}, std::string("not a certificate: ") + error.what());
  }
}

}  // namespace linsep
