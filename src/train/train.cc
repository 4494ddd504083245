// The one loop: rewind, visit every batch, synchronise, end_pass, observe, and keep a checkpoint if one is due.
#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "core/deadline.h"
#include "core/slice.h"
#include "linsep/error.h"
#include "train/loop.h"

namespace linsep {
namespace {

/// The clock is read after at least this many rows, or numbers in them, because batches may be small, and rows long.
constexpr std::int64_t kRowsPerClockRead = 4096;
constexpr std::uint64_t kValuesPerClockRead = std::uint64_t{1} << 15;
/// Batches with more numbers are visited in parts.
constexpr std::uint64_t kValuesPerVisit = std::uint64_t{1} << 22;

/// Seconds beyond the deadline that passes that finish may take.
constexpr double kGrace = 0.3;

/// A learner whose state is kept during the run.
struct Checkpointed {
  Checkpoints& checkpoints;
  Learner& learner;
};

// One run of the loop over any Pass. `checkpointed` may be nullptr, otherwise it is about the same pass. All workers
// must agree on when to end, so the question is asked once per pass through `comm`. Within a pass only a run of one
// worker ends.
class Loop {
 public:
  Loop(Source& source, Pass& pass, const TrainOptions& options, Comm& comm, const Observer& observe,
       Checkpointed* checkpointed)
      : source_(source),
        pass_(pass),
        options_(options),
        comm_(comm),
        observe_(observe),
        checkpointed_(checkpointed),
        alone_(comm.size() == 1),
        deadline_(options),
        timer_(options, checkpointed != nullptr && saved() != nullptr ? saved()->seconds : 0) {}

  PassOutcome run() {
    const bool one_trip = source_.shape().rows < 0 && options_.max_passes == 1;
    outcome_.reason = one_trip ? StopReason::kEndOfStream : StopReason::kPasses;
    if (alone_) pass_.set_stop([this] { return must_stop(); });
    pass_.begin(source_.shape());
    if (checkpointed_ != nullptr) resume();
    for (std::int64_t number = outcome_.passes + 1; number <= options_.max_passes; ++number) {
      Progress progress;
      progress.pass = number;
      progress.rows_in_all = source_.shape().rows;
      progress.passes_in_all = options_.max_passes;
      timer_.begin_pass();
      visit_rows(progress);
      if (ends_now()) break;  // half a pass is not ended, because a learner's model is that of the moment
      if (end_pass(progress) != Verdict::kContinue) break;
      if (stop_requested_) end_at_once();
      if (ends_now()) break;
      agree_on_ending(progress);
      if (ends_now()) break;
    }
    if (ending_ && outcome_.reason != StopReason::kConverged) outcome_.reason = *ending_;
    pass_.set_stop({});  // it refers to this loop
    return std::move(outcome_);
  }

 private:
  const SavedRun* saved() const { return checkpointed_->checkpoints.resumed(); }
  std::optional<StopReason> reached() const {
    if (!deadline_.expired()) return std::nullopt;
    return options_.interrupted() ? StopReason::kInterrupted : StopReason::kTime;
  }
  bool ends_now() const { return ending_ && passes_left_ == 0; }

  /// Resumes from where an earlier run ended, or keeps the very beginning.
  void resume() {
    if (saved() == nullptr) return checkpointed_->checkpoints.save_first(checkpointed_->learner.save_state(), comm_);
    outcome_.history = saved()->history;
    outcome_.passes = saved()->pass;
    rethrow_on_all(comm_, [&] {
      try {
        checkpointed_->learner.load_state(checkpointed_->checkpoints.take_state());
      } catch (const Error& error) {
        checkpointed_->checkpoints.refuse(error.what());
      }
    });
    for (Progress& progress : outcome_.history) {
      progress.passes_in_all = options_.max_passes;
      if (observe_) observe_(progress);
    }
  }

  /// Passes that finish, and those whose state is kept, have kGrace seconds more. A checkpointed run always completes
  /// its first pass, because repeated resumes would otherwise make no progress.
  bool overdue() const {
    const bool first = checkpointed_ != nullptr && !pass_completed_;
    if (first && !options_.interrupted()) return false;
    const bool finishing = ending_ || checkpointed_ != nullptr;
    return options_.clock || finishing ? deadline_.expired_by(kGrace) : deadline_.expired();
  }

  /// What the pass asks for, from any thread.
  bool must_stop() {
    if (!overdue()) return false;
    stop_requested_ = true;
    return true;
  }

  void end_at_once() {
    if (!ending_) ending_ = reached();
    passes_left_ = 0;
  }

  /// Nothing at the end of the rows, or if a stream that waits for more is to wait no longer.
  std::optional<Batch> next_batch(const Progress& progress) {
    try {
      return source_.next();
    } catch (const Error& error) {
      const bool has_model = progress.rows > 0 || outcome_.passes > 0;
      if (error.kind() != Error::Kind::kInterrupted || !alone_ || !has_model || !reached()) throw;
      end_at_once();
      return std::nullopt;
    }
  }

  void visit_rows(Progress& progress) {
    source_.rewind(static_cast<std::uint64_t>(progress.pass - 1));
    observed_ = 0;
    std::uint64_t values = 0;  // since the clock was last read
    while (const auto batch = next_batch(progress)) {
      if (!batch->labelled()) throw input_error("training needs rows with labels");
      const std::uint64_t size = values_in(*batch);
      if (size > kValuesPerVisit && !batch->foreign()) {
        visit_parts(*batch, size / kValuesPerVisit + 1, progress);
        values = 0;
      } else {
        pass_.visit(*batch);
        progress.rows += batch->rows;
        values += size;
        if (values >= kValuesPerClockRead || progress.rows - observed_ >= kRowsPerClockRead || stop_requested_ ||
            options_.interrupted()) {
          look(progress);
          values = 0;
        }
      }
      if (ends_now()) return;
    }
    look(progress);
  }

