#include "train/logit/search.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/elementary.h"

namespace linsep {
namespace {

using Matrix = LogisticPoint::Matrix;

constexpr int kMostPasses = 200;
/// Decrements squared: of a maximum, of a profile, and where the quadratic model of the profile may be trusted.
constexpr double kMaximum = 1e-28, kProfile = 1e-12, kNear = 0.02;
/// Without a decrement this much smaller than the last, a point gets its own matrix.
constexpr double kSlow = 0.05;
/// Of b, as a share of its standard error.
constexpr double kRoot = 1e-9;
/// Bytes for the sums of one evaluation.
constexpr double kSumBytes = 5e8;

double log_determinant(const SymmetricMatrix& factor, const std::vector<char>& active) {
  double sum = 0;
  for (std::size_t c = 0; c < active.size(); ++c) {
    if (active[c] != 0) sum += 2 * elementary::log(factor.entries()[c * factor.stride() + c]);
  }
  return sum;
}

/// ℓ and its gradient, with Firth's penalty ½ ln det I where asked for: a second pass adds the leverages' term.
void evaluate(Likelihood& likelihood, std::span<LogitPoint* const> points, bool firth) {
  if (!firth) return likelihood.evaluate(points);
  for (LogitPoint* point : points) point->at.matrix = Matrix::kInformation;
  likelihood.evaluate(points);
  std::vector<SymmetricMatrix> factors;
  std::vector<LogitPoint> penalties(points.size());
  std::vector<LogitPoint*> each;
  factors.reserve(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    factors.push_back(restricted_factor(points[k]->matrix, likelihood.active(), likelihood.threads()));
    points[k]->value += 0.5 * log_determinant(factors.back(), likelihood.active());
    penalties[k].at.beta = points[k]->at.beta;
    penalties[k].at.leverage = &factors.back();
    each.push_back(&penalties[k]);
  }
  likelihood.evaluate(each);
  for (std::size_t k = 0; k < points.size(); ++k) {
    for (std::size_t c = 0; c < likelihood.size(); ++c) points[k]->gradient[c] += penalties[k].gradient[c];
  }
}

/// One search after an evaluation: its next point, or its end.
class Advance {
 public:
  Advance(Likelihood& likelihood, LogitSearch& search)
      : likelihood_(likelihood), search_(search), state_(search.state), point_(search.point) {}

  void run() {
    const bool has_matrix = point_.at.matrix != Matrix::kNone;
    if (has_matrix) {
      search_.factor = std::make_shared<const SymmetricMatrix>(
          restricted_factor(std::move(point_.matrix), search_.free, likelihood_.threads()));
      point_.matrix = {};
    }
    solve();
    if (++state_.passes > kMostPasses) {
      search_.done = true;
    } else if (worse()) {
      shorten();
    } else if (search_.side != 0 && decrement_ < kNear) {
      move_root(has_matrix);
    } else {
      move(has_matrix);
    }
    point_.at.matrix = wants_matrix_ ? Matrix::kInformation : Matrix::kNone;
  }

 private:
  void solve() {
    std::vector<double>& g = point_.gradient;
    for (std::size_t c = 0; c < g.size(); ++c) {
      if (search_.free[c] == 0) g[c] = 0;
    }
    u_ = g;
    search_.factor->solve(u_);
    decrement_ = product(g, u_);
    if (!search_.functional.empty()) {
      v_ = search_.functional;
      search_.factor->solve(v_);
      av_ = product(search_.functional, v_);
      slope_ = product(search_.functional, u_) / av_;
      decrement_ -= slope_ * slope_ * av_;
      for (std::size_t c = 0; c < u_.size(); ++c) u_[c] -= slope_ * v_[c];
    }
    decrement_ = std::max(decrement_, 0.0);
  }

  bool worse() const {
    if (!std::isfinite(point_.value) || !std::isfinite(decrement_)) return true;
    const double rounding = 1e-12 * (1 + std::abs(point_.value));
    return point_.value < state_.value - rounding && decrement_ > kProfile;
  }

  /// Half of the step; where a matrix of another point may be to blame, the start again with its own.
  void shorten() {
    if (state_.start.empty()) {
      search_.done = true;
      return;
    }
    state_.length /= 2;
    wants_matrix_ = state_.own_matrix;
    if (state_.length < 0.2 && !state_.own_matrix) {
      state_.own_matrix = wants_matrix_ = true;
      point_.at.beta = state_.start;
      state_.start.clear();
      state_.value = -std::numeric_limits<double>::infinity();
      return;
    }
    if (state_.length < 1e-9) {
      search_.done = true;
      return;
    }
    for (std::size_t c = 0; c < u_.size(); ++c) point_.at.beta[c] = state_.start[c] + state_.length * state_.step[c];
  }

