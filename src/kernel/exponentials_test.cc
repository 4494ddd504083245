#include "kernel/exponentials.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/elementary.h"
#include "core/random.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

class EveryExponential : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_kernel_version(GetParam())); }
  void TearDown() override { use_kernel_version(kernel_versions()[1]); }
};

TEST_P(EveryExponential, HasTheBitsOfTheElementaryFunction) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  Random random(1);
  std::vector<double> x = {0.0, -0.0, 1e-300, -1e-20, 707.9, -707.9, 708, -708, 710, -740, -800, kInfinite, -kInfinite};
  for (int k = 0; k < 20'000; ++k) x.push_back(random.normal() * (k % 2 == 0 ? 1 : 40));
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{50}, x.size()}) {
    std::vector<double> fast(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count));
    exponentials(fast.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(fast[i]), std::bit_cast<std::uint64_t>(elementary::exp(x[i]))) << x[i];
    }
  }
}

TEST_P(EveryExponential, HasTheBitsOfTheElementaryLogarithm) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  Random random(2);
  std::vector<double> x = {
      0.0,   -0.0,      1.0,       0x1p-8,    0x1.fffffffffffffp-9, 5e-324, 1e-300, -1e-20, -0.5, -1.0, -2.0, 2.0,
      1e300, kInfinite, 0x1.a8p-2, 0.4140625, 0x1.fffffffffffffp-1};
  for (int k = 0; k < 40'000; ++k) x.push_back(k % 3 == 0 ? random.uniform() : elementary::exp(-20 * random.uniform()));
  for (std::size_t k = 0; k < 256; ++k) {  // where the table's entries begin and end
    const double edge = static_cast<double>(k) / 256;
    x.insert(x.end(), {edge, edge - 0x1p-54, edge + 0x1p-52});
  }
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{50}, x.size()}) {
    std::vector<double> fast(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count));
    logarithms(fast.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(fast[i]), std::bit_cast<std::uint64_t>(elementary::log1p(x[i]))) << x[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryExponential, ::testing::ValuesIn(kernel_versions()),
                         [](const auto& version) { return std::string(version.param); });

}  // namespace
}  // namespace linsep
