// The hinge loss with penalties that have an L1 part, by the interior-point solver and by coordinate descent: the
// certified gap against a slow oracle, zeros, the same bits, saved states. The squared hinge by the interior-point
// solver beside the others.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "learn/margin/margin.h"
#include "learn/margin/reference.h"
#include "learn/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using reference::Bounds;
using reference::Real;
using reference::Vector;
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

/// mean hinge loss + λ(ρ‖θ‖₁ + (1 − ρ)/2·‖θ‖²), minimized in long double by Newton's method with logarithmic barriers
/// on ξ_i ≥ 0, ξ_i ≥ 1 − m_i and t_j ≥ |θ_j|: it shares nothing with the solver. Variables: θ, θ0, t, ξ.
struct Reference {
  Rows rows;
  double lambda = 1, ratio = 1;
  bool origin = false;

  std::size_t features() const { return rows.features(); }
  std::size_t size() const { return 2 * features() + 1 + rows.size(); }
  Real share(std::size_t i) const {
    Real total = static_cast<Real>(rows.size());
    if (!rows.w.empty()) total = 0;
    for (const double w : rows.w) total += w;
    return (rows.w.empty() ? 1 : rows.w[i]) / total;
  }
  template <class Theta>
  Real margin(std::size_t i, const Theta& theta, Real offset) const {
    Real z = offset;
    for (std::size_t j = 0; j < features(); ++j) z += static_cast<Real>(theta[j]) * rows.x[i][j];
    return rows.y[i] * z;
  }
  template <class Theta>
  Real objective(const Theta& theta, Real offset) const {
    Real sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) sum += share(i) * std::max<Real>(0, 1 - margin(i, theta, offset));
    for (std::size_t j = 0; j < features(); ++j) {
      const Real w = theta[j];
      sum += lambda * (ratio * fabsl(w) + (1 - static_cast<Real>(ratio)) / 2 * w * w);
    }
    return sum;
  }
  /// Infinite outside.
  Real barrier(const Vector& at, Real mu) const {
    const std::size_t d = features();
    Real sum = 0;
    const auto wall = [&](Real room) { sum = room > 0 ? sum - mu * logl(room) : INFINITY; };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Real xi = at[2 * d + 1 + i];
      sum += share(i) * xi;
      wall(xi);
      wall(xi - 1 + margin(i, at, at[d]));
    }
    for (std::size_t j = 0; j < d; ++j) {
      const Real t = at[d + 1 + j];
      sum += lambda * (ratio * t + (1 - static_cast<Real>(ratio)) / 2 * at[j] * at[j]);
      wall(t - at[j]);
      wall(t + at[j]);
    }
    return sum;
  }
  /// False where the step no longer lowers the barrier's value.
  bool step(Vector& at, Real mu) const {
    const std::size_t d = features(), n = size();
    std::vector<Vector> h(n, Vector(n + 1, 0));  // minus the gradient last
    const auto wall = [&](Real room, const std::vector<std::pair<std::size_t, Real>>& slopes) {
      for (const auto& [k, a] : slopes) {
        h[k][n] += mu / room * a;
        for (const auto& [l, b] : slopes) h[k][l] += mu / (room * room) * a * b;
      }
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t k = 2 * d + 1 + i;
      std::vector<std::pair<std::size_t, Real>> slopes = {{k, 1}};
      for (std::size_t j = 0; j < d; ++j) slopes.emplace_back(j, rows.y[i] * rows.x[i][j]);
      if (!origin) slopes.emplace_back(d, rows.y[i]);
      h[k][n] -= share(i);
      wall(at[k], {{k, 1}});
      wall(at[k] - 1 + margin(i, at, at[d]), slopes);
    }
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t t = d + 1 + j;
      h[t][n] -= lambda * static_cast<Real>(ratio);
      h[j][n] -= lambda * (1 - static_cast<Real>(ratio)) * at[j];
      h[j][j] += lambda * (1 - static_cast<Real>(ratio));
      wall(at[t] - at[j], {{t, 1}, {j, -1}});
      wall(at[t] + at[j], {{t, 1}, {j, 1}});
    }
    if (origin) h[d][d] = 1;
    Vector right;
    for (const Vector& line : h) right.push_back(line[n]);
    reference::eliminate(h);
    Real promised = 0, length = 1;
    for (std::size_t k = 0; k < n; ++k) promised += right[k] * h[k][n] / h[k][k];
    const Real now = barrier(at, mu);
    Vector next = at;
    for (int halving = 0; halving < 70; ++halving, length /= 2) {
      for (std::size_t k = 0; k < n; ++k) next[k] = at[k] + length * h[k][n] / h[k][k];
      if (barrier(next, mu) <= now - length * promised / 10) break;
    }
    if (!(barrier(next, mu) < now)) return false;
    at = next;
    return promised > 1e-4L * mu;
  }
  Bounds least() const {
    const std::size_t d = features();
    Vector at(size(), 0);
    for (std::size_t k = d + 1; k < at.size(); ++k) at[k] = 2;
    Real mu = 1;
    const auto value = [&] { return objective(at, at[d]); };
    for (; mu > 1e-12L * value(); mu /= 8) {
      for (int made = 0; made < 60 && step(at, mu); ++made) {
      }
    }
    return {value() - 2 * 8 * mu * 2 * static_cast<Real>(rows.size() + d), value()};
  }
};

