// What `fit` shares with other ways from a spec to a model.
#pragma once

#include <memory>
#include <optional>

#include "linsep/comm.h"
#include "linsep/plan.h"
#include "linsep/train.h"
#include "train/checkpoint/checkpoint.h"
#include "train/class_weights.h"

namespace linsep {

/// Fills in what a learner's model doesn't say of itself: learner, options, map, schema, features, and where scores are
/// log odds, that they are. `source` is the one before the map.
void complete_model(Model& model, const TrainPlan& plan, const Options& options, const Source& source);

/// How far θ can be from the optimum's, by the gap of the last pass: ‖θ − θ*‖² ≤ 2·gap·objective/(λ(1 − ρ)), since the
/// objective is λ(1 − ρ)-strongly convex in θ. 0 where it isn't (ρ = 1), and where there is no gap, or none below 1.
double weight_error(const std::optional<double>& objective, const std::optional<double>& gap,
                    const std::optional<MarginResult>& margin);
/// Sets the model's, of a single classifier.
void note_weight_error(Outcome& outcome);
/// Sets the model's record of how the run went.
void note_training(Outcome& outcome);
/// The limits of a run that began at `began`, with the time that is left: at least a moment, so that it ends by its own
/// rule.
TrainOptions with_time_left(const TrainOptions& limits, double began);
/// One spec over one source: what `fit` sets up before the loop, and completes after it. Everything that it is made of
/// must outlive it.
class Training {
 public:
  /// Plans the training, finds its share of the memory, opens its checkpoints and weighs the classes. Collective.
  Training(Source& source, const TrainSpec& spec, const TrainOptions& base, Comm& comm, const Observer& observe);

  Source& source;
  const TrainSpec& spec;
  Comm& comm;
  const Observer& observe;
  const double began;
  const TrainPlan plan;

 private:
  TrainOptions limits_;
  std::optional<Model> start_;  ///< as the data see it

 public:
  std::unique_ptr<Checkpoints> checkpoints;  ///< nullptr: none are kept

  bool resumed() const { return checkpoints && checkpoints->resumed() != nullptr; }
  /// The time that is left included.
  TrainOptions limits() const { return with_time_left(limits_, began); }
  /// The share of the memory again, after something else has had one.
  void share_memory() const;

  /// Runs the loop and completes the model, whose weights may not be finite.
  Outcome run();
  /// After `run`: the rows as the learner saw them, but for weights of classes.
  Source& mapped_rows() { return through_map_ ? *through_map_ : rows(); }
  /// Runs the loop again from the start on rows like those, without checkpoints.
  Outcome run_again(Source& mapped_rows) const;
  /// Throws an Error where the model isn't finite, and tells `spec.on_finished`.
  void finish(const Outcome& outcome);

 private:
  Source& rows() { return in_order_ ? *in_order_ : source; }
  bool takes_rows() const;
  Source& visited_rows();

  ClassWeights weights_;
  std::unique_ptr<Source> in_order_, through_map_, weighed_, watched_;
};

/// The hard margin: certifies that the rows are separable, trains, and proves the margin for the values as written.
/// Rows that aren't separable end the run with the proof of that. Where the time is up before training has a separator,
/// that of certify is the model. REQUIRES: the plan certifies.
Outcome fit_hard_margin(Training& training);

/// Whether all weights are finite numbers; otherwise it is no model.
bool is_finite(const Model& model);

/// Throws an input Error, on every worker, where some worker's model or last objective isn't finite. It names the
/// column of `rows` with the largest values, where they can be gone through again, and the options that help.
/// REQUIRES: the model is complete, and `rows` are those before the map.
void require_finite(const Outcome& outcome, const LearnerInfo& learner, Source& rows, Comm& comm);

}  // namespace linsep
