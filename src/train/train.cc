// The one loop: rewind; visit every batch; synchronise; end_pass; observe.
#include <utility>

#include "linsep/train.h"

namespace linsep {
namespace {

/// The clock is read after at least so many rows: batches may be small.
constexpr std::int64_t kRowsALook = 4096;

// The rules that end a run from outside the learner. All workers must agree, so the question is asked once a pass
// through `comm`; within a pass only a run of one worker stops.
class Limits {
 public:
  explicit Limits(const TrainOptions& options) : options_(options), began_(options.clock ? options.clock() : 0) {}

  double seconds() const { return options_.clock ? options_.clock() - began_ : 0; }

  bool interrupted() const {
    return options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed);
  }

  std::optional<StopReason> reached() const {
    if (interrupted()) return StopReason::kInterrupted;
    if (options_.time_limit > 0 && options_.clock && seconds() >= options_.time_limit) return StopReason::kTime;
    return std::nullopt;
  }

  std::optional<StopReason> reached_by_any(Comm& comm) const {
    const auto mine = reached();
    std::int64_t code = mine ? 1 + static_cast<std::int64_t>(*mine) : 0;
    comm.all_reduce(std::span(&code, 1), Comm::Op::kMax);
    if (code == 0) return std::nullopt;
    return static_cast<StopReason>(code - 1);
  }

 private:
  const TrainOptions& options_;
  double began_;
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

Outcome train(Source& source, Learner& learner, const TrainOptions& options, Comm& comm, const Observer& observe) {
  const Limits limits(options);
  Outcome outcome;
  const bool one_trip = source.shape().rows < 0 && options.max_passes == 1;
  outcome.reason = one_trip ? StopReason::kEndOfStream : StopReason::kPasses;
  std::optional<StopReason> ending;  // why the run is to end, and how many passes the learner makes until then
  std::int64_t passes_left = 0;
  learner.begin(source.shape());
  for (std::int64_t pass = 1; pass <= options.max_passes; ++pass) {
    Progress progress;
    progress.pass = pass;
    progress.rows_in_all = source.shape().rows;
    std::int64_t looked = 0;  // rows at the last look at the clock
    source.rewind(static_cast<std::uint64_t>(pass - 1));
    while (const auto batch = source.next()) {
      learner.visit(*batch);
      progress.rows += batch->rows;
      if (progress.rows - looked < kRowsALook && progress.rows != progress.rows_in_all && !limits.interrupted())
        continue;
      looked = progress.rows;
      progress.seconds = limits.seconds();
      if (observe) observe(progress);
      if (comm.size() == 1 && !ending) {
        ending = limits.reached();
        if (ending) passes_left = learner.wind_up();
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
    } else if (ending = limits.reached_by_any(comm); ending) {
      passes_left = learner.wind_up();
    }
    if (ending && passes_left == 0) break;
  }
  if (ending && outcome.reason != StopReason::kConverged) outcome.reason = *ending;
  outcome.model = learner.model();
  outcome.model.schema = source.schema();
  outcome.findings = learner.findings();
  return outcome;
}

}  // namespace linsep
