// Problem: min over θ, θ0 of F(θ, θ0) (gap.h) with a penalty that has an L1 part (penalty.h), for a loss with a
// curvature.
//
// Method: proximal Newton on a working set, every step a pass over rows. A gradient pass scores the rows at a new point
// and sums v = Σ α_i·y_i·x_i over all columns. The working set W holds the support and the columns that violate
// optimality most. A Hessian pass sums H = Σ D_i·x_i·x_iᵀ over W, D_i = c_i·ℓ″(m_i), with the offset eliminated. The
// quadratic model is then minimized on W by coordinate descent (l1_quadratic.h), and the next gradient pass tries its
// minimizer. A point that doesn't lower F enough is given up for one on the way to it: scores are linear along the way,
// so the search looks at scores alone. How exactly the model is minimized decides how many passes there are: until its
// greatest violation is a tenth of min(0.1, v₀)·v₀, where v₀ is what it was at the start.
// Where the model promises more than there is to gain, or the last step had to be shortened, it is damped: H +
// μ·diag(H).
//
// Solver `columns` needs no Hessian: coordinate descent minimizes the same model through a copy of the rows by columns,
// one entry at a time. That takes less where there are many columns, and one worker that can hold the copy.
//
// Bounds: v is summed for each class by itself. α scaled by class, to Σ α_i·y_i = 0, and as a whole, to where the
// conjugate is 0, is dual feasible at any offset; its dual value takes the scores alone.
//
// Zeros: the dual is strongly concave, Σ (α_i − α*_i)²/c_i ≤ 2·L·gap with L ≥ ℓ″, so v*_j is within
// √(2·L·gap·Σ c_i·(x_ij − x̄_j)²) of v_j. A column with |v*_j| < ρ certainly has weight 0 at the optimum (Ndiaye et al.,
// 2017).
//
// Workers: all of a pass is a question to the rows (numeric/row_query.h), whose answer doesn't depend on their number.
// Everything else is done by all of them alike. Exchanged: 2d numbers for a gradient, |W|²/2 for a Hessian.
#include "learn/margin/working_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/deadline.h"
#include "core/random.h"
#include "kernel/kernel.h"
#include "learn/margin/query_learner.h"
#include "learn/margin/solvers.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr std::size_t kFirstColumns = 512;  // of a working set that begins
constexpr std::size_t kMostColumns = 4096;  // of any: 64 MB for each thread
constexpr double kRoundings = 16;           // by which a step may raise F
constexpr int kMostHalvings = 40, kMostSweeps = 2000;
constexpr double kLeastCurvature = 0.03;
constexpr double kLeastDiagonal = 1e-10;
constexpr double kEnough = 0.3;           // of the gap, as a violation that a model's minimizer may leave
constexpr std::int64_t kTakenBefore = 4;  // steps that a new λ begins with, for how much a model is worth
constexpr double kUnit = ProximalStep::kUnit;

/// A gradient's sums by column, Σ α_i·y_i·x_ij by class, and at first Σ c_i·x_ij and Σ c_i·x_ij²; and its sums over
/// rows.
enum : std::size_t { kSlope, kCentre };
enum : std::size_t { kLoss, kPositive, kNegative, kCurvature, kTotals };

/// Puts coordinates into the order of sweep number `sweep`: a random one, new in every sweep, because coordinates that
/// resemble each other can take many times the sweeps in a fixed order (Lee and Wright, 2019). Those with a weight in
/// `u` come first, so that of equal coordinates the one that has the weight keeps it and the others stay 0.
void order_sweep(std::span<std::uint32_t> order, std::span<const double> u, int sweep) {
  Random random(static_cast<std::uint64_t>(sweep));
  for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[random.below(left)]);
  std::stable_partition(order.begin(), order.end(), [&](std::uint32_t k) { return u[k] != 0; });
}

}  // namespace

void WorkingSet::begin() {
  for (std::vector<double>* v : {&z_, &trial_z_, &curvature_}) v->assign(task_.rows(), 0);
  w_.assign(task_.features(), 0);
  for (std::vector<double>* v : {&target_, &square_, &dual_v_, &v_[0], &v_[1]}) v->clear();
  phase_ = Phase::kGradient;
  step_ = {};
  store_ = {};
}

