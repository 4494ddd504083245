// The one loop: rewind; visit every batch; synchronise; end_pass; observe; keep a checkpoint where one is due.
#include <array>
#include <utility>

#include "linsep/error.h"
#include "train/loop.h"

namespace linsep {
namespace {

/// The clock is read after at least this many rows: batches may be small.
constexpr std::int64_t kRowsALook = 4096;

// The rules that end a run from outside the learner. All workers must agree, so the question is asked once per
// pass through `comm`; within a pass only a run of one worker stops.
class Limits {
 public:
  /// `earlier`: seconds of the run that this one resumes.
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

/// A learner whose state is kept on the way.
struct Kept {
  Checkpoints& checkpoints;
  Learner& learner;
};

// One run of the loop over any Pass. `kept` may be nullptr; else it speaks of the same pass.
class Loop {
 public:
  Loop(Source& source, Pass& pass, const TrainOptions& options, Comm& comm, const Observer& observe, Kept* kept)
      : source_(source),
        pass_(pass),
        options_(options),
        comm_(comm),
        observe_(observe),
        kept_(kept),
        limits_(options, kept != nullptr && saved() != nullptr ? saved()->seconds : 0) {}

  PassOutcome run() {
    const bool one_trip = source_.shape().rows < 0 && options_.max_passes == 1;
    made_.reason = one_trip ? StopReason::kEndOfStream : StopReason::kPasses;
    pass_.begin(source_.shape());
    if (kept_ != nullptr) resume();
    for (std::int64_t number = made_.passes + 1; number <= options_.max_passes; ++number) {
      Progress progress;
      progress.pass = number;
      progress.rows_in_all = source_.shape().rows;
      progress.passes_in_all = options_.max_passes;
      visit_rows(progress);
      if (ends_now()) break;  // half a pass is not ended: a learner's model is that of the moment
      if (end_pass(progress) != Verdict::kContinue) break;
      agree_on_ending(number);
      if (ends_now()) break;
    }
    if (ending_ && made_.reason != StopReason::kConverged) made_.reason = *ending_;
    return std::move(made_);
  }

 private:
  const SavedRun* saved() const { return kept_->checkpoints.resumed(); }
  bool ends_now() const { return ending_ && passes_left_ == 0; }

  /// Resumes from where an earlier run has come, or keeps the very beginning.
  void resume() {
    if (saved() == nullptr) return kept_->checkpoints.save_first(kept_->learner.save_state(), comm_);
    made_.history = saved()->history;
    made_.passes = saved()->pass;
    rethrow_on_all(comm_, [&] {
      try {
        kept_->learner.load_state(kept_->checkpoints.take_state());
      } catch (const Error& error) {
        kept_->checkpoints.refuse(error.what());
      }
    });
    for (Progress& progress : made_.history) {
      progress.passes_in_all = options_.max_passes;
      if (observe_) observe_(progress);
    }
  }

  void visit_rows(Progress& progress) {
    // In the midst of a pass there is no state to keep, so a run with checkpoints ends between two.
    const bool may_end_within = comm_.size() == 1 && kept_ == nullptr;
    std::int64_t looked = 0;  // rows when the clock was last read
    source_.rewind(static_cast<std::uint64_t>(progress.pass - 1));
    while (const auto batch = source_.next()) {
      if (!batch->labelled()) throw input_error("rows without labels can't be learned from");
      pass_.visit(*batch);
      progress.rows += batch->rows;
      if (progress.rows - looked < kRowsALook && progress.rows != progress.rows_in_all && !limits_.interrupted())
        continue;
      looked = progress.rows;
      progress.seconds = limits_.seconds();
      if (observe_) observe_(progress);
      if (may_end_within && !ending_) end_for(limits_.reached());
      if (ends_now()) return;
    }
  }

  Verdict end_pass(Progress& progress) {
    pass_.synchronise(comm_);
    const Verdict verdict = pass_.end_pass(progress);
    progress.pass_ended = true;
    progress.seconds = limits_.seconds();
    made_.history.push_back(progress);
    if (observe_) observe_(progress);
    made_.passes = progress.pass;
    if (verdict == Verdict::kConverged) made_.reason = StopReason::kConverged;
    if (verdict == Verdict::kStalled) made_.reason = StopReason::kStalled;
    return verdict;
  }

  /// What all workers do next: another pass, or an end.
  void agree_on_ending(std::int64_t number) {
    if (ending_) {
      --passes_left_;
      return;
    }
    if (number == options_.max_passes) return;
    const Limits::Agreement all = limits_.agree(number, kept_ != nullptr ? &kept_->checkpoints : nullptr, comm_);
    if (all.save) {
      kept_->checkpoints.save(number, limits_.seconds(), made_.history, kept_->learner.save_state(), all.save_failed);
    }
    end_for(all.ending);  // which an unbroken run wouldn't do: it comes after the checkpoint
  }

  void end_for(std::optional<StopReason> reason) {
    ending_ = reason;
    if (ending_) passes_left_ = pass_.passes_to_finish();
  }

  Source& source_;
  Pass& pass_;
  const TrainOptions& options_;
  Comm& comm_;
  const Observer& observe_;
  Kept* kept_;
  const Limits limits_;
  PassOutcome made_;
  std::optional<StopReason> ending_;  ///< why the run is to end, and how many passes are made until then
  std::int64_t passes_left_ = 0;
};

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

PassOutcome run_passes(Source& source, Pass& pass, const TrainOptions& options, Comm& comm, const Observer& observe) {
  return Loop(source, pass, options, comm, observe, nullptr).run();
}

Outcome train(Source& source, Learner& learner, const TrainOptions& options, Comm& comm, const Observer& observe) {
  return train_from(nullptr, source, learner, options, comm, observe);
}

Outcome train_from(Checkpoints* checkpoints, Source& source, Learner& learner, const TrainOptions& options, Comm& comm,
                   const Observer& observe) {
  std::optional<Kept> kept;
  if (checkpoints != nullptr) kept.emplace(Kept{*checkpoints, learner});
  Outcome outcome;
  static_cast<PassOutcome&>(outcome) = Loop(source, learner, options, comm, observe, kept ? &*kept : nullptr).run();
  outcome.model = learner.model();
  if (checkpoints != nullptr) checkpoints->require_finite(outcome.model);
  outcome.model.schema = source.schema();
  outcome.stats = learner.stats();
  outcome.margin = std::exchange(outcome.stats.margin, std::nullopt);
  return outcome;
}

}  // namespace linsep
