#include "kernel/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/random.h"
#include "kernel/kernel.h"
#include "kernel/scalar.h"

namespace linsep {
namespace {

class EveryKind : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_kernel_version(GetParam())); }
  void TearDown() override { use_kernel_version(kernel_versions()[1]); }
};

constexpr std::uint32_t kColumns = 50;

/// Rows of 0 to 40 values.
struct Rows {
  explicit Rows(std::uint64_t seed) : random(11, seed) {
    for (std::size_t i = 0; i < 30; ++i) {
      const double share = random.uniform();
      for (std::uint32_t j = 0; j < kColumns; ++j) {
        if (random.uniform() > share) continue;
        column.push_back(j);
        value64.push_back(random.normal() * std::ldexp(1.0, static_cast<int>(random.below(20)) - 10));
        value32.push_back(static_cast<float>(value64.back()));
      }
      start.push_back(column.size());
      for (int s = 0; s < 3; ++s) factor.push_back(random.below(4) == 0 ? 0 : random.normal());
    }
  }
  Batch batch(bool is_float) const {
    Batch batch;
    batch.rows = static_cast<std::int64_t>(start.size()) - 1;
    batch.features = kColumns;
    batch.is_float = is_float;
    batch.start = start;
    batch.column = column;
    if (is_float) batch.value32 = value32;
    if (!is_float) batch.value64 = value64;
    return batch;
  }

  Random random;
  std::vector<std::uint64_t> start = {0};
  std::vector<std::uint32_t> column;
  std::vector<float> value32;
  std::vector<double> value64;
  std::vector<double> factor;  // three of each row, of which the first two are used
};

TEST_P(EveryKind, AddsTheUnitsOfTheScalarVersion) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Rows rows(seed);
    const UnitFactors by{rows.factor.data(), 3, 0x1p40, 0x1p38, 0x1p-3, 0x1p-4};
    for (const bool is_float : {false, true}) {
      const Batch batch = rows.batch(is_float);
      std::vector<std::int64_t> fast(kColumns, 7), slow(kColumns, 7);
      add_in_units(batch, by, fast.data());
      scalar::add_in_units(batch, by, [&](const auto& row, double a) { scalar::add_row(row, a, slow.data()); });
      EXPECT_EQ(fast, slow);
      EXPECT_NE(fast, std::vector<std::int64_t>(kColumns, 7));
      std::vector<std::int64_t> three(3 * kColumns), slow_three(3 * kColumns);
      add_in_units_with_squares(batch, by, three.data());
      scalar::add_in_units_with_squares(batch, by, [&](const auto& row, double a, double b, double square) {
        scalar::add_row(row, a, b, square, slow_three.data());
      });
      EXPECT_EQ(three, slow_three);
      for (std::size_t j = 0; j < kColumns; ++j) EXPECT_EQ(three[3 * j], fast[j] - 7);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKind, ::testing::ValuesIn(kernel_versions()),
                         [](const auto& version) { return std::string(version.param); });

}  // namespace
}  // namespace linsep
