// Logarithms with proven bounds, in machine integers. The proof of a logistic model needs them beyond rational numbers.
#pragma once

#include <cstdint>

namespace linsep {

/// Fractional bits of `MinusLog`.
constexpr int kLogBits = 56;

/// low ≤ −ln(x)·2⁵⁶ ≤ high.
struct MinusLog {
  std::int64_t low = 0, high = 0;
};

/// The logarithm of x = k/2^bits. REQUIRES: 1 ≤ k ≤ 2^bits, bits ≤ 60.
MinusLog minus_log(std::uint64_t k, int bits);

}  // namespace linsep
