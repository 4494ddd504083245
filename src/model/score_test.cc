#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/random.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "map/feature_map.h"
#include "model/examples_test.h"

namespace linsep {
namespace {

using Rows = std::vector<std::vector<double>>;

/// Oracle: φ(x) dense, by the definition of its monomials.
std::vector<double> phi(const Model& model, std::vector<double> x) {
  x.resize(model.features);
  std::vector<double> result(mapped_features(model.map, model.features), 1.0);
  for (std::uint32_t j = 0; j < result.size(); ++j) {
    for (const std::uint32_t column : monomial(model.map, model.features, j)) result[j] *= x[column];
  }
  return result;
}

double dense_dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<double> kept_dense(const Model& model, std::size_t i) {
  std::vector<double> row(mapped_features(model.map, model.features));
  for_each_entry(model.kept.row(i), [&](std::uint32_t column, double value) { row[column] = value; });
  return row;
}

double oracle_kernel(const Kernel& kernel, const std::vector<double>& a, const std::vector<double>& b) {
  if (kernel.kind == Kernel::Kind::kLinear) return dense_dot(a, b);
  if (kernel.kind == Kernel::Kind::kPolynomial) return std::pow(dense_dot(a, b) + kernel.constant, kernel.degree);
  return std::exp(-kernel.gamma * (dense_dot(a, a) + dense_dot(b, b) - 2 * dense_dot(a, b)));
}

double oracle_score(const Model& model, const std::vector<double>& raw) {
  const std::vector<double> x = phi(model, raw);
  double z = model.offset;
  if (model.form != Model::Form::kDual) z += dense_dot(model.theta, x);
  if (model.form == Model::Form::kLinear) return z;
  double sum = model.form == Model::Form::kVoted ? model.votes[0] * predicted_sign(z) : 0;
  for (std::size_t i = 0; i < model.kept.size(); ++i) {
    if (model.form == Model::Form::kDual) {
      z += model.coefficient[i] * oracle_kernel(model.kernel, kept_dense(model, i), x);
    } else {
      z += model.coefficient[i] * (dense_dot(kept_dense(model, i), x) + (model.origin ? 0 : 1));
      sum += model.votes[i + 1] * predicted_sign(z);
    }
  }
  return model.form == Model::Form::kVoted ? sum : z;
}

// One of several classifiers as a model of its own.
Model part_alone(const Model& model, std::size_t part) {
  if (scores_per_row(model) == 1) return model;
  Model alone;
  alone.features = model.features;
  alone.map = model.map;
  const auto theta = weights_of(model, part);
  alone.theta.assign(theta.begin(), theta.end());
  alone.offset = model.offsets[part];
  return alone;
}

TEST(Score, OfSeveralClassesStandTogetherRowByRow) {
  // θ·x + θ0 for red (1, 0), green (0, 1) and blue (−1, −1.5).
  EXPECT_EQ(scores(classes_example(), {{2, 0}, {0, 1}}, false, false),
            (std::vector<double>{2.5, 0, -2.25, 0.5, 1, -1.75}));
}

TEST(Score, OfManyClassesIsTheSameBitsAsClassByClass) {
  constexpr std::size_t kClasses = 9, kColumns = 37, kRows = 150;
  Random random(3);
  Model model;
  model.form = Model::Form::kClasses;
  model.features = kColumns;
  model.theta.resize(kClasses * kColumns);
  for (double& weight : model.theta) weight = random.normal();
  for (std::size_t c = 0; c < kClasses; ++c) {
    model.offsets.push_back(random.normal());
    model.schema.classes.push_back(std::to_string(c));
  }
  std::vector<std::vector<double>> x(kRows, std::vector<double>(kColumns + 2));  // wider than the model
  for (auto& row : x) {
    for (double& value : row) value = random.normal();
  }
  for (const bool is_float : {false, true}) {
    const std::vector<double> together = scores(model, x, true, is_float);
    for (std::size_t c = 0; c < kClasses; ++c) {
      const std::vector<double> alone = scores(part_alone(model, c), x, true, is_float);
      for (std::size_t i = 0; i < kRows; ++i) ASSERT_EQ(together[i * kClasses + c], alone[i]);
    }
  }
}

TEST(Prediction, IsTheClassOfTheGreatestScoreAndOfEqualsTheFirst) {
  EXPECT_EQ(predicted_class(std::vector<double>{1, 3, 2}), 1U);
  EXPECT_EQ(predicted_class(std::vector<double>{-1, -1, -2}), 0U);
  EXPECT_EQ(predicted_class(std::vector<double>{0, 2, 2}), 1U);
}

TEST(Score, IsThetaTimesXPlusTheOffset) {
  EXPECT_EQ(scores(linear_example(), {{2, 0}, {0, 0}, {1, 10}}, false, false), (std::vector<double>{2, -4, -2}));
}

TEST(Score, OfAVotedModelIsTheSumOfTheVotesOfItsClassifiers) {
  // Computed by hand. For x = (1, 2), φ(x) = (1, 2, 2). z0 = 1 − 0.5 + 0.5 = 1. The row (1,0,0) with +1 gives
  // z1 = 1 + 1 + 1 = 3. The row (2,0,−1) with −1 gives z2 = 3 − (2 − 2 + 1) = 2. All vote +1.
  // For x = (−3, 0), z0 = 0.5, z1 = 0.5 − 3 + 1 = −1.5 and z2 = −1.5 + 6 − 1 = 3.5. The sum is 3 − 1 + 7.
  EXPECT_EQ(scores(voted_example(), {{1, 2}, {-3, 0}}, false, false), (std::vector<double>{11, 9}));
}

TEST(Score, OfAVotedModelThroughTheOriginLeavesOutTheOne) {
  Model model = voted_example();
  model.origin = true;
  model.offset = 0;
  // For x = (−3, 0), z0 = 0 counts as +1, z1 = −3 and z2 = −3 + 6 = 3.
  EXPECT_EQ(scores(model, {{-3, 0}}, false, false), (std::vector<double>{9}));
}

TEST(Score, IgnoresColumnsBeyondTheModelsFeatures) {
  for (const Model& model : examples()) {
    const std::vector<double> known = {0.5, -1.5, 2};
    std::vector<double> narrow(model.features);
    for (std::size_t j = 0; j < narrow.size(); ++j) narrow[j] = known[j % known.size()];
    std::vector<double> wide = narrow;
    for (const double extra : {7, 0, -8}) wide.push_back(extra);
    for (const bool dense : {false, true}) {
      for (const bool is_float : {false, true}) {
        EXPECT_EQ(scores(model, {wide}, dense, is_float), scores(model, {narrow}, dense, is_float));
      }
    }
  }
}

TEST(Score, OfABatchWithoutRowsIsEmpty) { EXPECT_TRUE(scores(linear_example(), {}, false, true).empty()); }

TEST(Score, IsTheSameInEveryLayoutUpToRounding) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<Model> all = examples();
    const Model& model = all[*rc::gen::inRange<std::size_t>(0, all.size())];
    const auto width = *rc::gen::inRange<std::size_t>(0, 5);
    // Small multiples of 1/8 are the same as float and as double.
    const auto value = rc::gen::map(rc::gen::inRange(-40, 41), [](int eighths) { return eighths / 8.0; });
    const auto rows = *rc::gen::container<Rows>(rc::gen::container<std::vector<double>>(width, value));
    if (rows.empty()) return;
    for (const bool dense : {false, true}) {
      for (const bool is_float : {false, true}) {
        const std::vector<double> z = scores(model, rows, dense, is_float);
        const std::size_t parts = scores_per_row(model);
        for (std::size_t i = 0; i < z.size(); ++i) {
          const double expected = oracle_score(part_alone(model, i % parts), rows[i / parts]);
          RC_ASSERT(std::abs(z[i] - expected) <= 1e-12 * (1 + std::abs(expected)));
        }
      }
    }
  }));
}

