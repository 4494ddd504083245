#include "learn/common_options.h"

#include <gtest/gtest.h>

#include "linsep/error.h"

namespace linsep {
namespace {

using Names = std::vector<std::string>;

std::vector<double> weights(const char* text, const Names& classes, const std::vector<double>& totals = {}) {
  return weights_of_classes(parse_class_weights(text), classes, totals);
}

TEST(ClassWeights, AreThoseNamedAndOneForTheOthers) {
  EXPECT_EQ(weights("b=2,a=0.5", {"a", "b", "c"}), (std::vector<double>{0.5, 2, 1}));
  EXPECT_EQ(weights("-1=3", {"-1", "1"}), (std::vector<double>{3, 1}));
  EXPECT_EQ(weights("x=y=4", {"x=y", "z"}), (std::vector<double>{4, 1}));
}

TEST(ClassWeights, ThatAreBalancedMakeEveryClassWeighTheSame) {
  // n/(k·n_c) with n = 12, k = 3.
  EXPECT_EQ(weights("balanced", {"a", "b", "c"}, {2, 4, 6}), (std::vector<double>{2, 1, 12.0 / 18}));
}

TEST(ClassWeights, ThatAreBalancedPassOverAClassWithoutRows) {
  EXPECT_EQ(weights("balanced", {"a", "b", "c"}, {2, 0, 6}), (std::vector<double>{2, 1, 8.0 / 12}));
}

TEST(ClassWeights, OfNoClassAreRefusedWithTheClassesThereAre) {
  try {
    weights("d=2", {"a", "b", "c"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.reason(), "there is no class 'd': the classes are 'a', 'b', 'c'");
  }
}

TEST(ClassWeights, MayBeOfAClassWithACommaInItsName) {
  EXPECT_EQ(weights("a, or b=2,c=3,d,e=4", {"a, or b", "c", "d,e"}), (std::vector<double>{2, 3, 4}));
}

TEST(ClassWeights, ThatAreNoWeightsAreRefused) {
  for (const char* text : {"", "a", "a=", "=2", "a=0", "a=-1", "a=x", "a=inf", "a=1,a=2", "a=1,", "Balanced", "{}=x"}) {
    EXPECT_THROW(parse_class_weights(text), Error) << text;
  }
}

}  // namespace
}  // namespace linsep
