// Compares the perceptron with a slow oracle, bit for bit, on 1,000 drawn data sets, with every variant, rate, order
// and start.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "data/order_source.h"
#include "learn/testing.h"

namespace linsep {
namespace {

using testing::drive;
using testing::Layout;
using testing::Packed;
using testing::Result;
using testing::Rows;
using testing::word;

using Numbers = std::vector<double>;

struct Setting {
  bool origin = false;
  double rate = 1;
  Numbers init;
  double init_offset = 0;
  RowOrder order = RowOrder::kGiven;
  std::uint64_t seed = 0;
  int passes = 1;
  bool sparse = false;
};

/// Everything that a run can leave, computed plainly.
struct Answer {
  Numbers theta;
  double offset = 0;
  Numbers late;  ///< Σ (t − 1)·η·y·x
  double late_offset = 0;
  std::vector<Numbers> every_theta;  ///< after each row visited
  Numbers every_offset;
  std::vector<std::int64_t> by_row;
  std::int64_t mistakes = 0;
  bool converged = false;
  int passes = 0;
};

// The order of additions that the kernels promise. Product k is added to partial sum k mod 8. A sparse row's products
// are numbered without the zeros.
double plain_dot(const Numbers& x, const Numbers& theta, bool sparse) {
  std::array<double, 8> part{};
  std::size_t k = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (sparse && x[j] == 0) continue;
    const double product = x[j] * theta[j];
    part[k++ % 8] += product;
  }
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

/// The numbers of the rows that each pass visits, in order.
std::vector<std::vector<std::int64_t>> orders(Source& source, int passes) {
  std::vector<std::vector<std::int64_t>> all;
  for (int pass = 0; pass < passes; ++pass) {
    all.emplace_back();
    source.rewind(static_cast<std::uint64_t>(pass));
    while (const auto batch = source.next()) {
      for (std::int64_t i = 0; i < batch->rows; ++i) all.back().push_back(batch->number_of(i));
    }
  }
  return all;
}

Answer oracle(const Rows& rows, const Setting& s, const std::vector<std::vector<std::int64_t>>& order) {
  Answer a;
  a.theta = s.init.empty() ? Numbers(rows.features()) : s.init;
  a.offset = s.init_offset;
  a.late.assign(rows.features(), 0.0);
  a.by_row.assign(rows.size(), 0);
  std::int64_t step = 0;
  for (const auto& pass : order) {
    std::int64_t in_pass = 0;
    for (const std::int64_t number : pass) {
      const auto i = static_cast<std::size_t>(number);
      const double z = plain_dot(rows.x[i], a.theta, s.sparse) + a.offset;
      if (rows.y[i] * z <= 0) {
        const double change = s.rate * rows.y[i];
        const double late = static_cast<double>(step) * change;
        for (std::size_t j = 0; j < a.theta.size(); ++j) {
          const double near = change * rows.x[i][j];
          const double far = late * rows.x[i][j];
          a.theta[j] = a.theta[j] + near;
          a.late[j] = a.late[j] + far;
        }
        if (!s.origin) {
          a.offset = a.offset + change;
          a.late_offset = a.late_offset + late;
        }
        ++in_pass;
        ++a.by_row[i];
      }
      ++step;
      a.every_theta.push_back(a.theta);
      a.every_offset.push_back(a.offset);
    }
    a.mistakes += in_pass;
    ++a.passes;
    if (in_pass == 0) {
      a.converged = true;
      break;
    }
  }
  return a;
}

/// Σθ_t / N, straight from every step.
Numbers plain_mean(const Answer& a) {
  Numbers mean(a.theta.size() + 1);
  for (std::size_t t = 0; t < a.every_theta.size(); ++t) {
    for (std::size_t j = 0; j < a.theta.size(); ++j) mean[j] += a.every_theta[t][j];
    mean.back() += a.every_offset[t];
  }
  for (double& m : mean) m /= static_cast<double>(a.every_theta.size());
  return mean;
}

/// The mean in the arithmetic that perceptron.cc gives.
Numbers stated_mean(const Answer& a) {
  const auto steps = static_cast<double>(a.every_theta.size());
  Numbers mean;
  for (std::size_t j = 0; j < a.theta.size(); ++j) {
    const double grown = steps * a.theta[j];
    mean.push_back((grown - a.late[j]) / steps);
  }
  const double grown = steps * a.offset;
  mean.push_back((grown - a.late_offset) / steps);
  return mean;
}

double plain_vote(const Answer& a, const Numbers& x) {
  double votes = 0;
  for (std::size_t t = 0; t < a.every_theta.size(); ++t) {
    double z = a.every_offset[t];
    for (std::size_t j = 0; j < x.size(); ++j) z += a.every_theta[t][j] * x[j];
    votes += z >= 0 ? 1 : -1;
  }
  return votes;
}

Options options_of(const Setting& s, const char* variant) {
  return {{"origin", s.origin},
          {"rate", s.rate},
          {"init", s.init},
          {"init-offset", s.init_offset},
          {"variant", word(variant)}};
}

/// A drawn data set. `exact` ones have small dyadic numbers only, so that every sum is exact.
Rows draw_rows(Random& random, bool exact) {
  const std::size_t n = 1 + random.below(20);
  const std::size_t d = 1 + random.below(24);
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    Numbers x(d);
    for (double& value : x) {
      if (random.below(4) == 0) continue;
      value = exact ? static_cast<double>(random.below(17)) / 4 - 2 : random.normal();
    }
    rows.x.push_back(x);
    rows.y.push_back(random.below(2) == 0 ? -1 : 1);
  }
  return rows;
}

Setting draw_setting(Random& random, std::size_t features, bool exact) {
  constexpr std::array kRates = {1.0, 0.5, 2.0, 0.125};
  constexpr std::array kOrders = {RowOrder::kGiven, RowOrder::kShuffled, RowOrder::kDrawn};
  Setting s;
  s.origin = random.below(2) == 0;
  s.rate = exact ? kRates[random.below(kRates.size())] : random.uniform() + 0.01;
  if (random.below(2) == 0) {
    for (std::size_t j = 0; j < features; ++j) {
      s.init.push_back(exact ? static_cast<double>(random.below(9)) / 2 - 2 : random.normal());
    }
    if (!s.origin) s.init_offset = exact ? 0.5 : random.normal();
  }
  s.order = kOrders[random.below(kOrders.size())];
  s.seed = random.bits();
  s.passes = 1 + static_cast<int>(random.below(12));
  s.sparse = random.below(2) == 0;
  return s;
}

void expect_agreement(const Rows& rows, const Setting& s, const Layout& layout, bool exact) {
  const Packed packed(rows, layout);
  Page page;
  page.batch = packed.batch();
  MemorySource memory({page}, {}, 0);
  const auto source = order_rows(memory, s.order, s.seed);
  const Answer expected = oracle(rows, s, orders(*source, s.passes));

  const Result last = drive(*testing::perceptron(options_of(s, "last")), *source, s.passes);
  EXPECT_EQ(last.model.theta, expected.theta);
  EXPECT_EQ(last.model.offset, expected.offset);
  EXPECT_EQ(last.stats.mistakes, expected.mistakes);
  EXPECT_EQ(last.stats.mistakes_by_row, expected.by_row);
  EXPECT_EQ(last.converged, expected.converged);
  EXPECT_EQ(last.history.size(), static_cast<std::size_t>(expected.passes));

  const Result averaged = drive(*testing::perceptron(options_of(s, "averaged")), *source, s.passes);
  Numbers mean = averaged.model.theta;
  mean.push_back(averaged.model.offset);
  EXPECT_EQ(mean, stated_mean(expected));
  if (exact) {
    EXPECT_EQ(mean, plain_mean(expected));
  }
  EXPECT_EQ(averaged.stats.mistakes_by_row, expected.by_row);

  if (!exact) return;
  const Result voted = drive(*testing::perceptron(options_of(s, "voted")), *source, s.passes);
  Numbers z(rows.size());
  score(voted.model, packed.batch(), z);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(z[i], plain_vote(expected, rows.x[i]));

  if (s.init.empty() && s.rate == 1) {
    const Result dual = drive(*testing::dual({{"origin", s.origin}}), *source, s.passes);
    EXPECT_EQ(dual.model.theta, expected.theta);
    EXPECT_EQ(dual.model.offset, expected.offset);
    EXPECT_EQ(dual.stats.mistakes_by_row, expected.by_row);
  }
}

TEST(PerceptronOracle, AgreesBitForBitOnDrawnDataSets) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(20, seed);
    const bool exact = seed % 2 == 0;
    const Rows rows = draw_rows(random, exact);
    const Setting s = draw_setting(random, rows.features(), exact);
    expect_agreement(rows, s, {.dense = !s.sparse, .is_float = false}, exact);
    if (exact) expect_agreement(rows, s, {.dense = !s.sparse, .is_float = true}, exact);
    if (HasFailure()) break;
  }
}

TEST(PerceptronOracle, AShuffledPassVisitsEveryRowOnceAndADrawnPassAsMany) {
  const Packed packed(testing::whole_rows(300, 2, 5));
  Page page;
  page.batch = packed.batch();
  MemorySource memory({page}, {}, 0);
  for (const RowOrder order : {RowOrder::kShuffled, RowOrder::kDrawn}) {
    const auto source = order_rows(memory, order, 7);
    auto passes = orders(*source, 2);
    EXPECT_NE(passes[0], passes[1]);
    EXPECT_EQ(passes[0].size(), 300U);
    std::sort(passes[0].begin(), passes[0].end());
    const bool each_once = std::adjacent_find(passes[0].begin(), passes[0].end()) == passes[0].end();
    EXPECT_EQ(each_once, order == RowOrder::kShuffled);
  }
}

}  // namespace
}  // namespace linsep
