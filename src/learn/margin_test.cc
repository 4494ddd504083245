// The margin learner against reference optima of drawn problems, and on small problems solved by hand.
#include "learn/margin.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "data/permute.h"
#include "learn/margin_reference.h"
#include "learn/testing.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

using testing::drive;
using testing::Layout;
using testing::Packed;
using testing::Result;
using testing::Rows;
using testing::word;

Result train_margin(const Packed& packed, const Options& given, int threads = 1, const Model* start = nullptr) {
  const Options options = complete_options(margin_options(), given);
  const auto memory = view(packed.batch(), {{"-1", "1"}, {}});
  const auto random = margin_source(*memory, options, false, threads);
  const auto learner = make_margin(options, start, threads);
  return drive(*learner, random ? *random : *memory, get_integer(options, "passes"));
}

// CI draws this many problems; LINSEP_DRAWN_SETS asks for more.
std::int64_t drawn_problems() {
  const char* more = std::getenv("LINSEP_DRAWN_SETS");
  return more == nullptr ? 1000 : std::atoll(more);
}

/// Everything about a drawn problem.
struct Drawn {
  Rows rows;
  Layout layout;
  Options options;
  reference::Problem problem;
  std::string what;
};

// Values that a float holds exactly, at scales from 1/16 to 64, in five kinds: noise, a rule with noise, separable,
// few distinct rows, and rows with many zeros. Weights, class weights, the origin and one class now and then.
Drawn draw(std::uint64_t seed) {
  Random random(20240607, seed);
  Drawn drawn;
  const auto n = static_cast<std::size_t>(2 + random.below(30));
  const auto d = static_cast<std::size_t>(1 + random.below(6));
  const auto kind = random.below(5);
  const double scale = std::ldexp(1.0, static_cast<int>(random.below(11)) - 4);
  std::vector<double> rule(d);
  for (double& r : rule) r = random.normal();
  const bool weighted = random.below(3) == 0, one_class = random.below(20) == 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> x(d);
    double z = 0.5;
    for (std::size_t j = 0; j < d; ++j) {
      double value = std::round(random.normal() * 256) / 256;
      if (kind == 3) value = static_cast<double>(random.below(2));
      if (kind == 4 && random.below(3) != 0) value = 0;
      x[j] = scale * value;
      z += rule[j] * value;
    }
    if (kind != 2) z += kind == 1 ? 0.5 * random.normal() : 10 * random.normal();
    drawn.rows.x.push_back(x);
    drawn.rows.y.push_back(z > 0 || one_class ? 1 : -1);
    if (weighted) drawn.rows.w.push_back(static_cast<double>(random.below(5)) / 2);
  }
  if (weighted) drawn.rows.w[0] = 1;
  drawn.layout = {random.below(2) == 0, random.below(2) == 0};

  const auto loss = random.below(3);
  const bool origin = random.below(3) == 0;
  static constexpr const char* kLosses[] = {"hinge", "squared-hinge", "logistic"};
  static constexpr const char* kSolvers[3][3] = {
      {"auto", "dual", "interior"}, {"auto", "dual", "newton"}, {"auto", "newton", "newton"}};
  const char* solver = kSolvers[loss][random.below(3)];
  const double c = std::pow(10.0, 5 * random.uniform() - 3);
  const double gap = std::pow(10.0, -2 - 5 * random.uniform());
  const double positive = random.below(4) == 0 ? 2.5 : 1, negative = random.below(4) == 0 ? 0.25 : 1;
  drawn.options = {{"loss", word(kLosses[loss])}, {"solver", word(solver)},       {"origin", origin},
                   {"gap", gap},                  {"positive-weight", positive}, {"negative-weight", negative},
                   {"passes", std::int64_t{4000}}};

  reference::Problem& p = drawn.problem;
  p.x = drawn.rows.x;
  p.y = drawn.rows.y;
  p.loss = static_cast<int>(loss);
  p.origin = origin;
  for (std::size_t i = 0; i < n; ++i) {
    p.weight.push_back((weighted ? drawn.rows.w[i] : 1) * (p.y[i] > 0 ? positive : negative));
  }
  p.lambda = static_cast<double>(1 / (c * p.total()));
  if (random.below(2) == 0) {
    drawn.options["C"] = c;
  } else {
    drawn.options["lambda"] = p.lambda;
  }
  drawn.what = "problem " + std::to_string(seed) + ": " + kLosses[loss] + ", " + solver + ", rows " +
               std::to_string(n) + ", features " + std::to_string(d) + ", kind " + std::to_string(kind) + ", C " +
               std::to_string(c) + ", gap " + std::to_string(gap) + (origin ? ", origin" : "");
  return drawn;
}

TEST(Margin, ObjectiveLiesWithinTheCertifiedGapOfTheReferenceOptimum) {
  for (std::int64_t k = 0; k < drawn_problems(); ++k) {
    const Drawn drawn = draw(static_cast<std::uint64_t>(k));
    const Packed packed(drawn.rows, drawn.layout);
    const Result result = train_margin(packed, drawn.options);
    const auto bounds = reference::least_objective(drawn.problem);
    const long double exact =
        reference::objective(drawn.problem, result.model.theta, static_cast<long double>(result.model.offset));
    const double objective = *result.history.back().objective, gap = *result.history.back().gap;
    const long double small = 1e-12L * std::max<long double>(1, bounds.high);
    ASSERT_NEAR(objective, static_cast<double>(exact), 1e-12 * std::max(1.0, objective)) << drawn.what;
    for (const Progress& progress : result.history) {
      ASSERT_GE(*progress.gap, 0) << drawn.what;
      ASSERT_LE(*progress.objective * (1 - *progress.gap), bounds.high + small) << drawn.what;  // a true lower bound
    }
    ASSERT_GE(objective, bounds.low - small) << drawn.what;
    ASSERT_LE(objective * (1 - gap), bounds.high + small) << drawn.what;
    if (drawn.problem.origin) {
      ASSERT_EQ(result.model.offset, 0) << drawn.what;
    }
    // Coordinate descent can be slow at a large C; the others never are.
    if (get_text(drawn.options, "solver") == "dual") continue;
    ASSERT_TRUE(result.converged) << drawn.what << ": gap " << gap;
    ASSERT_LE(gap, get_number(drawn.options, "gap")) << drawn.what;
  }
}

}  // namespace
}  // namespace linsep
