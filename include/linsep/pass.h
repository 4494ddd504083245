// Pass: what goes over rows, again and again, under the one loop.
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
  kStalled,    ///< it does not, and no further pass would change that: only rounding is left
};

/// The loop calls begin once, then for each pass: visit for every batch, synchronise once, end_pass once.
class Pass {
 public:
  Pass() = default;
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  virtual ~Pass() = default;

  /// Given before begin by a loop that may end within a pass. A visit or an end_pass that may take longer than a tenth
  /// of a second asks it on the way and returns early where it says so: the run ends then, and a learner's model is
  /// that of the moment. Those that take less need not know it.
  virtual void set_stop(const StopFunction& /*stop*/) {}
  /// Allocates state for data of this shape (of this worker's shard).
  virtual void begin(const Shape& shape) = 0;
  /// Goes through the rows of one batch: the only hot entry, one virtual call per batch.
  virtual void visit(const Batch& batch) = 0;
  /// Exchanges what the workers have to agree on: the only call that sees them.
  virtual void synchronise(Comm& comm) = 0;
  /// Ends the pass: fills the record and says whether another pass is wanted.
  virtual Verdict end_pass(Progress& progress) = 0;

  /// The run is to end for want of time: how many more passes, the one under way included, it takes until the result is
  /// worth taking. 0: it is as good as it can be. Asked for in the midst of a pass or between two, and once only.
  virtual std::int64_t passes_to_finish() { return 0; }
};

}  // namespace linsep
