// A data set read in shards. Results don't depend on how many there are.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "core/random.h"
#include "format/text/test_input.h"
#include "linsep/certify.h"
#include "linsep/read.h"
#include "linsep/train.h"

namespace linsep {
namespace {

using test::TempFile;

std::string drawn_text(std::uint64_t seed, int rows, int labels) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    text += std::to_string(random.below(static_cast<std::uint64_t>(labels)));
    for (int j = 1; j <= 4; ++j) {
      text += " " + std::to_string(j) + ":" + std::to_string(random.below(21)) + "." + std::to_string(random.below(90));
    }
    text += "\n";
  }
  return text;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void expect_same(const Evaluation& a, const Evaluation& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.mistakes, b.mistakes);
  EXPECT_EQ(a.true_positive, b.true_positive);
  EXPECT_EQ(a.false_positive, b.false_positive);
  EXPECT_EQ(a.true_negative, b.true_negative);
  EXPECT_EQ(a.false_negative, b.false_negative);
  EXPECT_EQ(a.confusion, b.confusion);
  EXPECT_EQ(a.sum_of_squares, b.sum_of_squares);
  EXPECT_TRUE(same(a.area_under_curve, b.area_under_curve));
  ASSERT_EQ(a.probabilities.has_value(), b.probabilities.has_value());
  if (!a.probabilities) return;
  EXPECT_EQ(a.probabilities->log_loss, b.probabilities->log_loss);
  EXPECT_EQ(a.probabilities->brier, b.probabilities->brier);
  for (std::size_t k = 0; k < a.probabilities->bins.size(); ++k) {
    EXPECT_EQ(a.probabilities->bins[k].rows, b.probabilities->bins[k].rows);
    EXPECT_EQ(a.probabilities->bins[k].predicted, b.probabilities->bins[k].predicted);
  }
}

TEST(Shards, AreEvaluatedTogether) {
  struct Case {
    const char* learner;
    Options options;
    bool regression = false, many = false;
  };
  for (const Case& c : {Case{"perceptron", {{"passes", std::int64_t{3}}}}, Case{"regression", {}, true, false},
                        Case{"margin", {{"loss", std::string("logistic")}}}, Case{"basic", {}, false, true}}) {
    SCOPED_TRACE(c.learner);
    const TempFile file(drawn_text(5, 97, c.many ? 3 : 2));
    const std::vector<std::string> paths{file.path()};
    ReadOptions reading;
    reading.regression = c.regression;
    reading.many_classes = c.many;
    const auto source = load(paths, reading, *solo());
    TrainSpec spec;
    spec.learner = c.learner;
    spec.options = c.options;
    const Model model = fit(*source, spec, {}, *solo()).model;
    const Evaluation alone = evaluate(*source, model, true);
    for (const int workers : {1, 2, 3, 8}) {
      run_threads(workers, [&](Comm& comm) {
        const auto shard = load(paths, reading, comm);
        expect_same(evaluate(*shard, model, true, comm), alone);
      });
    }
  }
}

TEST(Shards, AreCertifiedAndSealedTogether) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    // Sets of few rows are separable, and many rows overlap.
    const TempFile file(drawn_text(seed, seed % 2 == 0 ? 5 : 60, 2));
    const std::vector<std::string> paths{file.path()};
    ReadOptions reading;
    reading.double_values = true;
    const auto source = load(paths, reading, *solo());
    Certificate alone = certify(*source, {}, *solo()).certificate;
    seal_certificate(alone, *source);
    for (const int workers : {2, 3, 8}) {
      run_threads(workers, [&](Comm& comm) {
        const auto shard = load(paths, reading, comm);
        Certificate together = certify(*shard, {}, comm).certificate;
        seal_certificate(together, *shard, comm);
        EXPECT_EQ(certificate_to_json(together), certificate_to_json(alone)) << workers;
      });
    }
  }
}

