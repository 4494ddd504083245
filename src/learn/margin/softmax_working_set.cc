// Problem: min over Θ, b of F (softmax.h) with a penalty that has an L1 part, of each weight or grouped by features
// (penalty.h).
//
// Method: proximal Newton on a working set, as in working_set.cc, whose coordinates are pairs of a feature and a class.
// A gradient pass scores the rows at a new point and sums V_jc = Σ c_i(1[y_i = c] − P_ic)·x_ij over all pairs. A
// Hessian pass sums Σ c_i·P_ia(1[a = b] − P_ib)·x_ij·x_il over the pairs (j, a), (l, b) of the working set, classes
// coupled, with the offsets eliminated. The model is then minimized (l1_quadratic.h), and the next gradient pass
// tries its minimizer.
//
// Bounds: the dual is D(P) = Σ c_i·H(P_i) − R*(V) over distributions P_i with r_c = Σ c_i(1[y_i = c] − P_ic) = 0 for
// every class, unless through the origin. P′ = (1 − s)·P + s·q with the same q_c = (n_c + r_c(1 − s)/s)/N in every row
// is balanced, n_c the cost of class c and N that of all rows; its V′ takes the classes' column sums, which the first
// gradient pass adds up. The step from the rows' own classes towards P′, shortened by t, scales V′ by t, to where R* is
// finite, and stays balanced.
//
// Workers: as in working_set.cc. Exchanged: dk numbers for a gradient, half the square of the pairs for a Hessian.
#include "learn/margin/softmax_working_set.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/deadline.h"
#include "core/elementary.h"
#include "learn/margin/query_learner.h"
#include "learn/margin/softmax_rows.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr std::size_t kFirstPairs = 512;  // of a working set that begins
constexpr std::size_t kMostPairs = 2048;  // of any; at most as many again make features whole
constexpr int kMostHalvings = 40;
constexpr double kLeastShare = 0.03;
constexpr double kRoundings = 16;  // by which a step may raise F: it still brings the dual point closer
constexpr double kUnit = ProximalStep::kUnit;

/// A gradient's sums by column and class, V and at first Σ c_i·x_ij of the class; its sums over rows, of which those of
/// offsets' slopes follow the others.
enum : std::size_t { kSlope, kCentre };
enum : std::size_t { kLoss, kCurvature, kBalance };

/// Probabilities whose Hessian the model takes, given those of the row and its loss. Of a row far on the wrong side
/// hardly anything is left of the Hessian, though not of its pull: its own class gets a least share. Returns the
/// greatest p(1 − p), which no entry of the row's Hessian exceeds.
double model_shares(double* p, std::size_t classes, std::size_t own, double loss) {
  const double least = kLeastShare / (1 + loss);
  if (p[own] < least) {
    const double others = (1 - least) / (1 - p[own]);
    for (std::size_t c = 0; c < classes; ++c) p[c] *= others;
    p[own] = least;
  }
  double most = 0;
  for (std::size_t c = 0; c < classes; ++c) most = std::max(most, p[c] * (1 - p[c]));
  return most;
}

/// −Σ p·log p, where p_own = 1 − rest.
double entropy(const double* p, std::size_t classes, std::size_t own, double rest) {
  double sum = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    if (p[c] > 0 && c != own) sum -= p[c] * elementary::log(p[c]);
  }
  if (p[own] > 0) sum -= p[own] * (rest < 0.5 ? elementary::log1p(-rest) : elementary::log(p[own]));
  return sum;
}

}  // namespace

void OffsetElimination::factor(const ShareHessian& hessian, std::size_t first, std::size_t classes,
                               std::span<const std::size_t> free) {
  classes_ = classes;
  free_.clear();
  rows_.clear();
  const auto g = [&](std::size_t c, std::size_t d) {
    return hessian.at(first + std::min(c, d), first + std::max(c, d));
  };
  for (const std::size_t c : free) {
    std::vector<double> line;
    double pivot = g(c, c);
    const double enough = 1e-12 * pivot;
    for (std::size_t m = 0; m < free_.size(); ++m) {
      double sum = g(c, free_[m]);
      for (std::size_t l = 0; l < m; ++l) sum -= rows_[m][l] * line[l];
      line.push_back(sum / rows_[m][m]);
      pivot -= line[m] * line[m];
    }
    if (!(pivot > enough)) continue;
    line.push_back(std::sqrt(pivot));
    free_.push_back(c);
    rows_.push_back(std::move(line));
  }
}

