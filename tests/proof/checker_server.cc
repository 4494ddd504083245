// The C++ checker for tests/proof: one question a line on standard input, one answer a line on standard output.
//
// A question is {"certificate": text of a proof of either kind, "rows": [[label, [[column, value], …]], …] or null,
// "features": d, "secret": salt, "classes": those of the rows, or "labels": names of label columns}. An answer is
// "valid", "needs data" or "invalid", and the reason behind a tab. Of a valid proof about a model, what follows about
// the best classifier comes behind another, as JSON.
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <variant>

#include "linsep/certificate.h"
#include "linsep/error.h"
#include "linsep/optimality.h"
#include "proof/test_source.h"

namespace {

std::string answer(const linsep::OptimalityProof& proof, linsep::Source& rows, const linsep::ProofOptions& options) {
  const linsep::OptimalityCheck result = linsep::verify_optimality(proof, rows, options);
  if (!result.valid) return "invalid\t" + result.reason;
  const double within = linsep::weights_within(proof);
  const nlohmann::json follows = {{"within", std::isfinite(within) ? nlohmann::json(within) : nlohmann::json(nullptr)},
                                  {"signs", linsep::certain_signs(proof)},
                                  {"labels", result.certain_labels},
                                  {"zeros", result.zeros}};
  return "valid\t" + result.reason + "\t" + follows.dump();
}

std::string answer(const nlohmann::json& question) {
  std::unique_ptr<linsep::TestSource> source;
  if (!question.at("rows").is_null()) {
    std::vector<linsep::TestRow> rows;
    for (const auto& row : question.at("rows")) {
      linsep::TestRow& given = rows.emplace_back();
      given.label = row.at(0).get<std::string>();
      for (const auto& entry : row.at(1)) {
        given.values.emplace_back(entry.at(0).get<std::uint32_t>(), entry.at(1).get<std::string>());
      }
    }
    const auto features = question.at("features").get<std::uint32_t>();
    if (question.contains("labels")) {
      const auto names = question.at("labels").get<std::vector<std::string>>();
      source = std::make_unique<linsep::LabelColumnsSource>(std::move(rows), features, names);
    } else {
      source = std::make_unique<linsep::TestSource>(std::move(rows), features,
                                                    question.value("classes", std::vector<std::string>{"-1", "1"}));
    }
  }
  try {
    const auto proof = linsep::proof_from_json(question.at("certificate").get<std::string>(), "certificate");
    linsep::ProofOptions options;
    options.secret = question.value("secret", "");
    const auto* about_model = std::get_if<linsep::OptimalityProof>(&proof);
    if (about_model != nullptr) return source ? answer(*about_model, *source, options) : "needs data\t";
    const linsep::CheckResult result =
        linsep::verify_certificate(std::get<linsep::Certificate>(proof), source.get(), options);
    return std::string(result.valid ? "valid" : result.needs_data ? "needs data" : "invalid") + "\t" + result.reason;
  } catch (const linsep::Error& error) {
    return std::string("invalid\t") + error.what();
  }
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << answer(nlohmann::json::parse(line)) << std::endl;
  }
}
