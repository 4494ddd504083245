// The margin learner against reference optima of drawn problems, and on small problems solved by hand.
#include "learn/margin/margin.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "data/memory_source.h"
#include "learn/margin/losses.h"
#include "learn/margin/order_testing.h"
#include "learn/margin/reference.h"
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
  const auto random = testing::wanted_order(*memory, options, threads);
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
// few distinct rows, and rows with many zeros. Weights and one class now and then.
Rows draw_rows(Random& random, std::uint64_t& kind) {
  Rows rows;
  const auto n = static_cast<std::size_t>(2 + random.below(30));
  const auto d = static_cast<std::size_t>(1 + random.below(6));
  kind = random.below(5);
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
    rows.x.push_back(x);
    rows.y.push_back(z > 0 || one_class ? 1 : -1);
    if (weighted) rows.w.push_back(static_cast<double>(random.below(5)) / 2);
  }
  if (weighted) rows.w[0] = 1;
  return rows;
}

// Class weights, the origin, and strength by C or λ now and then.
Drawn draw(std::uint64_t seed) {
  Random random(20240607, seed);
  Drawn drawn;
  std::uint64_t kind = 0;
  drawn.rows = draw_rows(random, kind);
  const std::size_t n = drawn.rows.size(), d = drawn.rows.features();
  const bool weighted = !drawn.rows.w.empty();
  drawn.layout = {random.below(2) == 0, random.below(2) == 0};

  const auto loss = random.below(3);
  const bool origin = random.below(3) == 0;
  static constexpr const char* kLosses[] = {"hinge", "squared-hinge", "logistic"};
  static constexpr const char* kSolvers[3][4] = {{"auto", "dual", "interior", "planes"},
                                                 {"auto", "dual", "newton", "newton"},
                                                 {"auto", "newton", "newton", "newton"}};
  const char* solver = kSolvers[loss][random.below(4)];
  const double c = std::pow(10.0, 5 * random.uniform() - 3);
  const double gap = std::pow(10.0, -2 - 5 * random.uniform());
  const double positive = random.below(4) == 0 ? 2.5 : 1, negative = random.below(4) == 0 ? 0.25 : 1;
  drawn.options = {{"loss", word(kLosses[loss])},
                   {"solver", word(solver)},
                   {"origin", origin},
                   {"gap", gap},
                   {"positive-weight", positive},
                   {"negative-weight", negative},
                   {"passes", std::int64_t{4000}}};

  reference::Problem& p = drawn.problem;
  p.x = drawn.rows.x;
  p.y = drawn.rows.y;
  p.loss = loss_named(kLosses[loss]);
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
    // Coordinate descent and cutting planes can be slow at a large C; the others never are.
    const std::string& solver = get_text(drawn.options, "solver");
    if (solver == "dual" || solver == "planes") continue;
    ASSERT_TRUE(result.converged) << drawn.what << ": gap " << gap;
    ASSERT_LE(gap, get_number(drawn.options, "gap")) << drawn.what;
  }
}

/// Signed distances y·z/‖θ‖ of the rows.
std::vector<double> distances(const Rows& rows, const Model& model) {
  std::vector<double> all;
  double square = 0;
  for (const double t : model.theta) square += t * t;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double z = model.offset;
    for (std::size_t j = 0; j < model.theta.size(); ++j) z += model.theta[j] * rows.x[i][j];
    all.push_back(rows.y[i] * z / std::sqrt(square));
  }
  return all;
}

double width(const Model& model) {
  double square = 0;
  for (const double t : model.theta) square += t * t;
  return 2 / std::sqrt(square);
}

