// The checker: reads the certificate, checks what needs only its witnesses, then what needs the data set.
#include "proof/verify.h"

#include <set>

#include "proof/exact_text.h"

namespace linsep {
namespace {

Rational parse_bound(const std::string& text) {
  const auto value = parse_exact(text);
  need(value.has_value(), "a bound is not an exact number");
  return *value;
}

void check_witness(const ReadCertificate& read, const NamedRows& rows, std::vector<std::string>& proven) {
  if (read.witness.empty()) return;
  need(combine(read.witness, rows).empty(), "the witness's sum is not 0");
  proven.emplace_back("no linear classifier separates the rows");
}

void check_margin_above(const ReadCertificate& read, const NamedRows& rows, std::vector<std::string>& proven) {
  const MarginBounds& margin = read.file.margin;
  if (!margin.at_most_squared) return;
  need(!read.alpha.empty(), "the margin's upper bound has no alpha");
  const Rational bound = parse_bound(*margin.at_most_squared);
  const auto total = combine(read.alpha, rows);
  need(read.columns.origin || !total.contains(read.columns.offset()), "the margin's alpha doesn't balance the classes");
  Rational square;
  for (const auto& [column, value] : total) square += value * value;
  Rational scale;
  for (const auto& [row, alpha] : read.alpha) scale += alpha;
  need(square <= bound * scale * scale, "a greater margin is not excluded");
  proven.push_back("no separator's geometric margin has a square above " + *margin.at_most_squared);
}

void check_packing(const ReadCertificate& read, const NamedRows& rows, std::vector<std::string>& proven) {
  if (read.packing.empty()) return;
  std::set<std::int64_t> seen;
  for (const Alphas& witness : read.packing) {
    need(!witness.empty(), "a witness is empty");
    for (const auto& [row, alpha] : witness) need(seen.insert(row).second, "two witnesses share a row");
    need(combine(witness, rows).empty(), "the sum of one of the witnesses is not 0");
  }
  proven.push_back("every linear classifier makes at least " + std::to_string(read.packing.size()) + " mistakes");
}

void check_levels(const ReadCertificate& read, const DataFindings& found, std::vector<std::string>& proven) {
  const Certificate& file = read.file;
  if (!read.levels.empty()) {
    need(found.left_at_zero == file.left_at_zero, "left_at_zero is not the number of rows left at zero");
    proven.push_back("weights separate " + std::to_string(file.data.rows - found.left_at_zero) + " rows of " +
                     std::to_string(file.data.rows) + " and leave the others at zero");
  }
  if (!file.margin.at_least_squared) return;
  const Rational bound = parse_bound(*file.margin.at_least_squared);
  need(read.levels.size() == 1 && found.left_at_zero == 0 && found.least && sign_of(bound) > 0 &&
           sign_of(found.squared_norm) > 0,
       "there is no margin to bound");
  need(*found.least * *found.least >= bound * found.squared_norm, "the margin is smaller than claimed");
  proven.push_back("the weights' geometric margin has a square of at least " + *file.margin.at_least_squared);
}

void check_claim(const ReadCertificate& read) {
  const Certificate& file = read.file;
  const bool levels = !read.levels.empty();
  const bool witness = !read.witness.empty();
  bool proven = false;
  switch (file.claim) {
    case Claim::kSeparable:
      proven = levels && file.left_at_zero == 0;
      break;
    case Claim::kQuasiSeparable:
      proven = levels && file.left_at_zero < file.data.rows && witness;
      break;
    case Claim::kOverlapping:
      proven = !levels && witness && file.span;
      break;
    case Claim::kUndecided:
      proven = levels || witness || file.margin.at_most_squared;
      break;
  }
  need(proven, "its parts don't prove the claim");
}

std::string sentence(const Certificate& file) {
  switch (file.claim) {
    case Claim::kSeparable:
      return "separable: some linear classifier makes no mistake";
    case Claim::kQuasiSeparable:
      return "quasi-separable: no linear classifier separates all rows, but one separates some and has the others on "
             "its boundary";
    case Claim::kOverlapping:
      return "overlapping: no linear classifier separates a row without a mistake elsewhere";
    case Claim::kUndecided:
      return "undecided";
  }
  return {};
}

void check(const Certificate& certificate, Source* data, const RunLimits& limits, const Observer& observe,
           CheckResult& result) {
  const ReadCertificate read = read_certificate(certificate);
  NamedRows rows;
  read_carried(read, rows);
  DataFindings found;
  if (data != nullptr) found = check_data(read, *data, rows, limits, observe);
  check_witness(read, rows, result.proven);
  if (certificate.span) check_span(read, rows);
  check_margin_above(read, rows, result.proven);
  check_packing(read, rows, result.proven);
  if (data == nullptr && (!read.levels.empty() || !read.equations.empty() || certificate.mistakes.at_most)) {
    throw NeedsData("the data set is needed; without it only the witnesses are proven");
  }
  check_levels(read, found, result.proven);
  if (certificate.mistakes.at_most) {
    need(found.mistakes == *certificate.mistakes.at_most, "the classifier's mistakes are not so many");
    result.proven.push_back("a linear classifier makes " + std::to_string(found.mistakes) + " mistakes");
  }
  check_claim(read);
}

}  // namespace

CheckResult verify_certificate(const Certificate& certificate, Source* data, const RunLimits& limits,
                               const Observer& observe) {
  CheckResult result;
  try {
    check(certificate, data, limits, observe, result);
    result.valid = true;
    result.reason = sentence(certificate);
  } catch (const NeedsData& missing) {
    result.needs_data = true;
    result.reason = missing.what();
  } catch (const Refusal& refusal) {
    result.reason = refusal.what();
  }
  return result;
}

}  // namespace linsep
