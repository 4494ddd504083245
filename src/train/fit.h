// The parts of `fit` that other ways from a spec to a model share.
#pragma once

#include <memory>
#include <optional>

#include "linsep/comm.h"
#include "linsep/plan.h"
#include "linsep/train.h"
#include "train/checkpoint/checkpoint.h"
#include "train/class_weights.h"

namespace linsep {

/// How far θ can be from the optimum's, by the gap of the last pass: ‖θ − θ*‖² ≤ 2·gap·objective/(λ(1 − ρ)), since the
/// objective is λ(1 − ρ)-strongly convex in θ. 0 if it isn't (ρ = 1), and if there is no gap, or none below 1.
double weight_error(const std::optional<double>& objective, const std::optional<double>& gap,
                    const std::optional<MarginResult>& margin);
/// Sets the model's weight error, for a single classifier.
void note_weight_error(Outcome& outcome);
/// Sets the model's record of how the run went.
void note_training(Outcome& outcome);
/// Learners of one plan that are trained together, for several λ and folds.
struct ManyRuns {
  std::uint64_t count = 1;  ///< each has a state of its own
  Options options = {};     ///< besides the plan's. A checkpoint belongs to a run with all of these options
};

/// One plan over one source, with what comes before the loop and after it. Everything that it is made of must outlive
/// it, but for the plan.
class Training {
 public:
  /// Plans the training first. Collective.
  Training(Source& source, const TrainSpec& spec, const TrainOptions& base, Comm& comm, const Observer& observe);
  /// Finds the run's share of the memory, opens its checkpoints, weighs the classes and adapts the model to start from.
  /// Collective.
  Training(Source& source, const TrainSpec& spec, TrainPlan plan, const TrainOptions& base, Comm& comm,
           const Observer& observe, ManyRuns runs = {});

  Source& source;
  const TrainSpec& spec;
  Comm& comm;
  const Observer& observe;
  const double began;
  const TrainPlan plan;

 private:
  const ManyRuns runs_;
  TrainOptions limits_;

 public:
  std::unique_ptr<Checkpoints> checkpoints;  ///< nullptr if none are kept
  ClassWeights weights;
  std::optional<Model> start;  ///< adapted to the data

  bool resumed() const { return checkpoints && checkpoints->resumed() != nullptr; }
  /// The limits with the time that is left. It is at least a moment, so that the loop ends by its own rule.
  TrainOptions limits() const;
  /// Computes the share of the memory again, after something else has had one.
  void share_memory() const;

  /// Runs the loop with the plan's learner and completes the model, whose weights may not be finite.
  Outcome run();
  /// Runs the loop with another learner, on rows in this order, with at most so many passes. The model is to be
  /// completed.
  Outcome run(Learner& learner, VisitOrder order, std::int64_t passes);
  /// Fills in what a learner's model leaves open: learner, options, map, schema, features, and whether scores are log
  /// odds.
  void complete(Model& model, const Options& options) const;
  /// The rows through the map. After `run` as the learner saw them, except for weights of classes.
  Source& mapped_rows();
  /// Runs the loop again from the start on rows like those, without checkpoints.
  Outcome run_again(Source& mapped_rows) const;
  /// Throws an Error if the model isn't finite, and calls `spec.on_finished`.
  void finish(const Outcome& outcome);

 private:
  Source& rows() { return in_order_ ? *in_order_ : source; }
  bool takes_rows() const;
  Source& visited_rows();

  VisitOrder order_;
  std::unique_ptr<Source> in_order_, through_map_, weighed_, watched_;
};

/// The hard margin. Certifies that the rows are separable, trains, and proves the margin for the values as written.
/// Rows that aren't separable end the run with the proof of that. If time runs out before training has a separator, the
/// model is the one that certify found. REQUIRES: the plan certifies.
Outcome fit_hard_margin(Training& training);

/// Whether all weights are finite numbers. If not, it isn't a model.
bool is_finite(const Model& model);

/// Throws an input Error, on every worker, if some worker's model or last objective isn't finite. It names the column
/// of `rows` with the largest values, if the rows can be read again, and the options that help.
/// REQUIRES: the model is complete, and `rows` are those before the map.
void require_finite(const Outcome& outcome, const LearnerInfo& learner, Source& rows, Comm& comm);

}  // namespace linsep