void WorkingSet::start(const KnownRows& /*known*/, Comm& comm) {
  if (model_by_ == ModelBy::kColumns) require_one_worker(comm);
  offset_ = task_.offset();
  if (!task_.start_theta().empty()) {
    w_ = task_.start_theta();
    offset_ = task_.start_offset();
  }
  target_ = w_;
  target_offset_ = offset_;
}

void WorkingSet::resume(const KnownRows& /*known*/) {
  const std::size_t features = task_.features();
  require_state(phase_ != Phase::kGradient || target_.size() == features);
  require_state(phase_ != Phase::kColumns || model_by_ == ModelBy::kColumns);
  require_state(phase_ == Phase::kGradient ||
                (v_[0].size() == features && v_[1].size() == features && square_.size() == features));
}

RowQuery WorkingSet::next() {
  RowQuery query;
  switch (phase_) {
    case Phase::kGradient:
      query = ask_gradient();
      break;
    case Phase::kHessian:
      if (model_by_ == ModelBy::kHessian) query = ask_hessian();
      break;
    case Phase::kColumns:
      store_.begin(task_.columns().values);
      query.copy = &store_;
      query.rows = {RowSubset::Of::kNonzero, task_.cost()};
      break;
  }
  query.offset = !origin();
  return query;
}

Verdict WorkingSet::take(const RowAnswer& answer, Comm& comm) {
  if (phase_ == Phase::kGradient) {
    take_gradient(answer, comm);
  } else if (model_by_ == ModelBy::kHessian) {
    step_by_hessian();
  } else if (store_.empty()) {
    phase_ = Phase::kColumns;
  } else {
    step_by_columns();
  }
  const Verdict verdict = task_.verdict();
  return verdict == Verdict::kContinue && step_.stalled() ? Verdict::kStalled : verdict;
}

RowQuery WorkingSet::ask_gradient() {
  trial_ = target_;
  trial_offset_ = target_offset_;
  if (step_.length < 1) {
    for (std::size_t j = 0; j < w_.size(); ++j) trial_[j] = w_[j] + step_.length * (target_[j] - w_[j]);
    trial_offset_ = offset_ + step_.length * (target_offset_ - offset_);
  }
  const double farthest = task_.columns().farthest_score(trial_) + std::abs(trial_offset_);
  const bool centre = square_.empty();
  RowQuery query;
  query.scores = {{trial_, trial_z_}};
  query.function = [this, centre](const ScoredRows& rows) { slopes(rows, centre); };
  query.sums = {{.bound = steepest_slope(loss(), farthest), .by_sign = true, .errors = true}};
  if (centre) query.sums.push_back({.bound = 1, .squares = true});
  query.totals = kTotals;
  return query;
}

/// Rows are multiplied by y·α and, for the centre, by c.
void WorkingSet::slopes(const ScoredRows& rows, bool centre) {
  const std::span<const double> costs = task_.cost();
  double* factor = rows.factor;
  const std::size_t end = rows.first + rows.rows;
  for_losses<true>(loss(), costs, trial_z_, trial_offset_, rows.first, end, [&](const RowLosses& at) {
    RowLosses::Numbers value;
    TermsByClass alphas;
    double* curvature = curvature_.data() + at.first;
    for (std::size_t k = 0; k < at.count; ++k, factor += rows.stride) {
      const double signed_cost = costs[at.first + k], cost = std::abs(signed_cost), alpha = cost * at.slope[k];
      // Of a row far on the wrong side hardly anything is left of ℓ″, though not of its pull: the model needs a least
      // value.
      const double m = at.margin[k], least = m < 0 ? kLeastCurvature * at.slope[k] / (1 - m) : 0;
      value[k] = cost * at.value[k];
      curvature[k] = cost * std::max(at.curvature[k], least);
      alphas.add(signed_cost < 0, alpha);
      factor[kSlope] = signed_cost < 0 ? -alpha : alpha;
      if (centre) factor[kCentre] = cost;
    }
    add_terms(rows.total[kLoss], value.data(), at.count);
    add_terms(rows.total[kCurvature], curvature, at.count);
    alphas.add_to(rows.total[kNegative], rows.total[kPositive]);
  });
}

