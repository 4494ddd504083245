// The account of `linsep certify` for programs.
#include <cmath>

#include "linsep/map.h"
#include "report/certify.h"
#include "report/coefficients.h"
#include "report/words.h"

namespace linsep::app {
namespace {

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json row_json(const NamedRow& row) {
  Json object{{"row", row.row + 1}};
  if (!row.id.empty()) object["id"] = row.id;
  return object;
}

Json witness_json(const std::vector<WitnessRow>& witness) {
  Json rows = Json::array();
  for (const WitnessRow& row : witness) {
    Json object = row_json(row.name);
    object["class"] = row.name.label;
    object["alpha"] = row.alpha;
    object["share"] = row.share;
    rows.push_back(std::move(object));
  }
  return rows;
}

Json mistakes_json(const CertifyReport& report) {
  const CertifyOutcome& outcome = report.outcome;
  Json witnesses = Json::array();
  for (const auto& witness : report.mistakes) witnesses.push_back(witness_json(witness));
  return {{"at_least", *outcome.mistakes_at_least},
          {"at_most", outcome.mistakes_at_most ? Json(*outcome.mistakes_at_most) : Json(nullptr)},
          {"witnesses", std::move(witnesses)}};
}

Json trials_json(const CertifyReport& report) {
  Json maps = Json::array();
  for (const MapTrial& trial : report.trials) {
    maps.push_back({{"map", map_text(trial.map)},
                    {"verdict", trial.verdict},
                    {"passes", trial.passes},
                    {"seconds", trial.seconds}});
  }
  return maps;
}

}  // namespace

Json report_json(const CertifyReport& report, bool full) {
  const CertifyOutcome& outcome = report.outcome;
  const Certificate& certificate = outcome.certificate;
  const auto fits = [&](std::size_t length) { return full || length <= kLongVector; };
  Json object;
  object["verdict"] = claim_name(certificate.claim);
  object["origin"] = certificate.origin;
  object["map"] = map_text(certificate.map);
  object["classes"] = classes_json(report.schema);
  object["rows"] = report.rows;
  object["features"] = outcome.features;
  object["passes"] = outcome.passes;
  object["stopped_because"] = stop_reason_name(outcome.reason);
  object["margin"] = optional_json(outcome.margin);
  object["radius"] = optional_json(outcome.radius);
  object["mistake_bound"] = optional_json(outcome.mistake_bound);
  if (certificate.margin.at_most_squared) {
    object["margin_at_most"] =
        std::nextafter(std::sqrt(exact_to_double(*certificate.margin.at_most_squared)), INFINITY);
  }
  if (report.perceptron) {
    object["perceptron"] = {{"mistakes", report.perceptron->mistakes},
                            {"passes", report.perceptron->passes},
                            {"converged", report.perceptron->converged}};
  }
  object["peeled"] = outcome.peeled;
  object["separated"] = outcome.separated;
  if (certificate.claim == Claim::kQuasiSeparable) {
    Json rows = Json::array();
    for (const NamedRow& row : report.separated) rows.push_back(row_json(row));
    object["separated_rows"] = std::move(rows);
  }
  Model names;
  names.schema = report.schema;
  names.map = certificate.map;
  names.features = outcome.features;
  add_coefficients(outcome, names, full, object);
  object["witness"] = witness_json(report.witness);
  if (!outcome.common_point.empty() && fits(outcome.common_point.size())) {
    object["common_point"] = outcome.common_point;
  }
  if (outcome.mistakes_at_least) object["mistakes"] = mistakes_json(report);
  if (!report.trials.empty()) {
    object["maps"] = trials_json(report);
    object["first_separable"] = report.first_separable ? Json(map_text(*report.first_separable)) : Json(nullptr);
  }
  object["seconds"] = {
      {"read", report.read_seconds}, {"certify", report.certify_seconds}, {"seal", report.seal_seconds}};
  object["certificate"] = report.proof.empty() ? Json(nullptr) : Json(report.proof);
  return object;
}

Json verify_json(const Certificate& certificate, const CheckResult& result, const std::string& data) {
  Json object{{"valid", result.valid},
              {"claim", claim_name(certificate.claim)},
              {"origin", certificate.origin},
              {"map", map_text(certificate.map)},
              {"rows", certificate.data.rows},
              {"features", certificate.data.features},
              {"root", certificate.data.root},
              {"needs_data", result.needs_data},
              {"reason", result.reason},
              {"proven", result.proven},
              {"data", data.empty() ? Json(nullptr) : Json(data)}};
  if (!certificate.data.classes.empty()) {
    object["classes"] = certificate.data.classes;
    object["jointly"] = certificate.data.positive.empty();
    if (!certificate.data.positive.empty()) object["against_the_rest"] = certificate.data.positive;
  }
  return object;
}

}  // namespace linsep::app
