#include "learn/margin/gap.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"

namespace linsep {
namespace {

/// Rows as costs (sign = label) and scores; some costs are 0 and some rows tie.
struct Scored {
  std::vector<double> cost, z;
};

Scored drawn(std::uint64_t seed, std::size_t n = 0) {
  Random random(seed);
  Scored rows;
  if (n == 0) n = 2 + random.below(12);
  for (std::size_t i = 0; i < n; ++i) {
    const double cost = static_cast<double>(random.below(4)) / 2;
    rows.cost.push_back(random.below(2) == 0 ? cost : -cost);
    rows.z.push_back(static_cast<double>(random.below(9)) / 2 - 2);
  }
  rows.cost[0] = 1;
  rows.cost[1] = -1;
  return rows;
}

TEST(Sum, KeepsWhatAPlainSumLoses) {
  Sum sum;
  for (const double x : {1.0, 1e100, 1.0, -1e100}) sum.add(x);
  EXPECT_EQ(sum.value(), 2);
}

TEST(Sum, OverManyIsTheSameForAnyNumberOfThreads) {
  const auto f = [](std::size_t i) { return 1 / (1.0 + static_cast<double>(i)); };
  const double one = sum_over(100001, 1, f);
  EXPECT_EQ(sum_over(100001, 2, f), one);
  EXPECT_EQ(sum_over(100001, 4, f), one);
}

TEST(BestOffset, OfTheHingeIsNoWorseThanAnyPlaceWhereALossBends) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Scored rows = drawn(seed);
    const double best = total_loss(Loss::kHinge, rows.cost, rows.z, best_hinge_offset(rows.cost, rows.z), 1);
    for (std::size_t i = 0; i < rows.z.size(); ++i) {
      for (const double y : {-1.0, 1.0}) {
        ASSERT_LE(best, total_loss(Loss::kHinge, rows.cost, rows.z, y - rows.z[i], 1) + 1e-12) << seed;
      }
    }
  }
}

TEST(BestOffset, OfManyRowsIsTheWeightedQuantileInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Scored rows = drawn(seed, 20000);
    Random random(seed, 2);
    for (double& z : rows.z) z += random.normal();
    // Ascending scores and a period in the rows make rows at a fixed stride a bad sample.
    if (seed % 3 == 1) std::sort(rows.z.begin(), rows.z.end());
    if (seed % 3 == 2) {
      for (std::size_t i = 0; i < rows.z.size(); i += 10) rows.z[i] += 100;
    }
    std::vector<std::pair<double, double>> bends;
    double level = 0;
    for (std::size_t i = 0; i < rows.z.size(); ++i) {
      bends.emplace_back((rows.cost[i] < 0 ? -1 : 1) - rows.z[i], std::abs(rows.cost[i]));
      level += std::max(rows.cost[i], 0.0);
    }
    std::sort(bends.begin(), bends.end());
    std::size_t k = 0;
    for (double below = bends[0].second; below < level; below += bends[++k].second) {
    }
    const double best = total_loss(Loss::kHinge, rows.cost, rows.z, bends[k].first, 1);
    EXPECT_NEAR(total_loss(Loss::kHinge, rows.cost, rows.z, best_hinge_offset(rows.cost, rows.z), 1), best,
                1e-9 * best);
  }
}

TEST(BestOffset, OfASmoothLossHasNoSlope) {
  for (const Loss loss : losses_where([](const LossFacts& facts) { return facts.smooth && !facts.joint; })) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      const Scored rows = drawn(seed);
      for (const double near : {0.0, 50.0, -1000.0}) {
        const double offset = best_smooth_offset(loss, rows.cost, rows.z, near, 1, *solo());
        double slope = 0, size = 0;
        for (std::size_t i = 0; i < rows.z.size(); ++i) {
          const double a = loss_at(loss, (rows.cost[i] < 0 ? -1 : 1) * (rows.z[i] + offset)).slope;
          slope += rows.cost[i] * a;
          size += std::abs(rows.cost[i]) * a;
        }
        ASSERT_LE(std::abs(slope), 1e-13 * size) << seed << " from " << near;
      }
    }
  }
}

