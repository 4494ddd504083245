#include "kernel/kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/random.h"
#include "kernel/scalar.h"

namespace linsep {
namespace {

// Rows of every length from 0 to 70, sparse and dense, with columns far apart and values of very different sizes.
template <class V>
struct Drawn {
  std::vector<std::uint32_t> column;
  std::vector<V> value;
  std::vector<double> w = std::vector<double>(4096);

  Drawn(std::size_t size, std::uint64_t seed) {
    Random random(seed, size);
    std::uint32_t at = 0;
    for (std::size_t k = 0; k < size; ++k) {
      at += 1 + static_cast<std::uint32_t>(random.below(50));
      column.push_back(at);
      value.push_back(static_cast<V>(random.normal() * std::ldexp(1.0, static_cast<int>(random.below(40)) - 20)));
    }
    for (double& x : w) x = random.normal();
  }
  SparseRow<V> sparse() const { return {column.data(), value.data(), value.size()}; }
  DenseRow<V> dense() const { return {value.data(), value.size()}; }
};

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

class EveryVersion : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_kernel_version(GetParam())); }
  void TearDown() override { use_kernel_version(kernel_versions()[1]); }
};

template <class V>
void expect_oracle_bits() {
  for (std::size_t size = 0; size <= 70; ++size) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Drawn<V> drawn(size, seed);
      EXPECT_TRUE(same_bits(dot(drawn.sparse(), drawn.w.data()), scalar::dot(drawn.sparse(), drawn.w.data())));
      EXPECT_TRUE(same_bits(dot(drawn.dense(), drawn.w.data()), scalar::dot(drawn.dense(), drawn.w.data())));
      EXPECT_TRUE(same_bits(squared_norm(drawn.sparse()), scalar::squared_norm(drawn.sparse())));
      EXPECT_TRUE(same_bits(squared_norm(drawn.dense()), scalar::squared_norm(drawn.dense())));
      std::vector<double> fast = drawn.w, slow = drawn.w;
      axpy(0.37, drawn.sparse(), fast.data());
      scalar::axpy(0.37, drawn.sparse(), slow.data());
      axpy(-1.9, drawn.dense(), fast.data());
      scalar::axpy(-1.9, drawn.dense(), slow.data());
      EXPECT_EQ(std::memcmp(fast.data(), slow.data(), fast.size() * sizeof(double)), 0);
    }
  }
}

TEST_P(EveryVersion, GivesTheOraclesBitsForFloats) { expect_oracle_bits<float>(); }
TEST_P(EveryVersion, GivesTheOraclesBitsForDoubles) { expect_oracle_bits<double>(); }

TEST_P(EveryVersion, ReachesColumnsPastTwoToThe31) {
  // Only the entries used need to exist. The base pointer is moved so that column 2³² − 2 is entry 0.
  const std::uint32_t far = 0xfffffffeU;
  const std::vector<std::uint32_t> column(1, far);
  const std::vector<float> value(1, 3.0F);
  std::vector<double> w(1, 2.0);
  const auto base = reinterpret_cast<std::uintptr_t>(w.data()) - std::uintptr_t{far} * sizeof(double);
  EXPECT_EQ(dot(SparseRow<float>{column.data(), value.data(), 1}, reinterpret_cast<const double*>(base)), 6.0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryVersion, ::testing::ValuesIn(kernel_versions()),
                         [](const auto& version) { return std::string(version.param); });

TEST(Scalar, AgreesWithTheSumOfProductsWhereThatIsExact) {
  const std::vector<std::uint32_t> column = {0, 2, 3, 7, 8, 9, 10, 11, 12, 13};
  const std::vector<double> value = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  std::vector<double> w(14);
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = static_cast<double>(j);
  double expected = 0;
  for (std::size_t k = 0; k < value.size(); ++k) expected += value[k] * w[column[k]];
  EXPECT_EQ(scalar::dot(SparseRow<double>{column.data(), value.data(), value.size()}, w.data()), expected);
}

TEST(Choice, RefusesAVersionThisCpuLacks) { EXPECT_FALSE(use_kernel_version("no such version")); }

}  // namespace
}  // namespace linsep
