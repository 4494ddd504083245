// certify and verify, which prove what holds for the rows, and check whether a proof holds.
#include <fmt/format.h>

#include <utility>

#include "call.h"
#include "linsep/certificate.h"
#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/tools/proof_rows.h"
#include "report/proof.h"
#include "report/words.h"
#include "rows.h"

namespace linsep::wasm {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The single level of a separable set as a model, to be written like one.
Model separator_model(const Certificate& certificate, std::uint32_t features) {
  Model model;
  model.features = features;
  model.map = certificate.map;
  model.theta.resize(mapped_features(certificate.map, features));
  for (const ColumnWeight& weight : certificate.levels.front()) {
    const double value = exact_to_double(weight.weight);
    if (weight.column < model.theta.size()) {
      model.theta[weight.column] = value;
    } else {
      model.offset = value;
    }
  }
  return model;
}

void add_extras(Json& object, const CertifyReport& report, const Certificate& sealed) {
  const CertifyOutcome& outcome = report.outcome;
  const Certificate& certificate = outcome.certificate;
  object["proof"] = proves_something(certificate) ? certificate_to_json(sealed) : "";
  object["words"] = lines_of(report_words(report));
  if (certificate.claim == Claim::kSeparable && certificate.levels.size() == 1) {
    const Model model = separator_model(certificate, outcome.features);
    std::string formula = separator_formula(certificate, model, model.theta.size());
    if (formula.empty()) formula = score_formula(model);
    object["separator"] = {{"theta", model.theta}, {"offset", model.offset}, {"formula", std::move(formula)}};
  }
}

Json certified_json(const Json& request) {
  if (rows().regression) throw usage_error("the labels of these rows are numbers to be predicted, not classes");
  const std::unique_ptr<Comm> comm = solo();
  const std::unique_ptr<Source> source = read_rows(true);
  CertifyOptions options;
  options.origin = flag_of(request, "origin");
  options.map = parse_map(text_of(request, "map", "none"));
  options.mistakes = flag_of(request, "mistakes");
  CertifyReport report;
  report.data = kRowsName;
  report.schema = source->schema();
  report.rows = source->shape().rows;
  report.outcome = certify(*source, options, *comm);
  const Certificate& certificate = report.outcome.certificate;
  report.witness = witness_rows(certificate.witness, certificate.origin, *source);
  if (!certificate.mistakes.witnesses.empty()) {
    report.mistakes = witness_rows(certificate.mistakes.witnesses, certificate.origin, *source);
  }
  if (certificate.claim == Claim::kQuasiSeparable) {
    report.separated = separated_rows(certificate, *source, rows().text.size(), {}, *comm);
  }
  Certificate sealed = certificate;
  if (proves_something(certificate)) seal_certificate(sealed, *source);
  Json object = report_json(report, true);
  add_extras(object, report, sealed);
  certified() = std::move(report.outcome);
  return object;
}

Json verified_json(std::string_view proof) {
  const Certificate certificate = certificate_from_json(proof, "proof.json");
  const std::unique_ptr<Source> source = read_rows(true);
  const CheckResult result = verify_certificate(certificate, source.get());
  return verify_json(certificate, result, kRowsName);
}

}  // namespace

LINSEP_EXPORT(certify) std::int32_t certify_export(const char* options, std::uint32_t size) {
  return answer_with([&] { return certified_json(parsed(options, size)); });
}

LINSEP_EXPORT(verify) std::int32_t verify_export(const char* proof, std::uint32_t size) {
  return answer_with([&] { return verified_json({proof, size}); });
}

}  // namespace linsep::wasm
