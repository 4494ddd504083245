#include "numeric/score_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "core/random.h"

namespace linsep {
namespace {

struct Row {
  double score = 0;
  bool positive = false;
};
using Rows = std::vector<Row>;

ScoreCounts counted(const Rows& rows, std::size_t capacity = ScoreTable::kCapacity) {
  ScoreTable table(capacity);
  for (const Row& row : rows) table.add(row.score, row.positive);
  return table.counts();
}

/// Scores over many orders of magnitude, with ties, both zeros and neighbours.
Rows drawn_rows(std::uint64_t seed, int count) {
  Random random(seed);
  Rows rows;
  for (int i = 0; i < count; ++i) {
    const auto kind = random.below(8);
    double score = random.below(2) == 0 ? random.uniform() : -random.uniform();
    if (kind == 0) score = static_cast<double>(random.below(5)) - 2;
    if (kind == 1) score = std::ldexp(score, static_cast<int>(random.below(600)) - 300);
    if (kind == 2) score = random.below(2) == 0 ? 0.0 : -0.0;
    if (kind == 3 && !rows.empty()) score = std::nextafter(rows.back().score, 1e300);
    rows.push_back({score, random.below(3) == 0});
  }
  return rows;
}

void expect_same(const ScoreCounts& a, const ScoreCounts& b) {
  EXPECT_EQ(a.dropped_bits, b.dropped_bits);
  ASSERT_EQ(a.places.size(), b.places.size());
  for (std::size_t i = 0; i < a.places.size(); ++i) {
    EXPECT_EQ(a.places[i].least, b.places[i].least);
    EXPECT_EQ(a.places[i].negative, b.places[i].negative);
    EXPECT_EQ(a.places[i].positive, b.places[i].positive);
  }
}

/// The contract, said in plain words: the fewest bits for which places suffice, and a count for each.
ScoreCounts oracle(const Rows& rows, std::size_t capacity) {
  ScoreCounts counts;
  for (;; ++counts.dropped_bits) {
    std::map<std::uint64_t, ScoreCounts::Place, std::greater<>> places;
    for (const Row& row : rows) {
      const std::uint64_t key = counts.dropped_bits == 64 ? 0 : score_key(row.score) >> counts.dropped_bits;
      ScoreCounts::Place& place = places[key];
      place.least = key_score(counts.dropped_bits == 64 ? 0 : key << counts.dropped_bits);
      ++(row.positive ? place.positive : place.negative);
    }
    if (places.size() > capacity) continue;
    for (const auto& [key, place] : places) counts.places.push_back(place);
    return counts;
  }
}

// --- figures by sorting all rows, with plain loops -----------------------------------------------

struct Figures {
  double area = 0, precision = 0, ks = 0;
};

Figures plain_figures(const Rows& rows) {
  std::set<double, std::greater<>> scores;
  double positives = 0, negatives = 0, wins = 0;
  for (const Row& row : rows) {
    scores.insert(row.score + 0.0);
    ++(row.positive ? positives : negatives);
    for (const Row& other : rows) {
      if (row.positive && !other.positive) wins += row.score > other.score ? 1 : row.score == other.score ? 0.5 : 0;
    }
  }
  Figures figures;
  figures.area = wins / (positives * negatives);
  double before = 0;
  for (const double threshold : scores) {
    double found = 0, falsely = 0;
    for (const Row& row : rows) {
      if (row.score >= threshold) ++(row.positive ? found : falsely);
    }
    figures.precision += (found - before) / positives * (found / (found + falsely));
    figures.ks = std::max(figures.ks, std::fabs(found / positives - falsely / negatives));
    before = found;
  }
  return figures;
}

bool has_both(const Rows& rows) {
  const auto positive = [](const Row& row) { return row.positive; };
  return std::ranges::any_of(rows, positive) && !std::ranges::all_of(rows, positive);
}

/// Every assignment of 4 scores and two classes to up to 5 rows.
template <class F>
void for_all_small(F&& f) {
  for (int rows = 1; rows <= 5; ++rows) {
    for (int code = 0; code < (1 << (3 * rows)); ++code) {
      Rows all;
      for (int i = 0; i < rows; ++i) {
        const int own = (code >> (3 * i)) & 7;
        all.push_back({static_cast<double>(own / 2) - 1, own % 2 == 1});
      }
      f(all);
    }
  }
}

TEST(ScoreKeys, AscendWithScoresAndComeBack) {
  const double most = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<double> ascending = {-most, -2, -1, -tiny, 0, tiny, 1, 2, most};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    EXPECT_EQ(key_score(score_key(ascending[i])), ascending[i]);
    if (i > 0) {
      EXPECT_LT(score_key(ascending[i - 1]), score_key(ascending[i]));
    }
  }
  EXPECT_EQ(score_key(-0.0), score_key(0.0));
  EXPECT_FALSE(std::signbit(key_score(score_key(-0.0))));
  EXPECT_EQ(key_score(0), -most) << "no key is a score that isn't finite";
  EXPECT_EQ(key_score(~std::uint64_t{0}), most);
}

TEST(ScoreTable, HoldsTheFewestBitsDroppedForWhichPlacesSuffice) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Rows rows = drawn_rows(seed, 1 + static_cast<int>(seed * 7 % 300));
    for (const std::size_t capacity :
         {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{40}, std::size_t{1000}}) {
      SCOPED_TRACE(::testing::Message() << seed << " " << capacity);
      expect_same(counted(rows, capacity), oracle(rows, capacity));
    }
  }
}

