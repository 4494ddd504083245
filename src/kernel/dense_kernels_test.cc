#include "kernel/dense_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

class EveryDenseVersion : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    if (GetParam() == "scalar") GTEST_SKIP() << "the oracle itself";
    ASSERT_TRUE(use_kernel_version(GetParam()));
  }
  void TearDown() override { use_kernel_version(kernel_versions()[1]); }
};

template <class V>
struct Drawn {
  std::vector<V> value;
  DenseBlock<V> block;

  Drawn(std::size_t rows, std::size_t columns, std::uint64_t seed) : value(rows * (columns + 3)) {
    Random random(seed, 1000 * rows + columns);
    for (V& x : value) x = random.below(5) == 0 ? V(0) : static_cast<V>(random.normal());
    block = {value.data(), columns + 3, rows, columns};
  }
};

std::vector<double> drawn(std::size_t size, std::uint64_t seed) {
  Random random(seed, size);
  std::vector<double> all(size);
  for (double& x : all) x = random.normal();
  return all;
}

constexpr std::size_t kRows[] = {1, 3, 8, 21, 70}, kColumns[] = {1, 5, 8, 16, 67}, kOutputs[] = {1, 2, 8, 9, 16, 50};

template <class V>
void expect_scores_of_the_oracle(bool short_weights) {
  for (const std::size_t rows : kRows) {
    for (const std::size_t columns : kColumns) {
      const Drawn<V> x(rows, columns, 1);
      for (const std::size_t outputs : kOutputs) {
        const std::size_t stride = padded_outputs(outputs);
        std::vector<double> w = drawn(columns * outputs, 2);
        if (short_weights) std::ranges::transform(w, w.begin(), shortened);
        std::vector<double> fast(rows * stride), slow(rows * stride), scratch;
        PackedWeights packed;
        packed.set(w.data(), columns, outputs, outputs, 1);
        EXPECT_EQ(packed.all_short(), short_weights);
        block_scores(x.block, packed, fast.data(), stride, scratch);
        scalar::block_scores(x.block, w.data(), outputs, outputs, slow.data(), stride);
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t c = 0; c < outputs; ++c) {
            ASSERT_EQ(std::bit_cast<std::uint64_t>(fast[i * stride + c]),
                      std::bit_cast<std::uint64_t>(slow[i * stride + c]))
                << rows << ' ' << columns << ' ' << outputs;
          }
        }
      }
    }
  }
}

TEST_P(EveryDenseVersion, ScoresOfFloatsAreDotProductsToTheBit) { expect_scores_of_the_oracle<float>(false); }
TEST_P(EveryDenseVersion, ScoresOfDoublesAreDotProductsToTheBit) { expect_scores_of_the_oracle<double>(false); }
TEST_P(EveryDenseVersion, AndSoAreThoseOfFloatsAndShortWeights) { expect_scores_of_the_oracle<float>(true); }
TEST_P(EveryDenseVersion, AndThoseOfDoublesAndShortWeights) { expect_scores_of_the_oracle<double>(true); }

TEST(ShortWeights, AreTheNearestOfTwentyNineBits) {
  EXPECT_EQ(shortened(1 + 0x1p-29), 1 + 0x1p-28);
  EXPECT_EQ(shortened(-1 - 0x1.8p-30), -1);
  EXPECT_TRUE(is_short(0) && is_short(-3) && is_short(1 + 0x1p-28));
  EXPECT_FALSE(is_short(1 + 0x1p-29) || is_short(0x1p-900) || is_short(0x1p900));
}

/// Units coarse enough that terms are rounded, and fine enough for the sums of these tests.
double unit_of(std::size_t column) { return std::ldexp(1.0, static_cast<int>(column % 7) - 36); }

std::vector<double> anchors(std::size_t columns, std::size_t stride) {
  std::vector<double> all(columns * stride);
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t c = 0; c < stride; ++c) all[j * stride + c] = grid_anchor(unit_of(j));
  }
  return all;
}