/// Dense, sparse, collinear, with columns twice and constant ones; weights, and rows through the origin, now and then.
Reference draw(std::uint64_t seed) {
  Random random(seed, 29);
  Reference p;
  const std::size_t n = 3 + random.below(14), d = 1 + random.below(5);
  const bool weighted = random.below(3) == 0;
  p.origin = random.below(4) == 0;
  p.lambda = std::pow(10.0, -0.5 * static_cast<double>(random.below(7)));
  const double ratios[] = {1, 1, 0.9, 0.5, 0.05};
  p.ratio = ratios[random.below(5)];
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> x(d);
    for (double& value : x) value = seed % 5 == 1 && random.below(3) > 0 ? 0 : 2 * random.normal();
    if (seed % 5 == 2 && d > 2) x[2] = x[0] + x[1];
    if (seed % 5 == 3 && d > 1) x[1] = x[0];
    if (seed % 5 == 4) x[0] = 1;
    p.rows.y.push_back(i == 0 ? 1 : i == 1 ? -1 : x[d - 1] + 2 * random.normal() > 0 ? 1 : -1);
    p.rows.x.push_back(std::move(x));
    if (weighted) p.rows.w.push_back(static_cast<double>(random.below(3)) + 0.25);
  }
  return p;
}

Options options_of(const Reference& p, double gap, const char* solver = "auto", const char* loss = "hinge") {
  return complete_options(margin_options(), {{"lambda", p.lambda},
                                             {"l1-ratio", p.ratio},
                                             {"origin", p.origin},
                                             {"gap", gap},
                                             {"solver", word(solver)},
                                             {"loss", word(loss)}});
}

TEST(SparseHinge, TheGapHoldsAtEveryPassAndTheOptimumIsReached) {
  for (std::uint64_t seed = 0; seed < drawn_problems(); ++seed) {
    const Reference p = draw(seed);
    SCOPED_TRACE(std::to_string(seed) + ": " + std::to_string(p.rows.size()) + " rows, ρ = " + std::to_string(p.ratio) +
                 ", λ = " + std::to_string(p.lambda) + (p.origin ? ", origin" : ""));
    const Bounds least = p.least();
    ASSERT_GE(least.low, least.high * (1 - 1e-8L));
    const Result run = drive(*make_margin(options_of(p, 1e-6), nullptr), Packed(p.rows).batch(), 300);
    EXPECT_TRUE(run.converged);
    EXPECT_EQ(run.stats.margin->solver, "interior");
    for (const Progress& progress : run.history) {
      EXPECT_GE(static_cast<Real>(*progress.objective), least.low * (1 - 1e-14L));
      EXPECT_LE(*progress.objective * (1 - static_cast<Real>(*progress.gap)), least.high * (1 + 1e-15L));
    }
    const Real reached = p.objective(run.model.theta, run.model.offset);
    EXPECT_NEAR(static_cast<double>(reached / *run.history.back().objective), 1, 1e-12);
    EXPECT_LE(reached, least.high * (1 + 2e-6L));
    if (HasFailure()) break;
  }
}

Rows with_noise_columns(std::size_t noise) {
  Rows rows = testing::real_rows(400, 2, 5);
  Random random(3, 1);
  for (auto& x : rows.x) {
    for (std::size_t j = 0; j < noise; ++j) x.push_back(random.normal());
  }
  return rows;
}

