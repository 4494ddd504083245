// Witnesses: their sums, and the independence of their rows.
#include <algorithm>

#include "core/deadline.h"
#include "proof/verify.h"

namespace linsep {
namespace {

__extension__ using Wide = unsigned __int128;

// Arithmetic modulo p < 2⁶². Nothing is asked of p: where an inverse is needed and there is none, the proof is refused.
struct Modulus {
  std::uint64_t p;

  std::uint64_t multiply(std::uint64_t a, std::uint64_t b) const {
    return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % p);
  }
  // a⁻¹, by Euclid's algorithm.
  std::uint64_t inverse(std::uint64_t a) const {
    std::int64_t s = 0;
    std::int64_t t = 1;
    std::uint64_t r = p;
    std::uint64_t q = a;
    while (q != 0) {
      const std::uint64_t quotient = r / q;
      std::tie(r, q) = std::pair(q, r % q);
      std::tie(s, t) = std::pair(t, s - static_cast<std::int64_t>(quotient) * t);
    }
    need(r == 1, "a pivot of the span proof has no inverse modulo its prime");
    return s < 0 ? static_cast<std::uint64_t>(s + static_cast<std::int64_t>(p)) : static_cast<std::uint64_t>(s);
  }
  std::uint64_t residue(const Rational& a) const {
    return multiply(modulo(numerator(a), p), inverse(modulo(denominator(a), p)));
  }
};

// b ↦ a·b modulo p for one a: the quotient ⌊a·b/p⌋ is guessed from ⌊a·2⁶⁴/p⌋, and is at most one too small.
struct Multiple {
  std::uint64_t p, a, share;

  Multiple(std::uint64_t factor, std::uint64_t modulus)
      : p(modulus), a(factor), share(static_cast<std::uint64_t>((static_cast<Wide>(factor) << 64) / modulus)) {}
  // c + a·b modulo p. REQUIRES: b, c < p. No sum here reaches 3p < 2⁶⁴.
  std::uint64_t times_plus(std::uint64_t b, std::uint64_t c) const {
    const auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(share) * b) >> 64);
    std::uint64_t sum = a * b - quotient * p + c;
    if (sum >= p) sum -= p;
    return sum >= p ? sum - p : sum;
  }
};

using Residues = std::vector<std::uint64_t>;

Residues residues(const RationalRow& row, const std::vector<std::uint32_t>& columns, const Modulus& modulus) {
  Residues result(columns.size());
  for (const auto& [column, value] : row) {
    poll(200);
    const auto found = std::ranges::lower_bound(columns, column);
    if (found != columns.end() && *found == column) {
      result[static_cast<std::size_t>(found - columns.begin())] = modulus.residue(value);
    }
  }
  return result;
}

// Gauss's elimination, from the last column on, finds a pivot in every column: in the first row that has one.
void check_regular(std::vector<Residues> matrix, const Modulus& modulus) {
  while (!matrix.empty()) {
    const auto found = std::ranges::find_if(matrix, [](const Residues& row) { return row.back() != 0; });
    need(found != matrix.end(), "the span's rows are not shown to be independent");
    const Residues pivot = std::move(*found);
    matrix.erase(found);
    const std::uint64_t inverse = matrix.empty() ? 0 : modulus.inverse(pivot.back());
    for (Residues& row : matrix) {
      const std::uint64_t factor = modulus.p - modulus.multiply(row.back(), inverse);
      row.pop_back();
      if (factor == modulus.p) continue;
      poll(2 * row.size());
      const Multiple multiple(factor, modulus.p);
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = multiple.times_plus(pivot[j], row[j]);
    }
  }
}

}  // namespace

// Sums of integers over one denominator: a sum of fractions would be brought to lowest terms at every step.
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

void check_span(const ReadCertificate& read, const NamedRows& rows) {
  const SpanProof& span = *read.file.span;
  need(span.prime > 1 && span.prime < std::uint64_t{1} << 62, "the span's prime is out of range");
  const Modulus modulus{span.prime};
  std::vector<Residues> matrix;
  std::int64_t before = -1;
  for (const std::int64_t row : span.rows) {
    need(row > before, "the span's rows don't ascend");
    before = row;
    const auto is_row = [row](const auto& entry) { return entry.first == row; };
    need(std::ranges::any_of(read.witness, is_row), "a row of the span is not in the witness");
    const auto found = rows.find(row);
    if (found == rows.end()) throw NeedsData("the data set is needed: a row of a witness is not carried");
    matrix.push_back(residues(found->second, read.independent, modulus));
  }
  check_regular(std::move(matrix), modulus);
}

}  // namespace linsep
