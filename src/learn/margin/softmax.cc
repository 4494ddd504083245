// Problem: min over Θ, b of F (softmax.h), the loss of multinomial logistic regression.
//
// Method: Newton's method on Θ and b together. With P_i = softmax(t_i) the Hessian times a direction q is q (not of the
// offsets) + Σ c_i·P_ic(u_ic − Σ_a P_ia·u_ia)·(x_i, 1) with u_ic = q_c·(x_i, 1). Systems are solved by conjugate
// gradients on centred columns, scaled by the diagonal, then a line search by halving over scores that
// are known, then the best offsets for the new scores: so the dual point is feasible up to rounding.
//
// Dense rows are gone through in blocks by the kernels of kernel/dense_kernels.h. Where the factor of a sampled Gram
// matrix (numeric/gram.h) costs less than it saves, it makes a good first guess of the inverse Hessian, class by class,
// and the method is L-BFGS (Liu & Nocedal, 1989) from that guess: half a pass for the scores' change along a direction,
// a search along it without a look at the data, half a pass for the gradient. Columns are centred by each class's own
// mean by D, which now and then takes another half pass.
//
// Stopping rule: the gap at P. Cost: one pass for a gradient, one for each step of conjugate gradients, one
// for the scores' change along the step; each takes the rows' values times the classes.
//
// Workers: as in newton.cc. Exchanged: 3dk + k numbers for a gradient, (d + 1)k for a step of conjugate gradients.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/deadline.h"
#include "core/elementary.h"
#include "core/exact_sum.h"
#include "core/parallel.h"
#include "learn/margin/query_learner.h"
#include "learn/margin/softmax_newton.h"
#include "learn/margin/softmax_rows.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/symmetric_matrix.h"

