// Pass is what goes over rows, again and again, under the one loop.
#pragma once

#include <cstdint>

#include "linsep/batch.h"
#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

enum class Verdict {
  kContinue,   ///< give me another pass
  kConverged,  ///< its own stopping rule holds
  kStalled,    ///< the rule doesn't hold, and no further pass would change that, because only rounding is left
};

/// The loop calls begin once. Then, for each pass, it calls visit for every batch, synchronise once and end_pass once.
class Pass {
 public:
  Pass() = default;
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  virtual ~Pass() = default;

  /// Called before begin by a loop that may end within a pass. A visit or an end_pass that may take longer than a tenth
  /// of a second asks it now and then, and returns early if the answer is yes. The run ends then, with the learner's
  /// model of that moment. Calls that take less time need not ask.
  virtual void set_stop(const StopFunction& /*stop*/) {}
  /// Allocates state for data of this shape (of this worker's shard).
  virtual void begin(const Shape& shape) = 0;
  /// Goes through the rows of one batch. This is the only hot entry, one virtual call per batch.
  virtual void visit(const Batch& batch) = 0;
  /// Exchanges what the workers have to agree on. No other call sees them.
  virtual void synchronise(Comm& comm) = 0;
  /// Ends the pass. Fills the record and returns whether another pass is wanted.
  virtual Verdict end_pass(Progress& progress) = 0;

  /// Called when the run is about to end for want of time. Returns how many more passes, the one under way included, it
  /// takes until the result is worth taking, or 0 if it is as good as it can be. Called during a pass or between two,
  /// and only once.
  virtual std::int64_t passes_to_finish() { return 0; }
};

}  // namespace linsep