void WorkingSet::take_gradient(const RowAnswer& answer, Comm& comm) {
  const double value = penalty().value(trial_) + answer.totals[kLoss].value();
  if (step_.length == 1 && !step_.lowers_enough(value, 1, kRoundings)) return shorten(comm);
  if (square_.empty()) take_centre(answer.sums[kCentre]);
  step_.accept(value);
  std::swap(w_, trial_);
  std::swap(z_, trial_z_);
  offset_ = trial_offset_;
  total_loss_ = answer.totals[kLoss].value();
  total_curvature_ = answer.totals[kCurvature].value();
  greatest_curvature_ = all_reduce_max(comm, std::accumulate(curvature_.begin(), curvature_.end(), 0.0,
                                                             [](double a, double b) { return std::max(a, b); }));
  alphas_ = {answer.totals[kPositive].value(), answer.totals[kNegative].value()};
  for (std::size_t side : {0, 1}) {
    v_[side].resize(w_.size());
    for (std::size_t j = 0; j < w_.size(); ++j) v_[side][j] = answer.sums[kSlope].sum[2 * j + side];
  }
  offer_bounds(answer.sums[kSlope].errors, comm);
  if (model_by_ == ModelBy::kHessian || task_.converged()) {
    phase_ = Phase::kHessian;
  } else if (store_.empty()) {
    phase_ = Phase::kColumns;
  } else {
    step_by_columns();
  }
}

void WorkingSet::take_centre(const RowAnswer::Columns& columns) {
  square_.resize(w_.size());
  for (std::size_t j = 0; j < w_.size(); ++j) {
    const double square = columns.squares[j], mean = origin() ? 0 : columns.sum[j] / task_.costs();
    // Rounded up, by more than the sums were cut off.
    square_[j] = std::max(0.0, square - mean * mean * task_.costs()) + 0x1p-40 * square;
  }
}

// Scores between z_ and trial_z_.
void WorkingSet::shorten(Comm& comm) {
  std::vector<double> z(z_.size());
  for (int halving = 0; halving < kMostHalvings; ++halving) {
    poll_now();
    step_.length /= 2;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = z_[i] + step_.length * (trial_z_[i] - z_[i]);
    const double offset = offset_ + step_.length * (target_offset_ - offset_);
    Sum value;
    for (std::size_t j = 0; j < w_.size(); ++j) {
      value.add(penalty().value(w_[j] + step_.length * (target_[j] - w_[j])));
    }
    value.add(total_loss(loss(), task_.cost(), z, offset, task_.threads(), comm));
    if (step_.lowers_enough(value.value(), step_.length, kRoundings)) break;
  }
}

void WorkingSet::offer_primal() {
  const double norm = std::sqrt(squared_length(w_)), steepest = mean_slope(loss(), total_loss_ / task_.costs());
  task_.offer_primal(step_.value, primal_rounding(task_.extent(), task_.costs(), steepest, norm, offset_, step_.value),
                     w_, offset_);
}

// Scales α of each class to Σ α_i·y_i = 0, and both to where no |v_j| exceeds ρ. Where the conjugate is finite beyond
// that, α as it is may be better.
void WorkingSet::offer_bounds(std::span<const double> errors, Comm& comm) {
  offer_primal();
  std::array<double, 2> factor = {1, 1};
  if (!origin()) {
    const double least = std::min(alphas_[0], alphas_[1]);
    for (std::size_t side : {0, 1}) factor[side] = alphas_[side] > 0 ? least / alphas_[side] : 0;
  }
  const double alphas = factor[0] * alphas_[0] + factor[1] * alphas_[1];
  // At least |v_j|: with what was cut off and rounded, and what a balance that is exact would change.
  std::vector<double> v(w_.size());
  double greatest = 0;
  for (std::size_t j = 0; j < w_.size(); ++j) {
    const double error = errors[j] + 32 * kUnit * alphas * task_.columns().greatest[j];
    v[j] = std::abs(factor[0] * v_[0][j] + factor[1] * v_[1][j]) + error;
    greatest = std::max(greatest, v[j]);
  }
  const double within = greatest > penalty().l1_ratio ? (1 - 0x1p-50) * penalty().l1_ratio / greatest : 1;
  const auto dual_at = [&](double scale) {
    const std::array<double, 2> scaled = {factor[0] * scale, factor[1] * scale};
    const auto sums = with_loss(loss(), [&](auto l) {
      return exact_all_reduce_sums<2>(comm, z_.size(), task_.threads(),
                                      [&](std::size_t i, std::array<ExactSum, 2>& sum) {
                                        const double cost = std::abs(task_.cost()[i]), y = task_.label(i);
                                        const double a = l.at(y * (z_[i] + offset_)).slope * scaled[y > 0 ? 0 : 1];
                                        const double term = cost * l.dual(a);
                                        sum[0].add(term);
                                        sum[1].add(std::abs(term));
                                      });
    });
    Sum conjugate;
    for (const double x : v) conjugate.add(penalty().conjugate(scale * x));
    const double rounding = 32 * kUnit * (sums[1] + alphas + conjugate.value());
    const double before = task_.gap().dual;
    task_.offer_dual(sums[0] - conjugate.value(), rounding);
    if (task_.gap().dual == before) return;
    dual_v_ = v;
    for (double& x : dual_v_) x *= scale;
  };
  dual_at(within);
  if (!penalty().lasso() && within < 1) dual_at(1);
}

