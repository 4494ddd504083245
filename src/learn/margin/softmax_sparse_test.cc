// The softmax loss with penalties that have an L1 part: the certified gap against a slow oracle, the same bits, saved
// states, and what users see of it.
#include <gtest/gtest.h>

#include <cstdlib>

#include "learn/learners.h"
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

// CI draws this many problems; LINSEP_DRAWN_SETS asks for more.
std::uint64_t drawn_problems() {
  const char* more = std::getenv("LINSEP_DRAWN_SETS");
  return more == nullptr ? 300 : static_cast<std::uint64_t>(std::atoll(more));
}

std::unique_ptr<Learner> sparse(std::size_t classes, Options given, int threads = 1, int workers = 1) {
  given["loss"] = word("softmax");
  if (!given.contains("l1-ratio")) given["penalty"] = word("l1");
  return make_joint_margin(complete_options(margin_options(), given), classes, {threads, workers});
}

/// Clouds around drawn centres that overlap, in five kinds: dense, sparse, columns that are sums of others, columns
/// twice, constant columns. Weights on every second set.
Rows drawn(std::size_t rows, std::size_t features, std::size_t classes, std::uint64_t seed) {
  Random random(seed, 27);
  const std::uint64_t kind = seed % 5;
  std::vector<std::vector<double>> centre(classes, std::vector<double>(features));
  for (auto& c : centre) {
    for (double& x : c) x = random.normal();
  }
  Rows all;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t own = i < classes ? i : random.below(classes);
    std::vector<double> x = centre[own];
    for (double& value : x) value = kind == 1 && random.below(3) > 0 ? 0 : value + random.normal();
    if (kind == 2 && features > 2) x[2] = x[0] + x[1];
    if (kind == 3 && features > 1) x[1] = x[0];
    if (kind == 4) x[0] = 3;
    all.x.push_back(x);
    all.y.push_back(static_cast<double>(own));
    if (seed % 2 == 1) all.w.push_back(static_cast<double>(random.below(3)) + 0.25);
  }
  return all;
}

struct Drawn {
  Rows rows;
  SoftmaxProblem problem;
  Options options;
};

