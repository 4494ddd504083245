// The margin learner's solvers: what is known of each, their list, and which one is taken for data of a shape, and why.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "learn/entry.h"
#include "learn/margin/losses.h"
#include "learn/margin/task.h"
#include "linsep/learner.h"
#include "linsep/options.h"
#include "linsep/source.h"

namespace linsep {

/// One solver, a plain value beside its code.
struct SolverEntry {
  std::string_view name = {};
  std::string_view method = {};   ///< by name, as sentences call it
  std::string_view help = {};     ///< its method, in a few words
  std::vector<Loss> losses = {};  ///< that it solves; none: it is for the hard margin
  bool l1 = false, l2 = true;     ///< for penalties with an L1 part, and for those without
  bool any_workers = false;       ///< runs on any number of workers, with the same result
  bool steady = false;            ///< needs about as many passes whatever the rows are
  bool forecasts = false;         ///< its gap falls by a like factor in every pass, so that its end can be foreseen
  VisitOrder order = VisitOrder::kGiven;
  /// `start` may be nullptr, and is for the hard margin.
  std::unique_ptr<Learner> (*make)(const MarginSettings& settings, const Model* start) = nullptr;
  MemoryRates (*memory)(std::uint64_t threads, const Shape& shape) = nullptr;

  bool solves(Loss loss) const { return std::find(losses.begin(), losses.end(), loss) != losses.end(); }
  bool solves(Loss loss, const Penalty& penalty) const { return solves(loss) && (penalty.has_l1() ? l1 : l2); }
};

/// `SolverEntry::make` of a solver that is made of both.
template <class Solver>
std::unique_ptr<Learner> make_solver(const MarginSettings& settings, const Model* start) {
  return std::make_unique<Solver>(settings, start);
}

const SolverEntry& dual_solver();           // dual.cc
const SolverEntry& interior_solver();       // interior.cc
const SolverEntry& newton_solver();         // newton.cc
const SolverEntry& planes_solver();         // cutting_planes.cc
const SolverEntry& working_set_solver();    // working_set.cc
const SolverEntry& columns_solver();        // working_set.cc
const SolverEntry& hard_nearest_solver();   // hard_nearest.cc
const SolverEntry& hard_descent_solver();   // hard_descent.cc
const SolverEntry& hard_gathered_solver();  // hard_gathered.cc

/// Coordinate descent on the dual for a penalty that has an L1 part. REQUIRES: dual_solver() solves the loss.
std::unique_ptr<Learner> make_sparse_dual(const MarginSettings& settings, const Model* start);  // dual_l1.cc

/// A solver, and what its dual variables are: α_i/c_i of each row in the order of visits, behind the last bound.
struct DualRun {
  std::unique_ptr<Learner> learner;
  std::function<std::vector<double>()> shares;
};
/// Coordinate descent on the dual from a classifier. REQUIRES: dual_solver() solves the loss.
DualRun dual_run(const MarginSettings& settings, const Model& start);  // dual.cc
/// The interior-point method, which starts from nothing. REQUIRES: interior_solver() solves the loss.
DualRun interior_run(const MarginSettings& settings);  // interior.cc

/// In the order of the manual.
std::span<const SolverEntry* const> margin_solvers();
/// The solver of that name, or nullptr.
const SolverEntry* find_solver(std::string_view name);
/// What the option "solver" can be: "auto", and every solver of a loss.
std::vector<std::string_view> solver_choices();
/// What each of them is, as the option's help.
std::string_view solver_help();

/// A learner of the margin objective that can continue with another λ.
class LambdaLearner : public Learner {
 public:
  /// Between two passes: from now on the objective is that of `lambda`, and what was found serves as the start. The
  /// model and the gap are those of the new objective. False: nothing was changed, as this learner must start over.
  virtual bool change_lambda(double lambda) = 0;
};

/// A solver that notices when a classifier on its way makes no mistake.
class SeparatorFinder {
 public:
  virtual ~SeparatorFinder() = default;
  /// Whether one did: the rows are separable, rounding aside.
  virtual bool separates() const = 0;
};

/// The loss and the penalty that complete options ask for.
Loss margin_loss(const Options& options);
Penalty margin_penalty(const Options& options);

/// Whether Newton's method on rows of this shape, stored densely, is preconditioned by a sampled Gram matrix
/// (numeric/gram.h).
bool is_preconditioned(const Shape& shape);

/// Whether the options ask for the hard margin (hard.h).
bool is_hard_margin(const Options& options);

/// The solver to begin with for data of this shape; chosen once per training, on the mapped shape. Throws a usage Error
/// where the solver asked for doesn't fit the loss or the number of workers.
SolverChoice choose_margin_solver(const Options& options, const Shape& shape, int workers = 1);
/// The same for the hard margin.
SolverChoice choose_hard_solver(const Shape& shape, int workers = 1);

}  // namespace linsep
