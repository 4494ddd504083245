// Learner is the contract between an algorithm and the one loop.
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

/// One visit of a row.
struct RowVisit {
  std::int64_t visit = 0;  ///< from 1. Rows of weight 0 aren't visited
  std::int64_t pass = 0;   ///< from 1
  std::int64_t row = 0;    ///< from 0
  /// y·z before and after the visit, or in a regression the residual y − z.
  double before = 0, after = 0;
  bool mistake = false;       ///< θ was corrected, or in a regression the residual wasn't 0
  std::vector<double> theta;  ///< afterwards, like `offset`. Empty in the dual form with a kernel that has no θ
  double offset = 0;
};

/// The visits that were recorded, from the beginning of this run.
struct VisitRecord {
  std::int64_t visits = 0;     ///< made in all, or 0 if none were to be recorded
  bool mistakes_only = false;  ///< there were more than asked for, so only those with a mistake are kept
  bool cut = false;            ///< the last ones are missing, because their θ would have taken too much memory
  std::vector<double> start;   ///< θ before the first visit
  double start_offset = 0;
  std::vector<RowVisit> at;
};

/// What the margin learner did.
struct MarginResult {
  std::string solver;   ///< the one that ended the run
  std::string because;  ///< the reason for it, in words that complete "because …"
  double lambda = 0;    ///< and C = 1/(λ·total weight of the rows)
  double c = 0;
  double l1_ratio = 0;  ///< ρ of the penalty ρ‖θ‖₁ + (1 − ρ)/2·‖θ‖²
  /// The objective of the classifier that the caller started from, on these rows and with this λ. The run ends with one
  /// that is no worse.
  std::optional<double> start_objective = {};
};

/// What a learner leaves besides its model.
struct TrainingStats {
  std::int64_t mistakes = 0;                  ///< in all passes
  std::vector<std::int64_t> mistakes_by_row;  ///< α, or empty if the learner counts none
  std::vector<TraceStep> trace;               ///< empty unless asked for
  VisitRecord visits;                         ///< nothing unless asked for (Learner::record_visits)
  std::optional<MarginResult> margin;         ///< with the margin learner's losses. Moved to Outcome::margin
  /// Hard margin: an upper bound on any separator's geometric margin (0 if not known), and the rows of the two hulls'
  /// nearest points with their weights, ascending.
  double margin_upper_bound = 0;
  std::vector<std::pair<std::int64_t, double>> hull_weights;
};

/// A Pass that makes a model, and can be stopped between two passes and resumed.
class Learner : public Pass {
 public:
  /// The classifier of the moment. The caller fills in schema, map and options.
  virtual Model model() const = 0;
  virtual TrainingStats stats() const { return {}; }
  /// Call before begin to record every visit of a row in TrainingStats::visits. If there are more visits than `most`,
  /// only those with a mistake are recorded. 0 records none. Learners that don't go row by row record nothing.
  virtual void record_visits(std::int64_t /*most*/) {}

  /// The whole state between two passes as bytes, and back. A run that resumes from it ends in the same bits.
  virtual std::string save_state() const = 0;
  virtual void load_state(const std::string& bytes) = 0;  ///< after begin. Throws an input Error for damaged bytes
};

}  // namespace linsep
