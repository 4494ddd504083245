#include "linsep/plan.h"

#include <fmt/format.h>

#include "learn/learners.h"
#include "linsep/error.h"
#include "map/feature_map.h"
#include "train/fit_many.h"
#include "train/memory.h"
#include "train/start.h"

namespace linsep {
namespace {

/// The shape that `map_rows` gives. How many values mapped rows have isn't known.
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
  if (start) start_for(*spec.start, source, plan.map, entry.info.regression);
  plan.passes = plan.options.contains("passes") ? get_integer(plan.options, "passes") : options.max_passes;
  if (entry.choose != nullptr) plan.choice = entry.choose(plan.options, plan.mapped, workers);
  if (entry.order != nullptr) plan.order = entry.order(plan.options, plan.choice);
  plan.certifies = entry.certifies != nullptr && entry.certifies(plan.options);
  plan.bytes = training_need(plan, plan.mapped, options).most;
  return plan;
}

}  // namespace linsep
