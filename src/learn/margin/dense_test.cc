// Dense rows in blocks, with the preconditioner or the exact Hessian: the same bits for any batches, threads, workers
// and kernels, after an interruption too; and the objective of the same rows stored sparsely.
#include <gtest/gtest.h>

#include <functional>

#include "kernel/kernel.h"
#include "learn/margin/softmax.h"
#include "learn/margin/solvers.h"
#include "learn/one_vs_rest.h"
#include "learn/testing.h"

namespace linsep {
namespace {

using testing::drive;
using testing::Packed;
using testing::Result;
using testing::Rows;

constexpr std::size_t kRows = 500, kColumns = 70, kFewColumns = 40;
constexpr std::int64_t kPasses = 3000;

/// Columns that depend on each other, of values that floats hold; weights of several sizes, some 0.
Rows correlated_rows(std::size_t classes, std::size_t columns = kColumns) {
  Random random(31, classes);
  Rows rows;
  for (std::size_t i = 0; i < kRows; ++i) {
    std::vector<double> x(columns);
    double common = random.normal();
    for (std::size_t j = 0; j < columns; ++j) {
      common = 0.9 * common + 0.4 * random.normal();
      x[j] = j == 11 ? 0 : static_cast<float>(common + 0.5);
    }
    const double z = x[3] - x[20] + 0.7 * x[columns / 7 * 4] + 0.5 * random.normal();
    rows.x.push_back(x);
    const auto own = static_cast<std::size_t>(std::clamp(2.0 + z, 0.0, 3.99)) % classes;
    rows.y.push_back(classes > 2 ? static_cast<double>(own) : (z > 0 ? 1 : -1));
    rows.w.push_back(static_cast<double>(random.below(4)) / 2);
  }
  return rows;
}

struct DenseCase {
  Loss loss;
  std::size_t classes;
  bool origin;
  std::size_t columns = kColumns;
  std::unique_ptr<Learner> learner(int threads = 1) const {
    MarginSettings settings;
    settings.loss = loss;
    settings.origin = origin;
    settings.gap = 1e-6;
    settings.passes = kPasses;
    settings.threads = threads;
    if (classes > 2) return make_softmax(settings, classes, {});
    return newton_solver().make(settings, nullptr);
  }
};

const DenseCase kCases[] = {{Loss::kLogistic, 2, false},
                            {Loss::kLogistic, 2, true},
                            {Loss::kSquaredHinge, 2, false},
                            {Loss::kSoftmax, 4, false},
                            {Loss::kSoftmax, 3, true},
                            {Loss::kLogistic, 2, false, kFewColumns},
                            {Loss::kLogistic, 2, true, kFewColumns},
                            {Loss::kSquaredHinge, 2, false, kFewColumns}};

void expect_same(const Result& a, const Result& b) {
  EXPECT_EQ(a.model, b.model);
  ASSERT_EQ(a.history.size(), b.history.size());
  for (std::size_t k = 0; k < a.history.size(); ++k) {
    EXPECT_EQ(a.history[k].objective, b.history[k].objective);
    EXPECT_EQ(a.history[k].gap, b.history[k].gap);
  }
}

void for_each_case(const std::function<void(const DenseCase&, const Packed&, const Result&)>& f) {
  for (const DenseCase& c : kCases) {
    SCOPED_TRACE(std::string(facts_of(c.loss).name) + (c.origin ? " origin " : " ") + std::to_string(c.columns));
    const Packed packed(correlated_rows(c.classes, c.columns), {true, true});
    const Result whole = drive(*c.learner(), packed.batch(), kPasses);
    EXPECT_TRUE(whole.converged);
    f(c, packed, whole);
  }
}

/// Trains `first` for `cut` passes, then `second` from its state to the end.
void hand_over(Learner& first, Learner& second, const Batch& rows, int cut) {
  const auto comm = solo();
  for (Learner* learner : {&first, &second}) learner->begin(testing::shape_of(rows));
  Progress progress;
  for (int pass = 0; pass < cut; ++pass) testing::one_pass(first, {rows}, *comm, progress);
  second.load_state(first.save_state());
  Verdict verdict = Verdict::kContinue;
  for (int pass = 0; pass < kPasses && verdict == Verdict::kContinue; ++pass) {
    verdict = testing::one_pass(second, {rows}, *comm, progress);
  }
}

TEST(DenseRows, BatchesThreadsAndWidthsOfValuesDontChangeABit) {
  for_each_case([](const DenseCase& c, const Packed& packed, const Result& whole) {
    for (const std::int64_t size : {1, 37, 300}) {
      for (const bool pinned : {false, true}) {
        for (const int threads : {1, 3}) {
          std::vector<Batch> batches = testing::pieces(packed.batch(), size);
          for (Batch& batch : batches) batch.pinned = pinned;
          expect_same(drive(*c.learner(threads), testing::shape_of(packed.batch()), batches, kPasses, *solo()), whole);
        }
      }
    }
    const Packed doubles(correlated_rows(c.classes, c.columns), {true, false});
    expect_same(drive(*c.learner(), doubles.batch(), kPasses), whole);
  });
}

TEST(DenseRows, WorkersDontChangeABit) {
  for_each_case([](const DenseCase& c, const Packed& packed, const Result& whole) {
    for (const int workers : {2, 3, 5}) {
      run_threads(workers, [&](Comm& comm) {
        const std::int64_t n = packed.batch().rows, w = comm.rank();
        const Batch mine = testing::rows_between(packed.batch(), n * w * w / (workers * workers),
                                                 n * (w + 1) * (w + 1) / (workers * workers));
        const auto learner = c.learner();
        expect_same(drive(*learner, testing::shape_of(mine), {mine}, kPasses, comm), whole);
      });
    }
  });
}

TEST(DenseRows, KernelsDontChangeABit) {
  for_each_case([](const DenseCase& c, const Packed& packed, const Result& whole) {
    for (const std::string_view version : kernel_versions()) {
      ASSERT_TRUE(use_kernel_version(version));
      expect_same(drive(*c.learner(), packed.batch(), kPasses), whole);
    }
    use_kernel_version(kernel_versions()[1]);
  });
}

TEST(DenseRows, AnInterruptedRunGoesOnToTheSameBits) {
  for_each_case([](const DenseCase& c, const Packed& packed, const Result& whole) {
    for (const int cut : {1, 2, 4, 7}) {
      const auto first = c.learner(), second = c.learner();
      hand_over(*first, *second, packed.batch(), cut);
      EXPECT_EQ(second->model(), whole.model) << cut;
    }
  });
}

/// Many tasks over the same rows: task t has every (t + 2)th label turned round, and every fifth task another loss.
constexpr std::size_t kTasks = 19;
const DenseCase& case_of(std::size_t task) { return kCases[task % 5 == 4 ? 2 : 0]; }
void relabel(std::size_t task, const Batch& rows, std::span<double> label) {
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (rows.number_of(static_cast<std::int64_t>(i)) % (static_cast<std::int64_t>(task) + 2) == 0) label[i] = -label[i];
  }
}
std::unique_ptr<OneVsRest> many_learners(std::size_t count, int threads) {
  std::vector<ManyTask> tasks;
  for (std::size_t t = 0; t < count; ++t) {
    tasks.push_back({case_of(t).learner(),
                     [t](const Batch& rows, std::span<double> label, std::span<double>) { relabel(t, rows, label); }});
  }
  return std::make_unique<OneVsRest>(std::move(tasks), threads);
}
std::vector<Model> each_alone(const Packed& packed) {
  std::vector<Model> models;
  for (std::size_t t = 0; t < kTasks; ++t) {
    Batch own = packed.batch();
    std::vector<double> label(own.label.begin(), own.label.end());
    relabel(t, own, label);
    own.label = label;
    models.push_back(drive(*case_of(t).learner(), own, kPasses).model);
  }
  return models;
}
void expect_models(const OneVsRest& many, const std::vector<Model>& alone) {
  const std::vector<Model> models = many.models();
  for (std::size_t t = 0; t < models.size(); ++t) EXPECT_EQ(models[t], alone[t]) << t;
}

TEST(DenseRows, LearnersThatShareProductsEndWithTheBitsTheyHaveAlone) {
  const Packed packed(correlated_rows(2), {true, true});
  const std::vector<Model> alone = each_alone(packed);
  for (const std::size_t count : {3U, 5U, 19U}) {  // too few to share, few, and several groups of them
    for (const int threads : {1, 2, 3}) {
      const auto many = many_learners(count, threads);
      drive(*many, testing::shape_of(packed.batch()), testing::pieces(packed.batch(), 100), kPasses, *solo());
      expect_models(*many, alone);
    }
  }
  run_threads(3, [&](Comm& comm) {
    const std::int64_t n = packed.batch().rows, w = comm.rank();
    const Batch mine = testing::rows_between(packed.batch(), n * w * w / 9, n * (w + 1) * (w + 1) / 9);
    const auto many = many_learners(kTasks, 1);
    drive(*many, testing::shape_of(mine), {mine}, kPasses, comm);
    expect_models(*many, alone);
  });
}

TEST(DenseRows, LearnersThatShareProductsGoOnAfterAnInterruption) {
  const Packed packed(correlated_rows(2), {true, true});
  const std::vector<Model> alone = each_alone(packed);
  for (const int cut : {1, 2, 3, 8}) {
    const auto first = many_learners(kTasks, 2), second = many_learners(kTasks, 1);
    hand_over(*first, *second, packed.batch(), cut);
    expect_models(*second, alone);
  }
}

TEST(DenseRows, ReachTheObjectiveOfTheSameRowsStoredSparsely) {
  for_each_case([](const DenseCase& c, const Packed& /*packed*/, const Result& whole) {
    const Packed sparse(correlated_rows(c.classes, c.columns), {false, true});
    const Result other = drive(*c.learner(), sparse.batch(), kPasses);
    EXPECT_TRUE(other.converged);
    EXPECT_NEAR(*whole.history.back().objective / *other.history.back().objective, 1, 2e-6);
    // What the preconditioner is for; the exact Hessian doesn't ask how rows are stored.
    if (c.columns == kColumns) {
      EXPECT_LT(whole.history.size(), other.history.size());
    }
  });
}

TEST(DenseRows, OfFewColumnsTakeOneProductForEachStep) {
  for (const std::size_t columns : {21U, 40U, 63U}) {
    const Packed packed(correlated_rows(2, columns), {true, true});
    const Result result = drive(*kCases[0].learner(), packed.batch(), kPasses);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.history.size(), 20U) << columns;  // labels, then a gradient and a product for each step
  }
}

}  // namespace
}  // namespace linsep