TEST(Losses, AreTheirConjugatesCounterparts) {
  // ℓ(m) − (−ℓ*(−a)) + a·m is 0 if a is the slope at m, and never below 0. Only the conjugate has both.
  for (const Loss loss : losses_where([](const LossFacts& facts) { return !facts.joint; })) {
    SCOPED_TRACE(facts_of(loss).name);
    const auto dual = [&](double a) { return with_loss(loss, [&](auto l) { return l.dual(a); }); };
    const double steepest = loss_at(loss, -3).slope;
    for (double m = -3; m <= 3; m += 0.25) {
      const LossAt at = loss_at(loss, m);
      EXPECT_EQ(at.value, loss_value(loss, m));
      EXPECT_NEAR(at.value - dual(at.slope) + at.slope * m, 0, 1e-14);
      for (double share = 0; share <= 1; share += 0.0625) {
        const double a = share * steepest;
        EXPECT_GE(at.value - dual(a) + a * m, -1e-14);
        if (const auto& quadratic = facts_of(loss).conjugate) {
          EXPECT_NEAR(quadratic->term(a, 1), dual(a), 1e-14);
        }
      }
    }
  }
}

TEST(Repair, BalancesTheClassesWithinTheBounds) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Scored rows = drawn(seed);
    Random random(seed, 1);
    std::vector<double> alpha;
    for (const double cost : rows.cost) alpha.push_back(std::abs(cost) * random.uniform());
    for (const bool bounded : {true, false}) {
      std::vector<double> repaired = alpha;
      const QuadraticConjugate conjugate = {bounded ? 0 : 0.5, bounded};
      repair_balance(rows.cost, rows.z, 0.1, conjugate, [&](std::size_t i) -> double& { return repaired[i]; });
      double balance = 0;
      for (std::size_t i = 0; i < alpha.size(); ++i) {
        balance += rows.cost[i] < 0 ? -repaired[i] : repaired[i];
        ASSERT_GE(repaired[i], 0);
        if (bounded) {
          ASSERT_LE(repaired[i], std::abs(rows.cost[i]));
        }
      }
      ASSERT_NEAR(balance, 0, 1e-15 * static_cast<double>(alpha.size()));
    }
  }
}

// Two positive rows too many: the one whose margin is nearest to 1 gives way first.
TEST(Repair, TakesTheCheapestRowsFirst) {
  const std::vector<double> cost = {1, 1, 1, -1}, z = {0.2, 0.9, -3, -1};
  std::vector<double> alpha = {0.5, 0.5, 0.5, 0.75};
  repair_balance(cost, z, 0, {0, true}, [&](std::size_t i) -> double& { return alpha[i]; });
  // The negative row sits on its margin: it grows for nothing. The rest comes from the row at 0.9.
  EXPECT_EQ(alpha, (std::vector<double>{0.5, 0, 0.5, 1}));
}

// What a repair costs: Σ price·move. No dearer than giving way in the order of the prices.
TEST(Repair, OfManyRowsCostsNoMoreThanInTheOrderOfPrices) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Scored rows = drawn(seed, 9000);
    Random random(seed, 3);
    for (double& z : rows.z) z += random.normal();
    std::vector<double> alpha;
    for (const double cost : rows.cost) alpha.push_back(std::abs(cost) * (cost > 0 ? 1 : random.uniform()));
    std::vector<double> repaired = alpha;
    repair_balance(rows.cost, rows.z, 0, {0, true}, [&](std::size_t i) -> double& { return repaired[i]; });
    double paid = 0, excess = 0;
    std::vector<std::pair<double, double>> offers;  // price, room
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      const double slack = 1 - (rows.cost[i] < 0 ? -1 : 1) * rows.z[i];
      const double price = rows.cost[i] > 0 ? slack : -slack;  // positive rows shrink, negative rows grow
      excess += rows.cost[i] < 0 ? -alpha[i] : alpha[i];
      paid += price * std::abs(repaired[i] - alpha[i]);
      offers.emplace_back(price, rows.cost[i] > 0 ? alpha[i] : std::abs(rows.cost[i]) - alpha[i]);
    }
    ASSERT_GT(excess, 100);
    std::sort(offers.begin(), offers.end());
    double least = 0;
    for (const auto& [price, room] : offers) {
      const double move = std::min(room, excess);
      least += price * move;
      excess -= move;
    }
    EXPECT_NEAR(paid, least, 1e-9 * std::abs(least));
  }
}

TEST(Gap, IsNeverAboveOneBecauseNoObjectiveIsBelowZero) {
  Gap gap{.primal = 2, .dual = 0, .rounding = 0.5};
  EXPECT_EQ(gap.relative(), 1);
  gap.dual = 1.5;
  EXPECT_EQ(gap.relative(), 0.5);
  EXPECT_EQ(Gap().relative(), 1) << "nothing is known";
}

}  // namespace
}  // namespace linsep