void WorkingSet::complete(Model& model) const {
  const Gap& gap = task_.gap();
  const std::vector<double>& theta = model.theta;
  const double distance = std::max(0.0, gap.primal - gap.dual + gap.rounding);
  if (dual_v_.size() != theta.size() || square_.size() != theta.size() || !std::isfinite(distance)) return;
  model.open_zeros.emplace();
  for (std::size_t j = 0; j < theta.size(); ++j) {
    const double radius = std::sqrt(2 * facts_of(loss()).curvature * distance * square_[j]);
    if (theta[j] == 0 && !(dual_v_[j] + (1 + 0x1p-40) * radius < penalty().l1_ratio)) model.open_zeros->push_back(j);
  }
}

RowQuery WorkingSet::ask_hessian() {
  choose_columns();
  hessian_.choose(columns_, task_.features());
  RowQuery query;
  query.function = [this](const ScoredRows& rows) {
    for (std::size_t r = 0; r < rows.rows; ++r) rows.factor[r * rows.stride] = curvature_[rows.first + r];
  };
  query.hessian = &hessian_;
  query.hessian_bound = greatest_curvature_;
  return query;
}

// The support and the columns that violate most; of a large support only those that violate most.
void WorkingSet::choose_columns() {
  std::vector<ViolatingUnit> candidates;
  std::size_t support = 0;
  for (std::size_t j = 0; j < w_.size(); ++j) {
    const double violation = penalty().violation(w_[j], v_[0][j] + v_[1][j]);
    const bool used = w_[j] != 0;
    support += used ? 1 : 0;
    if (used || violation > 0) candidates.push_back({violation, j, used});
  }
  const bool hessian = model_by_ == ModelBy::kHessian;
  const std::size_t limit = hessian ? std::min(kMostColumns, std::max(kFirstColumns, 2 * support)) : w_.size();
  keep_worst(candidates, std::min(limit, candidates.size()), !hessian || support <= kMostColumns / 2);
  columns_.clear();
  for (const ViolatingUnit& candidate : candidates) columns_.push_back(static_cast<std::uint32_t>(candidate.unit));
}

void WorkingSet::step_by_hessian() {
  const std::size_t size = columns_.size();
  model_.begin(size, [&](std::size_t k, std::size_t l) { return hessian_.at(k, l); });
  std::vector<double> start_v(size), start_u(size), diagonal(size), border(size);
  double worst = 0;
  for (std::size_t k = 0; k < size; ++k) {
    diagonal[k] = model_.row(k)[k];
    const std::uint32_t j = columns_[k];
    start_v[k] = v_[0][j] + v_[1][j];
    start_u[k] = w_[j];
    worst = std::max(worst, penalty().violation(start_u[k], start_v[k]));
  }
  // The sums' own total is what keeps the model convex without the offset.
  const double total = origin() ? 0 : hessian_.at(size, size);
  std::vector<double> reduced_v = start_v;
  if (total > 0) {
    for (std::size_t k = 0; k < size; ++k) border[k] = hessian_.at(k, size);
    model_.add_square(border, -1 / total, imbalance(), reduced_v);
  }
  // Of a column that is constant where D isn't 0 the offset leaves no curvature but rounding.
  for (std::size_t k = 0; k < size; ++k) diagonal[k] = std::max(model_.row(k)[k], kLeastDiagonal * diagonal[k]);
  const std::vector<double> u = model_.minimizer({.each = penalty()}, {}, reduced_v, start_u, diagonal, worst, step_);
  Sum moved;
  for (std::size_t k = 0; k < size; ++k) moved.add(border[k] * (u[k] - start_u[k]));
  set_target(start_v, u, total > 0 ? (imbalance() - moved.value()) / total : 0);
}

