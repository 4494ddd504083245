// Tests that hold for every learner. Batches, layouts and interruptions don't change a bit, and saved states are
// checked.
#include <gtest/gtest.h>

#include "core/bytes.h"
#include "learn/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using testing::Case;
using testing::drive;
using testing::every_case;
using testing::Packed;
using testing::Result;
using testing::Rows;

void expect_same(const Result& a, const Result& b) {
  EXPECT_EQ(a.model, b.model);
  EXPECT_EQ(a.converged, b.converged);
  EXPECT_EQ(a.history.size(), b.history.size());
  EXPECT_EQ(a.stats.mistakes, b.stats.mistakes);
  EXPECT_EQ(a.stats.mistakes_by_row, b.stats.mistakes_by_row);
  ASSERT_EQ(a.stats.trace.size(), b.stats.trace.size());
  for (std::size_t i = 0; i < a.stats.trace.size(); ++i) {
    EXPECT_EQ(a.stats.trace[i].theta, b.stats.trace[i].theta);
    EXPECT_EQ(a.stats.trace[i].pass, b.stats.trace[i].pass);
    EXPECT_EQ(a.stats.trace[i].row, b.stats.trace[i].row);
  }
}

TEST(EveryLearner, BatchesDontChangeABit) {
  Rows rows = testing::real_rows(23, 6, 1);
  Random random(3);
  for (std::size_t i = 0; i < rows.size(); ++i) rows.w.push_back(random.uniform() + 0.5);
  for (const testing::Layout layout : testing::kLayouts) {
    const Packed packed(rows, layout);
    for (const Case& c : every_case()) {
      SCOPED_TRACE(c.name);
      const Result whole = drive(*c.learner(), packed.batch(), 12);
      for (const std::int64_t size : {1, 2, 5, 22}) {
        const auto batches = testing::pieces(packed.batch(), size);
        expect_same(drive(*c.learner(), testing::shape_of(packed.batch()), batches, 12, *solo()), whole);
        expect_same(drive(*c.learner(), {-1, 0, -1}, batches, 12, *solo()), whole);
      }
    }
  }
}

// The values are whole numbers, so dense, sparse, float and double layouts hold the same values and all sums are exact.
// (If they are not, they are taken over the same numbers in the same order, because no row holds a zero.)
TEST(EveryLearner, LayoutsDontChangeABit) {
  Rows rows = testing::whole_rows(20, 5, 2);
  for (auto& x : rows.x) {
    for (double& value : x) value = value == 0 ? 5 : value;
  }
  const Packed first(rows, testing::kLayouts[0]);
  for (const Case& c : every_case()) {
    SCOPED_TRACE(c.name);
    const Result expected = drive(*c.learner(), first.batch(), 12);
    for (const testing::Layout layout : testing::kLayouts) {
      const Packed packed(rows, layout);
      expect_same(drive(*c.learner(), packed.batch(), 12), expected);
    }
  }
}

TEST(EveryLearner, AnInterruptedRunGoesOnToTheSameBits) {
  const Packed packed(testing::real_rows(25, 4, 5));
  const auto comm = solo();
  for (const Case& c : every_case()) {
    for (const int cut : {0, 1, 3}) {
      SCOPED_TRACE(c.name + " cut after " + std::to_string(cut));
      const auto whole = c.learner();
      const auto first = c.learner();
      const auto second = c.learner();
      for (Learner* learner : {whole.get(), first.get(), second.get()})
        learner->begin(testing::shape_of(packed.batch()));
      Progress progress;
      bool converged = false;
      for (int pass = 0; pass < cut && !converged; ++pass) {
        testing::one_pass(*first, {packed.batch()}, *comm, progress);
        converged = testing::one_pass(*whole, {packed.batch()}, *comm, progress) == Verdict::kConverged;
      }
      second->load_state(first->save_state());
      EXPECT_EQ(second->save_state(), first->save_state());
      for (int pass = 0; pass < 4 && !converged; ++pass) {
        Progress other;
        const Verdict verdict = testing::one_pass(*whole, {packed.batch()}, *comm, progress);
        EXPECT_EQ(testing::one_pass(*second, {packed.batch()}, *comm, other), verdict);
        EXPECT_EQ(other.mistakes, progress.mistakes);
        EXPECT_EQ(other.residual, progress.residual);
        converged = verdict == Verdict::kConverged;
      }
      EXPECT_EQ(second->model(), whole->model());
      EXPECT_EQ(second->stats().mistakes, whole->stats().mistakes);
      EXPECT_EQ(second->stats().mistakes_by_row, whole->stats().mistakes_by_row);
      EXPECT_EQ(second->stats().trace.size(), whole->stats().trace.size());
    }
  }
}

TEST(EveryLearner, RefusesAStateThatIsCutShortOrOfAnotherLearner) {
  const Packed packed(testing::whole_rows(6, 2, 5));
  const auto comm = solo();
  for (const Case& c : every_case()) {
    SCOPED_TRACE(c.name);
    const auto learner = c.learner();
    drive(*learner, packed.batch(), 2);
    const std::string state = learner->save_state();
    for (std::size_t size = 0; size < state.size(); ++size) {
      EXPECT_THROW(learner->load_state(state.substr(0, size)), Error);
    }
    EXPECT_THROW(learner->load_state(state + "x"), Error);
    ByteWriter other;
    other.text("something else");
    EXPECT_THROW(learner->load_state(other.bytes()), Error);
  }
}

// Any byte of a state may be wrong. The result is an Error or another state, never a crash (run under the asan preset).
TEST(EveryLearner, SurvivesADamagedState) {
  const Packed packed(testing::whole_rows(6, 2, 5));
  Random random(11);
  for (const Case& c : every_case()) {
    const auto learner = c.learner();
    const Result r = drive(*learner, packed.batch(), 2);
    const std::string state = learner->save_state();
    for (int i = 0; i < 300; ++i) {
      std::string damaged = state;
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
      try {
        learner->load_state(damaged);
        learner->model();
      } catch (const Error&) {
      }
    }
  }
}

TEST(EveryLearner, AMidPassModelIsAsWideAsTheData) {
  const Packed packed(testing::whole_rows(6, 3, 5));
  for (const Case& c : every_case()) {
    SCOPED_TRACE(c.name);
    const auto learner = c.learner();
    learner->begin(testing::shape_of(packed.batch()));
    learner->visit(testing::rows_between(packed.batch(), 0, 3));
    const Model model = learner->model();
    EXPECT_EQ(model.features, 3U);
    EXPECT_TRUE(model.form == Model::Form::kDual || model.theta.size() == 3);
  }
}

}  // namespace
}  // namespace linsep