TEST(ScoreTable, PlacesHoldTheScoresBetweenTheirEnds) {
  const Rows rows = drawn_rows(5, 300);
  const ScoreCounts counts = counted(rows, 20);
  ASSERT_GT(counts.dropped_bits, 0);
  for (std::size_t i = 0; i < counts.places.size(); ++i) {
    const double least = counts.places[i].least, greatest = greatest_score(counts, i);
    const auto within =
        std::ranges::count_if(rows, [&](const Row& row) { return row.score >= least && row.score <= greatest; });
    EXPECT_EQ(within, counts.places[i].negative + counts.places[i].positive);
    if (i > 0) {
      EXPECT_LT(greatest, counts.places[i - 1].least);
    }
  }
}

TEST(ScoreTable, IsTheSameForAnyOrderAndAnyWorkers) {
  const Rows rows = drawn_rows(9, 2000);
  for (const std::size_t capacity : {std::size_t{1}, std::size_t{7}, std::size_t{100}, std::size_t{5000}}) {
    const ScoreCounts alone = counted(rows, capacity);
    Rows turned(rows.rbegin(), rows.rend());
    expect_same(counted(turned, capacity), alone);
    for (const int workers : {1, 2, 3, 8}) {
      run_threads(workers, [&](Comm& comm) {
        ScoreTable table(capacity);
        // Shares of very different sizes and ranges.
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const std::size_t owner = rows[i].score < 0 ? 0 : i % static_cast<std::size_t>(comm.size());
          if (owner == static_cast<std::size_t>(comm.rank())) table.add(rows[i].score, rows[i].positive);
        }
        table.all_reduce(comm);
        expect_same(table.counts(), alone);
      });
    }
  }
}

TEST(Ranking, IsThatOfPlainLoopsInAllSmallCases) {
  for_all_small([](const Rows& rows) {
    const Ranking ranking = rank_rows(counted(rows));
    if (!has_both(rows)) {
      EXPECT_FALSE(ranking.area_under_curve.defined());
      EXPECT_FALSE(ranking.ks.defined());
      return;
    }
    const Figures plain = plain_figures(rows);
    EXPECT_TRUE(ranking.area_under_curve.exact() && ranking.average_precision.exact() && ranking.ks.exact());
    EXPECT_EQ(ranking.area_under_curve.at_least, plain.area);
    EXPECT_NEAR(ranking.average_precision.at_least, plain.precision, 1e-15);
    EXPECT_NEAR(ranking.ks.at_least, plain.ks, 1e-15);
  });
}

void expect_within(const Bounded& bounds, double value, const char* name) {
  EXPECT_LE(bounds.at_least, value * (1 + 1e-14)) << name;
  EXPECT_GE(bounds.at_most, value * (1 - 1e-14)) << name;
}

TEST(Ranking, BoundsOfFewPlacesHoldTheExactFigures) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const Rows rows = drawn_rows(seed, 5 + static_cast<int>(seed * 13 % 250));
    if (!has_both(rows)) continue;
    const Figures plain = plain_figures(rows);
    const Ranking exact = rank_rows(counted(rows));
    double last = 2;
    for (const std::size_t capacity : {std::size_t{1}, std::size_t{3}, std::size_t{10}, std::size_t{60}}) {
      const Ranking bounds = rank_rows(counted(rows, capacity));
      expect_within(bounds.area_under_curve, plain.area, "area");
      expect_within(bounds.average_precision, plain.precision, "precision");
      expect_within(bounds.ks, plain.ks, "ks");
      ASSERT_EQ(bounds.top.size(), 5U);
      for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(bounds.top[k].rows, exact.top[k].rows);
        expect_within(bounds.top[k].precision, exact.top[k].precision.at_least, "top precision");
        expect_within(bounds.top[k].recall, exact.top[k].recall.at_least, "top recall");
        expect_within(bounds.top[k].lift, exact.top[k].lift.at_least, "lift");
      }
      const double width = bounds.area_under_curve.at_most - bounds.area_under_curve.at_least;
      EXPECT_LE(width, last + 1e-12) << "more places know more";
      last = width;
    }
  }
}

TEST(Ranking, OfManyPositiveRowsInAPlaceIsStillBounded) {
  Rows rows;
  Random random(3);
  for (int i = 0; i < 900; ++i) rows.push_back({random.uniform(), random.below(4) != 0});
  expect_within(rank_rows(counted(rows, 2)).average_precision, plain_figures(rows).precision, "precision");
}