namespace linsep {
namespace {

// What rounding can do to the bounds of the softmax loss, and the dual point made feasible.
//
// The dual of F (softmax.h) is D(P) = Σ c_i·H(P_i) − ½Σ_c‖v_c‖² over distributions P_i of the classes, with entropy H
// and v_c = Σ c_i(1[y_i = c] − P_ic)x_i, and, unless through the origin, r_c = Σ c_i(1[y_i = c] − P_ic) = 0 for every
// class. For any Θ, b and any such P: D(P) ≤ min F ≤ F(Θ, b).
//
// At P_i = softmax(t_i), Σ c_i·H(P_i) = Σ c_i·loss_i + Σ_c θ_c·v_c + b·r, so that
// D(P) = F − ½‖Θ − V‖² + b·r. Where r isn't quite 0, P′ = (1 − s)·P + s·q is feasible, with the same
// q_c = (n_c + r_c·(1 − s)/s)/N in every row, n_c the cost of class c and N that of all rows: a distribution as soon as
// s ≥ |r_c|/n_c. H is concave, so Σ c_i·H(P′_i) ≥ (1 − s)·Σ c_i·H(P_i) ≥ Σ c_i·H(P_i) − s·N·log k, and
// ‖V′ − V‖ ≤ s·Σ c_i·‖P_i − q‖·‖x_i‖ ≤ √2·s·N·longest.

/// What was computed at a point Θ, b with fresh scores.
struct SoftmaxPoint : SoftmaxValue {
  double gradient_norm = 0, slope_norm = 0;  ///< ‖Θ − V‖, ‖V‖
  double slope_error = 0;                    ///< bounds the length of V's error by cutting off
  std::span<const double> offset = {};       ///< b
  std::span<const double> balance = {};      ///< r
};

/// A lower bound of min F: D(P) as computed and, as `rounding`, what rounding and the way to P′ can take from it. 0
/// where P can't be made feasible.
struct DualBound {
  double value = 0, rounding = 0;
};

constexpr double kUnit = 0x1p-53;

/// Bounds Σ_c |computed P_c − P_c| of a row, in units of 2⁻⁵³ (softmax_row).
double share_error(const SoftmaxTask& task) { return 4 * static_cast<double>(task.classes()) + 20; }

DualBound dual_bound(const SoftmaxTask& task, const SoftmaxPoint& at) {
  const auto k = static_cast<double>(task.classes());
  const double costs = task.costs(), longest = task.extent().longest;
  const double shares = kUnit * 1.01 * share_error(task);
  // Of V: what the shares' errors do, the terms' own rounding (four multiplications), cutting off.
  const double error = at.slope_error + (shares + 6 * kUnit) * costs * longest;
  DualBound bound;
  bound.value = at.primal - at.gradient_norm * at.gradient_norm / 2;
  bound.rounding = primal_rounding(task, at) + error * (at.gradient_norm + error) +
                   2 * kUnit * costs * score_error(task, at) + kUnit * 8 * at.gradient_norm * at.gradient_norm;
  if (task.settings().origin) return bound;
  double share = 0;  // s
  const double balance_error = (shares + 4 * kUnit) * costs;
  for (std::size_t c = 0; c < task.classes(); ++c) {
    if (!task.active(c)) continue;
    const double wrong = std::abs(at.balance[c]) + balance_error;
    share = std::max(share, 1.01 * wrong / task.class_costs()[c]);
    bound.value += at.offset[c] * at.balance[c];
  }
  if (!(share < 1)) return {0, 0};
  const double moved = 1.42 * share * costs * longest;
  bound.rounding += at.greatest_offset * (balance_error + kUnit * 8 * k * costs) + share * costs * elementary::log(k) +
                    moved * (at.slope_norm + error + moved);
  return bound;
}

// The offsets that suit given scores best, and the loss along a line: sums over rows whose scores are known, without a
// look at the data.

constexpr int kMostSteps = 100;
constexpr double kScoreNanoseconds = 40;  // an exponential and two sums of each row and class
constexpr double kLongestStep = 10;       // of a logarithm of odds

/// Loss, −gradient r_c = Σ c_i(1[y_i = c] − p_ic) and −Hessian Σ c_i·p_ia·p_ib (a < b) in the offsets.
struct OffsetSums {
  double loss = 0;
  std::vector<double> balance, cross;
};

std::size_t cross_index(std::size_t a, std::size_t b) { return b * (b - 1) / 2 + a; }

struct Partial {
  std::vector<ExactSum> sum;        // loss, then r
  std::vector<std::int64_t> cross;  // in fixed point
  std::vector<double> p;
};

/// `step`: 0 where no Hessian is wanted.
void add_row(const SoftmaxTask& task, std::size_t i, const double* z, const double* b, double step, Partial& partial) {
  const std::size_t k = task.classes(), own = task.own()[i];
  const double cost = task.cost()[i];
  if (cost == 0) return;
  double* p = partial.p.data();
  partial.sum[0].add(cost * softmax_row(z, b, k, own, p));
  for (std::size_t c = 0; c < k; ++c) partial.sum[1 + c].add(cost * ((c == own ? 1.0 : 0.0) - p[c]));
  if (step == 0) return;
  std::int64_t* cross = partial.cross.data();
  for (std::size_t c = 1; c < k; ++c) {
    const double weight = cost * step * p[c];
    for (std::size_t a = 0; a < c; ++a) add_units(*cross++, whole_units(weight * p[a]));
  }
}

OffsetSums sums_at(const SoftmaxTask& task, std::span<const double> z, const std::vector<double>& b, bool hessian,
                   Comm& comm) {
  constexpr std::size_t kBlock = 512;
  const std::size_t k = task.classes(), rows = task.rows();
  const double step = hessian ? FixedColumns::step(task.costs()) : 0;
  std::vector<Partial> part(static_cast<std::size_t>(std::max(task.threads(), 1)));
  for (Partial& own : part)
    own = {std::vector<ExactSum>(k + 1), std::vector<std::int64_t>(hessian ? k * (k - 1) / 2 : 0), {}};
  for (Partial& own : part) own.p.resize(k);
  const double work = kScoreNanoseconds * static_cast<double>(rows * k);
  parallel_for((rows + kBlock - 1) / kBlock, task.threads(), work, [&](std::size_t block, std::size_t thread) {
    for (std::size_t i = block * kBlock; i < std::min(rows, (block + 1) * kBlock); ++i) {
      add_row(task, i, z.data() + i * k, b.data(), step, part[thread]);
    }
  });
  Partial& all = part.front();
  std::vector<ExactSum*> each;
  for (std::size_t t = 1; t < part.size(); ++t) {
    for (std::size_t s = 0; s <= k; ++s) all.sum[s].add(part[t].sum[s]);
    for (std::size_t s = 0; s < all.cross.size(); ++s) add_units(all.cross[s], part[t].cross[s]);
  }
  for (ExactSum& sum : all.sum) each.push_back(&sum);
  exact_all_reduce(comm, each);
  comm.all_reduce(std::span(all.cross), Comm::Op::kSum);
  OffsetSums sums;
  sums.loss = all.sum[0].value();
  for (std::size_t c = 0; c < k; ++c) sums.balance.push_back(all.sum[1 + c].value());
  for (const std::int64_t units : all.cross) sums.cross.push_back(static_cast<double>(units) / step);
  return sums;
}

/// H⁻¹r over the classes that take part but the heaviest, whose offset stays; or, where H has no inverse, the step of
/// iterative scaling, log(n_c/(n_c − r_c)), which never raises the loss (Darroch & Ratcliff, 1972).
std::vector<double> newton_step(const SoftmaxTask& task, const OffsetSums& at) {
  const std::size_t k = task.classes();
  const auto costs = task.class_costs();
  const auto fixed = static_cast<std::size_t>(std::max_element(costs.begin(), costs.end()) - costs.begin());
  std::vector<std::size_t> free;
  for (std::size_t c = 0; c < k; ++c) {
    if (c != fixed && task.active(c)) free.push_back(c);
  }
  SymmetricMatrix matrix;
  matrix.resize(free.size());
  matrix.clear();
  std::vector<double> right;
  for (std::size_t m = 0; m < free.size(); ++m) {
    right.push_back(at.balance[free[m]]);
    for (std::size_t c = 0; c < k; ++c) {
      if (c != free[m]) matrix.at(m, m) += at.cross[cross_index(std::min(c, free[m]), std::max(c, free[m]))];
    }
    for (std::size_t l = m + 1; l < free.size(); ++l) matrix.at(m, l) = -at.cross[cross_index(free[m], free[l])];
  }
  std::vector<double> step(k, 0);
  if (matrix.factor(1)) {
    matrix.solve(right);
    for (std::size_t m = 0; m < free.size(); ++m) step[free[m]] = right[m];
  } else {
    for (const std::size_t c : free) step[c] = elementary::log(costs[c] / std::max(costs[c] - at.balance[c], 1e-300));
  }
  double longest = 0;
  for (const double x : step) longest = std::isfinite(x) ? std::max(longest, std::abs(x)) : 1e300;
  if (longest > kLongestStep) {
    for (double& x : step) x = std::isfinite(x) ? x * (kLongestStep / longest) : 0;
  }
  return step;
}

double largest(const std::vector<double>& numbers) {
  double most = 0;
  for (const double x : numbers) most = std::max(most, std::abs(x));
  return most;
}

void centre(const SoftmaxTask& task, std::vector<double>& b) {
  double sum = 0, count = 0;
  for (std::size_t c = 0; c < b.size(); ++c) {
    if (!task.active(c)) continue;
    sum += b[c];
    count += 1;
  }
  for (double& x : b) x -= sum / count;
}

/// argmin over b of Σ c_i·(log Σ_c e^(z_ic + b_c) − z_iy − b_y) over all workers' rows, from `near`: Newton's method on
/// the classes that take part, down to rounding. Their mean is 0; others keep −∞. Σ_i c_i·(1[y_i = c] − P_i(c)) is then
/// 0 up to rounding for every class. Cost: for each step the rows times half the square of the classes, and an
/// all-reduce.
/// `z` holds the scores of a row one after another. The same bits for any number of threads and workers. Polls
/// between steps. `enough`: an imbalance, as a share of all costs, that needs no further step. `cross`: the Hessian
/// serves, here and in later calls, until a step no longer divides the imbalance by kRefresh; null: for one step.
std::vector<double> best_offsets(const SoftmaxTask& task, std::span<const double> z, std::vector<double> near,
                                 Comm& comm, double enough, std::vector<double>* cross) {
  constexpr double kRefresh = 4;
  std::vector<double> best = near, step;
  OffsetSums at = sums_at(task, z, near, cross == nullptr || cross->empty(), comm);
  if (at.cross.empty()) at.cross = *cross;
  for (int made = 0; made < kMostSteps; ++made) {
    const double wrong = largest(at.balance);
    if (!(wrong > enough * task.costs())) break;
    step = newton_step(task, at);
    OffsetSums next;
    double t = 1;
    for (; t > 1e-9; t /= 2) {
      poll_now();
      for (std::size_t c = 0; c < near.size(); ++c) near[c] = best[c] + t * step[c];
      next = sums_at(task, z, near, cross == nullptr, comm);
      if (next.loss <= at.loss * (1 + 8 * kUnit)) break;
    }
    // Once rounding is all that is left, the imbalance no longer falls.
    if (!(t > 1e-9) || (largest(next.balance) > wrong / 2 && wrong < 1e-10 * task.costs())) break;
    best = near;
    if (cross != nullptr) {
      if (largest(next.balance) * kRefresh <= wrong) {
        next.cross = std::move(at.cross);
      } else {
        next = sums_at(task, z, near, true, comm);
      }
    }
    at = std::move(next);
  }
  if (cross != nullptr) *cross = std::move(at.cross);
  centre(task, best);
  return best;
}

constexpr int kMostHalvings = 40;
constexpr double kSteepest = 1, kMostCurved = 0.25;  // |1[y = c] − p| and p(1 − p)

/// A gradient's sums by column and class, Σ c_i(1[y_i = c] − p_ic)x_ij and, with D_ic = c_i·p_ic(1 − p_ic),
/// Σ D_ic·x_ij and their squares; its sums over rows, of which those of offsets' slopes follow the loss.
enum : std::size_t { kSlope, kCurved };
enum : std::size_t { kLoss, kBalance };

}  // namespace

void SoftmaxNewton::begin() {
  for (std::vector<double>* v : {&z_, &p_}) v->assign(task_.rows() * classes(), 0);
  for (std::vector<double>* v : {&w_, &gradient_}) v->assign(task_.weights() + classes(), 0);
  phase_ = Phase::kGradient;
  drift_ = 0;
  length_ = 1;
  offset_hessian_.clear();
  gram_ = std::make_unique<GramPreconditioner>();
}

void SoftmaxNewton::start(const KnownRows& known, Comm& /*comm*/) {
  set_method(known);
  const std::vector<double> first = task_.first_offsets();
  std::copy(first.begin(), first.end(), w_.begin() + static_cast<std::ptrdiff_t>(task_.weights()));
  begin_gradient();
}

void SoftmaxNewton::resume(const KnownRows& known) {
  set_method(known);
  if (phase_ == Phase::kGradient) return begin_gradient();
  if (phase_ != Phase::kDone) direction_.require_begun();
}

void SoftmaxNewton::require_point() const {
  require_state(length_ > 0);
  task_.require_point(w_);
}

/// All rows are known: the preconditioner.
void SoftmaxNewton::set_method(const KnownRows& known) {
  preconditioned_ =
      known.blocks && GramPreconditioner::pays(static_cast<double>(known.all_rows),
                                               static_cast<double>(task_.features()), static_cast<double>(classes()));
  direction_.set_preconditioner(preconditioned_ ? gram_.get() : nullptr);
}

RowQuery SoftmaxNewton::next() {
  RowQuery query;
  switch (phase_) {
    case Phase::kGradient:
      query = ask_gradient();
      break;
    case Phase::kProduct:
      query = ask_product();
      break;
    case Phase::kDirection:
      query.scores = {{direction(), p_, classes()}};
      break;
    case Phase::kDone:
      return query;
  }
  query.rows = {RowSubset::Of::kNonzero, task_.cost()};
  query.offset = !task_.settings().origin;
  if (preconditioned_ && !gram_->sampled()) query.sample = gram_.get();
  return query;
}

Verdict SoftmaxNewton::take(const RowAnswer& answer, Comm& comm) {
  switch (phase_) {
    case Phase::kGradient:
      take_gradient(answer);
      break;
    case Phase::kProduct:
      take_product(answer);
      break;
    case Phase::kDirection:
      line_search(comm);
      break;
    case Phase::kDone:
      break;
  }
  const Verdict verdict = task_.verdict();
  return verdict == Verdict::kContinue && phase_ == Phase::kDone ? Verdict::kStalled : verdict;
}

void SoftmaxNewton::begin_gradient() {
  fresh_ = std::ranges::any_of(theta(), [](double x) { return x != 0; });
  // Updated scores will do while the gap that is asked for lies far above what they are off by.
  if (preconditioned_ && 0x1p-53 * 20 * task_.costs() * drift_ < task_.settings().gap * primal_) fresh_ = false;
  phase_ = Phase::kGradient;
}

/// Scores along a search drift by rounding: the bounds rest on fresh ones.
RowQuery SoftmaxNewton::ask_gradient() {
  RowQuery query;
  if (fresh_) query.scores = {{theta(), z_, classes()}};
  query.function = [this](const ScoredRows& rows) { slopes(rows); };
  query.sums = {{.bound = kSteepest, .outputs = classes()},
                {.bound = kMostCurved,
                 .squares = !preconditioned_,
                 .outputs = classes(),
                 .columns = !preconditioned_ || direction_.wants_means(),
                 .ones = true}};
  query.totals = kBalance + classes();
  return query;
}

/// Rows' probabilities and losses, and their slopes and curvatures in the scores.
void SoftmaxNewton::slopes(const ScoredRows& rows) {
  const std::size_t k = classes();
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::size_t i = rows.first + r, own = task_.own()[i];
    double* factor = rows.factor + r * rows.stride;
    double *slope = factor + rows.place[kSlope], *curved = factor + rows.place[kCurved], *p = p_.data() + i * k;
    const double cost = task_.cost()[i];
    if (cost == 0) {
      for (double* to : {slope, curved}) std::fill_n(to, k, 0.0);
      continue;
    }
    rows.total[kLoss].add(cost * softmax_row(z_.data() + i * k, offsets().data(), k, own, p));
    for (std::size_t c = 0; c < k; ++c) {
      slope[c] = cost * ((c == own ? 1.0 : 0.0) - p[c]);
      rows.total[kBalance + c].add(slope[c]);
      curved[c] = cost * p[c] * (1 - p[c]);
    }
  }
}

