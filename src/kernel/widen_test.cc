#include "kernel/widen.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernel/kernel.h"

namespace linsep {
namespace {

/// The value by the definition of IEEE 754's binary16.
double by_definition(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double size = std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 0) size = std::ldexp(fraction, -24);
  if (exponent == 31) size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
  return bits >> 15 != 0 ? -size : size;
}

class EveryWidening : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_kernel_version(GetParam())); }
  void TearDown() override { use_kernel_version(kernel_versions()[1]); }
};

TEST_P(EveryWidening, IsExactForEveryFloat16) {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t bits = 0; bits < all.size(); ++bits) all[bits] = static_cast<std::uint16_t>(bits);
  std::vector<float> single(all.size());
  widen_float16(all.data(), all.size(), single.data());
  for (const std::uint16_t bits : all) {
    const double expected = by_definition(bits);
    const float slow = scalar::widen_float16(bits);
    ASSERT_EQ(std::isnan(expected), std::isnan(single[bits])) << bits;
    ASSERT_EQ(std::isnan(expected), std::isnan(slow)) << bits;
    if (std::isnan(expected)) continue;
    ASSERT_EQ(static_cast<double>(single[bits]), expected) << bits;
    ASSERT_EQ(std::signbit(single[bits]), std::signbit(expected)) << bits;
    ASSERT_EQ(slow, single[bits]) << bits;
  }
}

TEST_P(EveryWidening, TakesAnyNumberOfValues) {
  const std::vector<std::uint16_t> ones(40, 0x3c00);
  for (std::size_t count = 0; count <= ones.size(); ++count) {
    std::vector<float> single(ones.size() + 1, -1);
    widen_float16(ones.data(), count, single.data());
    for (std::size_t k = 0; k < single.size(); ++k) ASSERT_EQ(single[k], k < count ? 1 : -1);
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, EveryWidening, ::testing::ValuesIn(kernel_versions()),
                         [](const auto& version) { return std::string(version.param); });

}  // namespace
}  // namespace linsep
