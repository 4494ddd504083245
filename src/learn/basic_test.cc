#include <gtest/gtest.h>

#include "learn/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using testing::basic;
using testing::drive;
using testing::Packed;
using testing::Result;
using testing::Rows;

using Numbers = std::vector<double>;

// μ⊕ = (2, 2) and μ⊖ = (−1, 0), with (0.5, 1) half way between them.
Rows example() { return {{{1, 2}, {3, 2}, {-1, 0}}, {1, 1, -1}, {}}; }

TEST(Basic, LiesHalfWayBetweenTheMeansByHand) {
  const Packed packed(example());
  const Result r = drive(*basic(), packed.batch());
  EXPECT_TRUE(r.converged);
  EXPECT_EQ(r.history.size(), 1U);
  EXPECT_EQ(r.model.theta, (Numbers{3, 2}));
  EXPECT_EQ(r.model.offset, -3.5);
  const Packed middle({{{0.5, 1}}, {1}, {}});
  Numbers z(1);
  score(r.model, middle.batch(), z);
  EXPECT_EQ(z[0], 0);
}

TEST(Basic, ThroughTheOriginOnlyTheOffsetGoes) {
  const Packed packed(example());
  const Result r = drive(*basic({{"origin", true}}), packed.batch());
  EXPECT_EQ(r.model.theta, (Numbers{3, 2}));
  EXPECT_EQ(r.model.offset, 0);
}

TEST(Basic, ARowOfWeightTwoIsTwoRows) {
  Rows weighted = example();
  weighted.w = {1, 2, 0.5};
  Rows repeated{{{1, 2}, {3, 2}, {3, 2}, {-1, 0}}, {1, 1, 1, -1}, {}};
  const Packed a(weighted);
  const Packed b(repeated);
  EXPECT_EQ(drive(*basic(), a.batch()).model, drive(*basic(), b.batch()).model);
}

TEST(Basic, NeedsBothClasses) {
  for (const double label : {-1.0, 1.0}) {
    const Packed packed({{{1, 2}}, {label}, {}});
    EXPECT_THROW(drive(*basic(), packed.batch()), Error);
  }
}

}  // namespace
}  // namespace linsep
