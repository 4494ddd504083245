// Losses and their duals between two whole numbers.
//
// The logistic loss at m is bounded by its tangent at a point m_a near m where it is known, m_a = ln((1 − a)/a), and
// half its largest curvature c in between: f(m) ≤ −ln(1 − a) − a·(m − m_a) + c·(m − m_a)²/2. The tangent itself bounds
// it from below.
#pragma once

#include <cstdint>

#include "exact/number.h"
#include "exact/wide.h"
#include "linsep/choices.h"
#include "proof/logarithm.h"

namespace linsep {

constexpr int kShareBits = 40;
constexpr std::int64_t kWholeShare = std::int64_t{1} << kShareBits;
constexpr std::int64_t kMostShare = std::int64_t{1} << 56;      ///< of the squared hinge: keeps sums within 127 bits
constexpr WideInteger kOneMargin = WideInteger{1} << kLogBits;  ///< a margin of 1

/// A margin between two whole numbers of 2⁻⁵⁶.
struct MarginRange {
  WideInteger low = 0, high = 0;
};

/// Losses are whole numbers of 2 to the minus this.
int loss_bits(Loss loss);
/// The loss at a margin, from above and from below.
Integer loss_above(Loss loss, const MarginRange& margin);
Integer loss_below(Loss loss, const MarginRange& margin);

/// −loss′ at a margin by floating-point numbers, in units of 2⁻⁴⁰ and within the loss's range. REQUIRES: the loss is
/// smooth.
std::int64_t share_at(Loss loss, const MarginRange& margin);

/// −a·ln a − (1 − a)·ln(1 − a) in units of 2⁻⁵⁶, from below and from above. REQUIRES: 0 < share < kWholeShare.
WideInteger entropy_below(std::int64_t share);
WideInteger entropy_above(std::int64_t share);

}  // namespace linsep
