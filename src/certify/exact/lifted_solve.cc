#include "certify/exact/lifted_solve.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "certify/sparse/dense_factor.h"
#include "certify/sparse/lifting.h"
#include "certify/sparse/prime_field.h"
#include "core/poll.h"

namespace linsep {
namespace {

/// Below the first solving at once takes next to no time; beyond the second sums would leave machine integers.
constexpr std::size_t kSmall = 64, kLarge = 4096;
/// Of A's entries; n products with digits below 2³¹ add up to less than 2⁶³.
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

  /// False: A is singular modulo p.
  bool factor() {
    factor_.factor({});
    return factor_.rank() == size_;
  }

  /// The next right side's solution over the denominator so far, which may grow: `grown` is by what.
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

  /// A·numerator − denominator·right is 0 modulo p^k; it is 0 if it is smaller than that.
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
  if (a.size() < kSmall || a.size() > kLarge) return solve_exactly(a, b);
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

}  // namespace linsep
