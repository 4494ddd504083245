// Checkpoints decides when and where a run writes its state, and finds what an earlier run left to resume from.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linsep/train.h"
#include "os/file.h"
#include "train/checkpoint/file.h"

namespace linsep {

/// One worker's view of the checkpoints of a run.
///
/// A single worker replaces one file. Several can't replace theirs at the same moment, so each writes two files in
/// turn. Wherever a run is killed, all workers have a pass in common. They overwrite the older file only when all have
/// written the newer one.
class Checkpoints {
 public:
  /// Reads what there is to resume from, and checks that it belongs to this run. Throws an input Error with what
  /// differs or is damaged, and a system Error if another run keeps its state there now. Collective, and every worker
  /// throws or none. REQUIRES: `options.checkpoint.path` isn't empty and `options` outlives this.
  Checkpoints(const TrainOptions& options, RunFacts facts, Comm& comm);

  /// Throws an input Error with the message that the checkpoint is damaged, and why.
  [[noreturn]] void refuse(const std::string& why) const;
  /// Does so if the run was resumed and reached a model that isn't finite.
  void require_finite(const Model& model) const;

  /// The state from which the run resumes. Null if it starts afresh.
  const SavedRun* resumed() const { return resumed_ ? &*resumed_ : nullptr; }
  /// Gives its state away.
  std::string take_state() { return std::move(resumed_->state); }

  /// Writes a first checkpoint of a run that starts afresh, to show at once whether there can be any. Throws a system
  /// Error on every worker if it can't be written on one. Collective.
  void save_first(const std::string& state, Comm& comm);

  /// Whether the next checkpoint is due. Worker 0 decides.
  bool due(std::int64_t pass) const;
  /// True if the last one couldn't be written here. The workers must agree on that before they write the next.
  bool failed() const { return failed_; }
  /// `any_failed` is whether some worker couldn't write the last one.
  void save(std::int64_t pass, double seconds, const std::vector<Progress>& history, const std::string& state,
            bool any_failed);

 private:
  void find(Comm& comm);
  void write(const SavedRun& run);
  double now() const { return options_.now(); }
  void tell(const std::string& text) const;

  const TrainOptions& options_;
  const RunFacts facts_;
  const std::int32_t rank_, workers_;
  std::optional<FileLock> lock_;  // nobody else keeps its state there
  std::optional<SavedRun> resumed_;
  int file_ = 0;  // which of the two was written last
  bool failed_ = false;
  std::int64_t last_pass_ = 0;
  double last_time_ = 0;
};

/// The checkpoints of the run of this learner, with all its options, on this data. nullptr if `limits` ask for none.
/// Throws an Error if there can't be any, or if the existing ones belong to another run. Collective.
std::unique_ptr<Checkpoints> open_checkpoints(const TrainOptions& limits, const LearnerInfo& info,
                                              const Options& options, const TrainSpec& spec, Source& source,
                                              Comm& comm);

}  // namespace linsep
