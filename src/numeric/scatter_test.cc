// The scatter's product with a vector, against the matrix written out.
#include "numeric/scatter.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "linsep/comm.h"

namespace linsep {
namespace {

struct Dense {
  Dense(std::int64_t rows, std::uint32_t features, std::uint64_t seed) {
    Random random(seed);
    for (std::int64_t i = 0; i < rows; ++i) {
      label.push_back(1);
      weight.push_back(0.5 + random.uniform());
      for (std::uint32_t j = 0; j < features; ++j) value.push_back(random.normal() + j);
    }
    batch.rows = rows;
    batch.features = features;
    batch.dense = true;
    batch.is_float = false;
    batch.stride = features;
    batch.label = label;
    batch.weight = weight;
    batch.value64 = value;
  }
  std::vector<double> label, weight, value;
  Batch batch;
};

TEST(ScatterProduct, IsThatOfTheMatrixWrittenOut) {
  const std::size_t d = 5;
  const Dense data(40, d, 3);
  const std::vector<double> p = {1, -2, 0.5, 0, 3};
  double total = 0;
  std::vector<double> mean(d, 0);
  for (std::size_t i = 0; i < 40; ++i) {
    total += data.weight[i];
    for (std::size_t j = 0; j < d; ++j) mean[j] += data.weight[i] * data.value[i * d + j];
  }
  for (double& m : mean) m /= total;
  for (const std::vector<double>& mu : {mean, std::vector<double>{}}) {
    ScatterProduct product;
    product.widen(d);
    product.survey(data.batch);
    product.end_survey(*solo());
    product.begin(p, mu, total);
    product.add(data.batch, p.data());
    product.synchronise(*solo());
    const std::vector<double> found = product.value(mu);
    for (std::size_t j = 0; j < d; ++j) {
      double expected = 0;
      for (std::size_t i = 0; i < 40; ++i) {
        const auto x = [&](std::size_t k) { return data.value[i * d + k] - (mu.empty() ? 0 : mu[k]); };
        double along = 0;
        for (std::size_t k = 0; k < d; ++k) along += x(k) * p[k];
        expected += data.weight[i] * along * x(j);
      }
      EXPECT_NEAR(found[j], expected, 1e-9 * (1 + std::abs(expected))) << j;
    }
  }
}

}  // namespace
}  // namespace linsep
