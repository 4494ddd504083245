// Problem: min over θ of f(θ) = min over θ0 of F(θ, θ0) (see gap.h), for a loss with a curvature.
//
// Method: Newton's method on f. With D_i = c_i·ℓ″(m_i), S = Σ D_i and s = Σ D_i x_i, the Hessian of f is
// I + Σ D_i x_i x_iᵀ − s sᵀ/S: the second term less what the offset takes up. Systems are solved by conjugate gradients
// (Lin, Weng & Keerthi, 2008) scaled by the Hessian's diagonal, which is where badly scaled columns are met; then a
// line search by halving. Along a line scores are known from those of its ends, so the search never looks at the data.
//
// Where that costs less than it saves, conjugate gradients are preconditioned: with few columns by the Hessian itself,
// summed up in the gradient pass (numeric/hessian_sums.h), so that one product is enough; dense rows of many columns by
// the factor of a sampled Gram matrix (numeric/gram.h).
//
// Stopping rule: at the best offset α_i = −c_i·ℓ′(m_i) is dual feasible and the gap is ½‖∇f‖². If more than half of the
// gap is what rounding could do, and kMostStuck steps have hardly changed it, or if all of it but a little is, the run
// is stalled. Cost: one pass for a gradient, one for each step of conjugate gradients, one (squared hinge, rows without
// curvature) for the direction.
//
// Workers: all of a pass is a question to the rows (numeric/row_query.h), whose answer doesn't depend on their number.
// Everything else is done by all of them alike. Exchanged: 3d numbers for a gradient (2d with a preconditioner), d for
// a step of conjugate gradients, and a few hundred for each trial of a search.
#include "learn/margin/newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/deadline.h"
#include "learn/margin/query_learner.h"
#include "learn/margin/solvers.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr int kMostHalvings = 40;
constexpr std::int64_t kMostStuck = 3;
constexpr double kLeastProgress = 0.01;  // of the gap, by a step
constexpr double kNothingLeft = 0x1p-6;  // of what rounding could do

/// A gradient's sums by column, Σ α_i y_i x_ij and Σ D_i x_ij (and Σ D_i x_ij²), and its sums over rows. α is summed
/// by class.
enum : std::size_t { kSlope, kCurved };
enum : std::size_t { kLoss, kPositive, kNegative, kCurvature, kTotals };

}  // namespace

void Newton::begin() {
  for (std::vector<double>* v : {&z_, &dz_, &xq_, &curvature_}) v->assign(task_.rows(), 0);
  w_.assign(task_.features(), 0);
  phase_ = Phase::kStart;
  last_gap_ = 1;
  stuck_ = 0;
  gram_ = std::make_unique<GramPreconditioner>();
}

void Newton::start(const KnownRows& known, Comm& /*comm*/) {
  set_method(known);
  offset_ = task_.offset();
  phase_ = Phase::kGradient;
  if (task_.start_theta().empty()) return;
  w_ = task_.start_theta();
  offset_ = task_.start_offset();
  phase_ = Phase::kStart;
}

void Newton::resume(const KnownRows& known) {
  set_method(known);
  const bool within_step = phase_ == Phase::kProduct || phase_ == Phase::kDirection;
  const std::size_t features = task_.features();
  require_state(!within_step || (gradient_.size() == features && direction_.step().size() == features));
  require_state(!within_step || !exact_ || hessian_.factored());
}

/// All rows are known: the preconditioner.
void Newton::set_method(const KnownRows& known) {
  const auto rows = static_cast<double>(known.all_rows), features = static_cast<double>(task_.features());
  exact_ = HessianSums::pays(task_.features());
  sampled_gram_ =
      known.blocks && !exact_ && GramPreconditioner::pays(rows, features, 1) && (!shared_ || shared_->expected);
  if (exact_ || sampled_gram_) direction_.set_precondition([this](std::span<double> x) { precondition(x); });
}

void Newton::precondition(std::span<double> x) {
  if (exact_) return hessian_.solve(x);
  const std::span<const int> level(&level_, 1);
  if (shared_) return shared_->gram.solve(level, x.data(), 1, task_.threads());
  gram_->keep_levels(level);
  gram_->solve(level, x.data(), 1, task_.threads());
}

double Newton::best_offset(std::span<const double> z, double near, Comm& comm) const {
  if (task_.settings().origin) return 0;
  return best_smooth_offset(loss(), task_.cost(), z, near, task_.threads(), comm);
}

/// At least |θ·x + shift| of every row.
double Newton::farthest(std::span<const double> vector, double shift) const {
  return task_.columns().farthest_score(vector) + std::abs(shift);
}

