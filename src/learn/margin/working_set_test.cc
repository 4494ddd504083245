#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "learn/margin/l1_quadratic.h"
#include "learn/margin/losses.h"
#include "learn/margin/margin.h"
#include "learn/margin/query_oracle.h"
#include "learn/margin/working_set.h"
#include "learn/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using Real = long double;

/// mean loss + λ(ρ‖θ‖₁ + (1 − ρ)/2·‖θ‖²), minimized by coordinate descent in long double: a slow method that shares
/// nothing with the solver.
struct Reference {
  std::vector<std::vector<double>> x;
  std::vector<double> y, weight;
  Loss loss = Loss::kLogistic;
  double lambda = 1, ratio = 1;
  bool origin = false;

  std::size_t features() const { return x[0].size(); }

  Real loss_of(Real m) const {
    if (loss == Loss::kLogistic) return log1pl(expl(-fabsl(m))) + std::max<Real>(0, -m);
    const Real t = std::max<Real>(0, 1 - m);
    return t * t;
  }
  Real slope_of(Real m) const {  // −ℓ′
    if (loss == Loss::kLogistic) return 1 / (1 + expl(m));
    return 2 * std::max<Real>(0, 1 - m);
  }
  Real curvature() const { return loss == Loss::kLogistic ? 0.25L : 2.0L; }

  template <class Theta>
  Real objective(const Theta& theta, Real offset) const {
    Real sum = 0, total = 0, penalty = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      Real z = offset;
      for (std::size_t j = 0; j < features(); ++j) z += static_cast<Real>(theta[j]) * x[i][j];
      sum += weight[i] * loss_of(y[i] * z);
      total += weight[i];
    }
    for (std::size_t j = 0; j < features(); ++j) {
      const Real w = theta[j];
      penalty += ratio * fabsl(w) + (1 - ratio) / 2 * w * w;
    }
    return sum / total + lambda * penalty;
  }

  struct Optimum {
    std::vector<Real> theta;
    Real offset = 0, objective = 0, violation = 0;
  };

  /// Coordinates with the loss's greatest curvature, again and again.
  Optimum solve(int sweeps, Real enough) const {
    Real total = 0;
    for (const double w : weight) total += w;
    Optimum at{std::vector<Real>(features(), 0)};
    std::vector<Real> z(x.size(), 0);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      at.violation = 0;
      for (std::size_t k = 0; k <= features(); ++k) {
        const bool is_offset = k == features();
        if (is_offset && origin) continue;
        const auto value = [&](std::size_t i) { return is_offset ? Real{1} : Real{x[i][k]}; };
        Real& w = is_offset ? at.offset : at.theta[k];
        // A few steps at each coordinate: Newton's, kept by the bound on the curvature from going too far.
        for (int step = 0; step < 3; ++step) {
          Real gradient = 0, bound = 0;
          for (std::size_t i = 0; i < x.size(); ++i) {
            const Real c = weight[i] / total;
            gradient -= c * y[i] * value(i) * slope_of(y[i] * z[i]);
            bound += c * value(i) * value(i) * curvature();
          }
          if (bound == 0 && (is_offset || w == 0)) break;
          const Real ridge = is_offset ? 0 : lambda * (1 - ratio), threshold = is_offset ? 0 : lambda * ratio;
          const Real pull = bound * w - gradient;
          const Real best = fabsl(pull) <= threshold
                                ? 0
                                : (pull - copysignl(threshold, pull)) / std::max<Real>(bound + ridge, 1e-300L);
          const Real change = best - w;
          if (step == 0) at.violation = std::max(at.violation, fabsl(change) * (bound + ridge));
          if (change == 0) break;
          w = best;
          for (std::size_t i = 0; i < x.size(); ++i) z[i] += change * value(i);
        }
      }
      if (at.violation < enough) break;
    }
    at.objective = objective(at.theta, at.offset);
    return at;
  }
};

/// Dense, sparse, with duplicated, collinear and constant columns, weights, both losses, any ρ.
Reference drawn(unsigned seed) {
  std::mt19937 draw(seed);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(draw); };
  const auto upto = [&](int most) { return static_cast<int>(draw() % static_cast<unsigned>(most)); };
  Reference p;
  const std::size_t rows = 4 + static_cast<std::size_t>(upto(30)), features = 1 + static_cast<std::size_t>(upto(8));
  const bool sparse = upto(2) == 0;
  p.loss = upto(2) == 0 ? Loss::kLogistic : Loss::kSquaredHinge;
  p.ratio = upto(2) == 0 ? 1 : uniform(0.05, 0.99);
  p.origin = upto(4) == 0;
  p.lambda = std::pow(10, uniform(-2.5, 0));
  const bool weighted = upto(3) == 0;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> row(features);
    for (double& x : row) x = sparse && upto(3) > 0 ? 0 : uniform(-2, 2);
    if (features > 1 && seed % 5 == 0) row[features - 1] = row[0];
    if (features > 2 && seed % 5 == 1) row[features - 1] = row[0] + row[1];
    if (seed % 5 == 2) row[features - 1] = 1;
    if (seed % 5 == 3) row[features - 1] *= 100;
    p.x.push_back(row);
    p.y.push_back(i == 0 ? 1 : i == 1 ? -1 : uniform(-1, 1) + row[0] > 0 ? 1 : -1);
    p.weight.push_back(weighted ? uniform(0.1, 3) : 1);
  }
  return p;
}

