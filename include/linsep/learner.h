// Learner: the contract between an algorithm and the one loop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linsep/batch.h"
#include "linsep/comm.h"
#include "linsep/model.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

enum class Verdict {
  kContinue,   ///< give me another pass
  kConverged,  ///< the learner's own stopping rule holds
  kStalled,    ///< it does not, and no further pass would change that: only rounding is left
};

/// One intermediate classifier of a traced perceptron.
struct TraceStep {
  std::int64_t pass = 0;  ///< from 1
  std::int64_t row = 0;   ///< the row whose mistake led to this θ, from 0
  std::vector<double> theta;
  double offset = 0;
};

/// How the margin learner went about it.
struct MarginFindings {
  std::string solver;   ///< the one that ended the run
  std::string because;  ///< why that one, in words that complete "because …"
  double lambda = 0;    ///< and C = 1/(λ·total weight of the rows)
  double c = 0;
};

/// What a learner leaves besides its model.
struct TrainingStats {
  std::int64_t mistakes = 0;                  ///< in all passes
  std::vector<std::int64_t> mistakes_by_row;  ///< α; empty where the learner counts none
  std::vector<TraceStep> trace;               ///< empty unless asked for
  std::optional<MarginFindings> margin;       ///< of the margin learner's losses
  /// Hard margin: no separator's geometric margin is greater (0: not known), and the rows of the two hulls' nearest
  /// points with their weights, ascending.
  double margin_upper_bound = 0;
  std::vector<std::pair<std::int64_t, double>> hull_weights;
};

/// The loop calls begin once, then for each pass: visit for every batch, synchronise once, end_pass once.
class Learner {
 public:
  Learner() = default;
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;
  virtual ~Learner() = default;

  /// Allocates state for data of this shape (of this worker's shard).
  virtual void begin(const Shape& shape) = 0;
  /// Goes through the rows of one batch: the only hot entry, one virtual call a batch.
  virtual void visit(const Batch& batch) = 0;
  /// Exchanges what the workers have to agree on: the only place that sees them.
  virtual void synchronise(Comm& comm) = 0;
  /// Ends the pass: fills the record and says whether another pass is wanted.
  virtual Verdict end_pass(Progress& progress) = 0;

  /// The run is to end for want of time: how many more passes, the one under way included, it takes until the model is
  /// worth taking. 0: it is as good as it can be. Asked for in the midst of a pass or between two, and once only.
  virtual std::int64_t passes_to_finish() { return 0; }

  /// The classifier as it stands. The caller fills in schema, map and options.
  virtual Model model() const = 0;
  virtual TrainingStats stats() const { return {}; }

  /// The whole state between two passes as bytes, and back: a run resumed from it goes on to the same bits.
  virtual std::string save_state() const = 0;
  virtual void load_state(const std::string& bytes) = 0;
};

}  // namespace linsep