  void visit_parts(const Batch& batch, std::uint64_t parts, Progress& progress) {
    const std::int64_t rows = std::max<std::int64_t>(1, batch.rows / static_cast<std::int64_t>(parts));
    for (std::int64_t first = 0; first < batch.rows && !ends_now(); first += rows) {
      const std::int64_t count = std::min(rows, batch.rows - first);
      pass_.visit(slice(batch, first, count));
      progress.rows += count;
      look(progress);
    }
  }

  /// Called in the middle of a pass. Reports how far it has come, and begins to end the run if it is time.
  void look(Progress& progress) {
    const bool all = progress.rows == progress.rows_in_all || options_.interrupted();
    if (progress.rows - observed_ >= (all ? 1 : kRowsPerClockRead)) {
      observed_ = progress.rows;
      progress.seconds = timer_.seconds();
      if (observe_) observe_(progress);
    }
    if (!alone_) return;
    if (stop_requested_ || (checkpointed_ != nullptr && overdue())) return end_at_once();
    // The state that is kept is that between two passes, before any that finish.
    if (checkpointed_ == nullptr && !ending_) begin_to_end(reached(), progress);
    if (ending_ && overdue()) passes_left_ = 0;
  }

  /// Begins to end the run because of what was reached, or because the passes that finish take the time that is left. A
  /// learner that has nothing to finish uses it up.
  void begin_to_end(std::optional<StopReason> reached, const Progress& progress) {
    const bool early = !reached && asked_in_ != progress.pass && timer_.time_to_finish(progress);
    if (!reached && !early) return;
    asked_in_ = progress.pass;
    passes_left_ = pass_.passes_to_finish();
    if (reached) {
      ending_ = reached;
    } else if (passes_left_ > 0) {
      ending_ = StopReason::kTime;
    }
  }

  Verdict end_pass(Progress& progress) {
    pass_.synchronise(comm_);
    const Verdict verdict = pass_.end_pass(progress);
    progress.pass_ended = true;
    timer_.end_pass(progress);
    progress.seconds = timer_.seconds();
    outcome_.history.push_back(progress);
    if (observe_) observe_(progress);
    outcome_.passes = progress.pass;
    pass_completed_ = true;
    if (verdict == Verdict::kConverged) outcome_.reason = StopReason::kConverged;
    if (verdict == Verdict::kStalled) outcome_.reason = StopReason::kStalled;
    return verdict;
  }

  /// What all workers do next, which is another pass or an end.
  void agree_on_ending(const Progress& progress) {
    if (ending_) {
      --passes_left_;
      return;
    }
    if (progress.pass == options_.max_passes) return;
    Checkpoints* const checkpoints = checkpointed_ != nullptr ? &checkpointed_->checkpoints : nullptr;
    const auto mine = reached();
    const bool finish = timer_.time_to_finish(progress);
    const bool save = checkpoints != nullptr && (checkpoints->due(progress.pass) || timer_.last_whole_pass(kGrace));
    std::array<std::int64_t, 4> codes = {mine ? 1 + static_cast<std::int64_t>(*mine) : 0, finish ? 1 : 0, save ? 1 : 0,
                                         checkpoints != nullptr && checkpoints->failed() ? 1 : 0};
    comm_.all_reduce(std::span<std::int64_t>(codes), Comm::Op::kMax);
    std::optional<StopReason> all;
    if (codes[0] > 0) all = static_cast<StopReason>(codes[0] - 1);
    if (checkpoints != nullptr && (codes[2] > 0 || all || codes[1] > 0)) {
      checkpoints->save(progress.pass, timer_.seconds(), outcome_.history, checkpointed_->learner.save_state(),
                        codes[3] > 0);
    }
    // Whatever an unbroken run wouldn't do comes after the checkpoint.
    if (!all && codes[1] == 0) return;
    passes_left_ = pass_.passes_to_finish();
    if (all) {
      ending_ = all;
    } else if (passes_left_ > 0) {
      ending_ = StopReason::kTime;
    }
  }

  Source& source_;
  Pass& pass_;
  const TrainOptions& options_;
  Comm& comm_;
  const Observer& observe_;
  Checkpointed* checkpointed_;
  const bool alone_;
  const Deadline deadline_;
  PassTimer timer_;
  PassOutcome outcome_;
  std::atomic<bool> stop_requested_ = false;  ///< by the pass, so it ends at once
  bool pass_completed_ = false;               ///< by this run
  std::int64_t observed_ = 0;                 ///< rows when the observer was last called
  std::int64_t asked_in_ = 0;                 ///< the pass in which the learner was last asked what it has left to
                                              ///< finish
  std::optional<StopReason> ending_;          ///< why the run is to end, and how many passes are made until then
  std::int64_t passes_left_ = 0;
};

}  // namespace

PassOutcome run_passes(Source& source, Pass& pass, const TrainOptions& options, Comm& comm, const Observer& observe) {
  return Loop(source, pass, options, comm, observe, nullptr).run();
}

Outcome train(Source& source, Learner& learner, const TrainOptions& options, Comm& comm, const Observer& observe) {
  return train_from(nullptr, source, learner, options, comm, observe);
}

Outcome train_from(Checkpoints* checkpoints, Source& source, Learner& learner, const TrainOptions& options, Comm& comm,
                   const Observer& observe) {
  std::optional<Checkpointed> kept;
  if (checkpoints != nullptr) kept.emplace(Checkpointed{*checkpoints, learner});
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
