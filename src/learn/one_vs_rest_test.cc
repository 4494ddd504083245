// Learners that share a pass. Each ends with the bits it would have had alone.
#include "learn/one_vs_rest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/memory_source.h"
#include "learn/margin/margin.h"
#include "learn/margin/order_testing.h"
#include "learn/testing.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

using testing::drive;
using testing::Packed;
using testing::Result;
using testing::Rows;
using testing::word;

constexpr std::size_t kTasks = 5;

// The label of task t is +1 if a hash of the row gives that. Every fifth row, a different fifth for each task, is left
// out.
double label_of(std::size_t task, std::int64_t row, double x) {
  return std::sin(static_cast<double>(task + 1) * (x + static_cast<double>(row % 3))) > 0 ? 1 : -1;
}
bool left_out(std::size_t task, std::int64_t row) { return static_cast<std::size_t>(row) % kTasks == task; }

Relabel relabel_of(std::size_t task, const Rows& rows, bool weighs) {
  return [task, &rows, weighs](const Batch& batch, std::span<double> label, std::span<double> weight) {
    for (std::int64_t i = 0; i < batch.rows; ++i) {
      const std::int64_t row = batch.number_of(i);
      const auto at = static_cast<std::size_t>(i);
      label[at] = label_of(task, row, rows.x[static_cast<std::size_t>(row)][0]);
      if (weighs && left_out(task, row)) weight[at] = 0;
    }
  };
}

// The rows as one task sees them, alone.
Rows rows_of(std::size_t task, Rows rows, bool weighs) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    rows.y[i] = label_of(task, row, rows.x[i][0]);
    if (weighs) rows.w.push_back(left_out(task, row) ? 0 : 1);
  }
  return rows;
}

OneVsRest make_many(const testing::Case& c, const Rows& rows, bool weighs, int threads) {
  std::vector<ManyTask> tasks;
  for (std::size_t t = 0; t < kTasks; ++t) tasks.push_back({c.learner(), relabel_of(t, rows, weighs), weighs});
  return OneVsRest(std::move(tasks), threads);
}

std::vector<testing::Case> cases() {
  std::vector<testing::Case> all = testing::every_case();
  const auto margin = [](const Options& given) {
    return make_margin(complete_options(margin_options(), given), nullptr, 1);
  };
  for (const char* solver : {"dual", "interior"}) {
    all.push_back({std::string("hinge ") + solver, margin, {{"solver", word(solver)}}});
  }
  for (const char* loss : {"squared-hinge", "logistic"}) {
    all.push_back({std::string(loss) + " newton", margin, {{"loss", word(loss)}, {"solver", word("newton")}}});
  }
  return all;
}

TEST(Many, EveryTaskHasTheBitsItWouldHaveAloneOnAnyNumberOfThreads) {
  const Rows rows = testing::real_rows(60, 4, 1);
  const Packed packed(rows);
  for (const bool weighs : {false, true}) {
    for (const testing::Case& c : cases()) {
      std::vector<Result> alone;
      for (std::size_t t = 0; t < kTasks; ++t) {
        alone.push_back(drive(*c.learner(), Packed(rows_of(t, rows, weighs)).batch(), 15));
      }
      for (const int threads : {1, 2, 4}) {
        for (const std::int64_t size : {7, 60}) {
          for (const bool pinned : {false, true}) {
            SCOPED_TRACE(c.name + (weighs ? ", weighs" : "") + (pinned ? ", lasting" : ""));
            auto batches = testing::pieces(packed.batch(), size);
            for (Batch& batch : batches) batch.pinned = pinned;
            OneVsRest many = make_many(c, rows, weighs, threads);
            const Result run = drive(many, testing::shape_of(packed.batch()), batches, 15, *solo());
            std::int64_t mistakes = 0;
            std::size_t longest = 0;
            for (std::size_t t = 0; t < kTasks; ++t) {
              EXPECT_EQ(many.models()[t], alone[t].model);
              EXPECT_EQ(many.state(t).passes, static_cast<std::int64_t>(alone[t].history.size()));
              EXPECT_EQ(many.state(t).verdict == Verdict::kConverged, alone[t].converged);
              EXPECT_EQ(many.state(t).last.gap, alone[t].history.back().gap);
              mistakes += alone[t].stats.mistakes;
              longest = std::max(longest, alone[t].history.size());
            }
            EXPECT_EQ(run.stats.mistakes, mistakes);
            EXPECT_EQ(run.history.size(), longest);
          }
        }
      }
    }
  }
}