TEST(Ranking, TopRowsOfAnExactTableAreTheFirstOnes) {
  Rows rows;
  for (int i = 0; i < 2000; ++i) rows.push_back({static_cast<double>(-i), i < 15 || (i >= 30 && i < 35)});
  const Ranking ranking = rank_rows(counted(rows));
  EXPECT_EQ(ranking.top[0].rows, 2);
  EXPECT_EQ(ranking.top[0].precision.at_least, 1);
  EXPECT_EQ(ranking.top[0].recall.at_least, 0.1);
  EXPECT_EQ(ranking.top[0].threshold, -1);
  EXPECT_EQ(ranking.top[1].rows, 20);
  EXPECT_EQ(ranking.top[1].precision.at_least, 0.75);
  EXPECT_EQ(ranking.top[1].lift.at_least, 75);
  EXPECT_EQ(ranking.top[2].recall.at_least, 1);
  rows.assign(2000, {1.0, true});
  for (int i = 0; i < 1500; ++i) rows[static_cast<std::size_t>(i)].positive = false;
  EXPECT_EQ(rank_rows(counted(rows)).top[3].precision.at_least, 0.25) << "of equal scores, in proportion";
  EXPECT_EQ(rank_rows(counted(rows)).top[3].lift.at_most, 1);
}

/// The cost of a threshold, and the least of all.
double plain_cost(const Rows& rows, double threshold, double missed, double falsely) {
  double cost = 0;
  for (const Row& row : rows) {
    if (row.positive && !(row.score >= threshold)) cost += missed;
    if (!row.positive && row.score >= threshold) cost += falsely;
  }
  return cost;
}

double plain_least_cost(const Rows& rows, double missed, double falsely) {
  double least = plain_cost(rows, 1e308, missed, falsely);
  for (const Row& row : rows) least = std::min(least, plain_cost(rows, row.score, missed, falsely));
  return least;
}

TEST(LeastCost, IsTheLeastOfAllThresholdsInAllSmallCases) {
  for_all_small([](const Rows& rows) {
    for (const auto& [missed, falsely] : {std::pair{1.0, 1.0}, {10.0, 1.0}, {1.0, 3.0}, {0.0, 1.0}, {1.0, 0.0}}) {
      const LeastCost found = least_cost(counted(rows), missed, falsely);
      EXPECT_EQ(found.cost, plain_least_cost(rows, missed, falsely));
      EXPECT_EQ(found.no_less_than, found.cost);
      EXPECT_EQ(plain_cost(rows, found.at.threshold, missed, falsely), found.cost) << "its threshold has it";
      const auto& at = found.at;
      EXPECT_EQ(missed * static_cast<double>(at.false_negative) + falsely * static_cast<double>(at.false_positive),
                found.cost);
      EXPECT_EQ(at.true_positive + at.true_negative + at.false_positive + at.false_negative,
                static_cast<std::int64_t>(rows.size()));
    }
  });
}

TEST(LeastCost, OfFewPlacesIsReachedAndBounded) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Rows rows = drawn_rows(seed, 150);
    const LeastCost found = least_cost(counted(rows, 9), 5, 1);
    EXPECT_EQ(plain_cost(rows, found.at.threshold, 5, 1), found.cost);
    const double least = plain_least_cost(rows, 5, 1);
    EXPECT_LE(found.no_less_than, least);
    EXPECT_GE(found.cost, least);
  }
}

/// −1 where no threshold has the precision.
double plain_recall(const Rows& rows, double precision) {
  double best = -1;
  for (const Row& at : rows) {
    double found = 0, falsely = 0, positives = 0;
    for (const Row& row : rows) {
      positives += row.positive ? 1 : 0;
      if (row.score >= at.score) ++(row.positive ? found : falsely);
    }
    if (found > 0 && found / (found + falsely) >= precision) best = std::max(best, found / positives);
  }
  return best;
}

TEST(RecallAtPrecision, IsTheGreatestOfAllThresholdsInAllSmallCases) {
  for_all_small([](const Rows& rows) {
    for (const double precision : {0.3, 0.5, 0.9, 1.0}) {
      const auto found = recall_at_precision(counted(rows), precision);
      const double plain = plain_recall(rows, precision);
      ASSERT_EQ(found.has_value(), plain >= 0);
      if (!found) continue;
      EXPECT_EQ(found->recall.at_least, plain);
      EXPECT_EQ(found->recall.at_most, plain);
      EXPECT_GE(static_cast<double>(found->at.true_positive),
                precision * static_cast<double>(found->at.true_positive + found->at.false_positive) - 1e-12);
    }
  });
}

TEST(RecallAtPrecision, OfFewPlacesIsBounded) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Rows rows = drawn_rows(seed, 150);
    for (const double precision : {0.2, 0.4, 0.8}) {
      const auto found = recall_at_precision(counted(rows, 9), precision);
      const double plain = std::max(plain_recall(rows, precision), 0.0);
      EXPECT_GE(found ? found->recall.at_most : 0, plain);
      EXPECT_LE(found ? found->recall.at_least : 0, plain);
    }
  }
}

}  // namespace
}  // namespace linsep
