#include "numeric/distributions.h"

#include <cmath>

#include "core/elementary.h"

namespace linsep {
namespace {

constexpr double kRootPi = 1.7724538509055160273;
constexpr double kHalfRootPi = 0.5 * kRootPi;

/// exp(−z²/2) without the rounding of z², which a large z would multiply: z² is what it rounds to and the rest.
double exp_half_square(double z) {
  const double square = z * z;
  return elementary::exp(-0.5 * square) * (1 - 0.5 * std::fma(z, z, -square));
}

/// erfc(x) for x ≥ 0, given e^(−x²): 1 less the series of erf near 0, the continued fraction beyond.
double erfc(double x, double exp_minus_square) {
  constexpr double kSeriesUpTo = 1.5;
  if (x < kSeriesUpTo) {
    double term = x, sum = x;
    for (int n = 1; term > 1e-18 * sum; ++n) {
      term *= 2 * x * x / (2 * n + 1);
      sum += term;
    }
    return 1 - exp_minus_square * sum / kHalfRootPi;
  }
  // erfc(x)·√π·e^(x²) = 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …)))), from the inside: 400 steps suffice from 1.5 on.
  double fraction = x;
  for (int n = 400; n >= 1; --n) fraction = x + 0.5 * n / fraction;
  return exp_minus_square / (kRootPi * fraction);
}

}  // namespace

double normal_two_sided(double z) { return erfc(z / std::sqrt(2.0), exp_half_square(z)); }

double normal_two_sided_quantile(double p) {
  // Newton's method on ln P, which is concave: from the right it never overshoots. P ≤ exp(−z²/2) is where it starts.
  double z = std::sqrt(-2 * elementary::log(p));
  for (int step = 0; step < 100; ++step) {
    const double tail = normal_two_sided(z), density = 2 * exp_half_square(z) / (kRootPi * std::sqrt(2.0));
    const double change = (elementary::log(tail) - elementary::log(p)) * tail / density;
    z += change;
    if (std::abs(change) <= 1e-15 * z) break;
  }
  return z;
}

double chi_square_tail(double x, int degrees) {
  const double half = x / 2;
  // Q(a + 1, t) = Q(a, t) + t^a e^(−t)/Γ(a + 1), from Q(1, t) = e^(−t) or Q(1/2, t) = erfc(√t).
  const bool even = degrees % 2 == 0;
  const double start = even ? elementary::exp(-half) : erfc(std::sqrt(half), elementary::exp(-half));
  double sum = start;
  double term = even ? elementary::exp(-half) : elementary::exp(-half) * std::sqrt(half) / kHalfRootPi;
  for (double a = even ? 1 : 0.5; a + 0.25 < 0.5 * degrees; a += 1) {
    if (even) term *= half / a;
    sum += term;
    if (!even) term *= half / (a + 1);
  }
  return sum;
}

}  // namespace linsep