/// The point with the weights `u` on W, to be tried next. `v`: over W, at w_.
void WorkingSet::set_target(std::span<const double> v, std::span<const double> u, double offset_step) {
  target_ = w_;
  Sum change;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const double before = w_[columns_[k]];
    change.add(-v[k] * (u[k] - before));
    change.add(penalty().value(u[k]) - penalty().value(before));
    target_[columns_[k]] = u[k];
  }
  target_offset_ = offset_ + offset_step;
  change.add(-imbalance() * offset_step);
  step_.begin(change.value());
  phase_ = Phase::kGradient;
}

// The model's minimizer by coordinate descent through the columns of W. The offset is eliminated: with s_k = Σ D_i·x_ik
// and S = Σ D_i, H has −s·sᵀ/S besides, for which one number is kept, s·(u − w).
void WorkingSet::step_by_columns() {
  choose_columns();
  const std::size_t size = columns_.size();
  const bool with_offset = !origin() && total_curvature_ > 0;
  const double share = with_offset ? 1 / total_curvature_ : 0;
  ColumnModel model;
  extract_.take(store_, columns_, curvature_);
  const std::span<const double> curvature = extract_.curvature();
  model.curved.resize(curvature.size());
  std::vector<double> v(size);
  double worst = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const std::uint32_t j = columns_[k];
    v[k] = v_[0][j] + v_[1][j];
    worst = std::max(worst, penalty().violation(w_[j], v[k]));
    const SparseRow<double> column = extract_.column(k);
    const double border = dot(column, curvature.data());
    double square = 0;
    for_each_entry(column, [&](std::uint32_t i, double x) { square += curvature[i] * x * x; });
    model.border.push_back(border);
    model.diagonal.push_back(std::max(square - share * border * border, kLeastDiagonal * square));
    model.v.push_back(v[k] - share * border * imbalance());
  }
  // Violations bound the gap, so that a point isn't worth more than the gap that is asked for.
  const double accuracy = ProximalStep::accuracy(worst), enough = kEnough * penalty().l1_ratio * task_.settings().gap;
  std::vector<double> u(size);
  for (;;) {
    for (std::size_t k = 0; k < size; ++k) u[k] = w_[columns_[k]];
    std::fill(model.curved.begin(), model.curved.end(), 0.0);
    model.moved = 0;
    descend_columns(model, share, u, worst > 2 * enough ? std::max(enough, accuracy) : accuracy);
    Sum gain;
    for (std::size_t k = 0; k < size; ++k) {
      const double before = w_[columns_[k]], step = u[k] - before;
      if (step == 0) continue;
      gain.add((model.v[k] - pulled(model, share, k) / 2) * step);
      gain.add(penalty().value(before) - penalty().value(u[k]));
    }
    if (!step_.damps(gain.value())) break;
  }
  set_target(v, u, with_offset ? (imbalance() - model.moved) * share : 0);
}

/// Component k of H(u − w).
double WorkingSet::pulled(const ColumnModel& model, double share, std::size_t k) const {
  return dot(extract_.column(k), model.curved.data()) - share * model.border[k] * model.moved;
}