/// Many sparse rows of 3 features, as we keep them and as others do.
struct ManyRows {
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<std::int64_t> column64;
  std::vector<double> value;

  explicit ManyRows(std::uint64_t rows) {
    for (std::uint64_t i = 0; i < rows; ++i) {
      for (std::uint32_t c = 0; c < 3; ++c) {
        if ((i + c) % 4 == 0) continue;
        column.push_back(c);
        column64.push_back(c);
        value.push_back(0.1 * static_cast<double>(i % 97) - c);
      }
      start.push_back(column.size());
    }
  }
  Batch batch(bool foreign) const {
    Batch b;
    b.rows = static_cast<std::int64_t>(start.size()) - 1;
    b.features = 3;
    b.is_float = false;
    b.start = start;
    b.value64 = value;
    if (foreign) {
      b.column64 = column64;
    } else {
      b.column = column;
    }
    return b;
  }
};

Model three_weights() {
  Model model;
  model.schema.classes = {"no", "yes"};
  model.features = 3;
  model.theta = {0.3, -1.7, 0.11};
  model.offset = 0.01;
  return model;
}

TEST(Score, IsTheSameBitsOnAnyNumberOfThreadsAndForForeignArrays) {
  const ManyRows rows(5000);
  Model several = three_weights();
  several.form = Model::Form::kClasses;
  several.theta = {0.3, -1.7, 0.11, 1, 2, 3};
  several.offset = 0;
  several.offsets = {0.5, -0.25};
  for (const Model& model : {three_weights(), several}) {
    std::vector<double> one(5000 * scores_per_row(model)), other(one.size());
    score(model, rows.batch(false), one);
    for (const int threads : {1, 3}) {
      for (const bool foreign : {false, true}) {
        std::fill(other.begin(), other.end(), -99);
        score(model, rows.batch(foreign), other, threads);
        EXPECT_EQ(other, one) << threads;
      }
    }
    std::vector<float> rounded(one.size());
    score(model, rows.batch(false), rounded, 3);
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(rounded[i], static_cast<float>(one[i]));
  }
}

