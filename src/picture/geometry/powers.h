// Round numbers: 1, 2 or 5 times a power of ten.
#pragma once

namespace linsep {

/// digit · 10^exponent. Multiples of it are worked out from integers, so that 3 · (1 · 10^−1) is the double 0.3.
struct RoundStep {
  int digit = 1;  ///< 1, 2 or 5
  int exponent = 0;

  /// k of them. Nearest to the exact value for exponents of ±22 and k below 2^50.
  [[nodiscard]] double times(double k) const;
  [[nodiscard]] RoundStep next() const {
    return digit == 1 ? RoundStep{2, exponent} : digit == 2 ? RoundStep{5, exponent} : RoundStep{1, exponent + 1};
  }
};

/// The least round step that is at least `size`. REQUIRES: 0 < size, finite.
RoundStep round_step_at_least(double size);

}  // namespace linsep