Options options_of(const Reference& p, double gap, const char* solver = "working-set") {
  return complete_options(margin_options(), {{"loss", std::string(facts_of(p.loss).name)},
                                             {"lambda", p.lambda},
                                             {"penalty", std::string("elasticnet")},
                                             {"l1-ratio", p.ratio},
                                             {"origin", p.origin},
                                             {"solver", std::string(solver)},
                                             {"gap", gap}});
}

testing::Result run(Learner& learner, const Reference& p, std::int64_t passes) {
  const testing::Packed packed({p.x, p.y, p.weight});
  return testing::drive(learner, testing::shape_of(packed.batch()), {packed.batch()}, passes, *solo());
}

int draws(int usual) {
  const char* wanted = std::getenv("LINSEP_DRAWS");
  return wanted != nullptr ? std::atoi(wanted) : usual;
}

TEST(WorkingSet, ClaimsNoSmallerGapThanThereIs) {
  std::size_t proven = 0, wrong = 0;
  for (int seed = 1; seed <= draws(400); ++seed) {
    const Reference p = drawn(static_cast<unsigned>(seed));
    const Reference::Optimum best = p.solve(20000, 1e-13L);
    for (const auto& [gap, solver] : {std::pair(1e-2, "working-set"), {1e-6, "working-set"}, {1e-6, "columns"}}) {
      SCOPED_TRACE(solver);
      const auto learner = make_margin(options_of(p, gap, solver), nullptr);
      const testing::Result result = run(*learner, p, 5000);
      ASSERT_FALSE(result.history.empty()) << seed;
      const Progress last = result.history.back();
      const Model model = learner->model();
      const Real value = p.objective(model.theta, model.offset);
      ASSERT_TRUE(last.gap && last.objective) << seed;
      EXPECT_NEAR(static_cast<double>(value), *last.objective, 1e-9 * *last.objective) << seed;
      EXPECT_LE(*last.gap, gap) << seed;
      EXPECT_LE(value * (1 - *last.gap), best.objective * (1 + 1e-12L)) << seed;
      if (best.violation > 1e-12L || !model.open_zeros) continue;
      std::vector<bool> open(p.features());
      for (const std::uint64_t j : *model.open_zeros) open[j] = true;
      for (std::size_t j = 0; j < p.features(); ++j) {
        if (model.theta[j] != 0 || open[j]) continue;
        ++proven;
        if (best.theta[j] != 0) ++wrong;
      }
    }
  }
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(proven, 100U);
}

TEST(WorkingSet, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Reference p = drawn(seed);
    while (p.x.size() < 5000) {  // enough rows for several blocks
      p.x.push_back(p.x[p.x.size() % 29 % p.x.size()]);
      p.y.push_back(p.x.size() % 3 == 0 ? 1 : -1);
      p.weight.push_back(1);
    }
    std::vector<Model> models;
    for (const int threads : {1, 2, 4}) {
      const auto learner =
          make_margin(options_of(p, 1e-6, seed % 2 == 0 ? "columns" : "working-set"), nullptr, LearnerRun(threads));
      models.push_back(run(*learner, p, 5000).model);
    }
    EXPECT_EQ(models[0], models[1]) << seed;
    EXPECT_EQ(models[0], models[2]) << seed;
  }
}

TEST(WorkingSet, GoesOnFromASavedStateToTheSameBits) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Reference p = drawn(seed);
    const Options options = options_of(p, 1e-8, seed % 2 == 0 ? "columns" : "working-set");
    const auto whole = make_margin(options, nullptr);
    const testing::Result result = run(*whole, p, 5000);
    for (std::int64_t passes = 1; passes < static_cast<std::int64_t>(result.history.size()); ++passes) {
      const auto first = make_margin(options, nullptr);
      run(*first, p, passes);
      const testing::Packed packed({p.x, p.y, p.weight});
      const auto second = make_margin(options, nullptr);
      second->begin(testing::shape_of(packed.batch()));
      second->load_state(first->save_state());
      Verdict verdict = Verdict::kContinue;
      while (verdict == Verdict::kContinue) {
        Progress progress;
        second->visit(packed.batch());
        second->synchronise(*solo());
        verdict = second->end_pass(progress);
      }
      EXPECT_EQ(second->model(), result.model) << seed << " after " << passes;
    }
  }
}

