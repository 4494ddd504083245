#include "kernel/exact_terms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/random.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

class EverySumOfTerms : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_kernel_version(GetParam())); }
  void TearDown() override { use_kernel_version(kernel_versions()[1]); }
};

void expect_as_one_by_one(const std::vector<double>& terms) {
  ExactSum fast, slow;
  fast.add(1e-3);
  slow.add(1e-3);
  add_terms(fast, terms.data(), terms.size());
  for (const double x : terms) slow.add(x);
  EXPECT_EQ(fast.finite(), slow.finite());
  EXPECT_EQ(fast.words(), slow.words());
}

TEST_P(EverySumOfTerms, AddsTermsAsOneByOne) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(3, seed);
    std::vector<double> terms(random.below(400));
    const int spread = seed % 4 == 0 ? 1000 : static_cast<int>(1 + random.below(100));
    for (double& x : terms) {
      x = random.below(8) == 0 ? 0 : std::ldexp(random.normal(), static_cast<int>(random.below(2 * spread)) - spread);
    }
    expect_as_one_by_one(terms);
  }
}

TEST_P(EverySumOfTerms, AddsWhatTheMostTermsComeTo) {
  const double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
  for (const double x : {1.0, 0x1.fffffffffffffp0, 0x1.fffffffffffffp999, 0x1p1000, most, least, 0x1p-1022, 3e-308}) {
    expect_as_one_by_one(std::vector<double>(300, x));
    expect_as_one_by_one(std::vector<double>(128, -x));
    std::vector<double> terms(129, x);
    for (std::size_t k = 0; k < terms.size(); k += 3) terms[k] = least;
    expect_as_one_by_one(terms);
  }
}

TEST_P(EverySumOfTerms, SaysThatATermIsNoNumber) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double x : {infinite, -infinite, std::numeric_limits<double>::quiet_NaN()}) {
    for (const std::size_t place : {0, 1, 7, 8, 20, 149}) {
      std::vector<double> terms(150, 0.7);
      terms[place] = x;
      ExactSum sum;
      add_terms(sum, terms.data(), terms.size());
      EXPECT_FALSE(sum.finite()) << x << " at " << place;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EverySumOfTerms, ::testing::ValuesIn(kernel_versions()),
                         [](const auto& version) { return std::string(version.param); });

}  // namespace
}  // namespace linsep
