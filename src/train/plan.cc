#include "linsep/plan.h"

#include <fmt/format.h>

#include "learn/learners.h"
#include "linsep/error.h"
#include "map/feature_map.h"
#include "train/fit_many.h"
#include "train/memory.h"

namespace linsep {
namespace {

void check_start(const Model* start, const FeatureMap& map, std::uint32_t features, const Schema& schema) {
  if (start == nullptr) return;
  if (part_count(schema) == 0) {
    if (start->form != Model::Form::kLinear) throw usage_error("training can start only from a linear model");
  } else if (scores_per_row(*start) != part_count(schema) || start->schema.classes != schema.classes ||
             start->schema.labels != schema.labels) {
    throw usage_error("the model to start from and the data have different classes or labels");
  }
  if (start->map != map) throw usage_error("the model to start from has a different feature map");
  if (weights_of(*start, 0).size() > features) {
    throw usage_error(fmt::format("the model to start from has {} weights, but the data have {} features",
                                  weights_of(*start, 0).size(), features));
  }
}

/// As `map_rows` gives it: how many values mapped rows have isn't known.
Shape mapped_shape(const Shape& shape, const FeatureMap& map) {
  if (map.kind == FeatureMap::Kind::kNone) return shape;
  return {shape.rows, mapped_features(map, shape.features), -1};
}

}  // namespace

TrainPlan plan_training(const Source& source, const TrainSpec& spec, const TrainOptions& options, int workers) {
  const LearnerEntry& entry = learner_entry(spec.learner);
  TrainPlan plan;
  plan.learner = &entry.info;
  plan.options = complete_options(entry.info.table, spec.options);
  plan.map = spec.map;
  plan.shape = source.shape();
  plan.mapped = mapped_shape(plan.shape, plan.map);
  plan.parts = part_count(source.schema());
  plan.workers = workers;
  if (plan.parts == 0 && entry.settle_single != nullptr) entry.settle_single(plan.options);
  plan.joint = plan.parts > 0 && source.schema().labels.empty() && entry.joint != nullptr && entry.joint(plan.options);
  if (plan.parts > 0 && !entry.info.many) {
    throw usage_error(fmt::format("the learner {} supports only two classes", entry.info.name));
  }
  const bool start = spec.start != nullptr;
  if (entry.refuse != nullptr) entry.refuse(plan.options, {plan.parts, plan.joint, start, workers});
  if (start && !entry.info.starts) {
    throw usage_error(fmt::format("the learner {} can't start from a model", entry.info.name));
  }
  check_start(spec.start, plan.map, plan.mapped.features, source.schema());
  plan.passes = plan.options.contains("passes") ? get_integer(plan.options, "passes") : options.max_passes;
  if (entry.choose != nullptr) plan.choice = entry.choose(plan.options, plan.mapped, workers);
  if (entry.order != nullptr) plan.order = entry.order(plan.options, plan.choice);
  plan.certifies = entry.certifies != nullptr && entry.certifies(plan.options);
  plan.bytes = training_need(plan, plan.mapped, options).most;
  return plan;
}

}  // namespace linsep