RowQuery Newton::next() {
  RowQuery query;
  switch (phase_) {
    case Phase::kStart:
      query.scores = {{w_, z_}};
      break;
    case Phase::kGradient:
      query = ask_gradient();
      break;
    case Phase::kProduct:
      query = ask_product();
      break;
    case Phase::kDirection:
      query.scores = {{direction_.step(), dz_}};
      query.rows = {RowSubset::Of::kZero, curvature_};
      break;
  }
  query.offset = !task_.settings().origin;
  if (sampled_gram_ && !shared_ && !gram_->sampled()) query.sample = gram_.get();
  return query;
}

Verdict Newton::take(const RowAnswer& answer, Comm& comm) {
  switch (phase_) {
    case Phase::kStart:
      offset_ = best_offset(z_, offset_, comm);
      phase_ = Phase::kGradient;
      break;
    case Phase::kGradient:
      take_gradient(answer);
      break;
    case Phase::kProduct:
      take_product(answer, comm);
      break;
    case Phase::kDirection:
      line_search(comm);
      break;
  }
  const Verdict verdict = task_.verdict();
  return verdict == Verdict::kContinue && stuck_ >= kMostStuck ? Verdict::kStalled : verdict;
}

/// Scores along a search drift by rounding: the bounds rest on fresh ones.
RowQuery Newton::ask_gradient() {
  RowQuery query;
  query.scores = {{w_, z_}};
  query.function = [this](const ScoredRows& rows) { slopes(rows); };
  const bool squares = !exact_ && !sampled_gram_;
  query.sums = {{steepest_slope(loss(), farthest(w_, offset_))}, {steepest_curvature(), squares}};
  query.totals = kTotals;
  if (exact_) query.hessian = &hessian_;
  query.hessian_of = kCurved;
  query.hessian_bound = steepest_curvature() * task_.greatest_cost();
  return query;
}

/// Rows are multiplied by y·α and by D; the latter is taken down.
void Newton::slopes(const ScoredRows& rows) {
  const std::span<const double> costs = task_.cost();
  double* factor = rows.factor;
  for_losses<true>(loss(), costs, z_, offset_, rows.first, rows.first + rows.rows, [&](const RowLosses& at) {
    RowLosses::Numbers value;
    TermsByClass alphas;
    double* curvature = curvature_.data() + at.first;
    for (std::size_t k = 0; k < at.count; ++k, factor += rows.stride) {
      const double signed_cost = costs[at.first + k], cost = std::abs(signed_cost), alpha = cost * at.slope[k];
      value[k] = cost * at.value[k];
      curvature[k] = cost * at.curvature[k];
      alphas.add(signed_cost < 0, alpha);
      *rows.count += cost > 0 && !(at.margin[k] > 0) ? 1 : 0;  // mistakes
      factor[kSlope] = signed_cost < 0 ? -alpha : alpha;
      factor[kCurved] = curvature[k];
    }
    add_terms(rows.total[kLoss], value.data(), at.count);
    add_terms(rows.total[kCurvature], curvature, at.count);
    alphas.add_to(rows.total[kNegative], rows.total[kPositive]);
  });
}

void Newton::take_gradient(const RowAnswer& answer) {
  const RowAnswer::Columns& slope = answer.sums[kSlope];
  const ExactSum &positive = answer.totals[kPositive], &negative = answer.totals[kNegative];
  if (answer.count == 0) task_.found_separator();
  ExactSum all_alphas = positive, difference = positive;
  all_alphas.add(negative);
  difference.subtract(negative);
  const double norm = std::sqrt(squared_length(w_)), loss = answer.totals[kLoss].value();
  primal_ = task_.penalty().value(w_) + loss;
  gradient_.resize(w_.size());
  for (std::size_t j = 0; j < w_.size(); ++j) gradient_[j] = task_.penalty().slope(w_[j]) - slope.sum[j];
  const double steepest = mean_slope(this->loss(), loss / task_.costs());
  const double balance = task_.settings().origin ? 0 : difference.value(), alphas = all_alphas.value();
  const RowExtent& extent = task_.extent();
  const double rounding = primal_rounding(extent, task_.costs(), steepest, norm, offset_, primal_);
  const double theta_error = slope.error + sum_rounding(extent, alphas, 4);
  task_.offer_primal(primal_, rounding, w_, offset_);
  task_.offer_dual(
      primal_ - task_.penalty().fenchel_gap(gradient_) + offset_ * balance,
      rounding + dual_rounding(extent, alphas, balance, std::max(norm, std::sqrt(squared_length(slope.sum))),
                               theta_error, primal_));
  count_stuck();
  begin_conjugate_gradients(answer, answer.totals[kCurvature].value());
}

