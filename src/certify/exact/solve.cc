#include "certify/exact/solve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "certify/exact/lifted_solve.h"
#include "core/poll.h"

namespace linsep {
namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
/// Bits of a guess that is kept.
constexpr int kGuessBits = 24;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  const std::uint64_t folded = static_cast<std::uint64_t>(product & kPrime) + static_cast<std::uint64_t>(product >> 61);
  return folded >= kPrime ? folded - kPrime : folded;
}

std::uint64_t inverse(std::uint64_t a) {
  std::uint64_t result = 1;
  for (std::uint64_t e = kPrime - 2; e > 0; e >>= 1) {
    if (e & 1) result = times(result, a);
    a = times(a, a);
  }
  return result;
}

/// A guess cut to kGuessBits, so that the numbers solved for stay short.
Integer shortened(const Rational& guess) {
  const Integer scaled = (numerator(guess) << kGuessBits) / denominator(guess);
  return scaled > 0 ? scaled : Integer(1);
}

}  // namespace

bool ModularSpan::add(const IntegerVector& row) {
  std::vector<std::uint64_t> rest(columns_);
  for (std::size_t j = 0; j < columns_; ++j) rest[j] = modulo(row[j], kPrime);
  for (std::size_t r = 0; r < echelon_.size(); ++r) {
    const std::uint64_t factor = rest[pivot_[r]];
    if (factor == 0) continue;
    const std::uint64_t minus = kPrime - factor;
    poll(2 * columns_);
    for (std::size_t j = 0; j < columns_; ++j) {
      const std::uint64_t sum = rest[j] + times(minus, echelon_[r][j]);
      rest[j] = sum >= kPrime ? sum - kPrime : sum;
    }
  }
  const auto found = std::find_if(rest.begin(), rest.end(), [](std::uint64_t v) { return v != 0; });
  if (found == rest.end()) return false;
  const auto pivot = static_cast<std::size_t>(found - rest.begin());
  const std::uint64_t factor = inverse(rest[pivot]);
  for (std::uint64_t& v : rest) v = times(v, factor);
  echelon_.push_back(std::move(rest));
  pivot_.push_back(pivot);
  return true;
}

void reduce_content(IntegerVector& vector) {
  Integer content = 0;
  for (const Integer& v : vector) {
    poll(100 + bit_length(v) / 8);
    shrink_to_common_divisor(content, v);
    if (content == 1) return;
  }
  if (content == 0) return;
  for (Integer& v : vector) divide_exactly(v, content);
}

bool all_zero(const IntegerVector& vector) {
  return std::all_of(vector.begin(), vector.end(), [](const Integer& v) { return v == 0; });
}

IntegerVector integers_of(const std::vector<double>& values, double* unit) {
  IntegerVector integers(values.size());
  int lowest = std::numeric_limits<int>::max();
  for (const double value : values) {
    if (!std::isfinite(value))
      throw std::logic_error("weights that aren't finite were to become exact: a bug of linsep");
    if (value != 0) lowest = std::min(lowest, std::ilogb(value) - 52);
  }
  if (lowest == std::numeric_limits<int>::max()) return integers;
  std::uint64_t zeros = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (values[j] == 0) continue;
    int exponent = 0;
    const double fraction = std::frexp(values[j], &exponent);
    integers[j] = static_cast<std::int64_t>(std::ldexp(fraction, 53));
    integers[j] <<= static_cast<std::uint64_t>(exponent - 53 - lowest);
    zeros = std::min(zeros, trailing_zero_bits(integers[j]));
  }
  for (Integer& value : integers) value >>= zeros;
  if (unit != nullptr) *unit = std::ldexp(1.0, lowest + static_cast<int>(zeros));
  return integers;
}

std::optional<IntegerVector> exact_witness(const IntegerRows& rows, std::span<const Rational> guess) {
  if (rows.empty()) return std::nullopt;
  const std::size_t columns = rows.front().size();
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return guess[i] > guess[j]; });
  ModularSpan span(columns);
  std::vector<std::size_t> basis, others;
  for (const std::size_t i : order) (span.add(rows[i]) ? basis : others).push_back(i);
  if (others.empty()) return std::nullopt;

  // The guesses that are kept, as integers: the largest gets kGuessBits.
  IntegerVector alpha(rows.size());
  const Rational& largest = guess[others.front()];
  if (largest <= 0) return std::nullopt;
  const Rational unit = 1 / largest;
  for (const std::size_t i : others) alpha[i] = shortened(guess[i] * unit);
  if (others.size() == 1) alpha[others.front()] = 1;

  IntegerRows left(basis.size(), IntegerVector(basis.size()));
  IntegerRows right(basis.size(), IntegerVector(1));
  for (std::size_t e = 0; e < basis.size(); ++e) {
    const std::size_t column = span.pivots()[e];
    for (std::size_t b = 0; b < basis.size(); ++b) left[e][b] = rows[basis[b]][column];
    for (const std::size_t i : others) right[e][0] -= alpha[i] * rows[i][column];
  }
  const auto solution = solve_in_steps(left, right);
  if (!solution) return std::nullopt;
  for (const std::size_t i : others) alpha[i] *= solution->denominator;
  for (std::size_t b = 0; b < basis.size(); ++b) {
    alpha[basis[b]] = solution->numerator[b][0];
    if (alpha[basis[b]] < 0) return std::nullopt;
  }
  for (std::size_t j = 0; j < columns; ++j) {
    Integer sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      poll(50 + bit_length(alpha[i]) / 32);
      add_product(sum, alpha[i], rows[i][j]);
    }
    if (sum != 0) return std::nullopt;
  }
  reduce_content(alpha);
  return alpha;
}

}  // namespace linsep