void SoftmaxNewton::take_gradient(const RowAnswer& answer) {
  const RowAnswer::Columns& slope = answer.sums[kSlope];
  const std::size_t weights = task_.weights(), k = classes();
  const Penalty& penalty = task_.settings().penalty;
  Sum vv;
  for (std::size_t j = 0; j < weights; ++j) {
    const double v = slope.sum[j];
    gradient_[j] = penalty.slope(w_[j]) - v;
    vv.add(v * v);
  }
  std::vector<double> balance;
  SoftmaxPoint at;
  for (std::size_t c = 0; c < k; ++c) {
    balance.push_back(answer.totals[kBalance + c].value());
    gradient_[weights + c] = has_offset(c) ? -balance[c] : 0;
    if (has_offset(c)) at.greatest_offset = std::max(at.greatest_offset, std::abs(w_[weights + c]));
  }
  at.primal = primal_ = penalty.value(theta()) + answer.totals[kLoss].value();
  at.theta_norm = std::sqrt(squared_length(theta()));
  at.gradient_norm = std::sqrt(squared_length(std::span<const double>(gradient_).first(weights)));
  at.slope_norm = std::sqrt(vv.value());
  at.slope_error = std::sqrt(static_cast<double>(k)) * slope.error;
  at.offset = offsets();
  at.balance = balance;
  if (fresh_) drift_ = 0;
  at.drift = drift_;
  task_.offer_primal(primal_, primal_rounding(task_, at), w_);
  const DualBound dual = dual_bound(task_, at);
  task_.offer_dual(dual.value, dual.rounding);
  if (task_.converged()) return;
  if (preconditioned_) {
    direction_.begin_quasi(answer.sums[kCurved], w_, gradient_);
    phase_ = Phase::kDirection;
  } else {
    const double gap = std::max(primal_ - task_.gap().dual, 0.0) / primal_;
    direction_.begin(answer.sums[kCurved], gradient_, 0.5 * std::min(0.25, std::sqrt(std::sqrt(gap))));
    phase_ = Phase::kProduct;
  }
}

