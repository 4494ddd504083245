#include "train/logit/face.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/elementary.h"
#include "numeric/distributions.h"

namespace linsep {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int kMostSteps = 60;
/// The furthest end is that of the profile interval with this share of α.
constexpr double kWidest = 0.02;
/// Tolerance of ln(−ln P).
constexpr double kClose = 1e-10;

/// ln of the probability of a row's label.
double log_probability(double margin) {
  return std::min(margin, 0.0) - elementary::log1p(elementary::exp(-std::abs(margin)));
}

/// The maximum with a·β at b, starting from where another search has ended.
LogitSearch maximum_at(Likelihood& likelihood, const LogitSearch& from, double b) {
  LogitSearch search = from;
  search.side = 0;
  search.exact = true;
  search.done = search.converged = false;
  search.decrement = std::numeric_limits<double>::infinity();
  search.state = {};
  search.factor = nullptr;
  std::vector<double> v = from.functional;
  from.factor->solve(v);
  const double by = (b - product(from.functional, from.beta())) / product(from.functional, v);
  for (std::size_t c = 0; c < v.size(); ++c) search.point.at.beta[c] += v[c] * by;
  run_searches(likelihood, {&search}, false);
  return search;
}

/// Σ w_i·ln p_i of the marked rows at β. One pass.
double face_log_probability(Likelihood& likelihood, const std::vector<double>& beta, const std::vector<char>& face) {
  const std::vector<double> weights = likelihood.weights_at(beta);
  RowQuery query;
  query.scores = {{weights, {}}};
  query.totals = 1;
  query.function = [&](const ScoredRows& rows) {
    for (std::size_t r = 0; r < rows.rows; ++r) {
      if (face[rows.first + r] == 0) continue;
      const double margin = rows.panel->label[r] * rows.score[r * rows.score_stride];
      rows.total.front().add(rows.panel->weight[r] * log_probability(margin));
    }
  };
  return likelihood.ask(std::move(query)).totals.front().value();
}

/// Between the roots of two profiles, the a·β at which ln P = `level`, or the outer root if that is nearer. REQUIRES: P
/// at the inner root is at least e^level. This holds if e^(−z²/2) ≥ α for the quantile z of a profile.
double face_end(Likelihood& likelihood, const std::vector<char>& face, const LogitSearch& profile,
                const LogitSearch& outermost, double level) {
  // Above 0 if P is below its level.
  const auto height_of = [&](const LogitSearch& maximum) {
    const double log_p = face_log_probability(likelihood, maximum.beta(), face);
    return elementary::log(std::max(-log_p, std::numeric_limits<double>::min()) / -level);
  };
  double outer = outermost.root, inner = profile.root;
  LogitSearch last = maximum_at(likelihood, outermost, outer);
  double high = height_of(last);
  if (!last.converged || !(high > 0)) return last.converged ? outer : kNone;
  last = maximum_at(likelihood, profile, inner);
  double low = height_of(last);
  if (low >= 0) return last.converged ? inner : kNone;
  for (int step = 0, side = 0; step < kMostSteps && last.converged; ++step) {
    const double b = inner + (outer - inner) * (low / (low - high));
    last = maximum_at(likelihood, last, b);
    const double height = height_of(last);
    if (std::abs(height) <= kClose) return last.converged ? b : kNone;
    // An end that stays a second time counts half, so that it moves soon.
    if (height > 0) {
      outer = b;
      high = height;
      if (side == 1) low /= 2;
      side = 1;
    } else {
      inner = b;
      low = height;
      if (side == -1) high /= 2;
      side = -1;
    }
  }
  return kNone;
}

}  // namespace

double infinite_end(Likelihood& likelihood, const LogitSearch& zero, int side, double supremum,
                    const std::vector<char>& face, const LogitOptions& options) {
  using Interval = LogitOptions::InfiniteInterval;
  const double alpha = 1 - options.confidence;
  const auto profile_at = [&](double share) {
    const double quantile = normal_two_sided_quantile(share);
    LogitSearch search = zero;
    search.done = search.converged = false;
    search.state = {};
    search.decrement = std::numeric_limits<double>::infinity();
    search.side = side;
    search.level = supremum - 0.5 * quantile * quantile;
    search.factor = nullptr;
    return search;
  };
  LogitSearch profile = profile_at(alpha);
  if (options.infinite_interval == Interval::kProfile) {
    run_searches(likelihood, {&profile}, false);
    return profile.converged ? profile.root : kNone;
  }
  LogitSearch outermost = profile_at(kWidest * alpha);
  run_searches(likelihood, {&profile, &outermost}, false);
  if (!profile.converged || !outermost.converged) return kNone;
  const double share = options.infinite_interval == Interval::kMidP ? alpha : alpha / 2;
  return face_end(likelihood, face, profile, outermost, elementary::log(share));
}

}  // namespace linsep
