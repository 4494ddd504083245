#include "kernel/margin_kernels.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <vector>

#include "core/random.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

class EveryRankUpdate : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    if (GetParam() == "scalar") GTEST_SKIP() << "the oracle itself";
    ASSERT_TRUE(use_kernel_version(GetParam()));
  }
  void TearDown() override { use_kernel_version(kernel_versions()[1]); }
};

TEST_P(EveryRankUpdate, GivesTheOraclesBitsInTheUpperTriangle) {
  for (const std::size_t size : {1U, 3U, 16U, 17U, 40U, 67U}) {
    const std::size_t stride = (size + kRankTile - 1) / kRankTile * kRankTile;
    for (const std::size_t rows : {0U, 1U, 5U, 64U}) {
      Random random(size, rows);
      std::vector<double> a(std::max<std::size_t>(rows, 1) * stride);
      for (double& x : a) x = random.normal();
      for (const double sign : {1.0, -1.0}) {
        std::vector<double> fast(stride * stride), slow;
        for (double& x : fast) x = random.normal();
        slow = fast;
        const std::size_t middle = size / kRankTile * kRankTile;  // in two parts, as two threads would
        rank_update(a.data(), rows, stride, sign, fast.data(), stride, 0, middle, size);
        rank_update(a.data(), rows, stride, sign, fast.data(), stride, middle, size, size);
        scalar::rank_update(a.data(), rows, stride, sign, slow.data(), stride, 0, size, size);
        for (std::size_t i = 0; i < size; ++i) {
          for (std::size_t j = i; j < size; ++j) ASSERT_EQ(fast[i * stride + j], slow[i * stride + j]);
        }
      }
    }
  }
}

TEST_P(EveryRankUpdate, GivesTheSameBitsFasterWhereAllNumbersAreFloats) {
  for (const std::size_t size : {1U, 17U, 67U, 130U}) {
    const std::size_t stride = (size + kRankTile - 1) / kRankTile * kRankTile;
    for (const std::size_t rows : {1U, 5U, 128U}) {
      Random random(size, rows);
      std::vector<double> a(rows * stride), fast(size * stride);
      for (double& x : a) x = static_cast<float>(random.normal() * (random.below(9) == 0 ? 1e-40 : 1));
      for (double& x : fast) x = random.normal();
      std::vector<double> slow = fast;
      rank_update_of_floats(a.data(), rows, stride, fast.data(), stride, 0, size, size);
      scalar::rank_update(a.data(), rows, stride, 1, slow.data(), stride, 0, size, size);
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = i; j < size; ++j) ASSERT_EQ(fast[i * stride + j], slow[i * stride + j]);
      }
    }
  }
}

TEST_P(EveryRankUpdate, AndThoseOfProductsOfTwoMatrices) {
  for (const std::size_t height : {1U, 4U, 7U, 51U}) {
    for (const std::size_t width : {1U, 16U, 19U, 40U}) {
      const std::size_t stride = (width + kRankTile - 1) / kRankTile * kRankTile;
      for (const std::size_t rows : {0U, 1U, 64U}) {
        Random random(height, 100 * width + rows);
        std::vector<double> a(rows * height), b(rows * stride), fast(height * stride), slow;
        for (auto* matrix : {&a, &b, &fast}) {
          for (double& x : *matrix) x = random.normal();
        }
        slow = fast;
        add_products(a.data(), height, b.data(), stride, rows, fast.data(), stride, height, width);
        scalar::add_products(a.data(), height, b.data(), stride, rows, slow.data(), stride, height, width);
        for (std::size_t i = 0; i < height; ++i) {
          for (std::size_t j = 0; j < width; ++j) ASSERT_EQ(fast[i * stride + j], slow[i * stride + j]);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryRankUpdate, ::testing::ValuesIn(kernel_versions()),
                         [](const auto& version) { return std::string(version.param); });

}  // namespace
}  // namespace linsep
