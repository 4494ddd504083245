// Reads the file, which is JSON of version 1 or 2 (docs/reference/formats/certificate.md). It is strict. What a checker
// doesn't know, and what two readers could take in two ways, is refused.
#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/json.h"
#include "linsep/certificate.h"
#include "linsep/error.h"
#include "linsep/optimality.h"
#include "proof/columns.h"
#include "proof/data_json.h"
#include "proof/joint_optimality.h"

namespace linsep {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostDepth = 8;  // of objects and lists within each other
constexpr std::array kClaims = {Claim::kSeparable, Claim::kQuasiSeparable, Claim::kOverlapping, Claim::kUndecided};

// What is wrong with a file. It is turned into an input Error that names the file.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

FeatureMap map_from_text(const std::string& text) {
  if (text == "none") return {};
  if (text == "products") return {FeatureMap::Kind::kProducts, 1};
  if (text.size() == 12 && text.starts_with("polynomial:") && text[11] >= '1' && text[11] <= '9') {
    return {FeatureMap::Kind::kPolynomial, text[11] - '0'};
  }
  throw Malformed("the map \"" + text + "\" is unknown");
}

// A cursor for reading that knows its position.
class Reader {
 public:
  Reader(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }
  Reader at(const char* key) const {
    if (!has(key)) throw Malformed(place_ + " has no field \"" + key + "\"");
    return {json_.at(key), place_ + "." + key};
  }
  /// Refuses anything but an object whose fields are all among these.
  const Reader& only(std::initializer_list<std::string_view> keys) const {
    if (!json_.is_object()) fail("an object");
    for (const auto& [key, value] : json_.items()) {
      if (std::ranges::find(keys, key) == keys.end()) throw Malformed(place_ + " has an unknown field \"" + key + "\"");
    }
    return *this;
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
  const Json& json_;
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
  reader.for_each_item([&](const Reader& entry) {
    entry.only({"row", "alpha"});
    alphas.push_back({entry.at("row").count() - 1, entry.at("alpha").text()});
  });
  return alphas;
}

SpanProof read_span(const Reader& reader, const Columns& columns) {
  SpanProof span;
  const std::string prime = reader.only({"prime", "rows", "dependent"}).at("prime").text();
  const auto [end, error] = std::from_chars(prime.data(), prime.data() + prime.size(), span.prime);
  if (error != std::errc() || end != prime.data() + prime.size() || prime.starts_with('0')) {
    reader.at("prime").fail("a number below 2^62");
  }
  reader.at("rows").for_each_item([&](const Reader& row) { span.rows.push_back(row.count() - 1); });
  reader.at("dependent").for_each_field([&](const std::string& name, const Reader& sum) {
    span.dependent.push_back({read_column(name, columns, sum), read_weights(sum, columns)});
  });
  std::ranges::sort(span.dependent, {}, &SpanProof::Dependent::column);
  return span;
}

void read_margin(const Reader& reader, int version, MarginBounds& margin) {
  if (version == 1) {
    reader.only({"at_least_squared", "at_most_squared", "alpha"});
  } else {
    reader.only({"at_least_squared", "at_most_squared", "alpha", "radius_squared", "mistake_bound"});
  }
  if (reader.has("at_least_squared")) margin.at_least_squared = reader.at("at_least_squared").text();
  if (reader.has("at_most_squared")) margin.at_most_squared = reader.at("at_most_squared").text();
  if (reader.has("alpha")) margin.alpha = read_alphas(reader.at("alpha"));
  if (reader.has("radius_squared")) margin.radius_squared = reader.at("radius_squared").text();
  if (reader.has("mistake_bound")) margin.mistake_bound = reader.at("mistake_bound").text();
}

void read_mistakes(const Reader& reader, const Columns& columns, MistakeBounds& mistakes) {
  reader.only({"at_least", "witnesses", "at_most", "weights"});
  if (reader.has("witnesses")) {
    reader.at("witnesses").for_each_item([&](const Reader& each) { mistakes.witnesses.push_back(read_alphas(each)); });
  }
  const std::int64_t least = reader.has("at_least") ? reader.at("at_least").count() : 0;
  if (least != static_cast<std::int64_t>(mistakes.witnesses.size())) reader.fail("consistent: at_least");
  if (reader.has("at_most")) mistakes.at_most = reader.at("at_most").count();
  if (reader.has("weights")) mistakes.weights = read_weights(reader.at("weights"), columns);
}

std::vector<std::string> read_texts(const Reader& reader) {
  std::vector<std::string> texts;
  reader.for_each_item([&](const Reader& item) { texts.push_back(item.text()); });
  return texts;
}

std::vector<std::uint32_t> read_columns(const Reader& reader, const Columns& columns) {
  std::vector<std::uint32_t> list;
  reader.for_each_item([&](const Reader& name) { list.push_back(read_column(name.text(), columns, name)); });
  return list;
}

std::vector<Coefficients::Infinite> read_infinite(const Reader& reader, const Columns& columns) {
  std::vector<Coefficients::Infinite> list;
  reader.for_each_field([&](const std::string& name, const Reader& alphas) {
    list.push_back({read_column(name, columns, alphas), read_alphas(alphas)});
  });
  std::ranges::sort(list, {}, &Coefficients::Infinite::column);
  return list;
}

void read_coefficients(const Reader& reader, const Columns& columns, Coefficients& coefficients) {
  reader.only({"plus_infinity", "minus_infinity", "finite", "undetermined", "directions", "steps"});
  const auto with = [&reader](const char* key, auto&& f) {
    if (reader.has(key)) f(reader.at(key));
  };
  with("plus_infinity", [&](const Reader& at) { coefficients.plus_infinity = read_infinite(at, columns); });
  with("minus_infinity", [&](const Reader& at) { coefficients.minus_infinity = read_infinite(at, columns); });
  with("finite", [&](const Reader& at) { coefficients.finite = read_columns(at, columns); });
  with("undetermined", [&](const Reader& at) { coefficients.undetermined = read_columns(at, columns); });
  with("directions", [&](const Reader& at) {
    at.for_each_item([&](const Reader& w) { coefficients.directions.push_back(read_weights(w, columns)); });
  });
  with("steps", [&](const Reader& at) { coefficients.steps = read_weights(at, columns); });
}

void read_reading(const Reader& reader, Reading& reading) {
  reading.format = reader.at("format").text();
  if (reader.has("drop_missing_labels")) {
    reading.drop_missing_labels = reader.at("drop_missing_labels").boolean();
    if (!reading.drop_missing_labels) reader.at("drop_missing_labels").fail("true, or no such field");
  }
  if (reading.format == "svmlight") {
    reader.only({"format", "drop_missing_labels"});
    return;
  }
  if (reading.format != "csv") reader.at("format").fail("svmlight or csv");
  reader.only({"format", "delimiter", "header", "label", "left_out", "drop_missing_labels"});
  reading.delimiter = reader.at("delimiter").text();
  reading.header = reader.at("header").boolean();
  reading.label = reader.at("label").text();
  reading.left_out = read_texts(reader.at("left_out"));
}

void read_data(const Reader& reader, int version, DataDigest& data) {
  const bool several = version > 1 && reader.has("classes");
  const bool labels = version >= kOptimalityVersion && reader.has("labels");
  if (labels) {
    reader.only({"rows", "features", "labels", "root", "names", "reading", "table"});
  } else if (version == 1) {
    reader.only({"rows", "features", "negative", "positive", "root"});
  } else if (several) {
    reader.only({"rows", "features", "classes", "root", "names", "reading", "table"});
  } else {
    reader.only({"rows", "features", "negative", "positive", "root", "names", "reading", "table"});
  }
  data.rows = reader.at("rows").count();
  const std::int64_t features = reader.at("features").count();
  if (features >= std::int64_t{0xffffffff}) reader.at("features").fail("below 2^32 - 1");
  data.features = static_cast<std::uint32_t>(features);
  if (labels) {
    reader.at("labels").for_each_item([&](const Reader& column) {
      column.only({"name", "negative", "positive"});
      data.labels.push_back({column.at("name").text(), column.at("negative").text(), column.at("positive").text()});
    });
    if (data.labels.empty()) reader.at("labels").fail("a list of label columns");
  } else if (several) {
    data.classes = read_texts(reader.at("classes"));
    if (data.classes.size() < 3) reader.at("classes").fail("a list of more than two classes");
  } else {
    data.negative = reader.at("negative").text();
    data.positive = reader.at("positive").text();
  }
  data.root = reader.at("root").text();
  if (reader.has("names")) {
    data.names = read_texts(reader.at("names"));
    if (data.names.size() != data.features || data.names.empty()) reader.at("names").fail("a name for each feature");
  }
  if (reader.has("reading")) read_reading(reader.at("reading"), data.reading);
  if (reader.has("table")) {
    data.table = reader.at("table").text();
    if (data.table.empty()) reader.at("table").fail("a map's JSON or its hash, or no such field");
  }
}

/// With several classes, either the one that is told from the others, or all jointly.
void read_question(const Reader& file, DataDigest& data) {
  const bool jointly = file.has("jointly"), against = file.has("against_the_rest");
  if (data.classes.empty()) {
    if (jointly) file.at("jointly").fail("a field of a certificate of two classes");
    if (against) file.at("against_the_rest").fail("a field of a certificate of two classes");
    return;
  }
  if (jointly == against)
    throw Malformed("the certificate needs one of the fields \"jointly\" and \"against_the_rest\"");
  if (jointly && !file.at("jointly").boolean()) file.at("jointly").fail("true");
  if (!against) return;
  data.positive = file.at("against_the_rest").text();
  if (data.positive.empty()) file.at("against_the_rest").fail("a class");
}

Claim read_claim(const Reader& reader) {
  const std::string text = reader.text();
  for (const Claim claim : kClaims) {
    if (text == claim_name(claim)) return claim;
  }
  if (text == kNearOptimal) throw Malformed("it is a proof about a model, not about all classifiers");
  reader.fail("a claim");
}

Certificate read(const Reader& file) {
  const std::int64_t version = file.at("linsep_certificate").count();
  if (version < 1 || version > kNewestVersion) file.at("linsep_certificate").fail("version 1 or 2");
  file.only({"linsep_certificate", "claim", "origin", "map", "data", "levels", "left_at_zero", "witness", "span",
             "margin", "mistakes", "stopped_because", "rows", version == 1 ? "rows" : "coefficients",
             version == 1 ? "rows" : "jointly", version == 1 ? "rows" : "against_the_rest"});
  Certificate certificate;
  certificate.version = static_cast<int>(version);
  certificate.claim = read_claim(file.at("claim"));
  certificate.origin = file.at("origin").boolean();
  certificate.map = map_from_text(file.at("map").text());
  read_data(file.at("data"), certificate.version, certificate.data);
  read_question(file, certificate.data);
  const Columns columns = columns_of(certificate);
  if (!columns.mapped()) file.at("map").fail("a map with fewer than 2^32 columns");
  if (file.has("levels")) {
    file.at("levels").for_each_item(
        [&](const Reader& level) { certificate.levels.push_back(read_weights(level, columns)); });
  }
  if (!certificate.levels.empty()) {
    certificate.left_at_zero = file.at("left_at_zero").count();
  } else if (file.has("left_at_zero")) {
    file.at("left_at_zero").fail("a field of a certificate without levels");
  }
  if (file.has("witness")) certificate.witness = read_alphas(file.at("witness"));
  if (file.has("span")) certificate.span = read_span(file.at("span"), columns);
  if (file.has("margin")) read_margin(file.at("margin"), certificate.version, certificate.margin);
  if (file.has("mistakes")) read_mistakes(file.at("mistakes"), columns, certificate.mistakes);
  if (file.has("coefficients")) read_coefficients(file.at("coefficients"), columns, certificate.coefficients);
  if (file.has("stopped_because")) certificate.stopped_because = file.at("stopped_because").text();
  if (file.has("rows")) {
    file.at("rows").for_each_item([&](const Reader& row) {
      CarriedRow carried{row.only({"leaf", "path"}).at("leaf").text(), {}};
      row.at("path").for_each_item([&](const Reader& hash) { carried.path.push_back(hash.text()); });
      certificate.rows.push_back(std::move(carried));
    });
  }
  return certificate;
}

Loss read_loss(const Reader& reader) {
  const std::string text = reader.text();
  for (const Loss loss : {Loss::kHinge, Loss::kSquaredHinge, Loss::kLogistic}) {
    if (text == loss_text(loss)) return loss;
  }
  reader.fail("hinge, squared-hinge or logistic");
}

/// What is said of one classifier; `jointly`: of all classes together. REQUIRES: `origin` and `data` were read.
void read_bounds(const Reader& file, bool jointly, OptimalityProof& proof) {
  const Reader objective = file.at("objective");
  const bool by_class = jointly || (!proof.data.classes.empty() && objective.has("class_weights"));
  if (jointly) {
    objective.only({"loss", "penalty", "lambda", "class_weights", "l1_ratio"});
  } else if (by_class) {
    objective.only({"loss", "penalty", "lambda", "class_weights", "offset_penalty", "l1_ratio"});
  } else {
    objective.only({"loss", "penalty", "lambda", "negative_weight", "positive_weight", "offset_penalty", "l1_ratio"});
  }
  const bool sparse = objective.has("l1_ratio");
  const std::string penalty = sparse ? "elasticnet" : "l2";
  if (objective.at("penalty").text() != penalty) objective.at("penalty").fail(penalty);
  proof.objective.lambda = objective.at("lambda").text();
  if (jointly) {
    proof.objective.loss = Loss::kSoftmax;
    if (objective.at("loss").text() != loss_text(Loss::kSoftmax)) objective.at("loss").fail("softmax");
  } else {
    proof.objective.loss = read_loss(objective.at("loss"));
  }
  if (by_class) {
    proof.objective.class_weights = read_texts(objective.at("class_weights"));
  } else {
    proof.objective.negative_weight = objective.at("negative_weight").text();
    proof.objective.positive_weight = objective.at("positive_weight").text();
  }
  if (sparse) proof.objective.l1_ratio = objective.at("l1_ratio").text();
  if (objective.has("offset_penalty")) proof.objective.offset_penalty = objective.at("offset_penalty").text();
  proof.at_most = file.at("at_most").text();
  proof.at_least = file.at("at_least").text();
  const Columns columns = jointly ? joint_columns(proof) : Columns{{}, proof.data.features, proof.origin, 0, false};
  if (jointly && columns.block == 0) file.at("model").fail("one with fewer than 2^32 columns");
  proof.model = read_weights(file.at("model"), columns);
  if (file.has("reference")) {
    const Reader reference = file.at("reference");
    reference.only({"weights", "lower_by"});
    proof.reference = {read_weights(reference.at("weights"), columns), reference.at("lower_by").text()};
  }
  const Reader witness = file.at("witness");
  if (jointly) {
    proof.witness.offsets = read_texts(witness.only({"offsets", "scale"}).at("offsets"));
    if (witness.has("scale")) proof.witness.scale = static_cast<std::uint64_t>(witness.at("scale").count());
    return;
  }
  if (witness.has("offset")) {
    proof.witness.offset = witness.only({"offset", "scale"}).at("offset").text();
    if (witness.has("scale")) proof.witness.scale = static_cast<std::uint64_t>(witness.at("scale").count());
    return;
  }
  proof.witness.shares = witness.only({"shares", "between"}).at("shares").text();
  witness.at("between").for_each_item(
      [&](const Reader& share) { proof.witness.between.push_back(static_cast<std::uint64_t>(share.count())); });
}

/// A proof for each class against the rest, or for each label column, of the same rows.
void read_parts(const Reader& file, OptimalityProof& proof) {
  const char* const name = proof.data.labels.empty() ? "against_the_rest" : "label";
  file.at("parts").for_each_item([&](const Reader& reader) {
    reader.only({name, "objective", "at_most", "at_least", "model", "witness", "reference"});
    OptimalityProof& part = proof.parts.emplace_back();
    part.origin = proof.origin;
    part.data = proof.data;
    part.data.positive = reader.at(name).text();
    read_bounds(reader, false, part);
  });
  const bool each = std::ranges::equal(proof.parts, part_names(proof.data), {},
                                       [](const OptimalityProof& part) { return part.data.positive; });
  if (!each) file.at("parts").fail("a part for each class or label column, in their order");
}

OptimalityProof read_model_proof(const Reader& file) {
  if (file.at("linsep_certificate").count() != kOptimalityVersion) {
    file.at("linsep_certificate").fail("version 3, which is that of a proof about a model");
  }
  if (file.at("claim").text() != kNearOptimal) file.at("claim").fail("near-optimal");
  OptimalityProof proof;
  proof.origin = file.at("origin").boolean();
  read_data(file.at("data"), kOptimalityVersion, proof.data);
  if (part_names(proof.data).empty()) {
    file.only({"linsep_certificate", "claim", "origin", "data", "objective", "at_most", "at_least", "model", "witness",
               "reference"});
    read_bounds(file, false, proof);
  } else if (proof.data.labels.empty() && file.has("jointly")) {
    if (!file.at("jointly").boolean()) file.at("jointly").fail("true");
    file.only({"linsep_certificate", "claim", "origin", "data", "jointly", "objective", "at_most", "at_least", "model",
               "witness", "reference"});
    read_bounds(file, true, proof);
  } else {
    file.only({"linsep_certificate", "claim", "origin", "data", "parts"});
    read_parts(file, proof);
  }
  return proof;
}

/// What `read` makes of a file of proofs.
template <class Read>
auto read_file(std::string_view text, const std::string& name, const Read& read) {
  const auto place_at = [&](std::size_t at) {
    const std::string_view before = text.substr(0, at);
    const std::size_t line = before.rfind('\n');  // npos + 1 is 0
    return Place{name, static_cast<std::uint64_t>(1 + std::ranges::count(before, '\n')), before.size() - line};
  };
  try {
    if (text.starts_with("\xef\xbb\xbf")) throw Malformed("not a certificate: it begins with a byte-order mark");
    if (text.find('\0') != std::string_view::npos) throw Malformed("not a certificate: it has a zero byte");
    const Json json = parse_strict_json(text, kMostDepth);
    return read(Reader(json, "the certificate"));
  } catch (const Malformed& malformed) {
    throw Error(Place{name, 0, 0}, malformed.what());
  } catch (const BadJson& bad) {
    throw Error(Place{name, 0, 0}, bad.message);
  } catch (const DeepJson& deep) {
    throw Error(place_at(deep.at), "not a certificate: it is nested too deeply");
  } catch (const Json::parse_error& error) {
    const std::size_t at = error.byte == 0 ? 0 : error.byte - 1;
    throw Error(place_at(at),
                at < text.size() ? "not a certificate: this isn't JSON" : "not a certificate: its end is missing");
  } catch (const Json::exception&) {
    throw Error(Place{name, 0, 0}, "not a certificate: a value in it can't be read");
  }
}

}  // namespace

Certificate certificate_from_json(std::string_view text, const std::string& name) {
  return read_file(text, name, read);
}

OptimalityProof optimality_from_json(std::string_view text, const std::string& name) {
  return read_file(text, name, read_model_proof);
}

std::variant<Certificate, OptimalityProof> proof_from_json(std::string_view text, const std::string& name) {
  return read_file(text, name, [](const Reader& file) -> std::variant<Certificate, OptimalityProof> {
    if (file.has("claim") && file.at("claim").text() == kNearOptimal) return read_model_proof(file);
    return read(file);
  });
}

}  // namespace linsep