std::vector<double> OffsetElimination::forward(std::span<const double> by_class) const {
  std::vector<double> y(free_.size());
  for (std::size_t m = 0; m < y.size(); ++m) {
    double sum = by_class[free_[m]];
    for (std::size_t l = 0; l < m; ++l) sum -= rows_[m][l] * y[l];
    y[m] = sum / rows_[m][m];
  }
  return y;
}

std::vector<double> OffsetElimination::backward(std::vector<double> y) const {
  std::vector<double> all(classes_, 0);
  for (std::size_t m = y.size(); m-- > 0;) {
    y[m] /= rows_[m][m];
    for (std::size_t l = 0; l < m; ++l) y[l] -= rows_[m][l] * y[m];
    all[free_[m]] = y[m];
  }
  return all;
}

void SoftmaxWorkingSet::begin() {
  for (std::vector<double>* z : {&z_, &trial_z_}) z->assign(task_.rows() * classes(), 0);
  w_.assign(task_.weights() + classes(), 0);
  for (std::vector<double>* v : {&target_, &v_, &class_sum_, &balance_}) v->clear();
  phase_ = Phase::kGradient;
  step_ = {};
}

void SoftmaxWorkingSet::start(const KnownRows& /*known*/, Comm& /*comm*/) {
  w_.assign(task_.weights(), 0);
  const std::vector<double> first = task_.first_offsets();
  w_.insert(w_.end(), first.begin(), first.end());
  target_ = w_;
}

void SoftmaxWorkingSet::resume(const KnownRows& /*known*/) const {
  require_state(!w_.empty());
  task_.require_point(w_);
  if (!target_.empty()) task_.require_point(target_);
  require_state(phase_ != Phase::kGradient || !target_.empty());
  const std::size_t weights = task_.weights();
  require_state(phase_ != Phase::kHessian ||
                (v_.size() == weights && class_sum_.size() == weights && balance_.size() == classes()));
}

RowQuery SoftmaxWorkingSet::next() {
  RowQuery query = phase_ == Phase::kGradient ? ask_gradient() : ask_hessian();
  query.rows = {RowSubset::Of::kNonzero, task_.cost()};
  query.offset = !origin();
  return query;
}

Verdict SoftmaxWorkingSet::take(const RowAnswer& answer, Comm& comm) {
  if (phase_ == Phase::kGradient) {
    take_gradient(answer, comm);
  } else {
    build_model();
    minimize_model();
    phase_ = Phase::kGradient;
  }
  const Verdict verdict = task_.verdict();
  return verdict == Verdict::kContinue && step_.stalled() ? Verdict::kStalled : verdict;
}

RowQuery SoftmaxWorkingSet::ask_gradient() {
  trial_ = target_;
  for (std::size_t a = 0; step_.length < 1 && a < w_.size(); ++a) {
    if (target_[a] != w_[a]) trial_[a] = w_[a] + step_.length * (target_[a] - w_[a]);
  }
  const bool centre = class_sum_.empty();
  RowQuery query;
  query.scores = {{weights(trial_), trial_z_, classes()}};
  query.function = [this, centre](const ScoredRows& rows) { slopes(rows, centre); };
  query.sums = {{.outputs = classes(), .errors = true}};
  if (centre) query.sums.push_back({.outputs = classes()});
  query.totals = kBalance + classes();
  return query;
}

void SoftmaxWorkingSet::slopes(const ScoredRows& rows, bool centre) const {
  thread_local std::vector<double> p;
  const std::size_t k = classes();
  p.resize(k);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::size_t i = rows.first + r, own = task_.own()[i];
    const double cost = task_.cost()[i];
    double* slope = rows.factor + r * rows.stride + rows.place[kSlope];
    if (centre) {
      double* of_class = rows.factor + r * rows.stride + rows.place[kCentre];
      std::fill_n(of_class, k, 0.0);
      of_class[own] = cost;
    }
    if (cost == 0) {
      std::fill_n(slope, k, 0.0);
      continue;
    }
    const double loss = softmax_row(trial_z_.data() + i * k, offsets(trial_).data(), k, own, p.data());
    rows.total[kLoss].add(cost * loss);
    for (std::size_t c = 0; c < k; ++c) {
      slope[c] = cost * ((c == own ? 1.0 : 0.0) - p[c]);
      rows.total[kBalance + c].add(slope[c]);
    }
    rows.total[kCurvature].add(cost * model_shares(p.data(), k, own, loss));
  }
}

