// Witnesses: their sums, and the independence of their rows.
#include <algorithm>
#include <set>

#include "core/deadline.h"
#include "proof/elimination.h"
#include "proof/verify.h"

namespace linsep {
namespace {

SparseResidues residues(const RationalRow& row, const std::vector<std::uint32_t>& columns, const Modulus& modulus) {
  SparseResidues result;
  for (const auto& [column, value] : row) {
    poll(200);
    const auto found = std::ranges::lower_bound(columns, column);
    if (found == columns.end() || *found != column) continue;
    const std::uint64_t residue = modulus.residue(value);
    if (residue != 0) result.emplace_back(static_cast<std::uint32_t>(found - columns.begin()), residue);
  }
  std::ranges::sort(result);
  return result;
}

}  // namespace

// Sums integers over one denominator, because a sum of fractions would be brought to lowest terms at every step.
std::map<std::uint32_t, Rational> combine(const Alphas& alphas, const NamedRows& rows) {
  Integer alpha_unit = 1, value_unit = 1;
  for (const auto& [row, alpha] : alphas) {
    const auto found = rows.find(row);
    if (found == rows.end()) throw NeedsData("the data set is needed: a row of a witness is not carried");
    grow_to_common_multiple(alpha_unit, denominator(alpha));
    for (const auto& [column, value] : found->second) grow_to_common_multiple(value_unit, denominator(value));
  }
  std::map<std::uint32_t, Integer> sum;
  for (const auto& [row, alpha] : alphas) {
    const Integer times = numerator(alpha) * (alpha_unit / denominator(alpha));
    const std::size_t words = 1 + bit_length(times) / 64;
    for (const auto& [column, value] : rows.at(row)) {
      poll(300 + 2 * words);
      const Integer whole = numerator(value) * (value_unit / denominator(value));
      add_product(sum[column], times, whole);
    }
  }
  const Integer unit = alpha_unit * value_unit;
  std::map<std::uint32_t, Rational> total;
  for (const auto& [column, value] : sum) {
    if (sign_of(value) != 0) total.emplace(column, ratio(value, unit));
  }
  return total;
}

void check_span(const ReadCertificate& read, const NamedRows& rows, std::uint64_t memory) {
  const SpanProof& span = *read.file.span;
  need(span.prime > 1 && span.prime < std::uint64_t{1} << 62, "the span's prime is out of range");
  const Modulus modulus{span.prime};
  std::set<std::int64_t> in_witness;
  for (const auto& [row, alpha] : read.witness) in_witness.insert(row);
  std::vector<SparseResidues> matrix;
  std::int64_t before = -1;
  for (const std::int64_t row : span.rows) {
    need(row > before, "the span's rows don't ascend");
    before = row;
    need(in_witness.contains(row), "a row of the span is not in the witness");
    const auto found = rows.find(row);
    if (found == rows.end()) throw NeedsData("the data set is needed: a row of a witness is not carried");
    matrix.push_back(residues(found->second, read.independent, modulus));
  }
  check_regular(std::move(matrix), modulus, memory);
}

}  // namespace linsep