// Points on a line at 5, 0 and 5/2 from the origin. At C = 1 the nearest two decide: θ is 4/5 long, θ0 = −1, and no row
// is short of its margin, so the objective is λ/2·(4/5)² with λ = 1/3.
TEST(Margin, SeparableRowsWorkedByHand) {
  const Rows rows{{{3, 4}, {0, 0}, {1.5, 2}}, {1, -1, 1}, {}};
  const Packed packed(rows);
  for (const char* solver : {"dual", "interior"}) {
    const Result result = train_margin(packed, {{"solver", word(solver)}, {"gap", 1e-9}});
    ASSERT_TRUE(result.converged) << solver;
    EXPECT_NEAR(result.model.theta[0], 0.48, 1e-4);
    EXPECT_NEAR(result.model.theta[1], 0.64, 1e-4);
    EXPECT_NEAR(result.model.offset, -1, 1e-4);
    EXPECT_NEAR(*result.history.back().objective, 0.32 / 3, 1e-9);
    EXPECT_NEAR(width(result.model), 2.5, 1e-3);
    const auto gamma = distances(rows, result.model);
    EXPECT_NEAR(gamma[0], 3.75, 1e-3);
    EXPECT_NEAR(gamma[1], 1.25, 1e-3);
    EXPECT_NEAR(gamma[2], 1.25, 1e-3);
  }
}

// One more row, equal to the first but of the other class. While the score s there is between −1 and 1 the two
// cost 2 together; beyond 1 they cost more than the third row gains. So θ is 2/5 long, θ0 = −1, s = 1, the third row
// lies on the boundary, and the objective is (0 + 0 + 1 + 2)/4 + λ/2·(2/5)² = 0.77 with λ = 1/4.
TEST(Margin, ContradictingRowsWorkedByHand) {
  const Rows rows{{{3, 4}, {0, 0}, {1.5, 2}, {3, 4}}, {1, -1, 1, -1}, {}};
  const Packed packed(rows);
  for (const char* solver : {"dual", "interior"}) {
    const Result result = train_margin(packed, {{"solver", word(solver)}, {"gap", 1e-9}});
    ASSERT_TRUE(result.converged) << solver;
    EXPECT_NEAR(result.model.theta[0], 0.24, 1e-6);
    EXPECT_NEAR(result.model.theta[1], 0.32, 1e-6);
    EXPECT_NEAR(result.model.offset, -1, 1e-6);
    EXPECT_NEAR(*result.history.back().objective, 0.77, 1e-8);
    EXPECT_NEAR(width(result.model), 5, 1e-4);
    const auto gamma = distances(rows, result.model);
    const std::vector<double> by_hand = {2.5, 2.5, 0, -2.5};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(gamma[i], by_hand[i], 1e-4) << "row " << i + 1;
  }
}

struct Way {
  const char* loss;
  const char* solver;
};
constexpr Way kWays[] = {{"hinge", "auto"},           {"hinge", "dual"},         {"hinge", "interior"},
                         {"hinge", "planes"},         {"squared-hinge", "auto"}, {"squared-hinge", "dual"},
                         {"squared-hinge", "newton"}, {"logistic", "newton"}};

/// Rows enough for several blocks and groups.
Rows many_rows(std::size_t n, std::size_t d, std::uint64_t seed) {
  Rows rows = testing::real_rows(n, d, seed);
  Random random(seed, 77);
  for (std::size_t i = 0; i < n; ++i) {
    for (double& x : rows.x[i]) x = random.below(3) == 0 ? x : 0;
    if (random.below(10) == 0) rows.y[i] = -rows.y[i];
  }
  return rows;
}

void expect_same(const Result& a, const Result& b) {
  EXPECT_EQ(a.model, b.model);
  ASSERT_EQ(a.history.size(), b.history.size());
  for (std::size_t k = 0; k < a.history.size(); ++k) {
    ASSERT_EQ(a.history[k].objective, b.history[k].objective);
    ASSERT_EQ(a.history[k].gap, b.history[k].gap);
  }
}