void SoftmaxWorkingSet::take_gradient(const RowAnswer& answer, Comm& comm) {
  const double value = penalty_.value(weights(trial_)) + answer.totals[kLoss].value();
  if (step_.length == 1 && !step_.lowers_enough(value, 1, kRoundings)) return shorten(comm);
  if (class_sum_.empty()) class_sum_ = answer.sums[kCentre].sum;
  v_ = answer.sums[kSlope].sum;
  balance_.clear();
  for (std::size_t c = 0; c < classes(); ++c) balance_.push_back(answer.totals[kBalance + c].value());
  step_.accept(value);
  std::swap(w_, trial_);
  std::swap(z_, trial_z_);
  total_curvature_ = answer.totals[kCurvature].value();
  offer_bounds(answer.sums[kSlope].errors, comm);
  phase_ = Phase::kHessian;
}

void SoftmaxWorkingSet::shorten(Comm& comm) {
  std::vector<double> dz(z_.size()), change(w_.size(), 0), at(w_.size());
  for (std::size_t i = 0; i < z_.size(); ++i) dz[i] = trial_z_[i] - z_[i];
  for (std::size_t a = 0; a < w_.size(); ++a) {
    if (target_[a] != w_[a]) change[a] = target_[a] - w_[a];
  }
  for (int halving = 0; halving < kMostHalvings; ++halving) {
    poll_now();
    step_.length /= 2;
    for (std::size_t a = 0; a < w_.size(); ++a) at[a] = w_[a] + step_.length * change[a];
    const double value =
        penalty_.value(weights(at)) + loss_along(task_, z_, dz, offsets(w_), offsets(change), step_.length, comm);
    if (step_.lowers_enough(value, step_.length, kRoundings)) break;
  }
}

// The computed probabilities, scaled to sum to 1, differ from them by a share of (classes + 8)·2⁻⁵³ each.
void SoftmaxWorkingSet::offer_bounds(std::span<const double> errors, Comm& comm) {
  const std::size_t k = classes(), unit = penalty_.unit();
  SoftmaxValue at{.primal = step_.value, .theta_norm = std::sqrt(squared_length(weights(w_)))};
  for (std::size_t c = 0; c < k; ++c) {
    if (has_offset(c)) at.greatest_offset = std::max(at.greatest_offset, std::abs(offsets(w_)[c]));
  }
  task_.offer_primal(step_.value, primal_rounding(task_, at), w_);

  const double costs = task_.costs(), rounding = (4 * static_cast<double>(k) + 64) * kUnit * costs;
  double share = 0;  // s; no q_c is below n_c/(2N) then
  for (std::size_t c = 0; c < k; ++c) {
    if (has_offset(c)) share = std::max(share, 2 * (std::abs(balance_[c]) + rounding) / task_.class_costs()[c]);
  }
  if (!(share < 1)) return;
  std::vector<double> v(task_.weights());
  std::vector<double> length;  // of each unit at least
  double greatest = 0;
  for (std::size_t j = 0; j < task_.features(); ++j) {
    Sum all;
    for (std::size_t c = 0; c < k; ++c) all.add(class_sum_[j * k + c]);
    const double error = 2 * errors[j] + rounding * task_.columns().greatest[j];
    for (std::size_t c = 0; c < k; ++c) {
      const std::size_t a = j * k + c;
      v[a] = v_[a];
      if (share > 0) {
        const double q = task_.class_costs()[c] / costs;
        v[a] = (1 - share) * (v_[a] - balance_[c] * all.value() / costs) + share * (class_sum_[a] - q * all.value());
      }
      if ((a + 1) % unit > 0) continue;
      length.push_back(JointPenalty::length(std::span(v).subspan(a + 1 - unit, unit)) +
                       error * std::sqrt(static_cast<double>(unit)));
      greatest = std::max(greatest, length.back());
    }
  }
  const double ratio = penalty_.each.l1_ratio;
  const double within = greatest > ratio ? (1 - 0x1p-50) * ratio / greatest : 1;
  offer_dual(share, within, length, comm);
  if (!penalty_.each.lasso() && within < 1) offer_dual(share, 1, length, comm);
}

