#include "certify/coefficients/steps.h"

#include <cmath>
#include <cstddef>
#include <optional>

#include "core/poll.h"

namespace linsep {
namespace {

constexpr std::int64_t kMostBits = 64;
/// What is left of every margin when small weights were put in.
const Rational kKept(3, 4);

/// A number of few bits above `above` and at most `most`. REQUIRES: most > 0.
std::optional<Rational> short_between(const Rational& above, const Rational& most) {
  if (most <= above) return std::nullopt;
  const std::int64_t top = static_cast<std::int64_t>(bit_length(numerator(most))) -
                           static_cast<std::int64_t>(bit_length(denominator(most))) + 1;
  for (std::int64_t bits = 2; bits <= kMostBits; ++bits) {
    const Rational units = times_power_of_two(most, bits - top);
    const Rational rounded =
        times_power_of_two(Rational(floor_quotient(numerator(units), denominator(units))), top - bits);
    if (rounded > above) return rounded;
  }
  return std::nullopt;
}

/// The longest step against a column whose ratio is at most `ratio`, in w's own unit; nothing where none is known.
std::optional<Rational> room(double ratio, std::int64_t exponent) {
  const double length = 1 / ratio;
  if (!std::isfinite(length) || length == 0) return std::nullopt;
  return times_power_of_two(Rational(length) * (Rational(1) - Rational(0x1p-50)), exponent);
}

}  // namespace

ColumnSteps column_steps(const IntegerVector& w, std::int64_t exponent, const std::vector<double>& lower,
                         const std::vector<double>& upper) {
  std::vector<Rational> base(w.begin(), w.end());
  double empty = 0;
  for (const Integer& weight : w) empty += weight == 0 ? 1 : 0;
  ColumnSteps steps;
  for (std::uint32_t j = 0; j < w.size(); ++j) {
    poll(5000);
    const double greater = std::fmax(upper[j], -lower[j]);
    if (w[j] == 0) {  // a weight so small that all of them together take a quarter of no margin
      if (greater == 0) {
        base[j] = 1;
      } else if (const auto most = room(greater * 4 * empty, exponent)) {
        base[j] = *short_between(0, *most);
      } else {
        continue;
      }
      steps.step.emplace_back(j, -2 * base[j]);
      continue;
    }
    const double ratio = w[j] > 0 ? upper[j] : -lower[j];
    const Rational size = w[j] > 0 ? Rational(w[j]) : Rational(-w[j]);
    std::optional<Rational> step;
    if (ratio == 0) {
      step = 2 * size;
    } else if (const auto most = room(ratio, exponent)) {
      step = short_between(size, empty > 0 ? *most * kKept : *most);
    }
    if (step) steps.step.emplace_back(j, w[j] > 0 ? -*step : *step);
  }
  Integer common = 1;
  for (const Rational& weight : base) grow_to_common_multiple(common, denominator(weight));
  for (const Rational& weight : base) {
    poll(500 + bit_length(common));
    const Rational scaled = weight * common;
    steps.base.push_back(numerator(scaled));
  }
  for (auto& [column, step] : steps.step) step *= common;
  return steps;
}

}  // namespace linsep