TEST(Margin, ThreadsDontChangeABit) {
  const Rows rows = many_rows(6000, 20, 5);
  for (const Layout layout : {Layout{true, true}, Layout{false, true}}) {
    const Packed packed(rows, layout);
    for (const Way& way : kWays) {
      SCOPED_TRACE(std::string(way.loss) + " " + way.solver);
      const Options options = {{"loss", word(way.loss)}, {"solver", word(way.solver)}, {"gap", 1e-4}};
      const Result one = train_margin(packed, options, 1);
      EXPECT_TRUE(one.converged);
      for (const int threads : {2, 4}) expect_same(train_margin(packed, options, threads), one);
    }
  }
}

TEST(Margin, TheInputsBatchesDontChangeABit) {
  const Rows rows = many_rows(3000, 8, 6);
  for (const Layout layout : testing::kLayouts) {
    const Packed packed(rows, layout);
    for (const Way& way : kWays) {
      SCOPED_TRACE(std::string(way.loss) + " " + way.solver);
      const Options options = complete_options(
          margin_options(), {{"loss", word(way.loss)}, {"solver", word(way.solver)}, {"passes", std::int64_t{60}}});
      const Result whole = train_margin(packed, options);
      for (const std::int64_t size : {7, 1000}) {
        std::vector<Page> pages;
        for (const Batch& batch : testing::pieces(packed.batch(), size)) {
          pages.emplace_back();
          pages.back().batch = batch;
          // Rows that are the source's own are put into a random order, somebody else's stay where they are.
          if (size == 1000) pages.back().storage = std::make_shared<int>(0);
        }
        MemorySource memory(std::move(pages), {}, 0);
        const auto random = testing::wanted_order(memory, options, 2);
        expect_same(drive(*make_margin(options, nullptr, 2), random ? *random : memory, 60), whole);
      }
    }
  }
}

TEST(Margin, BatchesThatDontLastGiveTheSameBits) {
  const Packed packed(many_rows(2500, 6, 7));
  for (const Way& way : kWays) {
    SCOPED_TRACE(std::string(way.loss) + " " + way.solver);
    const Options options = complete_options(
        margin_options(), {{"loss", word(way.loss)}, {"solver", word(way.solver)}, {"passes", std::int64_t{30}}});
    std::vector<Batch> passing = testing::pieces(packed.batch(), 100), pinned = passing;
    for (Batch& batch : pinned) batch.pinned = true;
    const Shape shape = testing::shape_of(packed.batch());
    expect_same(drive(*make_margin(options, nullptr, 2), shape, pinned, 30, *solo()),
                drive(*make_margin(options, nullptr, 1), shape, passing, 30, *solo()));
  }
}

TEST(Margin, ResumesFromASavedStateToTheSameBits) {
  const Packed packed(many_rows(1500, 5, 8));
  const std::vector<Batch> batches = testing::pieces(packed.batch(), 64);
  for (const Way& way : kWays) {
    SCOPED_TRACE(std::string(way.loss) + " " + way.solver);
    const Options options =
        complete_options(margin_options(), {{"loss", word(way.loss)}, {"solver", word(way.solver)}, {"gap", 1e-5}});
    const auto comm = solo();
    const auto straight = make_margin(options, nullptr, 1);
    auto interrupted = make_margin(options, nullptr, 1);
    straight->begin(testing::shape_of(packed.batch()));
    interrupted->begin(testing::shape_of(packed.batch()));
    for (int pass = 0; pass < 40; ++pass) {
      Progress a, b;
      const Verdict verdict = testing::one_pass(*straight, batches, *comm, a);
      ASSERT_EQ(testing::one_pass(*interrupted, batches, *comm, b), verdict);
      ASSERT_EQ(a.objective, b.objective);
      ASSERT_EQ(a.gap, b.gap);
      auto resumed = make_margin(options, nullptr, 1);
      resumed->begin(testing::shape_of(packed.batch()));
      resumed->load_state(interrupted->save_state());
      interrupted = std::move(resumed);
      ASSERT_EQ(interrupted->model(), straight->model());
      if (verdict == Verdict::kConverged) break;
    }
    EXPECT_THROW(interrupted->load_state(straight->save_state() + "x"), Error);
  }
}

