#include "certify/finder/sign_peeling.h"

#include <gtest/gtest.h>

namespace linsep {
namespace {

TEST(SignPeeler, AColumnOfOneSignMakesALevel) {
  SignPeeler peeler;
  peeler.grow(3);
  peeler.see(0, 1);
  peeler.see(0, -2);
  peeler.see(1, -0.5);
  peeler.see(2, 0);
  EXPECT_TRUE(peeler.closed(0));
  ASSERT_TRUE(peeler.end_round());
  ASSERT_EQ(peeler.levels().size(), 1U);
  EXPECT_EQ(peeler.levels()[0].column, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(peeler.levels()[0].sign, (std::vector<std::int8_t>{-1}));
  EXPECT_TRUE(peeler.chosen(1));
  EXPECT_FALSE(peeler.chosen(0));
  EXPECT_FALSE(peeler.chosen(2)) << "a column of zeros separates nothing";
}

TEST(SignPeeler, TheCoreHasBothSignsInEveryColumn) {
  SignPeeler peeler;
  peeler.grow(3);
  peeler.see(0, 1);
  peeler.see(0, -1);
  peeler.see(2, 1e-300);
  peeler.see(2, -5e-324);
  EXPECT_FALSE(peeler.end_round());
  EXPECT_EQ(peeler.active_columns(), (std::vector<std::uint32_t>{0, 2}));
}

}  // namespace
}  // namespace linsep
