// The softmax loss: the certified gap against a slow oracle, the same bits, saved states.
#include "learn/margin/softmax.h"

#include <gtest/gtest.h>

#include "learn/margin/margin.h"
#include "learn/margin/softmax_reference.h"
#include "learn/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using reference::Real;
using reference::SoftmaxProblem;
using testing::drive;
using testing::Packed;
using testing::Result;
using testing::Rows;
using testing::word;

Options softmax_options(const Options& given = {}) {
  Options options = given;
  options["loss"] = word("softmax");
  return complete_options(margin_options(), options);
}

std::unique_ptr<Learner> softmax(std::size_t classes, const Options& given = {}, int threads = 1, int workers = 1) {
  return make_joint_margin(softmax_options(given), classes, {threads, workers});
}

/// Clouds around drawn centres, so near that they overlap; weights on every second set.
Rows drawn(std::size_t rows, std::size_t features, std::size_t classes, std::uint64_t seed, double apart = 1) {
  Random random(seed, 4);
  std::vector<std::vector<double>> centre(classes, std::vector<double>(features));
  for (auto& c : centre) {
    for (double& x : c) x = apart * random.normal();
  }
  Rows all;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t own = i < classes ? i : random.below(classes);
    std::vector<double> x = centre[own];
    for (double& value : x) value = random.below(4) == 0 ? 0 : value + random.normal();
    all.x.push_back(x);
    all.y.push_back(static_cast<double>(own));
    if (seed % 2 == 1) all.w.push_back(static_cast<double>(random.below(3)) + 0.25);
  }
  return all;
}

SoftmaxProblem problem_of(const Rows& rows, std::size_t classes, bool origin, double lambda) {
  SoftmaxProblem p;
  p.x = rows.x;
  for (const double y : rows.y) p.y.push_back(static_cast<std::size_t>(y));
  p.weight = rows.w.empty() ? std::vector<double>(rows.size(), 1) : rows.w;
  p.classes = classes;
  p.origin = origin;
  p.lambda = lambda;
  return p;
}

Real objective_of(const SoftmaxProblem& p, const Model& model) {
  reference::Vector w;
  for (std::size_t c = 0; c < p.classes; ++c) {
    const auto theta = weights_of(model, c);
    w.insert(w.end(), theta.begin(), theta.end());
    w.push_back(model.offsets[c]);
  }
  return reference::softmax_objective(p, w);
}

void expect_same(const Result& a, const Result& b) {
  EXPECT_EQ(a.model, b.model);
  ASSERT_EQ(a.history.size(), b.history.size());
  for (std::size_t k = 0; k < a.history.size(); ++k) {
    EXPECT_EQ(a.history[k].objective, b.history[k].objective);
    EXPECT_EQ(a.history[k].gap, b.history[k].gap);
  }
}

TEST(Softmax, TheGapHoldsAtEveryPassAndTheOptimumIsReached) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t classes = 2 + seed % 4, features = 1 + seed % 5;
    const bool origin = seed % 3 == 0;
    const double lambda = std::pow(10.0, -static_cast<double>(seed % 5));
    const Rows rows = drawn(12 + seed, features, classes, seed, seed % 7 == 0 ? 4 : 1);
    const SoftmaxProblem problem = problem_of(rows, classes, origin, lambda);
    const reference::Bounds least = reference::least_softmax(problem);
    ASSERT_GE(least.low, least.high * (1 - 1e-9L));
    const Result run =
        drive(*softmax(classes, {{"origin", origin}, {"lambda", lambda}, {"gap", 1e-8}}), Packed(rows).batch(), 3000);
    EXPECT_TRUE(run.converged);
    for (const Progress& progress : run.history) {
      EXPECT_GE(static_cast<Real>(*progress.objective), least.low * (1 - 1e-14L));
      EXPECT_LE(*progress.objective * (1 - static_cast<Real>(*progress.gap)), least.high * (1 + 1e-15L));
    }
    EXPECT_LE(*run.history.back().gap, 1e-8);
    const Real reached = objective_of(problem, run.model);
    EXPECT_NEAR(static_cast<double>(reached / *run.history.back().objective), 1, 1e-12);
    EXPECT_LE(reached, least.high * (1 + 2e-8L));
  }
}