TEST(Margin, AWeightOfTwoIsARowTwice) {
  Rows once = many_rows(60, 4, 9), twice = once;
  for (std::size_t i = 0; i < 60; ++i) {
    once.w.push_back(i % 3 == 0 ? 2 : 1);
    if (i % 3 != 0) continue;
    twice.x.push_back(once.x[i]);
    twice.y.push_back(once.y[i]);
  }
  for (const Way& way : kWays) {
    const Options options = {{"loss", word(way.loss)}, {"solver", word(way.solver)}, {"gap", 1e-7}, {"C", 0.3}};
    const double a = *train_margin(Packed(once), options).history.back().objective;
    const double b = *train_margin(Packed(twice), options).history.back().objective;
    EXPECT_NEAR(a, b, 2e-7 * a) << way.loss << " " << way.solver;
  }
}

TEST(Margin, RowsOfOneClassNeedNoWeights) {
  const Rows rows{{{1, 2}, {3, 4}}, {-1, -1}, {}};
  const Packed packed(rows);
  for (const Way& way : kWays) {
    const Result result = train_margin(packed, {{"loss", word(way.loss)}, {"solver", word(way.solver)}});
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(*result.history.back().objective, 0);
    EXPECT_EQ(result.model.theta, std::vector<double>(2));
    EXPECT_LT(result.model.offset, 0);
  }
}

// One of the bytes says which phase the solver is in, and 3 that it is done while rows still have a loss.
TEST(Margin, CuttingPlanesGoOnFromStatesWithAnyByteChangedOrRefuseThem) {
  const Packed packed(Rows{{{1}, {2}, {3}}, {1, -1, 1}, {}});
  const Options options = complete_options(margin_options(), {{"solver", word("planes")}});
  const auto learner = make_margin(options, nullptr, 1);
  drive(*learner, packed.batch(), 2);
  const std::string state = learner->save_state();
  for (std::size_t i = 0; i < state.size(); ++i) {
    std::string changed = state;
    changed[i] = '\3';
    const auto resumed = make_margin(options, nullptr, 1);
    resumed->begin(testing::shape_of(packed.batch()));
    try {
      resumed->load_state(changed);
      Progress progress;
      testing::one_pass(*resumed, {packed.batch()}, *solo(), progress);
      EXPECT_EQ(resumed->model().theta.size(), 1U);
    } catch (const Error&) {  // it is refused, or the rows aren't those that it was made of
    }
  }
}

TEST(Margin, RowsWithoutFeaturesAreDecidedByTheOffset) {
  const Rows rows{{{0}, {0}, {0}}, {1, 1, -1}, {}};
  const Packed packed(rows, {false, true});
  for (const Way& way : kWays) {
    const Result result = train_margin(packed, {{"loss", word(way.loss)}, {"solver", word(way.solver)}, {"gap", 1e-6}});
    EXPECT_TRUE(result.converged) << way.loss << " " << way.solver;
    EXPECT_GT(result.model.offset, 0);
    if (std::string_view(way.loss) != "hinge") continue;
    EXPECT_NEAR(*result.history.back().objective, 2.0 / 3, 1e-6);
  }
}

TEST(Margin, StartsFromAModel) {
  const Packed packed(many_rows(2000, 12, 10));
  for (const Way& way : kWays) {
    if (std::string_view(way.solver) == "interior") continue;
    SCOPED_TRACE(std::string(way.loss) + " " + way.solver);
    const double near =
        std::string_view(way.solver) == "planes" ? 1e-4 : 1e-7;  // planes have a long way to the optimum
    Options options = {{"loss", word(way.loss)}, {"solver", word(way.solver)}, {"C", 0.1}, {"gap", near}};
    const Result good = train_margin(packed, options);
    ASSERT_TRUE(good.converged);
    options["gap"] = 1e-3;
    const Result cold = train_margin(packed, options), warm = train_margin(packed, options, 1, &good.model);
    EXPECT_TRUE(warm.converged);
    EXPECT_LE(warm.history.size(), cold.history.size());
    EXPECT_LE(*warm.history.back().objective, *good.history.back().objective * (1 + near));
  }
}