TEST(WorkingSet, SaysWhatCantBeCombined) {
  const auto refusal = [](Options options) -> std::string {
    try {
      make_margin(complete_options(margin_options(), std::move(options)), nullptr)->begin({10, 2, 20});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(
      refusal({{"penalty", std::string("l1")}, {"solver", std::string("newton")}, {"loss", std::string("logistic")}})
          .find("supports only"),
      std::string::npos);
  EXPECT_NE(refusal({{"solver", std::string("working-set")}, {"loss", std::string("logistic")}}).find("L1 part"),
            std::string::npos);
}

// The solvers by the questions that they ask, which an oracle answers.

MarginSettings settings_of(const Reference& p, double gap) {
  MarginSettings settings;
  settings.loss = p.loss;
  settings.penalty = {p.ratio};
  settings.origin = p.origin;
  settings.lambda = p.lambda;
  settings.gap = gap;
  return settings;
}

/// Unless the slow method needs more sweeps.
std::optional<double> least_objective(const Reference& p) {
  const Reference::Optimum best = p.solve(20000, 1e-13L);
  return best.violation < 1e-12L ? std::optional(static_cast<double>(best.objective)) : std::nullopt;
}

template <class Solver>
class AskedWorkingSet : public ::testing::Test {};
using Solvers = ::testing::Types<WorkingSetByHessian, WorkingSetByColumns>;
TYPED_TEST_SUITE(AskedWorkingSet, Solvers);

TYPED_TEST(AskedWorkingSet, FindsTheOptimumFromAnswersAlone) {
  int known = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const Reference p = drawn(seed);
    const testing::Rows rows{p.x, p.y, p.weight};
    const testing::QueryOracle oracle(rows);
    testing::Asked<TypeParam> run(settings_of(p, 1e-7), oracle, rows);
    run.ask(oracle, 2000);
    EXPECT_EQ(run.verdict, Verdict::kConverged);
    const auto best = least_objective(p);
    known += best ? 1 : 0;
    if (best) {
      EXPECT_NEAR(run.task.lambda() * run.task.gap().primal, *best, 2e-7 * *best);
    }
  }
  EXPECT_GT(known, 50);
}

TYPED_TEST(AskedWorkingSet, BoundsHoldWithAnswersAsWrongAsTheySay) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Reference p = drawn(seed);
    const auto best = least_objective(p);
    if (!best) continue;
    const testing::Rows rows{p.x, p.y, p.weight};
    for (const double wrong : {1e-2, 1e-4, 1e-6}) {
      const testing::QueryOracle oracle(rows, wrong);
      testing::Asked<TypeParam> run(settings_of(p, 1e-9), oracle, rows);
      run.ask(oracle, 60);
      const Gap& gap = run.task.gap();
      EXPECT_LE(run.task.lambda() * (gap.dual - gap.rounding), *best * (1 + 1e-12)) << seed << ' ' << wrong;
      EXPECT_GE(run.task.lambda() * gap.primal, *best * (1 - 1e-9)) << seed << ' ' << wrong;
    }
  }
}

TYPED_TEST(AskedWorkingSet, GoesOnWithAnotherLambdaAndFromSavedFields) {
  int changed = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Reference p = drawn(seed);
    const testing::Rows rows{p.x, p.y, p.weight};
    const testing::QueryOracle oracle(rows);
    testing::Asked<TypeParam> run(settings_of(p, 1e-7), oracle, rows), other(settings_of(p, 1e-7), oracle, rows);
    run.ask(oracle, 2000);
    p.lambda /= 3;
    if (!run.solver.change_lambda(p.lambda)) continue;
    ++changed;
    other.load_from(run);
    run.ask(oracle, 2000);
    other.ask(oracle, 2000);
    const auto best = least_objective(p);
    for (const auto* each : {&run, &other}) {
      EXPECT_EQ(each->verdict, Verdict::kConverged);
      if (best) {
        EXPECT_NEAR(each->task.lambda() * each->task.gap().primal, *best, 2e-7 * *best);
      }
    }
    // The one that was loaded copies the columns first, where there is a copy; then its steps are others.
    if (std::is_same_v<TypeParam, WorkingSetByHessian>) {
      EXPECT_EQ(other.task.model(), run.task.model());
    }
  }
  EXPECT_GT(changed, 20);
}

TEST(L1Quadratic, SatisfiesItsOptimalityConditions) {
  std::mt19937 draw(7);
  std::normal_distribution<> normal;
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t size = 1 + draw() % 6;
    L1Quadratic quadratic;
    quadratic.begin(size, [](std::size_t, std::size_t) { return 0; });
    std::vector<double> v(size), zero(size);
    for (std::size_t terms = 0; terms < 8; ++terms) {
      std::vector<double> s(size);
      for (double& x : s) x = normal(draw);
      quadratic.add_square(s, 1, 0, zero);
    }
    for (double& x : v) x = 3 * normal(draw);
    const Penalty penalty{trial % 2 == 0 ? 1 : 0.3};
    const std::vector<double> before = v;
    std::vector<double> u(size, 0);
    quadratic.solve({.each = penalty}, {}, v, u, 1e-12, 100000);
    for (std::size_t k = 0; k < size; ++k) {
      double pull = before[k];
      for (std::size_t l = 0; l < size; ++l) pull -= quadratic.row(k)[l] * u[l];
      EXPECT_NEAR(pull, v[k], 1e-9);
      EXPECT_LE(penalty.violation(u[k], pull), 1e-9);
    }
  }
}

}  // namespace
}  // namespace linsep