// θ_1 = −θ_0 = θ/2 makes z_1 − z_0 = θ·x and Σ‖θ_c‖² = ‖θ‖²/2: the logistic loss with half of λ.
TEST(Softmax, OfTwoClassesIsTheLogisticLossWithHalfOfLambda) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    Rows rows = drawn(60, 3, 2, seed);
    const Result two = drive(*softmax(2, {{"lambda", 0.02}, {"gap", 1e-11}}), Packed(rows).batch(), 3000);
    for (double& y : rows.y) y = y == 0 ? -1 : 1;
    const Options options = complete_options(
        margin_options(), {{"loss", word("logistic")}, {"lambda", 0.01}, {"gap", 1e-11}, {"solver", word("newton")}});
    const Result one = drive(*make_margin(options, nullptr), Packed(rows).batch(), 3000);
    EXPECT_TRUE(two.converged && one.converged);
    EXPECT_NEAR(*two.history.back().objective / *one.history.back().objective, 1, 1e-10);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(weights_of(two.model, 1)[j], one.model.theta[j] / 2, 1e-4);
      EXPECT_NEAR(weights_of(two.model, 0)[j], -one.model.theta[j] / 2, 1e-4);
    }
    EXPECT_NEAR(two.model.offsets[1] - two.model.offsets[0], one.model.offset, 1e-4);
  }
}

TEST(Softmax, ScoresAreThoseOfProbabilities) {
  const Result run = drive(*softmax(3), Packed(drawn(40, 2, 3, 1)).batch(), 100);
  EXPECT_EQ(run.model.form, Model::Form::kClasses);
  EXPECT_EQ(run.model.calibration.kind, Calibration::Kind::kSoftmax);
  EXPECT_TRUE(has_probabilities(run.model));
  ASSERT_TRUE(run.stats.margin);
  EXPECT_GT(run.stats.margin->lambda, 0);
}

TEST(Softmax, BatchesThreadsAndTheOrderOfRowsDontChangeABit) {
  const Rows rows = drawn(2500, 6, 4, 3);
  Rows turned = rows;
  std::reverse(turned.x.begin(), turned.x.end());
  std::reverse(turned.y.begin(), turned.y.end());
  std::reverse(turned.w.begin(), turned.w.end());
  for (const testing::Layout layout : testing::kLayouts) {
    const Packed packed(rows, layout);
    const Result whole = drive(*softmax(4), packed.batch(), 500);
    EXPECT_TRUE(whole.converged);
    expect_same(drive(*softmax(4, {}, 3), packed.batch(), 500), whole);
    expect_same(drive(*softmax(4), testing::shape_of(packed.batch()), testing::pieces(packed.batch(), 7), 500, *solo()),
                whole);
    expect_same(drive(*softmax(4), Packed(turned, layout).batch(), 500), whole);
  }
}

TEST(Softmax, AnyNumberOfWorkersGivesTheSameBits) {
  for (const bool origin : {false, true}) {
    const Packed packed(drawn(300, 5, 3, 5), {false, false});
    const Options given = {{"gap", 1e-6}, {"origin", origin}};
    const Result one = drive(*softmax(3, given), packed.batch(), 500);
    for (const int workers : {2, 3, 7}) {
      std::vector<Result> results(static_cast<std::size_t>(workers));
      run_threads(workers, [&](Comm& comm) {
        const std::int64_t n = packed.batch().rows, rank = comm.rank();
        const Batch mine = testing::rows_between(packed.batch(), n * rank * rank / (workers * workers),
                                                 n * (rank + 1) * (rank + 1) / (workers * workers));
        results[static_cast<std::size_t>(rank)] =
            drive(*softmax(3, given, 1, workers), testing::shape_of(mine), {mine}, 500, comm);
      });
      for (const Result& result : results) expect_same(result, one);
    }
  }
}

TEST(Softmax, AnInterruptedRunGoesOnToTheSameBits) {
  const Packed packed(drawn(50, 4, 3, 7));
  const Result whole = drive(*softmax(3, {{"gap", 1e-7}}), packed.batch(), 500);
  const auto comm = solo();
  for (std::size_t cut = 0; cut < whole.history.size(); ++cut) {
    const auto first = softmax(3, {{"gap", 1e-7}}), second = softmax(3, {{"gap", 1e-7}});
    for (Learner* learner : {first.get(), second.get()}) learner->begin(testing::shape_of(packed.batch()));
    Progress progress;
    for (std::size_t pass = 0; pass < cut; ++pass) testing::one_pass(*first, {packed.batch()}, *comm, progress);
    second->load_state(first->save_state());
    EXPECT_EQ(second->save_state(), first->save_state());
    Verdict verdict = Verdict::kContinue;
    std::size_t passes = cut;
    for (; verdict == Verdict::kContinue; ++passes) {
      verdict = testing::one_pass(*second, {packed.batch()}, *comm, progress);
    }
    EXPECT_EQ(passes, whole.history.size());
    EXPECT_EQ(second->model(), whole.model);
  }
}