// |p_c(u_c − Σ p·u)| is at most p_c(1 − p_c) times the range of u.
RowQuery SoftmaxNewton::ask_product() {
  RowQuery query;
  query.scores = {{direction(), {}, classes()}};
  query.function = [this](const ScoredRows& rows) { product(rows); };
  query.sums = {
      {.bound = 2.02 * kMostCurved * std::max(direction_.farthest(), 1e-200), .outputs = classes(), .ones = true}};
  query.coarse = true;
  return query;
}

/// A row is multiplied by c_i·p_ic(u_ic − Σ_a p_ia·u_ia), u being its scores with the direction, offsets included.
void SoftmaxNewton::product(const ScoredRows& rows) const {
  const std::size_t k = classes();
  const double* q = direction_.direction().data() + task_.weights();
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::size_t i = rows.first + r;
    const double cost = task_.cost()[i], *p = p_.data() + i * k;
    double *factor = rows.factor + r * rows.stride, *u = rows.score + r * rows.score_stride, mean = 0;
    if (cost == 0) {
      std::fill_n(factor, k, 0.0);
      continue;
    }
    for (std::size_t c = 0; c < k; ++c) {
      u[c] += q[c];
      mean += p[c] * u[c];
    }
    for (std::size_t c = 0; c < k; ++c) factor[c] = cost * p[c] * (u[c] - mean);
  }
}

