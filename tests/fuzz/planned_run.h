// Runs as `fit` makes them, without limits, checkpoints and proofs.
#pragma once

#include <memory>

#include "data/decorators.h"
#include "learn/learners.h"
#include "linsep/plan.h"
#include "linsep/train.h"
#include "train/class_weights.h"
#include "train/fit_many.h"
#include "train/row_order.h"

namespace linsep::fuzz {

/// A plan with its rows in order and through the map. REQUIRES: `given` outlives it.
struct Run {
  Source& given;
  TrainPlan plan;
  std::unique_ptr<Source> in_order, mapped;

  Source& rows() const { return mapped ? *mapped : in_order ? *in_order : given; }
};

inline Run planned(Source& given, const TrainSpec& spec) {
  TrainOptions options;
  options.threads = 1;
  Run run{given, plan_training(given, spec, options), nullptr, nullptr};
  run.in_order = rows_in_order(given, run.plan.order, {1, false, false, 1});
  if (run.plan.map.kind != FeatureMap::Kind::kNone) run.mapped = map_rows(run.rows(), run.plan.map);
  return run;
}

/// It has begun.
inline std::unique_ptr<Learner> learner_of(const Run& run) {
  const TrainPlan& plan = run.plan;
  const LearnerEntry& entry = learner_entry(plan.learner->name);
  std::unique_ptr<Learner> learner;
  if (plan.parts == 0) {
    learner = entry.make(learner_options(plan, {}), nullptr, {1, 1, plan.choice});
  } else if (plan.joint) {
    learner = entry.make_joint(plan.options, plan.parts, {1, 1, plan.choice});
  } else {
    learner = make_parts(run.given, 1, {},
                         [&](std::size_t) { return entry.make(plan.options, nullptr, {1, 1, plan.choice}); });
  }
  learner->begin(run.rows().shape());
  return learner;
}

/// Makes passes until the learner wants no more. Returns the number of the last.
inline std::int64_t make_passes(const Run& run, Learner& learner, std::int64_t first, std::int64_t count) {
  for (std::int64_t pass = first; pass < first + count; ++pass) {
    run.rows().rewind(static_cast<std::uint64_t>(pass));
    while (const auto batch = run.rows().next()) learner.visit(*batch);
    learner.synchronise(*solo());
    Progress progress;
    progress.pass = pass + 1;
    if (learner.end_pass(progress) != Verdict::kContinue) return pass + 1;
  }
  return first + count;
}

}  // namespace linsep::fuzz