// `length` holds at least ‖V′‖ of each unit.
void SoftmaxWorkingSet::offer_dual(double share, double scale, std::span<const double> length, Comm& comm) {
  const std::size_t k = classes();
  const double costs = task_.costs();
  std::vector<double> add(k, 0);  // s·q
  double least = 1;
  for (std::size_t c = 0; c < k && share > 0; ++c) {
    if (!task_.active(c)) continue;
    add[c] = (share * task_.class_costs()[c] + balance_[c] * (1 - share)) / costs;
    least = std::min(least, add[c]);
  }
  const auto sums =
      exact_all_reduce_sums<2>(comm, task_.rows(), task_.threads(), [&](std::size_t i, std::array<ExactSum, 2>& sum) {
        thread_local std::vector<double> p;
        const double cost = task_.cost()[i];
        const std::size_t own = task_.own()[i];
        if (cost == 0) return;
        p.resize(k);
        softmax_row(z_.data() + i * k, offsets(w_).data(), k, own, p.data());
        double rest = 0;
        for (std::size_t c = 0; c < k; ++c) {
          p[c] = scale * ((1 - share) * p[c] + add[c]);
          if (c != own) rest += p[c];
        }
        p[own] += 1 - scale;
        const double term = cost * entropy(p.data(), k, own, std::min(rest, 1.0));
        sum[0].add(term);
        sum[1].add(std::abs(term) + cost * rest);
      });
  Sum conjugate;
  for (const double x : length) {
    const double excess = std::max(0.0, scale * x - penalty_.each.l1_ratio);
    if (excess > 0 && !penalty_.each.lasso()) conjugate.add(excess * excess / (2 * penalty_.each.ridge()));
  }
  // Where q isn't quite what balances the classes, each P moves by as much, and its entropy by the logarithm of it.
  const double each = (4 * static_cast<double>(k) + 64) * kUnit;
  const double moved = origin() ? 0 : each * costs * static_cast<double>(k) * (1 - elementary::log(scale * least));
  task_.offer_dual(sums[0] - conjugate.value(), each * (sums[1] + conjugate.value()) + moved);
}

RowQuery SoftmaxWorkingSet::ask_hessian() {
  choose_pairs();
  hessian_.choose(pairs_, classes(), task_.features());
  RowQuery query;
  query.function = [this](const ScoredRows& rows) { shares(rows); };
  query.shares = &hessian_;
  query.hessian_bound = total_curvature_;
  return query;
}

void SoftmaxWorkingSet::shares(const ScoredRows& rows) const {
  const std::size_t k = classes();
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::size_t i = rows.first + r, own = task_.own()[i];
    double* p = rows.factor + r * rows.stride;
    p[k] = task_.cost()[i];
    if (p[k] == 0) continue;
    model_shares(p, k, own, softmax_row(z_.data() + i * k, offsets(w_).data(), k, own, p));
  }
}