void WorkingSet::descend_columns(ColumnModel& model, double share, std::span<double> u, double tolerance) const {
  const double threshold = penalty().l1_ratio, ridge = penalty().ridge();
  const std::vector<double> start(u.begin(), u.end());
  const double* curvature_of = extract_.curvature().data();
  double* curved = model.curved.data();
  // Between two sweeps over all columns there are some over those that moved or could have.
  std::vector<std::uint32_t> all(u.size()), active;
  std::iota(all.begin(), all.end(), 0U);
  bool whole = true;
  // Far from the optimum the model isn't worth more than a few sweeps; where F can't tell points apart any more, it
  // alone can lower the violations that the gap still sees.
  const std::int64_t most = step_.stuck > 0 ? kMostSweeps : std::min<std::int64_t>(kMostSweeps, 2 * (step_.taken + 1));
  for (int sweep = 0; sweep < most; ++sweep) {
    double worst = 0;
    if (whole) active.clear();
    std::vector<std::uint32_t>& order = whole ? all : active;
    order_sweep(order, u, sweep);
    for (const std::uint32_t k : order) {
      const double damped = step_.damping * model.diagonal[k];
      const double curvature = model.diagonal[k] + damped + ridge;
      const double pull = model.diagonal[k] * u[k] + damped * start[k] + model.v[k] - pulled(model, share, k);
      const bool to_zero = std::abs(pull) <= threshold;
      const SparseRow<double> column = extract_.column(k);
      poll(column.size + 1);
      if (whole && (u[k] != 0 || !to_zero)) active.push_back(k);
      if (!to_zero && !(curvature > 0)) continue;
      const double best = to_zero ? 0 : (pull - std::copysign(threshold, pull)) / curvature, step = best - u[k];
      if (step == 0) continue;
      worst = std::max(worst, std::abs(step) * curvature);
      u[k] = best;
      model.moved += step * model.border[k];
      for_each_entry(column, [&](std::uint32_t i, double x) { curved[i] += step * curvature_of[i] * x; });
    }
    if (whole && worst <= tolerance) return;
    whole = worst <= tolerance;
  }
}

// v, the loss and the curvature grow with the costs; the penalty, and so the point's violations, don't.
bool WorkingSet::change_lambda(double lambda) {
  if (phase_ != Phase::kHessian) return false;
  step_.stuck = 0;
  step_.taken = std::min(step_.taken, kTakenBefore);
  dual_v_.clear();
  const double factor = task_.change_lambda(lambda);
  for (std::vector<double>* all : {&v_[0], &v_[1], &curvature_, &square_}) {
    for (double& x : *all) x *= factor;
  }
  for (double* x : {&total_loss_, &total_curvature_, &greatest_curvature_, &alphas_[0], &alphas_[1]}) *x *= factor;
  step_.value = penalty().value(w_) + total_loss_;
  offer_primal();
  if (model_by_ == ModelBy::kColumns && !store_.empty()) step_by_columns();
  return true;
}

const SolverEntry& working_set_solver() {
  static const SolverEntry kEntry = {
      .name = "working-set",
      .help = "proximal Newton steps on the columns that matter, for penalties with an L1 part",
      .losses = losses_where([](const LossFacts& loss) { return loss.smooth; }),
      .l1 = true,
      .l2 = false,
      .any_workers = true,
      .make = make_solver<QueryLearner<WorkingSetByHessian>>,
      .memory =
          [](std::uint64_t threads, const Shape& shape) {
            const std::uint64_t most = std::min<std::uint64_t>(kMostColumns, shape.features);
            return MemoryRates{.row = 48,
                               .column = 8 * (15 + 6 * threads),
                               .more = HessianSums::bytes(most, threads) + 8 * most * most,
                               .least_column = 144};
          },
  };
  return kEntry;
}

const SolverEntry& columns_solver() {
  static const SolverEntry kEntry = {
      .name = "columns",
      .help = "the same steps on a copy of the rows by columns, for one worker",
      .losses = losses_where([](const LossFacts& loss) { return loss.smooth && !loss.joint; }),
      .l1 = true,
      .l2 = false,
      .make = make_solver<QueryLearner<WorkingSetByColumns>>,
      .memory =
          [](std::uint64_t threads, const Shape& shape) {
            return MemoryRates{.row = 64,
                               .column = 8 * (14 + 6 * threads),
                               .more = 24 * static_cast<std::uint64_t>(std::max<std::int64_t>(shape.nonzeros, 0)),
                               .least_column = 144};
          },
  };
  return kEntry;
}

}  // namespace linsep