TEST(Margin, OnePassFromAModelEndsWithThatModelOrABetterOne) {
  const Packed packed(many_rows(2000, 12, 10));
  for (const Way& way : kWays) {
    SCOPED_TRACE(std::string(way.loss) + " " + way.solver);
    Options options = {{"loss", word(way.loss)}, {"solver", word(way.solver)}, {"C", 0.1}};
    const Result good = train_margin(packed, options);
    options["passes"] = std::int64_t{1};
    const Result once = train_margin(packed, options, 1, &good.model);
    EXPECT_EQ(once.model.theta, good.model.theta);
    EXPECT_NEAR(*once.history.back().objective, *good.history.back().objective, 1e-9);
    Model far = good.model;
    for (double& weight : far.theta) weight *= -1000;
    EXPECT_NE(train_margin(packed, options, 1, &far).model.theta, far.theta) << "no θ at all is better";
  }
}

/// Rows of whole numbers from 0 to 16, as of scanned digits, that a plane through their middle separates.
Rows separable_rows(std::size_t n, std::size_t d) {
  Random random(16, n);
  std::vector<double> rule(d);
  for (double& r : rule) r = random.normal();
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> x(d);
    double z = 0;
    for (std::size_t j = 0; j < d; ++j) {
      x[j] = static_cast<double>(random.below(17));
      z += rule[j] * (x[j] - 8);
    }
    rows.x.push_back(std::move(x));
    rows.y.push_back(z > 0 ? 1 : -1);
  }
  return rows;
}

TEST(Margin, OnSeparableRowsNewtonsMethodAndCoordinateDescentTakeTurns) {
  const Rows rows = separable_rows(400, 100);
  Rows sorted;
  for (const double y : {-1.0, 1.0}) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows.y[i] != y) continue;
      sorted.x.push_back(rows.x[i]);
      sorted.y.push_back(y);
    }
  }
  for (const double c : {1.0, 100.0, 10000.0}) {
    SCOPED_TRACE(c);
    Options options = {{"loss", word("squared-hinge")}, {"C", c}, {"passes", std::int64_t{3000}}};
    for (const Rows* each : std::initializer_list<const Rows*>{&rows, &sorted}) {
      const Result found = train_margin(Packed(*each), options);
      EXPECT_TRUE(found.converged);
      EXPECT_EQ(found.stats.margin->because.find("is smooth"), std::string::npos) << "the second solver had its turn";
    }
    if (c == 1) continue;
    options["solver"] = word("newton");
    EXPECT_FALSE(train_margin(Packed(rows), options).converged) << "else this shows nothing";
  }
}

TEST(Margin, RefusesWhatMakesNoSense) {
  const auto options = [](Options given) { return complete_options(margin_options(), given); };
  EXPECT_THROW(options({{"C", -1.0}}), Error);
  EXPECT_THROW(make_margin(options({}), nullptr)->begin({-1, 0, -1}), Error);
  EXPECT_THROW(train_margin(Packed(Rows{{{1}, {2}}, {1, 2}, {}}), {}), Error);
  EXPECT_THROW(train_margin(Packed(Rows{{{1}, {2}}, {1, -1}, {1, -1}}), {}), Error);
  EXPECT_THROW(train_margin(Packed(Rows{{{1}, {2}}, {1, -1}, {0, 0}}), {}), Error);
  EXPECT_THROW(run_threads(2,
                           [&](Comm& comm) {
                             const Packed packed(Rows{{{1}, {2}}, {1, -1}, {}});
                             const auto learner = make_margin(options({}), nullptr);
                             drive(*learner, testing::shape_of(packed.batch()), {packed.batch()}, 3, comm);
                           }),
               Error);
}

}  // namespace
}  // namespace linsep
