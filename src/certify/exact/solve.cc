#include "certify/exact/solve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "certify/exact/lifting.h"
#include "core/deadline.h"

namespace linsep {
namespace {

/// Sums for larger systems would leave machine integers.
constexpr std::size_t kLarge = 4096;
/// Bits per limb of A's entries. n products with digits below 2³¹ add up to less than 2⁶³.
constexpr std::uint64_t kLimbBits = 19;
constexpr std::size_t kFirstTry = 8;

class StepSolver {
 public:
  explicit StepSolver(const IntegerRows& a) : size_(a.size()), prime_(kFieldPrime) {
    std::vector<std::uint32_t> names(size_);
    std::iota(names.begin(), names.end(), 0U);
    factor_.begin(names, names);
    for (const IntegerVector& row : a) {
      for (const Integer& value : row) bits_ = std::max(bits_, bit_length(value));
    }
    limbs_ = static_cast<std::size_t>(bits_ / kLimbBits + 1);
    limb_.assign(limbs_ * size_ * size_, 0);
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) take(a[i][j], i, j);
    }
  }

  /// False if A is singular modulo p.
  bool factor() {
    factor_.factor({});
    return factor_.rank() == size_;
  }

  /// The next right side's solution over the denominator so far. The denominator may grow, by the factor `grown`.
  IntegerVector solve(const IntegerVector& right, Integer& grown) {
    rest_ = right;
    digits_.assign(size_, {});
    std::uint64_t right_bits = 1;
    for (const Integer& value : right) right_bits = std::max(right_bits, bit_length(value));
    Lifted solution;
    for (std::size_t next = std::max(kFirstTry, enough_);; next += next / 4) {
      while (digits_.front().size() < next) add_digit();
      solution.denominator = denominator_;
      if (recover_fractions(digits_, solution) && is_exact(solution, right_bits)) break;
    }
    enough_ = digits_.front().size();
    grown = solution.denominator;
    divide_exactly(grown, denominator_);
    denominator_ = solution.denominator;
    return std::move(solution.numerator);
  }

  const Integer& denominator() const { return denominator_; }

 private:
  void take(const Integer& value, std::size_t i, std::size_t j) {
    poll(30 + 30 * limbs_);
    factor_.at(j, i) = static_cast<std::uint32_t>(modulo(value, kFieldPrime));
    const bool negative = value < 0;
    Integer size = negative ? Integer(-value) : value;
    for (std::size_t l = 0; l < limbs_ && size != 0; ++l) {
      const auto limb = static_cast<std::int32_t>(modulo(size, std::uint64_t{1} << kLimbBits));
      limb_[(l * size_ + i) * size_ + j] = negative ? -limb : limb;
      size >>= kLimbBits;
    }
  }

  void add_digit() {
    std::vector<std::uint32_t> right(size_), x(size_);
    for (std::size_t i = 0; i < size_; ++i) right[i] = static_cast<std::uint32_t>(modulo(rest_[i], kFieldPrime));
    factor_.combination(right, x);
    for (std::size_t j = 0; j < size_; ++j) digits_[j].push_back(x[j]);
    for (std::size_t i = 0; i < size_; ++i) {
      poll(size_ * (limbs_ + 1) / 2);
      Integer product = 0;
      for (std::size_t l = limbs_; l-- > 0;) {
        product <<= kLimbBits;
        product += row_product(l, i, x);
      }
      rest_[i] -= product;
      divide_exactly(rest_[i], prime_);
    }
  }

  std::int64_t row_product(std::size_t l, std::size_t i, const std::vector<std::uint32_t>& x) const {
    const std::int32_t* limb = limb_.data() + (l * size_ + i) * size_;
    std::int64_t sum = 0;
    for (std::size_t j = 0; j < size_; ++j) sum += std::int64_t{limb[j]} * std::int64_t{x[j]};
    return sum;
  }

  /// A·numerator − denominator·right is 0 modulo p^k, so it is 0 if it is smaller than that.
  bool is_exact(const Lifted& solution, std::uint64_t right_bits) const {
    std::uint64_t longest = bit_length(solution.denominator) + right_bits;
    for (const Integer& value : solution.numerator) longest = std::max(longest, bit_length(value) + bits_ + 12);
    return longest + 2 <= 30 * digits_.front().size();  // p^k has at least 30 bits per digit
  }

