// LearnerEntry: one learner as `train` knows it, a plain value that stands beside the learner's code.
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

/// What runs a learner. Threads (0: one per core) never change the result. Where there is more than one worker, a
/// learner with several solvers takes one that runs on any number of them, with the same result.
struct LearnerRun {
  LearnerRun(int of_threads = 0, int of_workers = 1, SolverChoice of_choice = {})
      : threads(of_threads), workers(of_workers), choice(std::move(of_choice)) {}
  int threads;
  int workers;
  SolverChoice choice;  ///< empty: a learner that has a choice makes it when it begins
};

/// Bytes that a learner keeps besides the rows: at most, whatever they hold.
struct MemoryRates {
  std::uint64_t row = 0;     ///< per row
  std::uint64_t column = 0;  ///< per column
  std::uint64_t square = 0;  ///< per pair of columns
  std::uint64_t more = 0;    ///< whatever rows and columns there are
  /// Per column, in every run, with one thread: what two rows take. A run is refused by it where no limit was given.
  std::uint64_t least_column = 0;
};

/// Enough for either.
inline MemoryRates most_of(const MemoryRates& a, const MemoryRates& b) {
  return {std::max(a.row, b.row), std::max(a.column, b.column), std::max(a.square, b.square), std::max(a.more, b.more),
          std::min(a.least_column, b.least_column)};
}

/// What is asked of a learner besides its options.
struct TrainingRequest {
  std::size_t parts = 0;  ///< classifiers trained together; 0: a single one
  bool joint = false;     ///< as one learner
  bool start = false;     ///< from a model
  int workers = 1;
};

/// Function pointers that are null stand for what is said beside them. Options are complete everywhere.
struct LearnerEntry {
  LearnerInfo info = {};

  /// `start` may be nullptr, and is where `info.starts` is false.
  std::unique_ptr<Learner> (*make)(const Options& options, const Model* start, const LearnerRun& run) = nullptr;
  /// One learner of several classes, whose labels are indices; and whether the options ask for it instead of one
  /// classifier against the rest per class. Null: never.
  std::unique_ptr<Learner> (*make_joint)(const Options& options, std::size_t classes, const LearnerRun& run) = nullptr;
  bool (*joint)(const Options& options) = nullptr;

  /// Replaces options that of one classifier are others. Null: none are.
  void (*settle_single)(Options& options) = nullptr;
  /// Throws a usage Error where the learner can't do what is asked with these options. Null: it can whatever `info`
  /// doesn't rule out.
  void (*refuse)(const Options& options, const TrainingRequest& demand) = nullptr;
  /// The solver for data of this (mapped) shape. Throws a usage Error where the options contradict each other. Null:
  /// there is nothing to choose.
  SolverChoice (*choose)(const Options& options, const Shape& shape, int workers) = nullptr;
  /// The order of rows that is wanted. Null: given.
  VisitOrder (*order)(const Options& options, const SolverChoice& choice) = nullptr;
  /// For data of this (mapped) shape.
  MemoryRates (*memory)(const Options& options, const Shape& shape, int threads, const SolverChoice& choice) = nullptr;

  /// Scores are log odds. Null: never.
  bool (*log_odds)(const Options& options) = nullptr;
  /// The rows must be separable, which is proven first; the margin is proven afterwards. Null: never.
  bool (*certifies)(const Options& options) = nullptr;
};

}  // namespace linsep