/// Separable by a weight of 1 for each of the first features and some noise in the others.
std::string separable_text(std::uint64_t seed, int rows, int features, int nonzeros) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    const bool positive = random.below(2) == 0;
    text += positive ? "1" : "-1";
    text += " 1:" + std::string(positive ? "" : "-") + std::to_string(1 + random.below(3)) + "." +
            std::to_string(random.below(90));
    int column = 1;
    for (int k = 0; k < nonzeros; ++k) {
      column += 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(features / nonzeros - 1)));
      text += " " + std::to_string(column) + ":" + (random.below(2) == 0 ? "-" : "") + "0." +
              std::to_string(10 + random.below(90));
    }
    text += "\n";
  }
  return text + "1 1:3 " + std::to_string(features) + ":1\n";
}

TEST(Shards, HaveOneHardMargin) {
  struct Case {
    int rows, features, nonzeros;
  };
  // The last has too many columns for a search of nearest points.
  for (const Case& c : {Case{60, 6, 2}, Case{400, 40, 5}, Case{300, 2500, 12}}) {
    SCOPED_TRACE(c.features);
    const TempFile file(separable_text(7, c.rows, c.features, c.nonzeros));
    const std::vector<std::string> paths{file.path()};
    ReadOptions reading;
    reading.double_values = reading.exact_values = true;
    TrainSpec spec;
    spec.learner = "margin";
    spec.options = {{"hard", true}, {"gap", 1e-4}};
    spec.prove = true;
    const auto source = load(paths, reading, *solo());
    const Outcome alone = fit(*source, spec, {}, *solo());
    ASSERT_EQ(alone.reason, StopReason::kConverged);
    ASSERT_TRUE(alone.hard_margin.has_value());
    std::optional<Model> first;
    for (const int workers : {2, 3, 5}) {
      std::vector<Model> models(static_cast<std::size_t>(workers));
      run_threads(workers, [&](Comm& comm) {
        const auto shard = load(paths, reading, comm);
        Outcome together = fit(*shard, spec, {}, comm);
        ASSERT_EQ(together.reason, StopReason::kConverged);
        ASSERT_TRUE(together.hard_margin.has_value());
        EXPECT_NEAR(together.hard_margin->margin, alone.hard_margin->margin, 1e-4 * alone.hard_margin->margin);
        EXPECT_LE(together.hard_margin->margin, alone.hard_margin->margin_upper_bound);
        EXPECT_GE(together.hard_margin->margin_upper_bound, alone.hard_margin->margin);
        ASSERT_TRUE(together.certificate.has_value());
        EXPECT_TRUE(together.certificate->margin.at_most_squared.has_value());
        seal_certificate(*together.certificate, *shard, comm);
        models[static_cast<std::size_t>(comm.rank())] = together.model;
        if (comm.rank() > 0) return;
        const auto whole = load(paths, reading, *solo());
        const CheckResult result = verify_certificate(*together.certificate, whole.get());
        EXPECT_TRUE(result.valid) << result.reason;
      });
      for (const Model& model : models) EXPECT_EQ(model, models[0]) << workers;
      if (c.features > 2000 && first) {
        EXPECT_EQ(models[0], *first) << "the same bits on any number of workers";
      }
      first = models[0];
    }
  }
}

TEST(Shards, WithoutAHardMarginShowTheSameWitness) {
  const TempFile file(drawn_text(3, 60, 2));
  const std::vector<std::string> paths{file.path()};
  ReadOptions reading;
  reading.double_values = reading.exact_values = true;
  TrainSpec spec;
  spec.learner = "margin";
  spec.options = {{"hard", true}};
  const auto source = load(paths, reading, *solo());
  const Outcome alone = fit(*source, spec, {}, *solo());
  ASSERT_EQ(alone.reason, StopReason::kInseparable);
  run_threads(3, [&](Comm& comm) {
    const auto shard = load(paths, reading, comm);
    const Outcome together = fit(*shard, spec, {}, comm);
    EXPECT_EQ(together.reason, StopReason::kInseparable);
    ASSERT_TRUE(together.certificate.has_value());
    EXPECT_EQ(together.certificate->witness, alone.certificate->witness);
  });
}

}  // namespace
}  // namespace linsep