  std::size_t size_, limbs_ = 1;
  std::uint64_t bits_ = 1;  ///< of A's longest entry
  Integer prime_;
  DenseFactor factor_;              ///< its rows are A's columns
  std::vector<std::int32_t> limb_;  ///< of A, matrix by matrix, the lowest first
  IntegerVector rest_;
  std::vector<std::vector<std::uint32_t>> digits_;
  Integer denominator_ = 1;
  std::size_t enough_ = 0;  ///< digits that the last solution took
};

}  // namespace

std::optional<ExactSolution> solve_in_steps(const IntegerRows& a, const IntegerRows& b) {
  if (a.size() < kQuickSize || a.size() > kLarge) return solve_exactly(a, b);
  StepSolver solver(a);
  if (!solver.factor()) return solve_exactly(a, b);
  ExactSolution solution;
  solution.numerator.assign(b.size(), IntegerVector(b.front().size()));
  for (std::size_t c = 0; c < b.front().size(); ++c) {
    IntegerVector right;
    for (const IntegerVector& row : b) right.push_back(row[c]);
    Integer grown = 1;
    IntegerVector column = solver.solve(right, grown);
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (std::size_t k = 0; grown != 1 && k < c; ++k) solution.numerator[i][k] *= grown;
      solution.numerator[i][c] = std::move(column[i]);
    }
  }
  solution.denominator = solver.denominator();
  bring_to_lowest_terms(solution);
  return solution;
}

namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
/// Bits of a kept guess.
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
    if (!std::isfinite(value)) throw std::logic_error("a bug in linsep: weights that aren't finite can't become exact");
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

  // The kept guesses as integers. The largest gets kGuessBits.
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

ExactSpan::ExactSpan(std::size_t size) : size_(size), free_(size) { std::iota(free_.begin(), free_.end(), 0); }

bool ExactSpan::set(const IntegerRows& basis) {
  ModularSpan span(size_);
  for (const IntegerVector& row : basis) {
    if (!span.add(row)) return false;
  }
  std::vector<std::size_t> pivot = span.pivots();
  std::sort(pivot.begin(), pivot.end());
  std::vector<std::size_t> free_columns;
  for (std::size_t j = 0; j < size_; ++j) {
    if (!std::binary_search(pivot.begin(), pivot.end(), j)) free_columns.push_back(j);
  }
  IntegerRows left(basis.size()), right(basis.size());
  for (std::size_t b = 0; b < basis.size(); ++b) {
    for (const std::size_t j : pivot) left[b].push_back(basis[b][j]);
    for (const std::size_t j : free_columns) right[b].push_back(basis[b][j]);
  }
  ExactSolution relation;
  if (!free_columns.empty()) {
    auto solved = solve_in_steps(left, right);
    if (!solved) return false;
    relation = std::move(*solved);
  }
  pivot_ = std::move(pivot);
  free_ = std::move(free_columns);
  basis_ = basis;
  relation_ = std::move(relation);
  return true;
}

IntegerVector ExactSpan::rest(const IntegerVector& z) const {
  IntegerVector rest(free_.size());
  for (std::size_t f = 0; f < free_.size(); ++f) rest[f] = z[free_[f]] * relation_.denominator;
  for (std::size_t p = 0; p < pivot_.size(); ++p) {
    const Integer& value = z[pivot_[p]];
    if (value == 0) continue;
    for (std::size_t f = 0; f < free_.size(); ++f) {
      poll(50 + bit_length(relation_.numerator[p][f]) / 32);
      subtract_product(rest[f], value, relation_.numerator[p][f]);
    }
  }
  return rest;
}

bool ExactSpan::contains(const IntegerVector& z) const { return all_zero(rest(z)); }

IntegerVector ExactSpan::lift(const IntegerVector& free_weights) const {
  IntegerVector w(size_);
  for (std::size_t f = 0; f < free_.size(); ++f) w[free_[f]] = free_weights[f] * relation_.denominator;
  for (std::size_t p = 0; p < pivot_.size(); ++p) {
    Integer& value = w[pivot_[p]];
    for (std::size_t f = 0; f < free_.size(); ++f) {
      poll(50 + bit_length(relation_.numerator[p][f]) / 32);
      subtract_product(value, relation_.numerator[p][f], free_weights[f]);
    }
  }
  return w;
}

ExactSolution ExactSpan::combination(const IntegerVector& t) const {
  IntegerRows left(pivot_.size()), right(pivot_.size());
  for (std::size_t p = 0; p < pivot_.size(); ++p) {
    for (const IntegerVector& row : basis_) left[p].push_back(row[pivot_[p]]);
    right[p].push_back(-t[pivot_[p]]);
  }
  return *solve_in_steps(left, right);
}

}  // namespace linsep