void SoftmaxNewton::take_product(const RowAnswer& answer) {
  std::vector<double> product = answer.sums[0].sum;
  product.insert(product.end(), answer.sums[0].ones.begin(), answer.sums[0].ones.end());
  if (!direction_.advance(std::move(product))) phase_ = Phase::kDirection;
}

/// Offsets that don't suit the scores cost the bound, but no step: far from the end it is too low anyway.
bool SoftmaxNewton::offsets_matter() const {
  if (!preconditioned_) return true;
  constexpr double kNear = 10;
  const auto gradient = std::span<const double>(gradient_).first(task_.weights());
  return squared_length(gradient) / 2 <= kNear * task_.settings().gap * primal_;
}

// `p_` holds the scores' change along the step. To a slope that is a fraction of the first one, by Newton's method in
// t from the last step's length, then back by halving if the objective doesn't fall enough. Returns t, or 0.
double SoftmaxNewton::search_smoothly(const RidgeAlong& penalty, double slope, Comm& comm) {
  constexpr int kMostTrials = 30;
  constexpr double kFlatter = 0.3, kLongest = 4;
  const auto along = std::span<const double>(direction_.direction()).subspan(task_.weights());
  double t = length_, low = 0, high = 0;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    poll_now();
    const SoftmaxSlope at = slope_along(task_, z_, p_, offsets(), along, t, comm);
    const double here = at.slope + penalty.slope(t);
    const bool falls = at.value + penalty(t) <= primal_ + 1e-4 * t * slope;
    if (falls && std::abs(here) <= kFlatter * std::abs(slope)) return length_ = t;
    if (trial + 1 == kMostTrials) return falls ? t : 0;
    (here > 0 || !falls ? high : low) = t;
    double next = t - here / (at.curvature + penalty.curvature());
    if (high == 0) {
      next = std::min(std::max(next, 1.1 * t), kLongest * t);
    } else if (!(next > low && next < high)) {
      next = low + (high - low) / 2;
    }
    t = next;
  }
  return 0;
}

