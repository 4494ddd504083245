// Audits of given weights, held against optima that a nested search finds and against the checker.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "data/decorators.h"
#include "linsep/error.h"
#include "linsep/optimality.h"
#include "linsep/train.h"
#include "train/certify/oracle.h"

namespace linsep {
namespace {

/// What is asked about a drawn set of two features.
struct Asked {
  SmallSet set;
  TrainingObjective objective;
  bool origin = false;
};

double exact_value(const std::string& text) {
  const std::size_t slash = text.find('/');
  return slash == std::string::npos ? std::stod(text)
                                    : std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

double objective_at(const Asked& asked, double a, double b, double offset) {
  const TrainingObjective& objective = asked.objective;
  const double weight[2] = {exact_value(objective.negative_weight), exact_value(objective.positive_weight)};
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < asked.set.rows(); ++i) {
    const double m = asked.set.label[i] * (a * asked.set.number[i][0] + b * asked.set.number[i][1] + offset);
    const double slack = std::max(0.0, 1 - m);
    const double logistic = std::log1p(std::exp(-std::abs(m))) + std::max(0.0, -m);
    const double w = weight[asked.set.label[i] > 0 ? 1 : 0];
    sum += w * (objective.loss == Loss::kLogistic ? logistic : objective.loss == Loss::kHinge ? slack : slack * slack);
    total += w;
  }
  const double squares = a * a + b * b + exact_value(objective.offset_penalty) * offset * offset;
  return sum / total + exact_value(objective.lambda) / 2 * squares;
}

/// The least value of a convex function between two points.
double least_between(double low, double high, const std::function<double(double)>& f) {
  for (int k = 0; k < 40; ++k) {
    const double third = (high - low) / 3, left = low + third, right = high - third;
    if (f(left) < f(right)) {
      high = right;
    } else {
      low = left;
    }
  }
  return f((low + high) / 2);
}

double least_objective(const Asked& asked) {
  return least_between(-8, 8, [&](double a) {
    return least_between(-8, 8, [&](double b) {
      if (asked.origin) return objective_at(asked, a, b, 0);
      return least_between(-8, 8, [&](double offset) { return objective_at(asked, a, b, offset); });
    });
  });
}

Asked drawn(std::mt19937_64& draw, Loss loss) {
  const auto quarter = [&] { return 0.25 * static_cast<double>(static_cast<int>(draw() % 17) - 8); };
  Asked asked;
  asked.set.binary = true;
  asked.set.features = 2;
  for (int i = 0; i < 12; ++i) {
    asked.set.number.push_back({quarter(), quarter()});
    asked.set.label.push_back(i % 3 == 0 ? -1 : 1);
  }
  asked.objective.loss = loss;
  asked.objective.lambda = draw() % 2 == 0 ? "1/4" : "0.05";
  if (draw() % 2 == 0) asked.objective.positive_weight = "5/2";
  asked.origin = draw() % 4 == 0;
  if (!asked.origin && draw() % 2 == 0) asked.objective.offset_penalty = draw() % 2 == 0 ? "1" : "1/4";
  return asked;
}

GivenWeights given_of(const Asked& asked, const std::string& a, const std::string& b, const std::string& offset) {
  GivenWeights given;
  given.origin = asked.origin;
  given.features = 2;
  given.objective = asked.objective;
  given.weights = {{0, a}, {1, b}};
  if (!asked.origin) given.weights.push_back({2, offset});
  return given;
}

TEST(Audit, OfPoorWeightsEnclosesTheOptimumAndTheDistanceToIt) {
  std::mt19937_64 draw(1);
  for (const Loss loss : {Loss::kHinge, Loss::kSquaredHinge, Loss::kLogistic}) {
    for (int k = 0; k < 4; ++k) {
      const Asked asked = drawn(draw, loss);
      SmallSource small(asked.set);
      const std::unique_ptr<Source> rows = copy_into_memory(small);
      Source& source = *rows;
      const OptimalityProof proof = audit_weights(given_of(asked, "-1.5", "0.25", "2"), source, 1e-3);
      const CheckResult result = verify_optimality(proof, source);
      EXPECT_TRUE(result.valid) << result.reason;
      const double own = objective_at(asked, -1.5, 0.25, asked.origin ? 0 : 2), least = least_objective(asked);
      EXPECT_NEAR(std::stod(proof.at_most), own, 1e-9 * own);
      EXPECT_LE(std::stod(proof.at_least), least * (1 + 1e-12));
      EXPECT_GE(std::stod(proof.at_least), least * (1 - 2e-3));
      ASSERT_TRUE(proof.reference.has_value());
      EXPECT_NEAR(std::stod(proof.reference->lower_by), own - least, 2e-3 * own);
      const AboveBest above = above_best(proof);
      EXPECT_GT(above.at_least, 0);
      EXPECT_LE(above.at_least, own / least - 1 + 1e-6);
      EXPECT_GE(above.at_most, own / least - 1 - 1e-6);
    }
  }
}

TEST(Audit, GoodWeightsOfASmoothLossNeedNoTraining) {
  std::mt19937_64 draw(2);
  for (const Loss loss : {Loss::kSquaredHinge, Loss::kLogistic}) {
    for (int k = 0; k < 6; ++k) {
      const Asked asked = drawn(draw, loss);
      SmallSource small(asked.set);
      const std::unique_ptr<Source> rows = copy_into_memory(small);
      Source& source = *rows;
      const OptimalityProof far = audit_weights(given_of(asked, "-1.5", "0.25", "2"), source, 1e-8);
      GivenWeights best = given_of(asked, "0", "0", "0");
      best.weights = far.reference.value().weights;
      const OptimalityProof proof = audit_weights(best, source, 1e-3);
      EXPECT_FALSE(proof.reference.has_value());
      EXPECT_LE(proven_gap(proof), 1e-3);
    }
  }
}

TEST(Audit, ClassesTheOtherWayRoundAndWeightsByName) {
  std::mt19937_64 draw(3);
  Asked asked = drawn(draw, Loss::kLogistic);
  asked.origin = false;
  asked.objective = {Loss::kLogistic, "", "1", "1"};
  SmallSource small(asked.set);
  const std::unique_ptr<Source> rows = copy_into_memory(small);
  Source& source = *rows;
  GivenWeights given = given_of(asked, "0.5", "-0.25", "0.125");
  given.c = "2";
  given.class_weight = "1=3";
  const OptimalityProof straight = audit_weights(given, source, 1);
  EXPECT_EQ(straight.objective.positive_weight, "3");
  EXPECT_EQ(straight.objective.lambda, "1/56");  // of 12 rows 8 are positive: 1/(2·(4 + 3·8))
  given.classes = {"1", "-1"};
  given.weights = {{0, "-0.5"}, {1, "0.25"}, {2, "-0.125"}};
  EXPECT_EQ(audit_weights(given, source, 1), straight);
  given.classes = {"yes", "no"};
  EXPECT_THROW(audit_weights(given, source, 1), Error);
}

TEST(Audit, AConstantColumnIsAnInterceptThatIsPenalized) {
  std::mt19937_64 draw(6);
  Asked asked = drawn(draw, Loss::kLogistic);
  asked.origin = false;
  asked.objective.offset_penalty = "1/4";
  SmallSource small(asked.set);
  const std::unique_ptr<Source> rows = copy_into_memory(small);
  Source& source = *rows;
  const OptimalityProof as_offset = audit_weights(given_of(asked, "0.5", "-0.00025", "3"), source, 1);
  GivenWeights given = given_of(asked, "5e-1", "-2.5E-4", "1.5");
  given.constant = "2";
  given.objective.offset_penalty = "";
  OptimalityProof as_column = audit_weights(given, source, 1);
  EXPECT_EQ(as_column.objective, as_offset.objective);
  EXPECT_EQ(as_column.model, as_offset.model);
  EXPECT_EQ(as_column.at_least, as_offset.at_least);
  given.objective.offset_penalty = "0";
  as_column = audit_weights(given, source, 1);
  EXPECT_EQ(as_column.objective.offset_penalty, "0");
  EXPECT_EQ(as_column.model, as_offset.model);
}

TEST(Audit, RefusesAnObjectiveThatIsNone) {
  std::mt19937_64 draw(4);
  const Asked asked = drawn(draw, Loss::kLogistic);
  SmallSource small(asked.set);
  const std::unique_ptr<Source> rows = copy_into_memory(small);
  Source& source = *rows;
  const auto refuses = [&](const std::function<void(GivenWeights&)>& change) {
    GivenWeights given = given_of(asked, "0.5", "-0.25", "0.125");
    change(given);
    EXPECT_THROW(audit_weights(given, source, 1), Error);
  };
  refuses([](auto& given) { given.objective.lambda = "0"; });
  refuses([](auto& given) { given.objective.lambda = "a third"; });
  refuses([](auto& given) { given.c = "-1"; });
  refuses([](auto& given) { given.objective.positive_weight = "0"; });
  refuses([](auto& given) { given.objective.offset_penalty = "-1"; });
  refuses([](auto& given) { given.features = 3; });
}

TEST(Audit, OfAModelOfLinsepThatStoppedEarly) {
  std::mt19937_64 draw(5);
  Asked asked = drawn(draw, Loss::kLogistic);
  SmallSource small(asked.set);
  const std::unique_ptr<Source> rows = copy_into_memory(small);
  Source& source = *rows;
  TrainSpec spec;
  spec.options = {{"loss", std::string("logistic")}, {"C", 10.0}};
  Outcome outcome = fit(source, spec);
  const OptimalityProof good = audit_model(outcome.model, source, 1e-3);
  EXPECT_FALSE(good.reference.has_value());
  outcome.model.theta[0] -= 2;
  const OptimalityProof poor = audit_model(outcome.model, source, 1e-3);
  ASSERT_TRUE(poor.reference.has_value());
  EXPECT_GT(above_best(poor).at_least, 0.01);
  EXPECT_NEAR(std::stod(poor.at_least) / std::stod(good.at_least), 1, 2e-3);
}

}  // namespace
}  // namespace linsep
