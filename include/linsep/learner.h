// Learner: the contract between an algorithm and the one loop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linsep/model.h"
#include "linsep/pass.h"

namespace linsep {

/// One intermediate classifier of a traced perceptron.
struct TraceStep {
  std::int64_t pass = 0;      ///< from 1
  std::int64_t row = 0;       ///< the row whose mistake led to this θ, from 0
  std::vector<double> theta;  ///< empty in the dual form with a kernel that has no θ
  double offset = 0;
  std::vector<double> coefficient = {};  ///< dual form: α·y of the rows with a mistake, in the order of their first
};

/// How the margin learner went about it.
struct MarginResult {
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
  std::optional<MarginResult> margin;         ///< of the margin learner's losses; moved to Outcome::margin
  /// Hard margin: no separator's geometric margin is greater (0: not known), and the rows of the two hulls' nearest
  /// points with their weights, ascending.
  double margin_upper_bound = 0;
  std::vector<std::pair<std::int64_t, double>> hull_weights;
};

/// A Pass that makes a model, and can be stopped between two passes and resumed.
class Learner : public Pass {
 public:
  /// The classifier as it stands. The caller fills in schema, map and options.
  virtual Model model() const = 0;
  virtual TrainingStats stats() const { return {}; }

  /// The whole state between two passes as bytes, and back: a run resumed from it ends in the same bits.
  virtual std::string save_state() const = 0;
  virtual void load_state(const std::string& bytes) = 0;  ///< after begin; throws an input Error for damaged bytes
};

}  // namespace linsep
