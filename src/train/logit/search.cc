#include "train/logit/search.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/elementary.h"

namespace linsep {
namespace {

using Matrix = LogisticPoint::Matrix;

constexpr int kMostPasses = 200;
/// Squared decrements: for a maximum, for a profile, and below which the quadratic model of the profile may be trusted.
constexpr double kMaximum = 1e-28, kProfile = 1e-12, kNear = 0.02;
/// A point gets its own matrix unless its decrement is this much smaller than the last.
constexpr double kSlow = 0.05;
/// Tolerance of b, as a share of its standard error.
constexpr double kRoot = 1e-9;
/// The longest step, in deviations of the columns.
constexpr double kLongest = 10;
constexpr std::size_t kPairs = 12;
/// After fewer passes than this without progress, rounding isn't to blame, because corrections may just be forming.
constexpr int kFirthStalls = 6;
/// Bytes for the sums of one evaluation.
constexpr double kSumBytes = 5e8;

double log_determinant(const SymmetricMatrix& factor, const std::vector<char>& active) {
  double sum = 0;
  for (std::size_t c = 0; c < active.size(); ++c) {
    if (active[c] != 0) sum += 2 * elementary::log(factor.entries()[c * factor.stride() + c]);
  }
  return sum;
}

/// ℓ and its gradient, with Firth's penalty ½ ln det I if asked for. Then a second pass adds the leverages' term.
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
  Advance(Likelihood& likelihood, LogitSearch& search, bool firth)
      : likelihood_(likelihood), search_(search), state_(search.state), point_(search.point), firth_(firth) {}

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
    } else if (search_.side != 0 && decrement_ < (state_.nested ? kProfile : kNear)) {
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
    if (firth_) correct();
  }

  /// I⁻¹q, minus what would change a·β.
  std::vector<double> along(std::vector<double> q) const {
    search_.factor->solve(q);
    if (search_.functional.empty()) return q;
    const double by = product(search_.functional, q) / av_;
    for (std::size_t c = 0; c < q.size(); ++c) q[c] -= by * v_[c];
    return q;
  }

  /// The two loops of L-BFGS, starting with I⁻¹.
  void correct() {
    std::vector<double> g = point_.gradient;
    for (std::size_t c = 0; c < g.size() && !search_.functional.empty(); ++c) g[c] -= slope_ * search_.functional[c];
    if (!state_.last_beta.empty()) {
      LogitSearch::State::Pair pair{point_.at.beta, state_.last_gradient};
      for (std::size_t c = 0; c < g.size(); ++c) {
        pair.step[c] -= state_.last_beta[c];
        pair.fall[c] -= g[c];
      }
      const double curved = product(pair.step, pair.fall);
      if (curved > 1e-8 * std::sqrt(product(pair.step, pair.step) * product(pair.fall, pair.fall))) {
        state_.pairs.push_back(std::move(pair));
        if (state_.pairs.size() > kPairs) state_.pairs.erase(state_.pairs.begin());
      }
    }
    state_.last_beta = point_.at.beta;
    state_.last_gradient = g;
    std::vector<double> q = g, share(state_.pairs.size());
    for (std::size_t k = state_.pairs.size(); k-- > 0;) {
      const auto& [step, fall] = state_.pairs[k];
      share[k] = product(step, q) / product(step, fall);
      for (std::size_t c = 0; c < q.size(); ++c) q[c] -= share[k] * fall[c];
    }
    q = along(std::move(q));
    for (std::size_t k = 0; k < state_.pairs.size(); ++k) {
      const auto& [step, fall] = state_.pairs[k];
      const double by = share[k] - product(fall, q) / product(step, fall);
      for (std::size_t c = 0; c < q.size(); ++c) q[c] += by * step[c];
    }
    const double decrement = product(g, q);
    if (!(decrement > 0)) return;
    u_ = std::move(q);
    decrement_ = decrement;
  }

  bool worse() const {
    if (!std::isfinite(point_.value) || !std::isfinite(decrement_)) return true;
    const double rounding = 1e-12 * (1 + std::abs(point_.value));
    return point_.value < state_.value - rounding && decrement_ > kProfile;
  }

  /// Halves the step. If a matrix of another point may be to blame, starts again with the point's own.
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
    const double wanted = search_.functional.empty() || search_.exact ? kMaximum : kProfile;
    state_.stalled = decrement_ < kProfile && decrement_ > 0.25 * before ? state_.stalled + 1 : 0;
    // Newton's method squares the decrement, so from there one step leads to rounding.
    const bool rounding = firth_ ? state_.stalled >= kFirthStalls : before < kProfile;
    if (search_.side == 0 && (decrement_ <= wanted || rounding)) {
      search_.done = search_.converged = true;
      return;
    }
    wants_matrix_ = state_.own_matrix || (!has_matrix && decrement_ > kSlow * before);
    // If probabilities are all but 0 and 1, the quadratic model reaches too far.
    double longest = 0;
    for (const double step : u_) longest = std::max(longest, std::abs(step));
    if (longest > kLongest) {
      for (double& step : u_) step *= kLongest / longest;
    }
    begin_step(u_, point_.value);
  }

  /// The next b. REQUIRES: the decrement is small, so that ℓ_p = ℓ + ½ decrement, to third order.
  void move_root(bool has_matrix) {
    if (firth_ && decrement_ > 0.25 * search_.decrement) state_.nested = true;
    search_.decrement = decrement_;
    const double at = product(search_.functional, point_.at.beta);
    const double difference = search_.value() - search_.level;
    if (point_.value >= search_.level) {
      state_.inside = at;
    } else if (point_.value + decrement_ < search_.level) {
      state_.outside = at;
    }
    double by = step_of_root(difference, curvature_at(at));
    state_.root = at;
    state_.slope = slope_;
    state_.last_beta.clear();
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

  /// The downward curvature of the profile. It is 1/(a·v), or with the penalty, how the slope has changed since the
  /// last b.
  double curvature_at(double at) const {
    const double model = 1 / av_;
    if (!firth_ || !state_.nested || !state_.root || *state_.root == at) return model;
    const double found = -(slope_ - *state_.slope) / (at - *state_.root);
    return found > 0.05 * model && found < 20 * model ? found : model;
  }

  /// The root of ℓ_p + s·t − t²/(2a·v) = level on the search's side. If the model nowhere reaches the level, a step
  /// along the tangent, which doesn't overshoot because ℓ_p is concave.
  double step_of_root(double difference, double curvature) const {
    constexpr double kMost = 20;  // standard errors
    const double side = search_.side, most = kMost * std::sqrt(av_), av = 1 / curvature;
    const double inner = slope_ * slope_ + 2 * difference / av;
    double by = -difference / slope_;
    if (inner >= 0) {
      const double root = std::sqrt(inner);
      by = side * slope_ < 0 ? -2 * difference / (slope_ - side * root) : av * (slope_ + side * root);
    } else if (side * slope_ >= 0) {
      by = side * std::sqrt(av_);  // beyond the maximum, and yet below the level, which is rounding
    }
    return std::clamp(by, -most, most);
  }

  Likelihood& likelihood_;
  LogitSearch& search_;
  LogitSearch::State& state_;
  LogitPoint& point_;
  std::vector<double> u_, v_;
  const bool firth_;
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
      for (LogitSearch* search : group) Advance(likelihood, *search, firth).run();
      std::erase_if(group, [](const LogitSearch* search) { return search->done; });
    }
  }
}

}  // namespace linsep
