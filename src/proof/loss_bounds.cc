#include "proof/loss_bounds.h"

#include <algorithm>
#include <cmath>

#include "core/elementary.h"

namespace linsep {
namespace {

double as_double(WideInteger units) { return std::ldexp(static_cast<double>(units), -kLogBits); }

/// The logistic slope at a margin, within 1 … 2⁴⁰ − 1, by floating-point numbers.
std::int64_t logistic_share(WideInteger margin) {
  const double slope = 1 / (1 + elementary::exp(std::clamp(as_double(margin), -700.0, 700.0)));
  return std::clamp<std::int64_t>(std::llround(std::ldexp(slope, kShareBits)), 1, kWholeShare - 1);
}

/// −ln a and −ln(1 − a).
struct Logarithms {
  explicit Logarithms(std::int64_t share)
      : of(minus_log(static_cast<std::uint64_t>(share), kShareBits)),
        of_rest(minus_log(static_cast<std::uint64_t>(kWholeShare - share), kShareBits)) {}
  MinusLog of, of_rest;
};

WideInteger floor_share(WideInteger product) { return product >> kShareBits; }

/// ln(1 + e^−m), from above; it falls, so the lower end of m counts.
WideInteger logistic_above(WideInteger margin) {
  const std::int64_t share = logistic_share(margin);
  const Logarithms log(share);
  const WideInteger step = margin - (log.of.high - log.of_rest.low);  // at most m − m_a
  const WideInteger most_step = margin - (log.of.low - log.of_rest.high);
  if (step > kOneMargin) return log.of_rest.high;
  if (step < -kOneMargin) return log.of_rest.high - step;
  const WideInteger length = std::max(step < 0 ? -step : step, most_step < 0 ? -most_step : most_step);
  // Between m_a and m the second derivative is at most 1/4, and at most e^|step| ≤ 1 + 2·|step| times a and 1 − a.
  const WideInteger smaller = std::min(share, kWholeShare - share);
  const WideInteger curvature = std::min(kOneMargin / 4, floor_share(smaller * (kOneMargin + 2 * length)) + 1);
  return log.of_rest.high - floor_share(share * step) +
         (((length * length) >> kLogBits) * curvature >> (kLogBits + 1)) + 2;
}

/// The same from below, by the tangent; the upper end of m counts.
WideInteger logistic_below(WideInteger margin) {
  const std::int64_t share = logistic_share(margin);
  const Logarithms log(share);
  const WideInteger most_step = margin - (log.of.low - log.of_rest.high);  // at least m − m_a
  return std::max<WideInteger>(0, log.of_rest.low - floor_share(share * most_step) - 1);
}

/// Of either hinge.
Integer slack_loss(Loss loss, WideInteger slack) {
  if (slack <= 0) return 0;
  const Integer length = integer_of_wide(slack);
  return loss == Loss::kSquaredHinge ? Integer(length * length) : length;
}

}  // namespace

int loss_bits(Loss loss) { return loss == Loss::kSquaredHinge ? 2 * kLogBits : kLogBits; }

Integer loss_above(Loss loss, const MarginRange& margin) {
  if (loss == Loss::kLogistic) return integer_of_wide(logistic_above(margin.low));
  return slack_loss(loss, kOneMargin - margin.low);
}

Integer loss_below(Loss loss, const MarginRange& margin) {
  if (loss == Loss::kLogistic) return integer_of_wide(logistic_below(margin.high));
  return slack_loss(loss, kOneMargin - margin.high);
}

std::int64_t share_at(Loss loss, const MarginRange& margin) {
  if (loss == Loss::kLogistic) return logistic_share(margin.low);
  const double slope = 2 * std::max(0.0, 1 - as_double(margin.low));
  return std::llround(std::min(std::ldexp(slope, kShareBits), static_cast<double>(kMostShare)));
}

WideInteger entropy_below(std::int64_t share) {
  const Logarithms log(share);
  return floor_share(static_cast<WideInteger>(share) * log.of.low +
                     static_cast<WideInteger>(kWholeShare - share) * log.of_rest.low);
}

WideInteger entropy_above(std::int64_t share) {
  const Logarithms log(share);
  return floor_share(static_cast<WideInteger>(share) * log.of.high +
                     static_cast<WideInteger>(kWholeShare - share) * log.of_rest.high) +
         1;
}

}  // namespace linsep
