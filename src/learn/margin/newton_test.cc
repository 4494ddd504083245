// The solver newton by the questions that it asks, which an oracle answers.
#include "learn/margin/newton.h"

#include <gtest/gtest.h>

#include "learn/margin/query_oracle.h"
#include "learn/margin/reference.h"

namespace linsep {
namespace {

using testing::QueryOracle;
using testing::Rows;

constexpr std::size_t kFew = 9, kMany = 70;  // columns: with an exact Hessian, and by conjugate gradients

struct Case {
  Loss loss;
  bool origin;
  std::size_t columns;
};
const Case kCases[] = {{Loss::kSquaredHinge, false, kFew},  {Loss::kSquaredHinge, true, kFew},
                       {Loss::kLogistic, false, kFew},      {Loss::kLogistic, true, kFew},
                       {Loss::kSquaredHinge, false, kMany}, {Loss::kLogistic, false, kMany}};

MarginSettings settings_of(const Case& c, double gap = 1e-6) {
  MarginSettings settings;
  settings.loss = c.loss;
  settings.origin = c.origin;
  settings.lambda = 0.01;
  settings.gap = gap;
  return settings;
}

Rows rows_of(const Case& c) {
  Rows rows = testing::real_rows(120, c.columns, 5);
  Random random(7);
  for (double& y : rows.y) y = random.below(6) == 0 ? -y : y;
  return rows;
}

/// A solver with what it needs, from where the oracle has told it of the rows.
struct Asked {
  Asked(const Case& c, const QueryOracle& oracle, const Rows& rows, double gap = 1e-6)
      : task(settings_of(c, gap), nullptr), solver(task) {
    task.begin({static_cast<std::int64_t>(rows.size()), static_cast<std::uint32_t>(rows.features()), -1});
    solver.begin();
    known = oracle.survey(task);
    solver.start(known, *solo());
  }
  /// The number of questions until the gap is reached.
  int ask(const QueryOracle& oracle, int most) {
    for (int questions = 1; questions <= most; ++questions) {
      if (solver.take(oracle.answer(solver.next()), *solo()) != Verdict::kContinue) return questions;
    }
    return most + 1;
  }

  SurveyedTask task;
  Newton solver;
  KnownRows known;
};

reference::Bounds least(const Case& c, const Rows& rows) {
  return reference::least_objective(
      {rows.x, rows.y, std::vector<double>(rows.size(), 1), c.loss, c.origin, settings_of(c).lambda});
}

TEST(Newton, FindsTheOptimumFromAnswersAlone) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(facts_of(c.loss).name) + (c.origin ? " origin " : " ") + std::to_string(c.columns));
    const Rows rows = rows_of(c);
    const QueryOracle oracle(rows);
    Asked run(c, oracle, rows);
    // A gradient and a product for each step with the exact Hessian, and a step along rows without a curvature.
    EXPECT_LE(run.ask(oracle, 400), c.columns == kFew ? 30 : 400);
    const auto optimum = static_cast<double>(least(c, rows).high);
    EXPECT_NEAR(run.task.lambda() * run.task.gap().primal, optimum, 2e-6 * optimum);
    EXPECT_LE(run.task.gap().relative(), 1e-6);
  }
}

TEST(Newton, BoundsHoldWithAnswersAsWrongAsTheySay) {
  for (const Case& c : kCases) {
    const Rows rows = rows_of(c);
    const reference::Bounds bounds = least(c, rows);
    for (const double wrong : {1e-3, 1e-6, 1e-9}) {
      const QueryOracle oracle(rows, wrong);
      Asked run(c, oracle, rows);
      run.ask(oracle, 60);
      const Gap& gap = run.task.gap();
      EXPECT_LE(run.task.lambda() * (gap.dual - gap.rounding), static_cast<double>(bounds.high) * (1 + 1e-12)) << wrong;
      EXPECT_GE(run.task.lambda() * gap.primal, static_cast<double>(bounds.low) * (1 - 1e-12)) << wrong;
      EXPECT_GE(gap.relative(), 1e-3 * wrong) << "the answers' error counts";
    }
  }
}

TEST(Newton, StopsOnceRoundingIsAllThatIsLeft) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(facts_of(c.loss).name) + (c.origin ? " origin " : " ") + std::to_string(c.columns));
    const Rows rows = rows_of(c);
    const QueryOracle oracle(rows);
    Asked run(c, oracle, rows, 1e-16);
    int questions = 0;
    Verdict verdict = Verdict::kContinue;
    for (; verdict == Verdict::kContinue && questions < 1000; ++questions) {
      verdict = run.solver.take(oracle.answer(run.solver.next()), *solo());
    }
    EXPECT_EQ(verdict, Verdict::kStalled) << questions;
    EXPECT_LT(run.task.gap().relative(), 1e-10) << "what is proven by then";
  }
}

TEST(Newton, AsksTheSameAfterItsFieldsWereSavedAndLoaded) {
  for (const Case& c : kCases) {
    const Rows rows = rows_of(c);
    const QueryOracle oracle(rows);
    Asked whole(c, oracle, rows);
    const int questions = whole.ask(oracle, 400);
    for (int cut = 1; cut < std::min(questions, 9); ++cut) {
      Asked first(c, oracle, rows), second(c, oracle, rows);
      EXPECT_EQ(first.ask(oracle, cut), cut + 1);
      ByteWriter writer;
      first.task.save(writer);
      write_fields(writer, first.solver);
      ByteReader reader(writer.bytes());
      second.task.load(reader);
      read_fields(reader, second.solver);
      reader.end();
      second.solver.resume(second.known);
      EXPECT_EQ(second.ask(oracle, 400), questions - cut);
      EXPECT_EQ(second.task.model(), whole.task.model());
    }
  }
}

}  // namespace
}  // namespace linsep
