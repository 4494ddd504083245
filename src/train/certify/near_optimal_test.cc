// A proof of a model shows as much as its training did, or nearly: no later point of the search is worse than that.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "data/decorators.h"
#include "linsep/optimality.h"
#include "linsep/train.h"
#include "train/certify/oracle.h"

namespace linsep {
namespace {

/// Whole numbers within `most` of `middle`, each with this probability and otherwise 0, and labels that have nothing to
/// do with them.
SmallSet noise(std::mt19937_64& draw, int rows, std::uint32_t features, int middle, int most, double probability = 1) {
  const auto part = [&] { return static_cast<double>(draw() >> 11) * 0x1p-53; };
  SmallSet set;
  set.binary = true;
  set.features = features;
  for (int i = 0; i < rows; ++i) {
    std::vector<double>& row = set.number.emplace_back(features, 0.0);
    for (double& x : row) {
      if (part() < probability) x = middle + static_cast<int>(draw() % (2 * static_cast<unsigned>(most) + 1)) - most;
    }
    set.label.push_back(i < 2 ? 2 * i - 1 : draw() % 2 == 0 ? 1 : -1);
  }
  return set;
}

/// Trains, proves and checks. Whether the proof has a reference.
bool prove_what_training_claims(const SmallSet& set, const Options& options) {
  SmallSource small(set);
  const std::unique_ptr<Source> rows = copy_into_memory(small);
  TrainSpec spec;
  spec.options = options;
  const Model model = fit(*rows, spec).model;
  const OptimalityProof proof = prove_optimality(model, *rows);
  EXPECT_LE(proven_gap(proof), 1.1 * model.training.gap.value() + 1e-7);
  const OptimalityCheck check = verify_optimality(proof, *rows);
  EXPECT_TRUE(check.valid) << check.reason;
  return proof.reference.has_value();
}

TEST(NearOptimal, ScoresOfANearerClassifierProveMoreWithAnL1Part) {
  int references = 0;
  for (int seed = 0; seed < 12; ++seed) {
    for (const char* const loss : {"logistic", "squared-hinge"}) {
      for (const double ratio : {0.5, 1.0}) {
        for (const double c : {0.003, 0.1, 1.0}) {
          SCOPED_TRACE(testing::Message() << "seed " << seed << ' ' << loss << ' ' << ratio << ' ' << c);
          std::mt19937_64 draw(static_cast<std::uint64_t>(seed));
          const Options options = {{"loss", std::string(loss)}, {"l1-ratio", ratio}, {"C", c}};
          references += prove_what_training_claims(noise(draw, 40, 6, 0, 9), options) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(references, 0);
}

TEST(NearOptimal, TheWitnessOfAHingeWithAnL1PartIsTheBestOnTheWay) {
  std::mt19937_64 draw(1);
  const SmallSet far_from_zero = noise(draw, 200, 20, 480, 80);
  for (const double gap : {1e-3, 1e-5, 1e-7}) {
    SCOPED_TRACE(gap);
    prove_what_training_claims(far_from_zero, {{"loss", std::string("hinge")}, {"l1-ratio", 1.0}, {"gap", gap}});
  }
}

TEST(NearOptimal, AHingeWithAnL1PartOfManyFeaturesHasAWitnessThatKnowsThePenalty) {
  std::mt19937_64 draw(2);
  const SmallSet wide = noise(draw, 60, 2100, 0, 9, 0.01);
  for (const double ratio : {0.5, 1.0}) {
    SCOPED_TRACE(ratio);
    prove_what_training_claims(wide, {{"loss", std::string("hinge")}, {"l1-ratio", ratio}});
  }
}

}  // namespace
}  // namespace linsep
