// The perceptron of several classes, compared with a slow oracle, and for two classes with the perceptron.
#include "learn/perceptron/multiclass.h"

#include <gtest/gtest.h>

#include "learn/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using testing::drive;
using testing::Packed;
using testing::Result;
using testing::Rows;
using testing::word;

std::unique_ptr<Learner> joint(std::size_t classes, const Options& given = {}) {
  return make_joint_perceptron(complete_options(perceptron_entry().info.table, given), classes);
}

Rows drawn(std::size_t rows, std::size_t features, std::size_t classes, std::uint64_t seed) {
  Rows all = testing::whole_rows(rows, features, seed);
  Random random(seed, 1);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t at_random = random.below(classes);
    // Half of the sets follow a rule by which classes can be told apart, half are at random.
    all.y[i] = static_cast<double>(seed % 2 == 0 ? at_random : i % classes);
    if (seed % 2 == 1) all.x[i][(i % classes) % features] += i % classes < features ? 20 : -20;
  }
  return all;
}

struct Slow {
  std::vector<std::vector<double>> theta;  // intercept last
  std::vector<std::vector<double>> sum;    // of θ after every row
  std::int64_t mistakes = 0, steps = 0;
  std::vector<std::int64_t> by_row;
};

// By the definition, one number at a time, with the mean by adding up every θ.
Slow slow(const Rows& rows, std::size_t classes, int passes, bool origin, double rate) {
  const std::size_t d = rows.features();
  Slow s;
  s.theta.assign(classes, std::vector<double>(d + 1));
  s.sum = s.theta;
  s.by_row.resize(rows.size());
  bool clean = false;
  for (int pass = 0; pass < passes && !clean; ++pass) {
    clean = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto y = static_cast<std::size_t>(rows.y[i]);
      std::vector<double> z(classes);
      for (std::size_t c = 0; c < classes; ++c) {
        z[c] = s.theta[c][d];
        for (std::size_t j = 0; j < d; ++j) z[c] += s.theta[c][j] * rows.x[i][j];
      }
      std::size_t worst = classes;
      for (std::size_t c = 0; c < classes; ++c) {
        if (c != y && z[c] >= z[y] && (worst == classes || z[c] > z[worst])) worst = c;
      }
      if (worst < classes) {
        clean = false;
        ++s.mistakes;
        ++s.by_row[i];
        for (std::size_t j = 0; j < d; ++j) {
          s.theta[y][j] += rate * rows.x[i][j];
          s.theta[worst][j] -= rate * rows.x[i][j];
        }
        if (!origin) s.theta[y][d] += rate, s.theta[worst][d] -= rate;
      }
      ++s.steps;
      for (std::size_t c = 0; c < classes; ++c) {
        for (std::size_t j = 0; j <= d; ++j) s.sum[c][j] += s.theta[c][j];
      }
    }
  }
  return s;
}

TEST(JointPerceptron, IsItsDefinitionBitForBit) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::size_t classes = 2 + seed % 5;
    const bool origin = seed % 3 == 0, averaged = seed % 4 < 2;
    const Rows rows = drawn(30, 5, classes, seed);
    const Slow expected = slow(rows, classes, 12, origin, 0.5);
    for (const testing::Layout layout : testing::kLayouts) {
      SCOPED_TRACE(seed);
      const auto learner =
          joint(classes, {{"rate", 0.5}, {"origin", origin}, {"variant", word(averaged ? "averaged" : "last")}});
      const Result run = drive(*learner, Packed(rows, layout).batch(), 12);
      EXPECT_EQ(run.stats.mistakes, expected.mistakes);
      EXPECT_EQ(run.stats.mistakes_by_row, expected.by_row);
      ASSERT_EQ(run.model.form, Model::Form::kClasses);
      for (std::size_t c = 0; c < classes; ++c) {
        for (std::size_t j = 0; j <= 5; ++j) {
          const double weight = j < 5 ? weights_of(run.model, c)[j] : run.model.offsets[c];
          const double mean = expected.sum[c][j] / static_cast<double>(expected.steps);
          EXPECT_EQ(weight, averaged ? mean : expected.theta[c][j]);
        }
      }
    }
  }
}

TEST(JointPerceptron, OfTwoClassesIsThePerceptron) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rows rows = drawn(30, 4, 2, seed);
    const Result two = drive(*joint(2), Packed(rows).batch(), 50);
    for (double& y : rows.y) y = y == 0 ? -1 : 1;
    const Result one = drive(*testing::perceptron(), Packed(rows).batch(), 50);
    EXPECT_EQ(two.stats.mistakes, one.stats.mistakes);
    EXPECT_EQ(two.stats.mistakes_by_row, one.stats.mistakes_by_row);
    EXPECT_EQ(two.converged, one.converged);
    EXPECT_EQ(two.history.size(), one.history.size());
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_EQ(weights_of(two.model, 1)[j], one.model.theta[j]);
      EXPECT_EQ(weights_of(two.model, 0)[j], -one.model.theta[j]);
    }
    EXPECT_EQ(two.model.offsets, (std::vector<double>{-one.model.offset, one.model.offset}));
  }
}

TEST(JointPerceptron, ATieIsAMistake) {
  // From θ = 0 all classes score the same.
  const Result run = drive(*joint(3), Packed({{{1}}, {2}, {}}).batch(), 1);
  EXPECT_EQ(run.stats.mistakes, 1);
  EXPECT_EQ(run.model.theta, (std::vector<double>{-1, 0, 1}));
}

TEST(JointPerceptron, BatchesAndInterruptionsDontChangeABit) {
  const Rows rows = drawn(30, 4, 3, 4);
  const Packed packed(rows);
  for (const char* variant : {"last", "averaged"}) {
    const Options options = {{"variant", word(variant)}};
    const Result whole = drive(*joint(3, options), packed.batch(), 9);
    for (const std::int64_t size : {1, 7}) {
      const auto batches = testing::pieces(packed.batch(), size);
      EXPECT_EQ(drive(*joint(3, options), {-1, 0, -1}, batches, 9, *solo()).model, whole.model);
    }
    const auto first = joint(3, options), second = joint(3, options);
    drive(*first, packed.batch(), 4);
    second->begin(testing::shape_of(packed.batch()));
    second->load_state(first->save_state());
    Progress progress;
    for (int pass = 4; pass < 9; ++pass) testing::one_pass(*second, {packed.batch()}, *solo(), progress);
    EXPECT_EQ(second->model(), whole.model);
    const std::string state = first->save_state();
    EXPECT_THROW(second->load_state(state.substr(0, state.size() / 2)), Error);
    EXPECT_THROW(joint(4, options)->load_state(state), Error);
  }
}

TEST(JointPerceptron, RefusesAClassThatIsNotThere) {
  EXPECT_THROW(drive(*joint(2), Packed({{{1}}, {2}, {}}).batch(), 1), Error);
  EXPECT_THROW(drive(*joint(2), Packed({{{1}}, {-1}, {}}).batch(), 1), Error);
}

}  // namespace
}  // namespace linsep
