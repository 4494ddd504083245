#include "learn/margin/solvers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>

#include "linsep/error.h"
#include "numeric/gram.h"
#include "numeric/hessian_sums.h"

namespace linsep {

std::span<const SolverEntry* const> margin_solvers() {
  static const std::array kSolvers = {&dual_solver(),         &interior_solver(),     &newton_solver(),
                                      &planes_solver(),       &working_set_solver(),  &columns_solver(),
                                      &hard_nearest_solver(), &hard_descent_solver(), &hard_gathered_solver()};
  return kSolvers;
}

const SolverEntry* find_solver(std::string_view name) {
  for (const SolverEntry* solver : margin_solvers()) {
    if (solver->name == name) return solver;
  }
  return nullptr;
}

std::vector<std::string_view> solver_choices() {
  std::vector<std::string_view> names = {"auto"};
  for (const SolverEntry* solver : margin_solvers()) {
    if (!solver->losses.empty()) names.push_back(solver->name);
  }
  return names;
}

std::string_view solver_help() {
  static const std::string kHelp = [] {
    std::string text = "The solver; auto picks one that suits the data.";
    for (const SolverEntry* solver : margin_solvers()) {
      if (!solver->losses.empty()) text += fmt::format(" {}: {}.", solver->name, solver->help);
    }
    return text;
  }();
  return kHelp;
}

namespace {

constexpr std::uint32_t kInteriorFeatures = 2000;
/// More columns than this are for coordinate descent.
constexpr std::uint32_t kNearestColumns = 2000;
/// More features than this, with an L1 penalty, are for descent through columns, unless there are too many values.
constexpr std::uint32_t kHessianFeatures = 1000;
constexpr std::int64_t kMostCopied = 50'000'000;
constexpr double kLargeC = 30;    // from here on coordinate descent is slow on most data
constexpr double kSmallC = 0.01;  // up to here an L1 part often leaves all weights at 0
/// Sweeps to find that out: half of what two measurements of the gap take.
constexpr double kTrialSweeps = 13;

// Measured costs, in nanoseconds: of a sweep (with rows asleep), of a pass of Newton's method, and of an iteration of
// the interior-point method.
constexpr double kSweepValue = 0.3, kSweepRow = 20, kPassValue = 6, kPassRow = 20;
constexpr double kSparseSquare = 0.6, kDenseSquare = 0.06, kIterationValue = 6, kIterationRow = 120;
constexpr double kSparseIterations = 35, kDenseIterations = 8, kFewSweeps = 20, kSquaredIterations = 20;
/// Sweeps of the squared hinge that are worth the whole of Newton's method.
constexpr double kNewtonSweeps = 200;

SolverChoice take(const SolverEntry& solver, std::string because) {
  return {std::string(solver.name), std::move(because)};
}

SolverChoice try_first(const SolverEntry& solver, std::string because, const SolverEntry& otherwise, double passes) {
  return {std::string(solver.name), std::move(because), std::string(otherwise.name), passes};
}

/// C whatever way the strength was given; rows are taken to weigh 1, as their weights aren't known yet.
double c_of(const Options& options, const Shape& shape) {
  const double lambda = get_number(options, "lambda");
  return lambda > 0 ? 1 / (lambda * static_cast<double>(std::max<std::int64_t>(shape.rows, 1)))
                    : get_number(options, "C");
}

/// REQUIRES: there is one.
const SolverEntry& solver_for_workers(Loss loss, const Penalty& penalty) {
  const auto solvers = margin_solvers();
  return **std::find_if(solvers.begin(), solvers.end(), [&](const SolverEntry* solver) {
    return solver->any_workers && solver->solves(loss, penalty);
  });
}

/// Throws a usage Error where no solver runs on several workers.
void require_workers(Loss loss, const Penalty& penalty) {
  if (facts_of(loss).smooth || !penalty.has_l1()) return;
  throw options_error({"loss", "penalty", "loss"},
                      fmt::format("{{}} {} with {{}} {} runs on one worker: use {{}} squared-hinge",
                                  facts_of(loss).name, penalty.lasso() ? "l1" : "elasticnet"));
}

void check_asked(const SolverEntry& solver, Loss loss, const Penalty& penalty, int workers) {
  if (!(penalty.has_l1() ? solver.l1 : solver.l2)) {
    throw options_error({"solver", "penalty"},
                        solver.l1 ? fmt::format("{{}} {} is for penalties with an L1 part: add {{}} l1", solver.name)
                                  : fmt::format("{{}} {} supports only {{}} l2", solver.name));
  }
  if (!solver.solves(loss)) {
    std::vector<std::string_view> names;
    for (const Loss one : solver.losses) names.push_back(facts_of(one).name);
    throw usage_error(fmt::format("the solver {} supports only the loss{} {}", solver.name,
                                  names.size() > 1 ? "es" : "", fmt::join(names, " and ")));
  }
  if (workers > 1 && !solver.any_workers) {
    require_workers(loss, penalty);
    throw option_error("solver", fmt::format("the solver {} runs on one worker: use {}, or leave out {{}}", solver.name,
                                             solver_for_workers(loss, penalty).name));
  }
}

struct Costs {
  double sweep = 0, pass = 0, iteration = 0;
  bool sparse = false;  ///< the matrix is summed up from pairs of a row's values, not of columns
};

Costs costs_of(const Shape& shape) {
  const double rows = static_cast<double>(shape.rows), features = shape.features;
  const double values = shape.nonzeros >= 0 ? static_cast<double>(shape.nonzeros) : rows * features;
  const double per_row = values / std::max(rows, 1.0);
  const double sparse = kSparseSquare * per_row * per_row, dense = kDenseSquare * features * features;
  return {kSweepValue * values + kSweepRow * rows, kPassValue * values + kPassRow * rows,
          rows * std::min(sparse, dense) + kIterationValue * values + kIterationRow * rows + dense * features / 3,
          sparse < dense};
}

SolverChoice choose_for_l1_hinge(const Options& options, const Shape& shape) {
  if (shape.features > kInteriorFeatures) {
    return take(dual_solver(), fmt::format("{} features are more than the interior-point method's {}", shape.features,
                                           kInteriorFeatures));
  }
  const double c = c_of(options, shape);
  if (c < kSmallC) {
    return try_first(dual_solver(), fmt::format("a few sweeps may be enough at C = {:.3g}", c), interior_solver(),
                     kTrialSweeps);
  }
  return take(interior_solver(), "the hinge with an L1 part is a linear program");
}

/// Hessians of many columns are large: descent through a copy by columns, where one worker can hold it, takes less.
SolverChoice choose_for_l1(const Options& options, Loss loss, const Shape& shape, int workers) {
  if (!facts_of(loss).smooth) {
    if (workers > 1) require_workers(loss, Penalty{1});
    return choose_for_l1_hinge(options, shape);
  }
  if (facts_of(loss).joint) return take(working_set_solver(), "the penalty has an L1 part");
  if (workers > 1) {
    return take(working_set_solver(), fmt::format("the rows are spread over {} workers", workers));
  }
  if (shape.features <= kHessianFeatures) {
    const std::string because = fmt::format("there are at most {} features", kHessianFeatures);
    if (!interior_solver().solves(loss) || c_of(options, shape) < kLargeC) return take(working_set_solver(), because);
    const Costs costs = costs_of(shape);
    return try_first(working_set_solver(), because, interior_solver(),
                     kSquaredIterations * costs.iteration / costs.pass);
  }
  if (shape.nonzeros < 0 || shape.nonzeros > kMostCopied) {
    return take(working_set_solver(), "the rows are too many to copy by columns");
  }
  return take(columns_solver(), fmt::format("there are more than {} features", kHessianFeatures));
}

/// Coordinate descent or an interior-point method, by what a sweep and an iteration cost.
SolverChoice choose_for_hinge(const Options& options, const Shape& shape) {
  if (shape.features > kInteriorFeatures) {
    return take(dual_solver(), fmt::format("{} features are more than the interior-point method's {}", shape.features,
                                           kInteriorFeatures));
  }
  const Costs costs = costs_of(shape);
  const double c = c_of(options, shape);
  const double worth = (costs.sparse ? kSparseIterations : kDenseIterations) * costs.iteration / costs.sweep;
  if (worth < kFewSweeps || c >= kLargeC) {
    return take(
        interior_solver(),
        fmt::format("expected to be faster than coordinate descent with {} features at C = {:.3g}", shape.features, c));
  }
  return try_first(dual_solver(), fmt::format("expected to be faster than interior point at C = {:.3g}", c),
                   interior_solver(), worth);
}

/// Newton's method, or coordinate descent if there are few rows. Either may go on for ever at a large C: the
/// interior-point method doesn't, and otherwise they take turns.
SolverChoice choose_for_squared_hinge(const Options& options, const std::string& newton_because, const Shape& shape) {
  const bool few_rows = shape.rows < shape.features;
  const SolverEntry& first = few_rows ? dual_solver() : newton_solver();
  const std::string because =
      few_rows ? fmt::format("there are fewer rows than features ({} < {})", shape.rows, shape.features)
               : newton_because;
  if (shape.features > kInteriorFeatures) {
    return try_first(first, because, few_rows ? newton_solver() : dual_solver(), kNewtonSweeps);
  }
  const Costs costs = costs_of(shape);
  const double c = c_of(options, shape);
  if (costs.sparse && c >= kLargeC) {
    return take(interior_solver(), fmt::format("expected to be faster than Newton's method on sparse rows with {} "
                                               "features at C = {:.3g}",
                                               shape.features, c));
  }
  return try_first(first, because, interior_solver(),
                   kSquaredIterations * costs.iteration / (few_rows ? costs.sweep : costs.pass));
}

}  // namespace

Loss margin_loss(const Options& options) { return loss_named(get_text(options, "loss")); }

Penalty margin_penalty(const Options& options) {
  const std::string name = get_text(options, "penalty");
  const double ratio = get_number(options, "l1-ratio");
  if (name == "l1") return {1};
  if (name == "elasticnet") return {ratio > 0 ? ratio : 0.5};
  return {ratio};
}

bool is_preconditioned(const Shape& shape) {
  const std::int64_t values = std::max<std::int64_t>(shape.rows, 0) * shape.features;
  return shape.nonzeros == values && values > 0 &&
         GramPreconditioner::pays(static_cast<double>(shape.rows), shape.features, 1);
}

bool is_hard_margin(const Options& options) { return get_flag(options, "hard"); }

SolverChoice choose_margin_solver(const Options& options, const Shape& shape, int workers) {
  const Loss loss = margin_loss(options);
  const Penalty penalty = margin_penalty(options);
  if (const SolverEntry* asked = find_solver(get_text(options, "solver"))) {
    check_asked(*asked, loss, penalty, workers);
    return take(*asked, "as asked");
  }
  if (penalty.has_l1()) return choose_for_l1(options, loss, shape, workers);
  if (workers > 1) {
    return take(solver_for_workers(loss, penalty), fmt::format("the rows are spread over {} workers", workers));
  }
  if (!facts_of(loss).smooth) return choose_for_hinge(options, shape);
  const std::string_view how =
      HessianSums::pays(shape.features)
          ? "; few features, so exact Hessians"
          : (is_preconditioned(shape) ? "; dense rows, so preconditioned by a Gram matrix of sampled rows" : "");
  const std::string because = fmt::format("the loss {} is smooth{}", facts_of(loss).name, how);
  return dual_solver().solves(loss) ? choose_for_squared_hinge(options, because, shape)
                                    : take(newton_solver(), because);
}

SolverChoice choose_hard_solver(const Shape& shape, int workers) {
  if (shape.features <= kNearestColumns) {
    return take(hard_nearest_solver(), fmt::format("there are at most {} features", kNearestColumns));
  }
  if (workers > 1) {
    return take(hard_gathered_solver(),
                fmt::format("there are more than {} features, and the rows are spread over {} workers", kNearestColumns,
                            workers));
  }
  return take(hard_descent_solver(), fmt::format("there are more than {} features", kNearestColumns));
}

}  // namespace linsep
