// LearnerEntry describes one learner to `train`. It is a plain value that stands next to the learner's code.
//
// Everything that differs between learners and isn't in the Learner contract is here, so that no other code compares
// names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "linsep/learner.h"
#include "linsep/learner_info.h"
#include "linsep/options.h"
#include "linsep/source.h"

namespace linsep {

/// The resources that a learner runs with. Threads (0: one per core) never change the result. If there is more than one
/// worker, a learner with several solvers takes one that runs on any number of them, with the same result.
struct LearnerRun {
  LearnerRun(int of_threads = 0, int of_workers = 1, SolverChoice of_choice = {})
      : threads(of_threads), workers(of_workers), choice(std::move(of_choice)) {}
  int threads;
  int workers;
  SolverChoice choice;  ///< if empty, a learner that has a choice makes it when it begins
};

/// An upper bound on the bytes that a learner keeps besides the rows, whatever they hold.
struct MemoryRates {
  std::uint64_t row = 0;     ///< per row
  std::uint64_t column = 0;  ///< per column
  std::uint64_t square = 0;  ///< per pair of columns
  std::uint64_t more = 0;    ///< whatever rows and columns there are
  /// Per column, in every run, with one thread: what two rows take. If no limit was given, a run is refused based on
  /// this.
  std::uint64_t least_column = 0;
};

/// Enough for either.
inline MemoryRates most_of(const MemoryRates& a, const MemoryRates& b) {
  return {std::max(a.row, b.row), std::max(a.column, b.column), std::max(a.square, b.square), std::max(a.more, b.more),
          std::min(a.least_column, b.least_column)};
}

/// What is wanted of a learner besides its options.
struct TrainingRequest {
  std::size_t parts = 0;  ///< classifiers trained together, or 0 for a single one
  bool joint = false;     ///< as one learner
  bool start = false;     ///< from a model
  int workers = 1;
};

/// A null function pointer has the meaning given in its comment. Options are complete everywhere.
struct LearnerEntry {
  LearnerInfo info = {};

  /// `start` may be nullptr, and always is if `info.starts` is false.
  std::unique_ptr<Learner> (*make)(const Options& options, const Model* start, const LearnerRun& run) = nullptr;
  /// Makes one learner of several classes, whose labels are indices. The other function is whether the options ask for
  /// it instead of one classifier against the rest per class. Null means never.
  std::unique_ptr<Learner> (*make_joint)(const Options& options, std::size_t classes, const LearnerRun& run) = nullptr;
  bool (*joint)(const Options& options) = nullptr;

  /// Replaces options that differ for a single classifier. Null if none do.
  void (*settle_single)(Options& options) = nullptr;
  /// Throws a usage Error if the learner can't do what is wanted with these options. Null if it can do all that `info`
  /// doesn't rule out.
  void (*refuse)(const Options& options, const TrainingRequest& demand) = nullptr;
  /// The solver for data of this (mapped) shape. Throws a usage Error if the options contradict each other. Null if
  /// there is nothing to choose.
  SolverChoice (*choose)(const Options& options, const Shape& shape, int workers) = nullptr;
  /// The order in which the learner wants the rows. Null if it takes them as given.
  VisitOrder (*order)(const Options& options, const SolverChoice& choice) = nullptr;
  /// For data of this (mapped) shape.
  MemoryRates (*memory)(const Options& options, const Shape& shape, int threads, const SolverChoice& choice) = nullptr;

  /// Whether scores are log odds. Null means never.
  bool (*log_odds)(const Options& options) = nullptr;
  /// Whether the rows must be separable, which is proven first, and the margin is proven afterwards. Null means never.
  bool (*certifies)(const Options& options) = nullptr;
};

}  // namespace linsep
