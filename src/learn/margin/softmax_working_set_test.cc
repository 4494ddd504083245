// The solver of the softmax loss with an L1 part by the questions that it asks, which an oracle answers.
#include "learn/margin/softmax_working_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "learn/margin/query_oracle.h"
#include "learn/margin/softmax_reference.h"

namespace linsep {
namespace {

using testing::QueryOracle;
using testing::Rows;

struct Case {
  std::size_t classes;
  double l1_ratio;
  bool grouped, origin;
};
const Case kCases[] = {
    {2, 1, false, false}, {3, 1, false, false}, {3, 0.5, true, true}, {4, 1, true, false}, {5, 0.7, false, false}};

constexpr double kLambda = 0.01;

/// Classes by a noisy score; rows of three weights, one of them 0.
Rows rows_of(const Case& c) {
  Rows rows = testing::real_rows(90, 4, 5);
  Random random(7);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double at = rows.x[i][0] - rows.x[i][2] + 0.5 * random.normal();
    const auto k = static_cast<double>(c.classes);
    rows.y[i] = std::clamp(std::floor(k / 2 + at), 0.0, k - 1);
    rows.w.push_back(i % 5 == 0 ? 0 : 1 + static_cast<double>(i % 2));
  }
  return rows;
}

struct Asked : testing::Asked<SoftmaxWorkingSet, SoftmaxTask> {
  Asked(const Case& c, const QueryOracle& oracle, const Rows& rows, double gap = 1e-6)
      : testing::Asked<SoftmaxWorkingSet, SoftmaxTask>(settings_of(c, gap), oracle, rows, c.classes) {}
  static MarginSettings settings_of(const Case& c, double gap) {
    MarginSettings settings;
    settings.loss = Loss::kSoftmax;
    settings.penalty.l1_ratio = c.l1_ratio;
    settings.group_features = c.grouped;
    settings.origin = c.origin;
    settings.lambda = kLambda;
    settings.gap = gap;
    return settings;
  }
};

reference::Bounds least(const Case& c, const Rows& rows) {
  reference::SoftmaxProblem problem;
  problem.x = rows.x;
  for (const double y : rows.y) problem.y.push_back(static_cast<std::size_t>(y));
  problem.weight = rows.w;
  problem.classes = c.classes;
  problem.l1_ratio = c.l1_ratio;
  problem.grouped = c.grouped;
  problem.origin = c.origin;
  problem.lambda = kLambda;
  return reference::least_sparse_softmax(problem);
}

std::string words_of(const Case& c) {
  return std::to_string(c.classes) + " classes" + (c.grouped ? ", grouped" : "") + (c.origin ? ", origin" : "");
}

TEST(SoftmaxWorkingSet, FindsTheOptimumFromAnswersAlone) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(words_of(c));
    const Rows rows = rows_of(c);
    const QueryOracle oracle(rows);
    Asked run(c, oracle, rows);
    EXPECT_LE(run.ask(oracle, 100), 100);
    EXPECT_EQ(run.verdict, Verdict::kConverged);
    const auto optimum = static_cast<double>(least(c, rows).high);
    EXPECT_NEAR(kLambda * run.task.gap().primal, optimum, 2e-6 * optimum);
    EXPECT_LE(run.task.gap().relative(), 1e-6);
  }
}

TEST(SoftmaxWorkingSet, BoundsHoldWithAnswersAsWrongAsTheySay) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(words_of(c));
    const Rows rows = rows_of(c);
    const reference::Bounds bounds = least(c, rows);
    for (const double wrong : {1e-2, 1e-3, 1e-5}) {
      const QueryOracle oracle(rows, wrong);
      Asked run(c, oracle, rows, 1e-12);
      run.ask(oracle, 60);
      const Gap& gap = run.task.gap();
      EXPECT_LE(kLambda * (gap.dual - gap.rounding), static_cast<double>(bounds.high) * (1 + 1e-12)) << wrong;
      EXPECT_GE(kLambda * gap.primal, static_cast<double>(bounds.low) * (1 - 1e-12)) << wrong;
      EXPECT_GE(gap.relative(), 0.001 * wrong) << "the answers' error counts";
    }
  }
}

TEST(SoftmaxWorkingSet, StopsIfOnlyRoundingIsLeft) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(words_of(c));
    const Rows rows = rows_of(c);
    const QueryOracle oracle(rows);
    Asked run(c, oracle, rows, 1e-16);
    EXPECT_LE(run.ask(oracle, 300), 300);
    EXPECT_EQ(run.verdict, Verdict::kStalled);
    EXPECT_LE(run.task.gap().relative(), 1e-10);
  }
}

TEST(SoftmaxWorkingSet, AsksTheSameAfterItsFieldsWereSavedAndLoaded) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(words_of(c));
    const Rows rows = rows_of(c);
    const QueryOracle oracle(rows);
    Asked whole(c, oracle, rows);
    const int questions = whole.ask(oracle, 100);
    for (int cut = 1; cut < questions; ++cut) {
      Asked first(c, oracle, rows), second(c, oracle, rows);
      EXPECT_EQ(first.ask(oracle, cut), cut + 1);
      second.load_from(first);
      EXPECT_EQ(second.ask(oracle, 100), questions - cut);
      EXPECT_EQ(second.task.model(), whole.task.model());
    }
  }
}

}  // namespace
}  // namespace linsep
