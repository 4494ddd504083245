// The one loop: rewind; visit every batch; synchronise; end_pass; observe; keep a checkpoint where one is due.
#include <array>
#include <utility>

#include "linsep/error.h"
#include "train/loop.h"

namespace linsep {
namespace {

/// The clock is read after at least so many rows: batches may be small.
constexpr std::int64_t kRowsALook = 4096;

// The rules that end a run from outside the learner. All workers must agree, so the question is asked once a pass
// through `comm`; within a pass only a run of one worker stops.
class Limits {
 public:
  /// `earlier`: seconds of the run that this one goes on from.
  Limits(const TrainOptions& options, double earlier) : options_(options), earlier_(earlier), began_(options.now()) {}

  /// Of training in all.
  double seconds() const { return earlier_ + seconds_here(); }

  bool interrupted() const { return options_.interrupted(); }

  std::optional<StopReason> reached() const {
    if (interrupted()) return StopReason::kInterrupted;
    if (options_.out_of_time(began_)) return StopReason::kTime;
    return std::nullopt;
  }

  /// What the workers agree on between two passes.
  struct Agreement {
    std::optional<StopReason> ending;
    bool save = false;         ///< a checkpoint is due
    bool save_failed = false;  ///< the last one couldn't be written by some worker
  };
  Agreement agree(std::int64_t pass, const Checkpoints* checkpoints, Comm& comm) const {
    const auto mine = reached();
    std::array<std::int64_t, 3> codes = {mine ? 1 + static_cast<std::int64_t>(*mine) : 0,
                                         checkpoints != nullptr && checkpoints->due(pass) ? 1 : 0,
                                         checkpoints != nullptr && checkpoints->failed() ? 1 : 0};
    comm.all_reduce(std::span<std::int64_t>(codes), Comm::Op::kMax);
    Agreement all;
    if (codes[0] > 0) all.ending = static_cast<StopReason>(codes[0] - 1);
    all.save = checkpoints != nullptr && (codes[1] > 0 || all.ending);
    all.save_failed = codes[2] > 0;
    return all;
  }

 private:
  double seconds_here() const { return options_.now() - began_; }

  const TrainOptions& options_;
  double earlier_;
  double began_;
};

/// Goes on from where an earlier run has come, or keeps the very beginning.
void begin_from(Checkpoints& checkpoints, Learner& learner, std::int64_t max_passes, Outcome& outcome, Comm& comm,
                const Observer& observe) {
  const SavedRun* saved = checkpoints.resumed();
  if (saved == nullptr) return checkpoints.save_first(learner.save_state(), comm);
  outcome.history = saved->history;
  outcome.passes = saved->pass;
  learner.load_state(checkpoints.take_state());
  for (Progress& progress : outcome.history) {
    progress.passes_in_all = max_passes;
    if (observe) observe(progress);
  }
}

}  // namespace

std::string_view stop_reason_name(StopReason reason) {
  switch (reason) {
    case StopReason::kConverged:
      return "converged";
    case StopReason::kPasses:
      return "passes";
    case StopReason::kTime:
      return "time";
    case StopReason::kInterrupted:
      return "interrupted";
    case StopReason::kEndOfStream:
      return "end_of_stream";
    case StopReason::kStalled:
      return "stalled";
    case StopReason::kInseparable:
      return "inseparable";
  }
  return "";
}

Outcome train(Source& source, Learner& learner, const TrainOptions& options, Comm& comm, const Observer& observe) {
  return train_from(nullptr, source, learner, options, comm, observe);
}

Outcome train_from(Checkpoints* checkpoints, Source& source, Learner& learner, const TrainOptions& options, Comm& comm,
                   const Observer& observe) {
  const SavedRun* saved = checkpoints != nullptr ? checkpoints->resumed() : nullptr;
  const Limits limits(options, saved != nullptr ? saved->seconds : 0);
  // In the midst of a pass there is no state to keep, so a run with checkpoints ends between two.
  const bool within_pass = comm.size() == 1 && checkpoints == nullptr;
  Outcome outcome;
  const bool one_trip = source.shape().rows < 0 && options.max_passes == 1;
  outcome.reason = one_trip ? StopReason::kEndOfStream : StopReason::kPasses;
  std::optional<StopReason> ending;  // why the run is to end, and how many passes the learner makes until then
  std::int64_t passes_left = 0;
  learner.begin(source.shape());
  if (checkpoints != nullptr) begin_from(*checkpoints, learner, options.max_passes, outcome, comm, observe);
  for (std::int64_t pass = outcome.passes + 1; pass <= options.max_passes; ++pass) {
    Progress progress;
    progress.pass = pass;
    progress.rows_in_all = source.shape().rows;
    progress.passes_in_all = options.max_passes;
    std::int64_t looked = 0;  // rows at the last look at the clock
    source.rewind(static_cast<std::uint64_t>(pass - 1));
    while (const auto batch = source.next()) {
      if (!batch->labelled()) throw input_error("rows without labels can't be learned from");
      learner.visit(*batch);
      progress.rows += batch->rows;
      if (progress.rows - looked < kRowsALook && progress.rows != progress.rows_in_all && !limits.interrupted())
        continue;
      looked = progress.rows;
      progress.seconds = limits.seconds();
      if (observe) observe(progress);
      if (within_pass && !ending) {
        ending = limits.reached();
        if (ending) passes_left = learner.passes_to_finish();
      }
      if (ending && passes_left == 0) break;
    }
    if (ending && passes_left == 0) break;  // half a pass is not ended: the learner's model is that of the moment
    learner.synchronise(comm);
    const Verdict verdict = learner.end_pass(progress);
    progress.pass_ended = true;
    progress.seconds = limits.seconds();
    outcome.history.push_back(progress);
    if (observe) observe(progress);
    outcome.passes = pass;
    if (verdict != Verdict::kContinue) {
      outcome.reason = verdict == Verdict::kConverged ? StopReason::kConverged : StopReason::kStalled;
      break;
    }
    if (ending) {
      --passes_left;
    } else if (pass < options.max_passes) {
      const Limits::Agreement all = limits.agree(pass, checkpoints, comm);
      if (all.save) {
        checkpoints->save(pass, limits.seconds(), outcome.history, learner.save_state(), all.save_failed);
      }
      ending = all.ending;
      if (ending)
        passes_left = learner.passes_to_finish();  // which an unbroken run wouldn't do: it comes after the checkpoint
    }
    if (ending && passes_left == 0) break;
  }
  if (ending && outcome.reason != StopReason::kConverged) outcome.reason = *ending;
  outcome.model = learner.model();
  outcome.model.schema = source.schema();
  outcome.stats = learner.stats();
  return outcome;
}

}  // namespace linsep