template <class V>
void expect_sums_of_the_oracle() {
  for (const std::size_t rows : kRows) {
    for (const std::size_t columns : kColumns) {
      const Drawn<V> x(rows, columns, 3);
      for (const std::size_t outputs : kOutputs) {
        const std::size_t stride = outputs == 1 ? 1 : padded_outputs(outputs);
        const std::vector<double> a = drawn(rows * stride, 4);
        for (const Power power : {Power::kOne, Power::kTwo}) {
          std::vector<double> fast = anchors(columns, stride), slow = fast;
          add_rows(x.block, power, a.data(), stride, outputs, fast.data(), stride);
          scalar::add_rows(x.block, power, a.data(), stride, outputs, slow.data(), stride);
          for (std::size_t j = 0; j < columns; ++j) {
            for (std::size_t c = 0; c < outputs; ++c) ASSERT_EQ(fast[j * stride + c], slow[j * stride + c]);
          }
        }
      }
    }
  }
}

TEST_P(EveryDenseVersion, SumsOfFloatsAreTheOraclesToTheBit) { expect_sums_of_the_oracle<float>(); }
TEST_P(EveryDenseVersion, SumsOfDoublesAreTheOraclesToTheBit) { expect_sums_of_the_oracle<double>(); }

INSTANTIATE_TEST_SUITE_P(Kernels, EveryDenseVersion, ::testing::ValuesIn(kernel_versions()),
                         [](const auto& version) { return std::string(version.param); });

// Halves of a unit, which rounding to nearest would decide by the sum so far.
TEST(GridSums, DontDependOnTheOrderOfRows) {
  constexpr std::size_t kCount = 64, kWidth = 40;
  Random random(7);
  std::vector<float> value(kCount * kWidth);
  for (float& x : value) x = static_cast<float>(random.below(9)) - 4;
  std::vector<double> a(kCount);
  for (double& x : a) x = static_cast<double>(random.below(64)) * 0x1p-38 - 0x1p-33;
  const auto sum_of = [&](const std::vector<std::size_t>& order) {
    std::vector<double> sum = anchors(kWidth, 1);
    for (const std::size_t i : order) {
      add_rows(DenseBlock<float>{value.data() + i * kWidth, kWidth, 1, kWidth}, Power::kOne, &a[i], 1, 1, sum.data(),
               1);
    }
    return sum;
  };
  std::vector<std::size_t> order(kCount);
  std::iota(order.begin(), order.end(), 0);
  const std::vector<double> expected = sum_of(order);
  for (int trial = 0; trial < 20; ++trial) {
    for (std::size_t i = kCount; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    EXPECT_EQ(sum_of(order), expected);
  }
}

// The products include some just below a whole number of units, and some too small for a double.
TEST_P(EveryDenseVersion, EveryProductCountsAsTheWholeUnitsThatItReaches) {
  const double factor[] = {1, -1, 0.3, -0.3, 1 - 0x1p-53, -1 - 0x1p-52, 0x1p-1000, -0x1p-1000, 0};
  const double value[] = {1, -1, 0.7, 3, 1 + 0x1p-52, -1 + 0x1p-53, 0x1p-400, 0x1p-36, -0x1p-37, 0};
  for (const double a : factor) {
    for (const double x : value) {
      double sum = grid_anchor(0x1p-36), oracle = sum;
      const DenseBlock<double> block{&x, 1, 1, 1};
      add_rows(block, Power::kOne, &a, 1, 1, &sum, 1);
      scalar::add_rows(block, Power::kOne, &a, 1, 1, &oracle, 1);
      const long double exact = static_cast<long double>(a) * x * 0x1p36L;
      EXPECT_EQ(grid_units(sum, grid_anchor(0x1p-36)), static_cast<std::int64_t>(std::floor(exact))) << a << ' ' << x;
      EXPECT_EQ(sum, oracle) << a << ' ' << x;
    }
  }
}

}  // namespace
}  // namespace linsep
