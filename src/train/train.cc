// The one loop: rewind; visit every batch; synchronise; end_pass; observe; keep a checkpoint where one is due.
#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "core/slice.h"
#include "core/stop_point.h"
#include "linsep/error.h"
#include "train/loop.h"
#include "train/time_left.h"

namespace linsep {
namespace {

/// The clock is read after at least so many rows, or numbers in them: batches may be small, and rows long.
constexpr std::int64_t kRowsALook = 4096;
constexpr std::uint64_t kValuesALook = std::uint64_t{1} << 15;
/// Batches with more numbers are visited in parts.
constexpr std::uint64_t kValuesAVisit = std::uint64_t{1} << 22;

/// A learner whose state is kept on the way.
struct Kept {
  Checkpoints& checkpoints;
  Learner& learner;
};

// One run of the loop over any Pass. `kept` may be nullptr; else it speaks of the same pass. All workers must agree on
// when to end, so the question is asked once per pass through `comm`; within a pass only a run of one worker ends.
class Loop {
 public:
  Loop(Source& source, Pass& pass, const TrainOptions& options, Comm& comm, const Observer& observe, Kept* kept)
      : source_(source),
        pass_(pass),
        options_(options),
        comm_(comm),
        observe_(observe),
        kept_(kept),
        alone_(comm.size() == 1),
        limits_(options, kept != nullptr && saved() != nullptr ? saved()->seconds : 0) {}

  PassOutcome run() {
    const bool one_trip = source_.shape().rows < 0 && options_.max_passes == 1;
    made_.reason = one_trip ? StopReason::kEndOfStream : StopReason::kPasses;
    if (alone_) pass_.set_stop([this] { return must_stop(); });
    pass_.begin(source_.shape());
    if (kept_ != nullptr) resume();
    for (std::int64_t number = made_.passes + 1; number <= options_.max_passes; ++number) {
      Progress progress;
      progress.pass = number;
      progress.rows_in_all = source_.shape().rows;
      progress.passes_in_all = options_.max_passes;
      limits_.begin_pass();
      visit_rows(progress);
      if (ends_now()) break;  // half a pass is not ended: a learner's model is that of the moment
      if (end_pass(progress) != Verdict::kContinue) break;
      if (told_) end_at_once();
      if (ends_now()) break;
      agree_on_ending(progress);
      if (ends_now()) break;
    }
    if (ending_ && made_.reason != StopReason::kConverged) made_.reason = *ending_;
    pass_.set_stop({});  // it speaks of this loop
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

  /// Passes that finish, and those whose state is kept, have some more time. The first of a run that keeps its state
  /// ends for want of time in no case: one that is resumed again and again would never come further.
  bool overdue() const {
    const bool first = kept_ != nullptr && !pass_made_;
    if (first && !limits_.interrupted()) return false;
    return limits_.overdue(ending_ || kept_ != nullptr);
  }

  /// What the pass asks, from any thread.
  bool must_stop() {
    if (!overdue()) return false;
    told_ = true;
    return true;
  }

  void end_at_once() {
    if (!ending_) ending_ = limits_.reached();
    passes_left_ = 0;
  }

  /// Nothing at the end of the rows, or where a stream that waits for more is to wait no longer.
  std::optional<Batch> next_batch(const Progress& progress) {
    try {
      return source_.next();
    } catch (const Error& error) {
      const bool has_model = progress.rows > 0 || made_.passes > 0;
      if (error.kind() != Error::Kind::kInterrupted || !alone_ || !has_model || !limits_.reached()) throw;
      end_at_once();
      return std::nullopt;
    }
  }

  void visit_rows(Progress& progress) {
    source_.rewind(static_cast<std::uint64_t>(progress.pass - 1));
    observed_ = 0;
    std::uint64_t values = 0;  // since the clock was last read
    while (const auto batch = next_batch(progress)) {
      if (!batch->labelled()) throw input_error("rows without labels can't be learned from");
      const std::uint64_t size = values_in(*batch);
      if (size > kValuesAVisit && !batch->foreign()) {
        visit_parts(*batch, size / kValuesAVisit + 1, progress);
        values = 0;
      } else {
        pass_.visit(*batch);
        progress.rows += batch->rows;
        values += size;
        if (values >= kValuesALook || progress.rows - observed_ >= kRowsALook || told_ || limits_.interrupted()) {
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

  /// In the midst of a pass: tells how far it has come, and begins to end the run where it is time.
  void look(Progress& progress) {
    const bool all = progress.rows == progress.rows_in_all || limits_.interrupted();
    if (progress.rows - observed_ >= (all ? 1 : kRowsALook)) {
      observed_ = progress.rows;
      progress.seconds = limits_.seconds();
      if (observe_) observe_(progress);
    }
    if (!alone_) return;
    if (told_ || (kept_ != nullptr && overdue())) return end_at_once();
    // The state that is kept is that between two passes, before any that finish.
    if (kept_ == nullptr && !ending_) begin_to_end(limits_.reached(), progress);
    if (ending_ && overdue()) passes_left_ = 0;
  }

  /// By what was reached, or because the passes that finish take the time that is left. A learner that has nothing to
  /// finish uses it up.
  void begin_to_end(std::optional<StopReason> reached, const Progress& progress) {
    const bool early = !reached && asked_in_ != progress.pass && limits_.time_to_finish(progress);
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
    limits_.end_pass(progress);
    progress.seconds = limits_.seconds();
    made_.history.push_back(progress);
    if (observe_) observe_(progress);
    made_.passes = progress.pass;
    pass_made_ = true;
    if (verdict == Verdict::kConverged) made_.reason = StopReason::kConverged;
    if (verdict == Verdict::kStalled) made_.reason = StopReason::kStalled;
    return verdict;
  }

  /// What all workers do next: another pass, or an end.
  void agree_on_ending(const Progress& progress) {
    if (ending_) {
      --passes_left_;
      return;
    }
    if (progress.pass == options_.max_passes) return;
    Checkpoints* const checkpoints = kept_ != nullptr ? &kept_->checkpoints : nullptr;
    const auto mine = limits_.reached();
    const bool finish = limits_.time_to_finish(progress);
    const bool save = checkpoints != nullptr && (checkpoints->due(progress.pass) || limits_.last_whole_pass());
    std::array<std::int64_t, 4> codes = {mine ? 1 + static_cast<std::int64_t>(*mine) : 0, finish ? 1 : 0, save ? 1 : 0,
                                         checkpoints != nullptr && checkpoints->failed() ? 1 : 0};
    comm_.all_reduce(std::span<std::int64_t>(codes), Comm::Op::kMax);
    std::optional<StopReason> all;
    if (codes[0] > 0) all = static_cast<StopReason>(codes[0] - 1);
    if (checkpoints != nullptr && (codes[2] > 0 || all || codes[1] > 0)) {
      checkpoints->save(progress.pass, limits_.seconds(), made_.history, kept_->learner.save_state(), codes[3] > 0);
    }
    // What an unbroken run wouldn't do comes after the checkpoint.
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
  Kept* kept_;
  const bool alone_;
  TimeLeft limits_;
  PassOutcome made_;
  std::atomic<bool> told_ = false;    ///< the pass, to end at once
  bool pass_made_ = false;            ///< to its end, by this run
  std::int64_t observed_ = 0;         ///< rows when the observer was last told of them
  std::int64_t asked_in_ = 0;         ///< the pass in which the learner was last asked what it has to finish
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
