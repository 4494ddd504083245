// The solver of the softmax loss by the questions that it asks, which an oracle answers.
#include "learn/margin/softmax_newton.h"

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
  bool origin;
};
const Case kCases[] = {{2, false}, {3, false}, {3, true}, {5, false}};

MarginSettings settings_of(const Case& c, double gap) {
  MarginSettings settings;
  settings.loss = Loss::kSoftmax;
  settings.origin = c.origin;
  settings.lambda = 0.01;
  settings.gap = gap;
  return settings;
}

/// Classes by a noisy score; rows of two weights.
Rows rows_of(const Case& c) {
  Rows rows = testing::real_rows(120, 4, 5);
  Random random(7);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double at = rows.x[i][0] - rows.x[i][2] + 0.5 * random.normal();
    const auto k = static_cast<double>(c.classes);
    rows.y[i] = std::clamp(std::floor(k / 2 + at), 0.0, k - 1);
    rows.w.push_back(i % 5 == 0 ? 0 : 1 + static_cast<double>(i % 2));
  }
  return rows;
}

struct Asked : testing::Asked<SoftmaxNewton, SoftmaxTask> {
  Asked(const Case& c, const QueryOracle& oracle, const Rows& rows, double gap = 1e-6)
      : testing::Asked<SoftmaxNewton, SoftmaxTask>(settings_of(c, gap), oracle, rows, c.classes) {}
  double lambda() const { return task.stats().margin->lambda; }
};

reference::Bounds least(const Case& c, const Rows& rows) {
  reference::SoftmaxProblem problem;
  problem.x = rows.x;
  for (const double y : rows.y) problem.y.push_back(static_cast<std::size_t>(y));
  problem.weight = rows.w;
  problem.classes = c.classes;
  problem.origin = c.origin;
  problem.lambda = settings_of(c, 1).lambda;
  return reference::least_softmax(problem);
}

std::string words_of(const Case& c) { return std::to_string(c.classes) + (c.origin ? " classes, origin" : " classes"); }

TEST(SoftmaxNewton, FindsTheOptimumFromAnswersAlone) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(words_of(c));
    const Rows rows = rows_of(c);
    const QueryOracle oracle(rows);
    Asked run(c, oracle, rows);
    EXPECT_LE(run.ask(oracle, 300), 300);
    const auto optimum = static_cast<double>(least(c, rows).high);
    EXPECT_NEAR(run.lambda() * run.task.gap().primal, optimum, 2e-6 * optimum);
    EXPECT_LE(run.task.gap().relative(), 1e-6);
  }
}

TEST(SoftmaxNewton, BoundsHoldWithAnswersAsWrongAsTheySay) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(words_of(c));
    const Rows rows = rows_of(c);
    const reference::Bounds bounds = least(c, rows);
    for (const double wrong : {1e-2, 1e-3, 1e-5}) {
      const QueryOracle oracle(rows, wrong);
      Asked run(c, oracle, rows, 1e-12);
      run.ask(oracle, 60);
      const Gap& gap = run.task.gap();
      EXPECT_LE(run.lambda() * (gap.dual - gap.rounding), static_cast<double>(bounds.high) * (1 + 1e-12)) << wrong;
      EXPECT_GE(run.lambda() * gap.primal, static_cast<double>(bounds.low) * (1 - 1e-12)) << wrong;
      EXPECT_GE(gap.relative(), 0.01 * wrong * wrong) << "the answers' error counts";
    }
  }
}

TEST(SoftmaxNewton, StopsIfNoStepLowersTheObjective) {
  const Rows rows = rows_of(kCases[1]);
  const QueryOracle oracle(rows);
  Asked run(kCases[1], oracle, rows);
  Verdict verdict = Verdict::kContinue;
  for (int questions = 0; verdict == Verdict::kContinue && questions < 300; ++questions) {
    RowAnswer answer = oracle.answer(run.solver.next());
    if (answer.sums.size() == 2) {  // a gradient, turned around: steps go uphill
      for (double& x : answer.sums[0].sum) x = -x;
    }
    verdict = run.solver.take(answer, *solo());
  }
  EXPECT_EQ(verdict, Verdict::kStalled);
  const RowQuery last = run.solver.next();
  EXPECT_TRUE(last.scores.empty() && last.sums.empty()) << "it asks nothing more";
  EXPECT_EQ(run.solver.take(oracle.answer(last), *solo()), Verdict::kStalled);
}

TEST(SoftmaxNewton, AsksTheSameAfterItsFieldsWereSavedAndLoaded) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(words_of(c));
    const Rows rows = rows_of(c);
    const QueryOracle oracle(rows);
    Asked whole(c, oracle, rows);
    const int questions = whole.ask(oracle, 300);
    for (int cut = 1; cut < std::min(questions, 12); ++cut) {
      Asked first(c, oracle, rows), second(c, oracle, rows);
      EXPECT_EQ(first.ask(oracle, cut), cut + 1);
      second.load_from(first);
      EXPECT_EQ(second.ask(oracle, 300), questions - cut);
      EXPECT_EQ(second.task.model(), whole.task.model());
    }
  }
}

}  // namespace
}  // namespace linsep
