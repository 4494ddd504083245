#include "numeric/distributions.h"

#include <gtest/gtest.h>

#include <cmath>

namespace linsep {
namespace {

void expect_close(double found, double wanted) { EXPECT_NEAR(found / wanted, 1, 5e-14) << found << " for " << wanted; }

TEST(Distributions, TailsOfTheNormalAreThoseOfTables) {
  EXPECT_EQ(normal_two_sided(0), 1);
  expect_close(normal_two_sided(0.5), 0.6170750774519738);
  expect_close(normal_two_sided(1), 0.31731050786291415);
  expect_close(normal_two_sided(3), 0.0026997960632601866);
  expect_close(normal_two_sided(8), 1.244192114854348e-15);
  expect_close(normal_two_sided(20), 5.5072482372124675e-89);
  expect_close(normal_two_sided(37), 1.1451142445049154e-299);
}

TEST(Distributions, QuantilesUndoTails) {
  EXPECT_NEAR(normal_two_sided_quantile(0.05), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_two_sided_quantile(0.01), 2.5758293035489004, 1e-14);
  for (const double p : {0.999, 0.5, 0.1, 1e-5, 1e-20, 1e-300}) {
    const double z = normal_two_sided_quantile(p);
    EXPECT_NEAR(normal_two_sided(z) / p, 1, 1e-12 * (1 + z * z)) << p;
  }
}

TEST(Distributions, TailsOfChiSquareAreThoseOfTables) {
  expect_close(chi_square_tail(9.35764301, 1), 0.002220575208074123);
  expect_close(chi_square_tail(49.09064, 6), 7.150899556435158e-09);
  expect_close(chi_square_tail(100, 3), 1.5541594313896026e-21);
  expect_close(chi_square_tail(0.1, 7), 0.9999976885812014);
  expect_close(chi_square_tail(1400, 2), 9.85967654375939e-305);
  expect_close(chi_square_tail(60, 61), 0.5121852443117401);
  for (int degrees = 1; degrees < 20; ++degrees) EXPECT_EQ(chi_square_tail(0, degrees), 1) << degrees;
}

/// The slope of the tail is the density: an oracle that shares nothing with the sums.
TEST(Distributions, ChiSquareTailsFallByTheirDensity) {
  for (int degrees = 1; degrees <= 12; ++degrees) {
    for (const double x : {0.5, 2.0, 7.0, 20.0}) {
      constexpr double kStep = 1e-4;
      const double slope = (chi_square_tail(x - kStep, degrees) - chi_square_tail(x + kStep, degrees)) / (2 * kStep);
      const double a = 0.5 * degrees;
      const double density = 0.5 * std::exp((a - 1) * std::log(x / 2) - x / 2 - std::lgamma(a));
      EXPECT_NEAR(slope / density, 1, 1e-6) << x << " " << degrees;
    }
  }
}

}  // namespace
}  // namespace linsep