  void begin_step(std::vector<double> step, double value) {
    state_.start = point_.at.beta;
    state_.step = std::move(step);
    state_.value = value;
    state_.length = 1;
    for (std::size_t c = 0; c < state_.step.size(); ++c) point_.at.beta[c] += state_.step[c];
  }

  void move(bool has_matrix) {
    const double before = search_.decrement;
    search_.decrement = decrement_;
    const double wanted = search_.functional.empty() ? kMaximum : kProfile;
    const bool rounding = decrement_ < kProfile && decrement_ > 0.25 * before;
    if (search_.side == 0 && (decrement_ <= wanted || rounding)) {
      search_.done = search_.converged = true;
      return;
    }
    wants_matrix_ = state_.own_matrix || (!has_matrix && decrement_ > kSlow * before);
    begin_step(u_, point_.value);
  }

  /// The next b. REQUIRES: the decrement is small: ℓ_p = ℓ + ½ decrement, to third order.
  void move_root(bool has_matrix) {
    search_.decrement = decrement_;
    const double at = product(search_.functional, point_.at.beta);
    const double difference = search_.value() - search_.level;
    if (point_.value >= search_.level) {
      state_.inside = at;
    } else if (point_.value + decrement_ < search_.level) {
      state_.outside = at;
    }
    double by = step_of_root(difference);
    if (state_.inside && state_.outside) {
      const double low = std::min(*state_.inside, *state_.outside), high = std::max(*state_.inside, *state_.outside);
      if (!(at + by > low && at + by < high) && std::abs(by) > kRoot * std::sqrt(av_)) by = 0.5 * (low + high) - at;
    }
    if (std::abs(by) <= kRoot * std::sqrt(av_) && decrement_ <= kProfile) {
      search_.root = at + by;
      search_.done = search_.converged = true;
      return;
    }
    wants_matrix_ = state_.own_matrix || (!has_matrix && std::abs(difference) > kSlow * state_.difference);
    state_.difference = std::abs(difference);
    std::vector<double> step = u_;
    for (std::size_t c = 0; c < step.size(); ++c) step[c] += v_[c] * by / av_;
    begin_step(std::move(step), -std::numeric_limits<double>::infinity());  // any ℓ is as good at another b
  }

  /// Of ℓ_p + s·t − t²/(2a·v) = level, the root on the search's side. Where the model nowhere reaches the level, a step
  /// along the tangent: ℓ_p is concave, so that doesn't overshoot.
  double step_of_root(double difference) const {
    constexpr double kMost = 20;  // standard errors
    const double side = search_.side, most = kMost * std::sqrt(av_);
    const double inner = slope_ * slope_ + 2 * difference / av_;
    double by = -difference / slope_;
    if (inner >= 0) {
      const double root = std::sqrt(inner);
      by = side * slope_ < 0 ? -2 * difference / (slope_ - side * root) : av_ * (slope_ + side * root);
    } else if (side * slope_ >= 0) {
      by = side * std::sqrt(av_);  // beyond the maximum, and yet below the level: rounding
    }
    return std::clamp(by, -most, most);
  }

  Likelihood& likelihood_;
  LogitSearch& search_;
  LogitSearch::State& state_;
  LogitPoint& point_;
  std::vector<double> u_, v_;
  double decrement_ = 0, av_ = 0, slope_ = 0;
  bool wants_matrix_ = false;
};

}  // namespace

void run_searches(Likelihood& likelihood, std::vector<LogitSearch*> searches, bool firth) {
  const auto size = static_cast<double>(likelihood.size());
  const double bytes = size * size * (16 * likelihood.threads() + 24);
  const auto together = static_cast<std::size_t>(std::max(1.0, kSumBytes / bytes));
  for (std::size_t first = 0; first < searches.size(); first += together) {
    std::vector<LogitSearch*> group(
        searches.begin() + static_cast<std::ptrdiff_t>(first),
        searches.begin() + static_cast<std::ptrdiff_t>(std::min(searches.size(), first + together)));
    for (LogitSearch* search : group) {
      if (search->factor == nullptr) search->state.own_matrix = true;
      search->point.at.matrix = search->state.own_matrix ? Matrix::kInformation : Matrix::kNone;
    }
    while (!group.empty()) {
      std::vector<LogitPoint*> points;
      for (LogitSearch* search : group) points.push_back(&search->point);
      evaluate(likelihood, points, firth);
      for (LogitSearch* search : group) Advance(likelihood, *search).run();
      std::erase_if(group, [](const LogitSearch* search) { return search->done; });
    }
  }
}

}  // namespace linsep