// Any byte may be wrong: that is an Error or another state, never a crash (run under the asan preset).
TEST(Softmax, ADamagedStateIsRefusedOrIsAnotherState) {
  const Packed packed(drawn(9, 2, 3, 1));
  const auto comm = solo();
  Random random(5);
  for (const int passes : {0, 1, 2, 3, 5, 6}) {
    const auto learner = softmax(3, {{"gap", 1e-12}});
    drive(*learner, packed.batch(), passes);
    const std::string state = learner->save_state();
    for (std::size_t size = 0; size < state.size(); size += 3) {
      EXPECT_THROW(learner->load_state(state.substr(0, size)), Error);
      learner->begin(testing::shape_of(packed.batch()));
    }
    for (int i = 0; i < 600; ++i) {
      std::string damaged = state;
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
      learner->begin(testing::shape_of(packed.batch()));
      try {
        learner->load_state(damaged);
        Progress progress;
        for (int pass = 0; pass < 3; ++pass) testing::one_pass(*learner, {packed.batch()}, *comm, progress);
        learner->model();
      } catch (const Error&) {
      }
    }
  }
}

TEST(Softmax, AClassWithoutRowsIsNeverPredicted) {
  Rows rows = drawn(40, 2, 3, 2);
  for (double& y : rows.y) y = y == 1 ? 2 : y;
  const Result run = drive(*softmax(3, {{"gap", 1e-8}}), Packed(rows).batch(), 500);
  EXPECT_TRUE(run.converged);
  Rows two = rows;
  for (double& y : two.y) y = y == 2 ? 1 : 0;
  const Result without = drive(*softmax(2, {{"gap", 1e-8}}), Packed(two).batch(), 500);
  EXPECT_NEAR(*run.history.back().objective, *without.history.back().objective, 1e-7);
  std::vector<double> z(3 * rows.size()), p(z.size());
  score(run.model, Packed(rows).batch(), z);
  probabilities(run.model, z, p);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(p[3 * i + 1], 0);
}

TEST(Softmax, RowsOfOneClassNeedNoTraining) {
  Rows rows = drawn(10, 2, 3, 2);
  for (double& y : rows.y) y = 1;
  const Result run = drive(*softmax(3), Packed(rows).batch(), 100);
  EXPECT_TRUE(run.converged);
  EXPECT_EQ(*run.history.back().objective, 0);
  EXPECT_EQ(predicted_class(run.model.offsets), 1U);
}

TEST(Softmax, ColumnsOfVeryDifferentSizesAreMet) {
  Rows rows = drawn(80, 4, 3, 6);
  for (auto& x : rows.x) {
    x[0] *= 1e6;
    x[1] *= 1e-6;
  }
  const Result run = drive(*softmax(3), Packed(rows).batch(), 5000);
  EXPECT_TRUE(run.converged);
}

TEST(Softmax, LabelsAndWeightsAreChecked) {
  Rows rows = drawn(5, 2, 3, 2);
  rows.y[3] = 3;
  EXPECT_THROW(drive(*softmax(3), Packed(rows).batch(), 3), Error);
  rows.y[3] = 1;
  rows.w = {1, 1, -1, 1, 1};
  EXPECT_THROW(drive(*softmax(3), Packed(rows).batch(), 3), Error);
}

TEST(Softmax, IsForSeveralClassesByNewtonsMethodFromZero) {
  const LearnerEntry& entry = margin_entry();
  const Options options = softmax_options();
  EXPECT_TRUE(entry.joint(options));
  EXPECT_NO_THROW(entry.refuse(options, {.parts = 3, .joint = true}));
  EXPECT_THROW(entry.refuse(options, {}), Error);
  EXPECT_THROW(entry.refuse(options, {.parts = 3}), Error);
  EXPECT_THROW(entry.refuse(options, {.parts = 3, .joint = true, .start = true}), Error);
  EXPECT_THROW(entry.refuse(softmax_options({{"positive-weight", 2.0}}), {.parts = 3, .joint = true}), Error);
  EXPECT_THROW(make_lambda_margin(options, nullptr), Error);
  EXPECT_EQ(entry.choose(options, {100, 5, -1}, 1).solver, "newton");
  EXPECT_EQ(entry.choose(options, {5, 100, -1}, 4).solver, "newton");
  for (const char* solver : {"dual", "interior", "planes"}) {
    EXPECT_THROW(entry.choose(softmax_options({{"solver", word(solver)}}), {100, 5, -1}, 1), Error);
  }
}

}  // namespace
}  // namespace linsep