// The support and the units that violate most; of a large support only those that violate most. A feature with most of
// its classes gets all of them.
void SoftmaxWorkingSet::choose_pairs() {
  const std::size_t k = classes(), unit = penalty_.unit();
  std::vector<ViolatingUnit> candidates;
  std::size_t support = 0;
  for (std::size_t a = 0; a < task_.weights(); a += unit) {
    const auto weights = std::span<const double>(w_).subspan(a, unit);
    const double violation = penalty_.violation(weights, std::span<const double>(v_).subspan(a, unit));
    const bool used = JointPenalty::length(weights) > 0;
    support += used ? 1 : 0;
    if (used || violation > 0) candidates.push_back({violation, a / unit, used});
  }
  const std::size_t limit = std::max<std::size_t>(1, kMostPairs / unit),
                    begin = std::max<std::size_t>(1, kFirstPairs / unit);
  const std::size_t most = std::min({limit, std::max(begin, 2 * support), candidates.size()});
  keep_worst(candidates, most, support <= limit / 2);
  worst_ = 0;
  for (const ViolatingUnit& candidate : candidates) worst_ = std::max(worst_, candidate.violation);
  std::size_t taking_part = 0;
  for (std::size_t c = 0; c < k; ++c) taking_part += task_.active(c) ? 1 : 0;
  pairs_.clear();
  block_.clear();
  for (std::size_t first = 0, last = 0; first < most; first = last) {
    const std::uint64_t j = candidates[first].unit * unit / k;
    while (last < most && candidates[last].unit * unit / k == j) ++last;
    const bool all = penalty_.grouped || 2 * (last - first) > taking_part;
    block_.push_back({pairs_.size(), 0, all || last - first == taking_part});
    if (all) {
      for (std::size_t c = 0; c < k; ++c) {
        if (task_.active(c)) pairs_.push_back(j * k + c);
      }
    } else {
      for (std::size_t m = first; m < last; ++m) pairs_.push_back(candidates[m].unit);
    }
    block_.back().size = pairs_.size() - block_.back().begin;
  }
}

// With the offsets' change at its best, G⁻¹(r − Bᵀd), H becomes H − B·G⁻¹·Bᵀ and V becomes V − B·G⁻¹·r.
void SoftmaxWorkingSet::build_model() {
  const std::size_t k = classes(), size = pairs_.size();
  std::vector<std::size_t> free;
  const auto costs = task_.class_costs();
  const auto heaviest = static_cast<std::size_t>(std::max_element(costs.begin(), costs.end()) - costs.begin());
  for (std::size_t c = 0; c < k && total_curvature_ > 0; ++c) {
    if (has_offset(c) && c != heaviest) free.push_back(c);
  }
  elimination_.factor(hessian_, size, k, free);
  model_balance_ = elimination_.forward(balance_);
  model_.begin(size, [&](std::size_t a, std::size_t b) { return hessian_.at(a, b); });
  model_v_.clear();
  model_border_.clear();
  for (const std::uint64_t pair : pairs_) model_v_.push_back(v_[pair]);
  if (free.empty()) return;
  std::vector<double> edge(k), square(size);
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t c = 0; c < k; ++c) edge[c] = hessian_.at(a, size + c);
    model_border_.push_back(elimination_.forward(edge));
  }
  for (std::size_t m = 0; m < model_balance_.size(); ++m) {
    for (std::size_t a = 0; a < size; ++a) square[a] = model_border_[a][m];
    model_.add_square(square, -1, model_balance_[m], model_v_);
  }
}

void SoftmaxWorkingSet::minimize_model() {
  const std::size_t size = pairs_.size();
  std::vector<double> start(size), diagonal(size);
  for (std::size_t a = 0; a < size; ++a) {
    start[a] = w_[pairs_[a]];
    diagonal[a] = model_.row(a)[a];
  }
  const std::vector<double> u = model_.minimizer(penalty_, block_, model_v_, start, diagonal, worst_, step_);
  target_ = w_;
  for (std::size_t a = 0; a < size; ++a) target_[pairs_[a]] = u[a];
  Sum change;
  std::vector<double> rest = model_balance_;
  for (std::size_t a = 0; a < size; ++a) {
    const double step = u[a] - start[a];
    change.add(-v_[pairs_[a]] * step);
    for (std::size_t m = 0; m < rest.size() && step != 0; ++m) rest[m] -= model_border_[a][m] * step;
  }
  const std::vector<double> moved = elimination_.backward(std::move(rest));
  for (std::size_t c = 0; c < classes() && !origin(); ++c) {
    if (moved[c] == 0) continue;
    target_[task_.weights() + c] += moved[c];
    change.add(-balance_[c] * moved[c]);
  }
  change.add(penalty_.value(weights(target_)) - penalty_.value(weights(w_)));
  step_.begin(change.value());
}

std::unique_ptr<Learner> make_sparse_softmax(const MarginSettings& settings, std::size_t classes,
                                             const SolverChoice& choice) {
  return std::make_unique<QueryLearner<SoftmaxWorkingSet, SoftmaxTask>>(settings, classes, choice);
}

}  // namespace linsep