TEST(Many, PermutedRowsGiveTheSameBitsToo) {
  const Rows rows = testing::real_rows(300, 5, 2);
  const Options options = complete_options(margin_options(), {{"solver", word("dual")}});
  std::vector<Model> alone;
  for (std::size_t t = 0; t < kTasks; ++t) {
    const Packed packed(rows_of(t, rows, true));
    const auto memory = view(packed.batch(), {{"-1", "1"}, {}});
    const auto source = testing::wanted_order(*memory, options);
    alone.push_back(drive(*make_margin(options, nullptr, 1), *source, 100).model);
  }
  const Packed packed(rows);
  const auto memory = view(packed.batch(), {{"-1", "1"}, {}});
  const auto source = testing::wanted_order(*memory, options);
  for (const int threads : {1, 2, 4}) {
    std::vector<ManyTask> tasks;
    for (std::size_t t = 0; t < kTasks; ++t) {
      tasks.push_back({make_margin(options, nullptr, 1), relabel_of(t, rows, true), true});
    }
    OneVsRest many(std::move(tasks), threads);
    drive(many, *source, 100);
    EXPECT_EQ(many.models(), alone);
  }
}

// More rows than are gathered at a time, as one batch and as many batches.
TEST(Many, LargeDataGiveTheSameBitsToo) {
  const Rows rows = testing::real_rows(20000, 110, 6);
  const Packed packed(rows);
  const testing::Case perceptron{"perceptron", testing::perceptron_from_zero, {{"variant", word("averaged")}}};
  const testing::Case basic{"basic", testing::basic, {}};
  for (const testing::Case& c : {perceptron, basic}) {
    std::vector<Model> alone;
    for (std::size_t t = 0; t < kTasks; ++t) {
      alone.push_back(drive(*c.learner(), Packed(rows_of(t, rows, true)).batch(), 2).model);
    }
    for (const std::int64_t size : {100, 20000}) {
      auto batches = testing::pieces(packed.batch(), size);
      for (Batch& batch : batches) batch.pinned = true;
      OneVsRest many = make_many(c, rows, true, 2);
      drive(many, testing::shape_of(packed.batch()), batches, 2, *solo());
      EXPECT_EQ(many.models(), alone) << c.name;
    }
  }
}

// Compares rows of weight 0 with the same rows taken out.
TEST(Many, ARowOfWeightZeroIsNotThere) {
  Rows rows = testing::whole_rows(40, 4, 3);
  for (std::size_t i = 0; i < rows.size(); ++i) rows.y[i] = rows.x[i][0] - rows.x[i][2] + 1 > 0 ? 1 : -1;
  Rows fewer, weighted = rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    weighted.w.push_back(i % 3 == 1 ? 0 : 1);
    if (i % 3 == 1) continue;
    fewer.x.push_back(rows.x[i]);
    fewer.y.push_back(rows.y[i]);
  }
  for (const testing::Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Result a = drive(*c.learner(), Packed(weighted).batch(), 400);
    const Result b = drive(*c.learner(), Packed(fewer).batch(), 400);
    EXPECT_EQ(a.history.back().mistakes, b.history.back().mistakes);
    if (a.history.back().objective) {
      // Both are within their gap of the same optimum.
      const double objective = *a.history.back().objective;
      EXPECT_NEAR(objective, *b.history.back().objective, 1e-3 * objective);
    } else if (c.name.find("cg") != std::string::npos) {
      // Steps are truncated to units that depend on how many values a column has.
      for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(a.model.theta[j], b.model.theta[j], 1e-9);
    } else {
      EXPECT_EQ(a.model, b.model);
    }
  }
}

TEST(Many, AnInterruptedRunGoesOnToTheSameBits) {
  const Rows rows = testing::real_rows(40, 4, 5);
  const Packed packed(rows);
  const auto comm = solo();
  for (const testing::Case& c : cases()) {
    SCOPED_TRACE(c.name);
    OneVsRest whole = make_many(c, rows, true, 2), first = make_many(c, rows, true, 2),
              second = make_many(c, rows, true, 2);
    for (Learner* learner : {&whole, &first, &second}) {
      static_cast<OneVsRest*>(learner)->begin(testing::shape_of(packed.batch()));
    }
    Progress a, b;
    for (int pass = 0; pass < 2; ++pass) {
      testing::one_pass(whole, {packed.batch()}, *comm, a);
      testing::one_pass(first, {packed.batch()}, *comm, b);
    }
    second.load_state(first.save_state());
    EXPECT_EQ(second.save_state(), first.save_state());
    for (int pass = 0; pass < 3; ++pass) {
      a = b = {};
      EXPECT_EQ(testing::one_pass(whole, {packed.batch()}, *comm, a),
                testing::one_pass(second, {packed.batch()}, *comm, b));
      EXPECT_EQ(a.mistakes, b.mistakes);
      EXPECT_EQ(a.gap, b.gap);
    }
    EXPECT_EQ(whole.models(), second.models());
    const std::string state = first.save_state();
    EXPECT_THROW(second.load_state(state.substr(0, state.size() - 1)), Error);
  }
}

}  // namespace
}  // namespace linsep