void SoftmaxNewton::line_search(Comm& comm) {
  const std::vector<double>& step = direction_.direction();
  const std::size_t weights = task_.weights();
  const RidgeAlong penalty =
      task_.settings().penalty.along(std::span(w_).first(weights), std::span(step).first(weights));
  Sum gs;
  for (std::size_t j = 0; j < w_.size(); ++j) gs.add(gradient_[j] * step[j]);
  const auto along = std::span<const double>(step).subspan(weights);
  double t = 1;
  int halvings = 0;
  for (; halvings < kMostHalvings && !preconditioned_; ++halvings, t /= 2) {
    poll_now();
    const double value = penalty(t) + loss_along(task_, z_, p_, offsets(), along, t, comm);
    if (value <= primal_ + 1e-4 * t * gs.value()) break;
  }
  if (preconditioned_) t = search_smoothly(penalty, gs.value(), comm);
  if (halvings == kMostHalvings || t == 0) {
    phase_ = Phase::kDone;
    return;
  }
  for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += t * step[j];
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += t * p_[i];
  const auto length = [&](const std::vector<double>& v) {
    return std::sqrt(squared_length(std::span<const double>(v).first(weights)));
  };
  drift_ += 2.1 * (task_.extent().most_values + 8) * task_.extent().longest * (length(w_) + t * length(step));
  if (!task_.settings().origin && offsets_matter()) {
    const auto now = offsets();
    // What is left of the imbalance takes less than the gap asked for from the bound by far.
    const double enough =
        preconditioned_ ? std::max(4 * kUnit, std::min(1e-9, 1e-6 * task_.settings().gap)) : 4 * kUnit;
    const std::vector<double> best =
        best_offsets(task_, z_, {now.begin(), now.end()}, comm, enough, preconditioned_ ? &offset_hessian_ : nullptr);
    std::copy(best.begin(), best.end(), w_.begin() + static_cast<std::ptrdiff_t>(weights));
  }
  begin_gradient();
}

std::unique_ptr<Learner> make_softmax(const MarginSettings& settings, std::size_t classes, const SolverChoice& choice) {
  return std::make_unique<QueryLearner<SoftmaxNewton, SoftmaxTask>>(settings, classes, choice);
}

}  // namespace linsep
