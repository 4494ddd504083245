// Writes the file as JSON of version 2, or of version 1 if the certificate was read from such a file
// (docs/reference/formats/certificate.md).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "linsep/certificate.h"
#include "linsep/error.h"
#include "linsep/optimality.h"
#include "linsep/tools/statement.h"
#include "proof/columns.h"
#include "proof/data_json.h"
#include "proof/joint_optimality.h"

namespace linsep {
namespace {

using Json = nlohmann::ordered_json;  // fields in the order in which they are put

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
  if (margin.at_most_squared) json["at_most_squared"] = *margin.at_most_squared;
  if (margin.at_most_squared || !margin.alpha.empty()) json["alpha"] = alphas_json(margin.alpha);
  if (margin.radius_squared) json["radius_squared"] = *margin.radius_squared;
  if (margin.mistake_bound) json["mistake_bound"] = *margin.mistake_bound;
  return json;
}

Json mistakes_json(const MistakeBounds& mistakes, const Columns& columns) {
  Json json = Json::object();
  if (!mistakes.witnesses.empty()) {
    json["at_least"] = mistakes.witnesses.size();
    json["witnesses"] = Json::array();
    for (const RowWeights& witness : mistakes.witnesses) json["witnesses"].push_back(alphas_json(witness));
  }
  if (mistakes.at_most) json["at_most"] = *mistakes.at_most;
  if (mistakes.at_most || !mistakes.weights.empty()) json["weights"] = weights_json(mistakes.weights, columns);
  return json;
}

Json names_json(const std::vector<std::uint32_t>& list, const Columns& columns) {
  Json json = Json::array();
  for (const std::uint32_t column : list) json.push_back(columns.name(column));
  return json;
}

Json infinite_json(const std::vector<Coefficients::Infinite>& list, const Columns& columns) {
  Json::object_t object;
  for (const Coefficients::Infinite& each : list) append(object, columns.name(each.column), alphas_json(each.alpha));
  return object;
}

Json coefficients_json(const Coefficients& coefficients, const Columns& columns) {
  Json json = Json::object();
  const auto put = [&json](const char* key, Json value) {
    if (!value.empty()) json[key] = std::move(value);
  };
  put("plus_infinity", infinite_json(coefficients.plus_infinity, columns));
  put("minus_infinity", infinite_json(coefficients.minus_infinity, columns));
  put("finite", names_json(coefficients.finite, columns));
  put("undetermined", names_json(coefficients.undetermined, columns));
  Json directions = Json::array();
  for (const ExactWeights& direction : coefficients.directions) directions.push_back(weights_json(direction, columns));
  put("directions", std::move(directions));
  put("steps", weights_json(coefficients.steps, columns));
  return json;
}

void put_data(Json& json, const Certificate& certificate) {
  json["data"] = Json::parse(data_json(certificate.data, certificate.version));
  json["data"]["root"] = certificate.data.root;
  if (certificate.data.classes.empty()) return;
  if (certificate.data.positive.empty()) {
    json["jointly"] = true;
  } else {
    json["against_the_rest"] = certificate.data.positive;
  }
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
  Json json;
  json["linsep_certificate"] = certificate.version;
  json["claim"] = claim_name(certificate.claim);
  json["origin"] = certificate.origin;
  json["map"] = map_to_text(certificate.map);
  put_data(json, certificate);
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
  if (Json coefficients = coefficients_json(certificate.coefficients, columns); !coefficients.empty()) {
    json["coefficients"] = std::move(coefficients);
  }
  if (!certificate.stopped_because.empty()) json["stopped_because"] = certificate.stopped_because;
  if (!certificate.rows.empty()) {
    json["rows"] = Json::array();
    for (const CarriedRow& row : certificate.rows) json["rows"].push_back({{"leaf", row.leaf}, {"path", row.path}});
  }
  return json.dump(1) + "\n";
}

namespace {

/// What is said of one classifier: all but the rows.
void put_bounds(const OptimalityProof& proof, Json& json) {
  const Columns columns =
      is_joint(proof) ? joint_columns(proof) : Columns{{}, proof.data.features, proof.origin, 0, false};
  const TrainingObjective& objective = proof.objective;
  json["objective"] = {{"loss", loss_text(objective.loss)},
                       {"penalty", objective.l1_ratio == "0" ? "l2" : "elasticnet"},
                       {"lambda", objective.lambda}};
  if (!objective.class_weights.empty()) {
    json["objective"]["class_weights"] = objective.class_weights;
  } else {
    json["objective"]["negative_weight"] = objective.negative_weight;
    json["objective"]["positive_weight"] = objective.positive_weight;
  }
  if (objective.l1_ratio != "0") json["objective"]["l1_ratio"] = objective.l1_ratio;
  if (objective.offset_penalty != "0") json["objective"]["offset_penalty"] = objective.offset_penalty;
  json["at_most"] = proof.at_most;
  json["at_least"] = proof.at_least;
  json["model"] = weights_json(proof.model, columns);
  if (proof.witness.offset || is_joint(proof)) {
    json["witness"] = Json::object();
    if (is_joint(proof)) {
      json["witness"]["offsets"] = proof.witness.offsets;
    } else {
      json["witness"]["offset"] = *proof.witness.offset;
    }
    if (proof.witness.scale > 0) json["witness"]["scale"] = proof.witness.scale;
  } else {
    json["witness"] = {{"shares", proof.witness.shares}, {"between", proof.witness.between}};
  }
  if (proof.reference) {
    json["reference"] = {{"weights", weights_json(proof.reference->weights, columns)},
                         {"lower_by", proof.reference->lower_by}};
  }
}

}  // namespace

std::string optimality_to_json(const OptimalityProof& proof) {
  Json json;
  json["linsep_certificate"] = kOptimalityVersion;
  json["claim"] = kNearOptimal;
  json["origin"] = proof.origin;
  json["data"] = Json::parse(data_json(proof.data, kOptimalityVersion));
  json["data"]["root"] = proof.data.root;
  if (is_joint(proof)) json["jointly"] = true;
  if (proof.parts.empty()) {
    put_bounds(proof, json);
  } else {
    json["parts"] = Json::array();
    for (const OptimalityProof& part : proof.parts) {
      Json& said = json["parts"].emplace_back();
      said[proof.data.labels.empty() ? "against_the_rest" : "label"] = part.data.positive;
      put_bounds(part, said);
    }
  }
  return json.dump(1) + "\n";
}

}  // namespace linsep
