// The step of Newton's method, against the Hessian written out.
#include "learn/margin/newton_direction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"

namespace linsep {
namespace {

TEST(NewtonDirection, SolvesTheHessiansEquations) {
  for (const bool offset : {false, true}) {
    const std::size_t n = 12, d = 4;
    Random random(offset ? 1 : 2);
    std::vector<std::vector<double>> x(n, std::vector<double>(d));
    std::vector<double> curvature(n), gradient(d), s(d, 0), square(d, 0);
    double curved = 0;
    for (double& g : gradient) g = random.normal();
    for (std::size_t i = 0; i < n; ++i) {
      curvature[i] = random.uniform();
      curved += curvature[i];
      for (std::size_t j = 0; j < d; ++j) {
        x[i][j] = random.normal() * std::pow(10.0, static_cast<double>(j));
        s[j] += curvature[i] * x[i][j];
        square[j] += curvature[i] * x[i][j] * x[i][j];
      }
    }
    if (!offset) curved = 0;
    const auto product = [&](const std::vector<double>& q) {  // without q itself
      double sq = 0;
      for (std::size_t j = 0; j < d; ++j) sq += s[j] * q[j];
      std::vector<double> result(d, 0);
      for (std::size_t i = 0; i < n; ++i) {
        double along = offset ? -sq / curved : 0;
        for (std::size_t j = 0; j < d; ++j) along += x[i][j] * q[j];
        for (std::size_t j = 0; j < d; ++j) result[j] += curvature[i] * along * x[i][j];
      }
      return result;
    };
    NewtonDirection direction;
    direction.begin(gradient, s, square, curved, 1e-12);
    int products = 0;
    for (bool more = true; more && products < 100; ++products) {
      more = direction.next_direction(direction.advance(product(direction.direction())));
    }
    EXPECT_LT(products, 100);
    const std::vector<double> left = product(direction.step());
    for (std::size_t j = 0; j < d; ++j) {
      EXPECT_NEAR(direction.step()[j] + left[j], -gradient[j], 1e-6 * std::sqrt(1 + square[j])) << j;
    }
  }
}

}  // namespace
}  // namespace linsep