TEST(SparseHinge, WeightsThatDontHelpAreZero) {
  for (const double ratio : {1.0, 0.5}) {
    const Reference p{with_noise_columns(40), 0.1, ratio};
    const Result run = drive(*make_margin(options_of(p, 1e-6), nullptr), Packed(p.rows).batch(), 300);
    EXPECT_TRUE(run.converged);
    EXPECT_NE(run.model.theta[0], 0);
    EXPECT_NE(run.model.theta[1], 0);
    EXPECT_GE(std::count(run.model.theta.begin(), run.model.theta.end(), 0.0), 30);
  }
}

TEST(SparseHinge, ThreadsDontChangeABit) {
  const Reference p{with_noise_columns(20), 0.01, 0.8};
  const Packed packed(p.rows);
  const Result one = drive(*make_margin(options_of(p, 1e-6), nullptr, 1), packed.batch(), 300);
  EXPECT_TRUE(one.converged);
  for (const int threads : {2, 4}) {
    EXPECT_EQ(drive(*make_margin(options_of(p, 1e-6), nullptr, threads), packed.batch(), 300).model, one.model);
  }
}

void expect_same_bits_after_every_cut(const char* solver, double gap) {
  const Reference p{with_noise_columns(5), 0.01, 1};
  const Packed packed(p.rows);
  const Options options = options_of(p, gap, solver);
  const Result whole = drive(*make_margin(options, nullptr), packed.batch(), 300);
  const auto comm = solo();
  for (std::size_t cut = 0; cut < whole.history.size(); ++cut) {
    const auto first = make_margin(options, nullptr), second = make_margin(options, nullptr);
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

TEST(SparseHinge, AnInterruptedRunGoesOnToTheSameBits) {
  expect_same_bits_after_every_cut("interior", 1e-6);
  expect_same_bits_after_every_cut("dual", 0.03);
}

TEST(SparseHinge, CoordinateDescentsGapHoldsAtEveryPass) {
  for (std::uint64_t seed = 0; seed < drawn_problems() / 3; ++seed) {
    const Reference p = draw(seed);
    SCOPED_TRACE(seed);
    const Bounds least = p.least();
    const Result run = drive(*make_margin(options_of(p, 1e-3, "dual"), nullptr), Packed(p.rows).batch(), 20000);
    EXPECT_TRUE(run.converged);
    for (const Progress& progress : run.history) {
      EXPECT_GE(static_cast<Real>(*progress.objective), least.low * (1 - 1e-14L));
      EXPECT_LE(*progress.objective * (1 - static_cast<Real>(*progress.gap)), least.high * (1 + 1e-15L));
    }
    const Real reached = p.objective(run.model.theta, run.model.offset);
    EXPECT_NEAR(static_cast<double>(reached / *run.history.back().objective), 1, 1e-12);
  }
}

TEST(SparseHinge, ManyColumnsAreForCoordinateDescent) {
  const Options options = complete_options(margin_options(), {{"penalty", word("l1")}});
  EXPECT_EQ(choose_margin_solver(options, {100, 2000, -1}).solver, "interior");
  EXPECT_EQ(choose_margin_solver(options, {100, 2001, -1}).solver, "dual");
}

TEST(SquaredHinge, TheInteriorPointMethodAgreesWithOtherSolvers) {
  for (std::uint64_t seed = 0; seed < drawn_problems() / 3; ++seed) {
    Reference p = draw(seed);
    for (const double ratio : {0.0, p.ratio}) {
      SCOPED_TRACE(std::to_string(seed) + ", ρ = " + std::to_string(ratio));
      p.ratio = ratio;
      const auto run = [&](const char* solver) {
        const Options options = options_of(p, 1e-7, solver, "squared-hinge");
        const Result result = drive(*make_margin(options, nullptr), Packed(p.rows).batch(), 2000);
        EXPECT_TRUE(result.converged) << solver;
        return *result.history.back().objective;
      };
      EXPECT_NEAR(run("interior") / run(ratio > 0 ? "working-set" : "newton"), 1, 2.1e-7);
    }
  }
}

TEST(SparseHinge, SeveralWorkersAreRefused) {
  const Options options = complete_options(margin_options(), {{"penalty", word("l1")}});
  try {
    choose_margin_solver(options, {100, 5, -1}, 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("one worker"), std::string::npos);
  }
}

}  // namespace
}  // namespace linsep
