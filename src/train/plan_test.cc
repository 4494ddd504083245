// What fit is going to do, and that it does it.
#include "linsep/plan.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "data/decorators.h"
#include "data/memory_source.h"
#include "data/permute.h"
#include "learn/learners.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "map/feature_map.h"

namespace linsep {
namespace {

const Schema kTwo{{"-1", "1"}, {}};

/// Dense rows. The sign of the first feature, which is never near 0, is the label.
struct Data {
  explicit Data(std::int64_t rows, std::uint32_t features) {
    Random random(5);
    for (std::int64_t i = 0; i < rows; ++i) {
      label.push_back(random.below(2) == 0 ? -1 : 1);
      for (std::uint32_t j = 0; j < features; ++j) {
        value.push_back(j == 0 ? label.back() * 3 : static_cast<double>(random.below(9)) - 4);
      }
    }
    batch.rows = rows;
    batch.features = features;
    batch.dense = true;
    batch.is_float = false;
    batch.stride = features;
    batch.label = label;
    batch.value64 = value;
  }
  std::unique_ptr<Source> source(const Schema& schema = kTwo) const { return view(batch, schema); }

  std::vector<double> label, value;
  Batch batch;
};

TrainSpec spec_of(std::string learner, Options options = {}) {
  TrainSpec spec;
  spec.learner = std::move(learner);
  spec.options = std::move(options);
  return spec;
}

TEST(Plan, EveryLearnerOfTheListCanBePlanned) {
  const Data data(10, 3);
  for (const LearnerInfo& info : learners()) {
    SCOPED_TRACE(info.name);
    const auto source = data.source(info.regression ? Schema{} : kTwo);
    const TrainPlan plan = plan_training(*source, spec_of(std::string(info.name)), {});
    EXPECT_EQ(plan.learner->name, info.name);
    EXPECT_EQ(plan.options.size(), info.table.size());
    EXPECT_EQ(plan.mapped.features, 3U);
    EXPECT_EQ(plan.order == VisitOrder::kGiven, plan.choice.solver != "dual");
    EXPECT_GE(plan.bytes, 8U * 3);
    EXPECT_FALSE(info.formula.empty());
    EXPECT_EQ(fit(*source, spec_of(std::string(info.name)), {}, *solo()).model.learner, info.name);
  }
}

TEST(Plan, TheSolverAndTheOrderAreThoseOfTheMappedShape) {
  const Data data(30, 64);
  TrainSpec spec = spec_of("margin", {{"hard", true}});
  EXPECT_EQ(plan_training(*data.source(), spec, {}).order, VisitOrder::kGiven);
  spec.map.kind = FeatureMap::Kind::kProducts;  // 2,080 columns
  const TrainPlan plan = plan_training(*data.source(), spec, {});
  EXPECT_EQ(plan.mapped.features, 2080U);
  EXPECT_EQ(plan.mapped.nonzeros, map_rows(*data.source(), spec.map)->shape().nonzeros);
  EXPECT_EQ(plan.order, VisitOrder::kPermuted);
  EXPECT_TRUE(plan.certifies);
}

/// The model that the learner of a plan makes from rows in this order.
Model trained_on(Source& rows, const TrainPlan& plan) {
  const auto mapped = map_rows(rows, plan.map);
  const auto learner = learner_entry(plan.learner->name).make(plan.options, nullptr, {1, 1, plan.choice});
  TrainOptions limits;
  limits.max_passes = plan.passes;
  return train(*mapped, *learner, limits, *solo()).model;
}

TEST(Plan, DescentOnMappedRowsVisitsThemShuffled) {
  const Data data(30, 64);
  TrainSpec spec = spec_of("margin", {{"hard", true}, {"gap", 1e-2}});
  spec.map.kind = FeatureMap::Kind::kProducts;
  const auto source = data.source();
  const TrainPlan plan = plan_training(*source, spec, {});
  const Outcome outcome = fit(*source, spec, {}, *solo());
  auto& memory = dynamic_cast<MemorySource&>(*source);
  EXPECT_EQ(outcome.model.theta, trained_on(*permute_rows(memory, 1), plan).theta);
  EXPECT_NE(outcome.model.theta, trained_on(memory, plan).theta);
}

TEST(Plan, RefusesWhatTheLearnerCant) {
  const Data data(10, 3);
  const auto source = data.source();
  const auto refused = [&](const TrainSpec& spec, int workers = 1) {
    EXPECT_THROW(plan_training(*source, spec, {}, workers), Error) << spec.learner;
  };
  Model start;
  start.theta = {1, 2, 3};
  for (const LearnerInfo& info : learners()) {
    TrainSpec spec = spec_of(std::string(info.name));
    spec.start = &start;
    if (info.starts) {
      EXPECT_NO_THROW(plan_training(*source, spec, {})) << info.name;
    } else {
      refused(spec);
    }
  }
  refused(spec_of("perceptro"));
  refused(spec_of("dual"), 2);
  refused(spec_of("perceptron", {{"variant", std::string("voted")}}), 2);
  refused(spec_of("margin", {{"solver", std::string("dual")}}), 2);
  refused(spec_of("margin", {{"hard", true}, {"C", 2.0}}));
}

TEST(Plan, OfSeveralClassesHasAClassifierForEach) {
  Data data(9, 3);
  for (std::size_t i = 0; i < 9; ++i) data.label[i] = static_cast<double>(i % 3);
  const auto source = data.source({{"a", "b", "c"}, {}});
  const TrainPlan rest = plan_training(*source, spec_of("perceptron"), {});
  EXPECT_EQ(rest.parts, 3U);
  EXPECT_FALSE(rest.joint);
  EXPECT_TRUE(plan_training(*source, spec_of("perceptron", {{"multiclass", std::string("joint")}}), {}).joint);
  for (const char* learner : {"dual", "regression"}) {
    EXPECT_THROW(plan_training(*source, spec_of(learner), {}), Error) << learner;
  }
  for (const Options& options : {Options{{"trace", true}}, Options{{"variant", std::string("voted")}}}) {
    EXPECT_THROW(plan_training(*source, spec_of("perceptron", options), {}), Error);
  }
  EXPECT_THROW(plan_training(*source, spec_of("margin", {{"hard", true}}), {}), Error);
}

}  // namespace
}  // namespace linsep
