#include "report/inseparable.h"

#include <fmt/format.h>

#include <algorithm>

#include "linsep/tools/proof_rows.h"
#include "linsep/tools/shown_text.h"
#include "report/words.h"

namespace linsep::app {
namespace {

/// The rows of a witness that words name.
constexpr std::size_t kNamedRows = 10;

std::string named_rows(const RowWeights& witness) {
  std::vector<std::string> numbers;
  for (std::size_t k = 0; k < std::min(witness.size(), kNamedRows); ++k) {
    numbers.push_back(thousands(witness[k].row + 1));
  }
  return fmt::format("row{} {}{}", witness.size() == 1 ? "" : "s", fmt::join(numbers, ", "),
                     witness.size() > kNamedRows ? ", …" : "");
}

std::string verdict_of(const Certificate& certificate) {
  if (certificate.claim == Claim::kUndecided) return "not separable";
  return std::string(claim_name(certificate.claim));
}

}  // namespace

std::string inseparable_advice(const InseparableReport& report) {
  const Certificate& certificate = report.certificate;
  const std::string proof = report.proof.empty()
                                ? fmt::format("`linsep certify {}{} -o proof.json` writes the proof.", report.data,
                                              certificate.origin ? " --origin" : "")
                                : fmt::format("The proof was written to {}.", shown_text(report.proof));
  return proof + " Without --hard, rows within the margin cost what C says.";
}

std::string inseparable_words(const InseparableReport& report) {
  const Certificate& certificate = report.certificate;
  const std::string almost =
      certificate.claim == Claim::kQuasiSeparable ? " (the rows are quasi-separable: some stay on the boundary)" : "";
  return fmt::format(
      "no linear classifier{} separates these rows{}, so there is no hard margin: {} of them prove{} it, {}.",
      certificate.origin ? " through the origin" : "", almost, certificate.witness.size(),
      certificate.witness.size() == 1 ? "s" : "", named_rows(certificate.witness));
}

Json inseparable_json(const InseparableReport& report, bool full) {
  Json object;
  object["error"] = fmt::format("{}\n  {}", inseparable_words(report), inseparable_advice(report));
  object["code"] = "inseparable";
  object["verdict"] = verdict_of(report.certificate);
  object["origin"] = report.certificate.origin;
  const std::vector<WitnessRow> rows =
      witness_rows(report.certificate.witness, report.certificate.origin, *report.source);
  if (full || rows.size() <= kLongVector) {
    Json witness = Json::array();
    for (const WitnessRow& row : rows) {
      Json entry{{"row", row.name.row + 1}, {"alpha", row.alpha}, {"label", row.name.label}};
      if (!row.name.id.empty()) entry["id"] = row.name.id;
      witness.push_back(std::move(entry));
    }
    object["witness"] = std::move(witness);
  }
  object["proof"] = report.proof.empty() ? Json(nullptr) : Json(report.proof);
  return object;
}

}  // namespace linsep::app
