#include "certify/sparse/lifting.h"

#include <algorithm>
#include <span>
#include <utility>

#include "certify/sparse/prime_field.h"
#include "core/poll.h"

namespace linsep {
namespace {

/// Bits by which a fraction must be shorter than the modulus.
constexpr std::uint64_t kSpareBits = 64;
constexpr std::size_t kFirstTry = 6;

std::uint32_t wide_modulo(WideInteger a) {
  const WideInteger rest = a % static_cast<WideInteger>(kFieldPrime);
  return static_cast<std::uint32_t>(rest < 0 ? rest + kFieldPrime : rest);
}

bool short_enough(const Integer& n, const Integer& d, const Integer& modulus) {
  return bit_length(n) + bit_length(d) + kSpareBits <= bit_length(modulus);
}

// p, p², p⁴, …
class Powers {
 public:
  const Integer& doubled(std::size_t k) {
    while (power_.size() <= k) power_.push_back(power_.empty() ? Integer(kFieldPrime) : square(power_.back()));
    return power_[k];
  }
  /// Σ digit_k·p^k.
  Integer number(std::span<const std::uint32_t> digits) {
    if (digits.empty()) return 0;
    if (digits.size() == 1) return Integer(std::uint64_t{digits.front()});
    std::size_t half = 1, k = 0;
    for (; 2 * half < digits.size(); half *= 2) ++k;
    const Integer high = number(digits.subspan(half));
    Integer value = number(digits.first(half));
    add_product(value, high, doubled(k));
    return value;
  }

 private:
  static Integer square(const Integer& a) { return Integer(a * a); }
  std::vector<Integer> power_;
};

class Lifting {
 public:
  Lifting(const SparseFactor& factor, const std::vector<MachineRow>& rows, std::vector<WideInteger> right)
      : factor_(factor), rows_(rows), rest_(std::move(right)), digits_(factor.rank()) {}

  void add_digit() {
    std::vector<std::uint32_t> right(rest_.size());
    for (std::size_t j = 0; j < rest_.size(); ++j) right[j] = wide_modulo(rest_[j]);
    const std::vector<std::uint32_t> x = factor_.combination(right);
    for (std::size_t k = 0; k < digits_.size(); ++k) {
      const std::uint32_t name = factor_.pivots()[k].row;
      const WideInteger digit = x[name];
      digits_[k].push_back(x[name]);
      if (digit == 0) continue;
      const MachineRow& row = rows_[name];
      for (std::size_t e = 0; e < row.column.size(); ++e) rest_[row.column[e]] -= digit * row.value[e];
    }
    for (WideInteger& rest : rest_) rest /= static_cast<WideInteger>(kFieldPrime);
  }

  std::size_t digits() const { return digits_.empty() ? 0 : digits_.front().size(); }

  // False: there are too few digits, or `stop` said so.
  bool recover(Lifted& solution, const std::function<bool()>& stop) const {
    solution.denominator = 1;
    return recover_fractions(digits_, solution, stop);
  }

 private:
  const SparseFactor& factor_;
  const std::vector<MachineRow>& rows_;
  std::vector<WideInteger> rest_;
  std::vector<std::vector<std::uint32_t>> digits_;  ///< per pivot, the lowest first
};

}  // namespace

bool recover_fractions(const std::vector<std::vector<std::uint32_t>>& digits, Lifted& solution,
                       const std::function<bool()>& stop) {
  Powers powers;
  const Integer modulus = power_of(kFieldPrime, digits.front().size());
  solution.numerator.clear();
  for (const std::vector<std::uint32_t>& number : digits) {
    if (stop && stop()) return false;
    poll(100 * number.size());
    Integer value = powers.number(number) * solution.denominator;
    value -= floor_quotient(value, modulus) * modulus;
    Integer low = value - modulus;  // the same modulo p^k, below 0
    if (short_enough(value, solution.denominator, modulus)) {
      solution.numerator.push_back(std::move(value));
    } else if (short_enough(low, solution.denominator, modulus)) {
      solution.numerator.push_back(std::move(low));
    } else {
      Integer n, d;
      if (!recover_fraction(value, modulus, n, d)) return false;
      solution.denominator *= d;
      for (Integer& earlier : solution.numerator) earlier *= d;
      if (!short_enough(n, solution.denominator, modulus)) return false;
      solution.numerator.push_back(std::move(n));
    }
  }
  return true;
}

bool recover_fraction(const Integer& residue, const Integer& modulus, Integer& numerator, Integer& denominator) {
  const std::uint64_t half = bit_length(modulus) / 2;
  Integer before = modulus, now = residue, share_before = 0, share = 1;
  while (bit_length(now) > half && now != 0) {
    poll(100 + bit_length(now) / 16);
    const Integer quotient = before / now;
    subtract_product(before, quotient, now);
    std::swap(before, now);
    subtract_product(share_before, quotient, share);
    std::swap(share_before, share);
  }
  numerator = now;
  denominator = share;
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  return denominator != 0 && short_enough(numerator, denominator, modulus);
}

Lifted solve_by_lifting(const SparseFactor& factor, const std::vector<MachineRow>& rows, std::vector<WideInteger> right,
                        std::size_t most_digits, const std::function<bool()>& stop) {
  Lifting lifting(factor, rows, std::move(right));
  Lifted solution;
  if (factor.rank() == 0) {
    solution.end = Lifted::End::kSolved;
    return solution;
  }
  for (std::size_t next = kFirstTry; lifting.digits() < most_digits; next += next / 4) {
    while (lifting.digits() < std::min(next, most_digits)) {
      if (stop && stop()) {
        solution.end = Lifted::End::kStopped;
        return solution;
      }
      lifting.add_digit();
    }
    if (lifting.recover(solution, stop)) {
      solution.end = Lifted::End::kSolved;
      return solution;
    }
  }
  return solution;
}

}  // namespace linsep