Drawn draw(std::uint64_t seed) {
  Random random(seed, 28);
  Drawn all;
  SoftmaxProblem& p = all.problem;
  p.classes = 2 + random.below(3);
  p.origin = random.below(4) == 0;
  p.grouped = random.below(2) == 0;
  p.lambda = std::pow(10.0, -0.5 * static_cast<double>(random.below(8)));
  const double ratios[] = {1, 1, 0.9, 0.5, 0.05};
  p.l1_ratio = ratios[random.below(5)];
  all.rows = drawn(p.classes + random.below(25), 1 + random.below(4), p.classes, seed);
  p.x = all.rows.x;
  for (const double y : all.rows.y) p.y.push_back(static_cast<std::size_t>(y));
  p.weight = all.rows.w.empty() ? std::vector<double>(all.rows.size(), 1) : all.rows.w;
  all.options = {{"origin", p.origin}, {"lambda", p.lambda}, {"l1-ratio", p.l1_ratio}, {"group-features", p.grouped}};
  return all;
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

TEST(SparseSoftmax, TheGapHoldsAtEveryPassAndTheOptimumIsReached) {
  for (std::uint64_t seed = 0; seed < drawn_problems(); ++seed) {
    const Drawn all = draw(seed);
    const SoftmaxProblem& p = all.problem;
    SCOPED_TRACE(std::to_string(seed) + ": " + std::to_string(p.classes) +
                 " classes, ρ = " + std::to_string(p.l1_ratio) + ", λ = " + std::to_string(p.lambda) +
                 (p.grouped ? ", grouped" : "") + (p.origin ? ", origin" : ""));
    const reference::Bounds least = reference::least_sparse_softmax(p);
    ASSERT_GE(least.low, least.high * (1 - 1e-11L));
    Options options = all.options;
    options["gap"] = 1e-8;
    const Result run = drive(*sparse(p.classes, options), Packed(all.rows).batch(), 1000);
    EXPECT_TRUE(run.converged);
    for (const Progress& progress : run.history) {
      EXPECT_GE(static_cast<Real>(*progress.objective), least.low * (1 - 1e-14L));
      EXPECT_LE(*progress.objective * (1 - static_cast<Real>(*progress.gap)), least.high * (1 + 1e-15L));
    }
    EXPECT_LE(*run.history.back().gap, 1e-8);
    const Real reached = objective_of(p, run.model);
    EXPECT_NEAR(static_cast<double>(reached / *run.history.back().objective), 1, 1e-12);
    EXPECT_LE(reached, least.high * (1 + 2e-8L));
    if (HasFailure()) break;
  }
}

const Options kVariants[] = {{},
                             {{"l1-ratio", 0.5}},
                             {{"group-features", true}},
                             {{"origin", true}, {"l1-ratio", 0.7}, {"group-features", true}}};

Options with(Options options, const char* name, OptionValue value) {
  options[name] = std::move(value);
  return options;
}

TEST(SparseSoftmax, ThreadsBatchesAndLayoutsOfRowsDontChangeABit) {
  const Rows rows = drawn(2500, 8, 4, 6);
  for (const Options& variant : kVariants) {
    for (const testing::Layout layout : {testing::Layout{true, false}, testing::Layout{false, false}}) {
      const Packed packed(rows, layout);
      const Result whole = drive(*sparse(4, variant), packed.batch(), 500);
      EXPECT_TRUE(whole.converged);
      for (const int threads : {2, 4}) expect_same(drive(*sparse(4, variant, threads), packed.batch(), 500), whole);
      expect_same(drive(*sparse(4, variant), testing::shape_of(packed.batch()), testing::pieces(packed.batch(), 7), 500,
                        *solo()),
                  whole);
    }
  }
}

TEST(SparseSoftmax, AnyNumberOfWorkersGivesTheSameBits) {
  const Packed packed(drawn(300, 6, 3, 5), {false, false});
  for (const Options& variant : kVariants) {
    const Options given = with(variant, "gap", 1e-6);
    const Result one = drive(*sparse(3, given), packed.batch(), 500);
    EXPECT_TRUE(one.converged);
    for (const int workers : {2, 3, 7}) {
      std::vector<Result> results(static_cast<std::size_t>(workers));
      run_threads(workers, [&](Comm& comm) {
        const std::int64_t n = packed.batch().rows, rank = comm.rank();
        const Batch mine = testing::rows_between(packed.batch(), n * rank * rank / (workers * workers),
                                                 n * (rank + 1) * (rank + 1) / (workers * workers));
        results[static_cast<std::size_t>(rank)] =
            drive(*sparse(3, given, 1, workers), testing::shape_of(mine), {mine}, 500, comm);
      });
      for (const Result& result : results) expect_same(result, one);
    }
  }
}

TEST(SparseSoftmax, AnInterruptedRunGoesOnToTheSameBits) {
  const Packed packed(drawn(60, 4, 3, 7));
  const auto comm = solo();
  for (const Options& variant : kVariants) {
    const Options given = with(with(variant, "gap", 1e-7), "lambda", 0.003);
    const Result whole = drive(*sparse(3, given), packed.batch(), 500);
    EXPECT_TRUE(whole.converged);
    for (std::size_t cut = 0; cut < whole.history.size(); ++cut) {
      const auto first = sparse(3, given), second = sparse(3, given);
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
}

// Any byte may be wrong: that is an Error or another state, never a crash (run under the asan preset).
TEST(SparseSoftmax, ADamagedStateIsRefusedOrIsAnotherState) {
  const Packed packed(drawn(9, 2, 3, 1));
  const auto comm = solo();
  Random random(5);
  for (const int passes : {0, 1, 2, 3, 4}) {
    const auto learner = sparse(3, {{"gap", 1e-12}, {"lambda", 0.01}});
    drive(*learner, packed.batch(), passes);
    const std::string state = learner->save_state();
    for (std::size_t size = 0; size < state.size(); size += 3) {
      EXPECT_THROW(learner->load_state(state.substr(0, size)), Error);
      learner->begin(testing::shape_of(packed.batch()));
    }
    for (int i = 0; i < 400; ++i) {
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

// Many columns that say nothing beside two that tell the classes apart.
Rows with_noise_columns(std::size_t noise) {
  Rows rows = drawn(400, 2, 3, 0);
  Random random(3, 1);
  for (auto& x : rows.x) {
    for (std::size_t j = 0; j < noise; ++j) x.push_back(random.below(3) == 0 ? random.normal() : 0);
  }
  return rows;
}

std::size_t used(const Model& model, std::size_t feature, std::size_t classes) {
  std::size_t count = 0;
  for (std::size_t c = 0; c < classes; ++c) count += weights_of(model, c)[feature] != 0 ? 1 : 0;
  return count;
}

TEST(SparseSoftmax, GroupedFeaturesAreKeptOrDroppedForAllClasses) {
  const Packed packed(with_noise_columns(60));
  const Result grouped = drive(*sparse(3, {{"lambda", 0.05}, {"group-features", true}}), packed.batch(), 500);
  const Result single = drive(*sparse(3, {{"lambda", 0.05}}), packed.batch(), 500);
  EXPECT_TRUE(grouped.converged && single.converged);
  std::size_t kept = 0, between = 0;
  for (std::size_t j = 0; j < 62; ++j) {
    const std::size_t own = used(grouped.model, j, 3), alone = used(single.model, j, 3);
    EXPECT_TRUE(own == 0 || own == 3) << j;
    kept += own > 0 ? 1 : 0;
    between += alone > 0 && alone < 3 ? 1 : 0;
  }
  EXPECT_EQ(used(grouped.model, 0, 3) + used(grouped.model, 1, 3), 6U);
  EXPECT_LE(kept, 10U);
  EXPECT_GT(between, 0U);
}

TEST(SparseSoftmax, MoreViolatingFeaturesThanAWorkingSetHoldsAreMet) {
  const Packed packed(with_noise_columns(720), {false, false});
  for (const bool grouped : {false, true}) {
    const Result run = drive(*sparse(3, {{"lambda", 1e-3}, {"group-features", grouped}}), packed.batch(), 500);
    EXPECT_TRUE(run.converged);
    EXPECT_LE(*run.history.back().gap, 1e-3);
  }
}

TEST(SparseSoftmax, AStrongPenaltyLeavesOffsetsAlone) {
  const Result run = drive(*sparse(3, {{"lambda", 100.0}}), Packed(drawn(40, 3, 3, 2)).batch(), 20);
  EXPECT_TRUE(run.converged);
  EXPECT_EQ(run.model.theta, std::vector<double>(9, 0));
  EXPECT_LE(run.history.size(), 2U);
}

TEST(SparseSoftmax, AClassWithoutRowsIsNeverPredicted) {
  Rows rows = drawn(40, 2, 3, 2);
  for (double& y : rows.y) y = y == 1 ? 2 : y;
  for (const bool grouped : {false, true}) {
    const Result run =
        drive(*sparse(3, {{"gap", 1e-8}, {"lambda", 0.01}, {"group-features", grouped}}), Packed(rows).batch(), 500);
    EXPECT_TRUE(run.converged);
    std::vector<double> z(3 * rows.size()), p(z.size());
    score(run.model, Packed(rows).batch(), z);
    probabilities(run.model, z, p);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(p[3 * i + 1], 0);
  }
}

// Of θ_1 − θ_0 = θ the least |θ_1| + |θ_0| is |θ|: the logistic loss with the same λ.
TEST(SparseSoftmax, OfTwoClassesIsTheLogisticLoss) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rows rows = drawn(60, 3, 2, seed);
    const Result two = drive(*sparse(2, {{"lambda", 0.02}, {"gap", 1e-10}}), Packed(rows).batch(), 3000);
    for (double& y : rows.y) y = y == 0 ? -1 : 1;
    const Options options = complete_options(
        margin_options(), {{"loss", word("logistic")}, {"lambda", 0.02}, {"gap", 1e-10}, {"penalty", word("l1")}});
    const Result one = drive(*make_margin(options, nullptr), Packed(rows).batch(), 3000);
    EXPECT_TRUE(two.converged && one.converged);
    EXPECT_NEAR(*two.history.back().objective / *one.history.back().objective, 1, 1e-9);
  }
}

TEST(SparseSoftmax, GroupingNeedsSoftmaxAndAnL1Part) {
  const auto refused = [](const Options& given) {
    const Options options = complete_options(margin_options(), given);
    try {
      margin_entry().refuse(options, {.parts = 3, .joint = true});
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const Options softmax = {{"loss", word("softmax")}, {"penalty", word("l1")}, {"group-features", true}};
  EXPECT_EQ(refused(softmax), "");
  EXPECT_NE(refused(with(softmax, "penalty", word("l2"))), "");
  EXPECT_NE(refused(with(softmax, "loss", word("logistic"))), "");
}

}  // namespace
}  // namespace linsep