/// A batch, twice.
class TwoBatches : public Source {
 public:
  explicit TwoBatches(const Batch& batch) : batch_(batch) {}
  Shape shape() const override { return {2 * batch_.rows, batch_.features, -1}; }
  const Schema& schema() const override { return schema_; }
  void rewind(std::uint64_t) override { at_ = 0; }
  std::optional<Batch> next() override { return at_++ < 2 ? std::optional(batch_) : std::nullopt; }
  std::vector<WrittenRow> written(std::span<const std::int64_t>) override { return {}; }

 private:
  Batch batch_;
  Schema schema_;
  int at_ = 0;
};

TEST(Predict, GoesThroughASourceAndTellsOfIt) {
  const ManyRows rows(1500);
  TwoBatches source(rows.batch(false));
  const Model model = three_weights();
  std::vector<double> one(1500), all;
  score(model, rows.batch(false), one);
  std::vector<std::int64_t> heard;
  const auto take = [&](const Batch&, std::span<const double> z) { all.insert(all.end(), z.begin(), z.end()); };
  EXPECT_EQ(predict(source, model, {}, take,
                    [&](const Progress& progress) {
                      EXPECT_EQ(progress.phase, Phase::kPredicting);
                      EXPECT_EQ(progress.rows_in_all, 3000);
                      heard.push_back(progress.rows);
                    }),
            3000);
  EXPECT_EQ(heard, (std::vector<std::int64_t>{1500, 3000}));
  ASSERT_EQ(all.size(), 3000U);
  EXPECT_TRUE(std::equal(one.begin(), one.end(), all.begin() + 1500));
}

TEST(Predict, EndsWhenItIsInterrupted) {
  const ManyRows rows(10);
  TwoBatches source(rows.batch(false));
  std::atomic<bool> stop = false;
  RunLimits limits;
  limits.interrupt = &stop;
  int batches = 0;
  try {
    predict(source, three_weights(), limits, [&](const Batch&, std::span<const double>) {
      ++batches;
      stop = true;
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInterrupted);
  }
  EXPECT_EQ(batches, 1);
}

TEST(Probabilities, AreThoseOfTheCalibrationScoreByScore) {
  Model model = three_weights();
  model.calibration.kind = Calibration::Kind::kSigmoid;
  model.calibration.slope = 2;
  const std::vector<double> z{-1, 0, 3};
  std::vector<double> p(3);
  ASSERT_TRUE(has_probabilities(model));
  probabilities(model, z, p);
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_EQ(p[i], positive_probability(model.calibration, z[i]));
}

TEST(Probabilities, OfAModelThatHasNoneAreRefusedWithWhatToDo) {
  const Model model = three_weights();
  std::vector<double> p(1);
  EXPECT_FALSE(has_probabilities(model));
  try {
    probabilities(model, p, p);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.option(), "loss");
    EXPECT_EQ(error.spelled("--", ""),
              "this model has no probabilities: train it with --loss logistic or with --probabilities");
  }
}

TEST(FeatureName, IsANumberAWordOrAProduct) {
  Model model;
  model.features = 3;
  EXPECT_EQ(feature_name(model, 2), "x3");
  model.schema.feature_names = {"a", "b", "c"};
  EXPECT_EQ(feature_name(model, 1), "b");
  model.map = {FeatureMap::Kind::kProducts, 1};
  EXPECT_EQ(feature_name(model, 0), "a");
  EXPECT_EQ(feature_name(model, 3), "a·b");
  EXPECT_EQ(feature_name(model, 5), "b·c");
  model.map = {FeatureMap::Kind::kPolynomial, 3};
  EXPECT_EQ(feature_name(model, 3), "a^2");
  EXPECT_EQ(feature_name(model, 10), "a^2·b");
}

}  // namespace
}  // namespace linsep