void Newton::count_stuck() {
  const Gap& gap = task_.gap();
  const double left = gap.primal - gap.dual;
  const bool gained = gap.relative() < (1 - kLeastProgress) * last_gap_;
  stuck_ = left <= gap.rounding && !gained ? stuck_ + 1 : 0;
  if (left <= kNothingLeft * gap.rounding) stuck_ = kMostStuck;  // another step has next to nothing to gain
  last_gap_ = gap.relative();
}

void Newton::begin_conjugate_gradients(const RowAnswer& answer, double curvature) {
  const double gap = std::max(primal_ - task_.gap().dual, 0.0) / primal_;
  const RowAnswer::Columns& curved = answer.sums[kCurved];
  if (exact_) hessian_.factor();
  std::vector<double> squares = curved.squares;
  squares.resize(w_.size());  // a preconditioner asks for none
  level_ = GramPreconditioner::level_of(curvature);
  direction_.begin(gradient_, curved.sum, squares, task_.settings().origin ? 0 : curvature,
                   (exact_ || sampled_gram_ ? 1 : 0.5) * std::min(0.25, std::sqrt(std::sqrt(gap))));
  std::fill(dz_.begin(), dz_.end(), 0.0);
  phase_ = Phase::kProduct;
}

RowQuery Newton::ask_product() {
  RowQuery query;
  query.scores = {{direction_.direction(), xq_}};
  query.rows = {RowSubset::Of::kNonzero, curvature_};
  query.function = [this](const ScoredRows& rows) {
    const double shift = direction_.shift();
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const double curved = curvature_[rows.first + r];
      rows.factor[r * rows.stride] = curved == 0 ? 0 : curved * (xq_[rows.first + r] - shift);
    }
  };
  query.sums = {{steepest_curvature() * std::max(farthest(direction_.direction(), direction_.shift()), 1e-200)}};
  return query;
}

void Newton::take_product(const RowAnswer& answer, Comm& comm) {
  const double length = direction_.advance(answer.sums[0].sum);
  for (std::size_t i = 0; i < dz_.size(); ++i) {
    if (curvature_[i] != 0) dz_[i] += length * xq_[i];
  }
  if (direction_.next_direction(length)) return;
  if (facts_of(loss()).curved_everywhere && !some_row_lacks_curvature(comm)) return line_search(comm);
  phase_ = Phase::kDirection;
}

// Products leave such a row's change along the step unknown.
bool Newton::some_row_lacks_curvature(Comm& comm) const {
  const bool mine = std::any_of(curvature_.begin(), curvature_.end(), [](double c) { return c == 0; });
  return all_reduce_any(comm, mine);
}

void Newton::line_search(Comm& comm) {
  const std::vector<double>& step = direction_.step();
  const RidgeAlong penalty = task_.penalty().along(w_, step);
  const double descent = inner_product(gradient_, step);
  double t = 1, offset = offset_;
  const double offset_change = direction_.offset_change();
  for (int halving = 0; halving < kMostHalvings; ++halving, t /= 2) {
    poll_now();
    for (std::size_t i = 0; i < z_.size(); ++i) xq_[i] = z_[i] + t * dz_[i];
    offset = best_offset(xq_, offset_ + t * offset_change, comm);
    const double value = penalty(t) + total_loss(loss(), task_.cost(), xq_, offset, task_.threads(), comm);
    if (value <= primal_ + 1e-4 * t * descent) break;
  }
  for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += t * step[j];
  std::swap(z_, xq_);
  offset_ = offset;
  phase_ = Phase::kGradient;
}

const SolverEntry& newton_solver() {
  static const SolverEntry kEntry = {
      .name = "newton",
      .method = "Newton's method",
      .help = "Newton's method, with exact Hessians for few features, else conjugate gradients",
      .losses = losses_where([](const LossFacts& loss) { return loss.smooth; }),
      .any_workers = true,
      .make = make_solver<QueryLearner<Newton>>,
      .memory =
          [](std::uint64_t threads, const Shape& shape) {
            MemoryRates rates{.row = 48, .column = 8 * (22 + 10 * threads), .least_column = 120};
            if (HessianSums::pays(shape.features)) {
              rates.more = HessianSums::bytes(shape.features, threads + 1);  // the factor is less than another sum
            } else if (is_preconditioned(shape)) {
              rates.square = 32;  // the sampled rows, their Gram matrix and its factor
            }
            return rates;
          },
  };
  return kEntry;
}

}  // namespace linsep
