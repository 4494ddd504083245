#include "learn/calibrate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/elementary.h"
#include "linsep/error.h"
#include "numeric/compensated_sum.h"

namespace linsep {
namespace {

struct Targets {
  double low = 0, high = 0;
};

// Leaves out rows that don't count and sorts the others, so that the sums below don't depend on the order of the rows.
Targets prepare(std::vector<ScoredRow>& rows) {
  std::erase_if(rows, [](const ScoredRow& row) { return row.weight == 0; });
  if (rows.empty()) throw input_error("there are no rows to fit probabilities to");
  for (ScoredRow& row : rows) {
    if (!std::isfinite(row.score)) throw input_error("a score is not finite: probabilities can't be fitted");
    if (row.score == 0) row.score = 0;  // −0 and 0 are one score
  }
  std::sort(rows.begin(), rows.end(), [](const ScoredRow& a, const ScoredRow& b) {
    return std::tie(a.score, a.label, a.weight) < std::tie(b.score, b.label, b.weight);
  });
  double positive = 0, negative = 0;
  for (const ScoredRow& row : rows) (row.label > 0 ? positive : negative) += row.weight;
  return {1 / (negative + 2), (positive + 1) / (positive + 2)};
}

// One distinct score of the standardized rows, with its weight and the part of it that the targets call positive.
struct Tie {
  double score = 0, weight = 0, target = 0;
};

struct Slope {
  double value = 0;
  double a = 0, b = 0;            // gradient
  double aa = 0, ab = 0, bb = 0;  // Hessian
};

// Σ weight·(log(1 + e^f) − t·f) at f = a·s + b, and its derivatives, divided by the total weight.
Slope slope_at(const std::vector<Tie>& ties, double a, double b) {
  Slope slope;
  for (const Tie& tie : ties) {
    const double f = a * tie.score + b, e = elementary::exp(-std::abs(f)), q = 1 / (1 + e);
    const double p = f >= 0 ? q : e * q, curve = tie.weight * e * q * q, miss = tie.weight * p - tie.target;
    // log(1 + e^f) − t·f, with f taken out where it is large.
    slope.value += tie.weight * elementary::log1p(e) + (f >= 0 ? (tie.weight - tie.target) * f : -tie.target * f);
    slope.a += miss * tie.score;
    slope.b += miss;
    slope.aa += curve * tie.score * tie.score;
    slope.ab += curve * tie.score;
    slope.bb += curve;
  }
  return slope;
}

// Newton's method from the constant function. The targets lie within (0, 1), so there is a minimum.
std::pair<double, double> least(const std::vector<Tie>& ties, double b) {
  constexpr int kSteps = 100;
  constexpr double kFlat = 1e-14, kRidge = 1e-12, kEnough = 1e-4, kShortest = 1e-12, kRounding = 1e-12;
  double a = 0;
  Slope here = slope_at(ties, a, b);
  for (int step = 0; step < kSteps && length_of(std::array{here.a, here.b}) > kFlat; ++step) {
    const double ridge = kRidge * (here.aa + here.bb);
    const double aa = here.aa + ridge, bb = here.bb + ridge, determinant = aa * bb - here.ab * here.ab;
    const double da = (here.ab * here.b - bb * here.a) / determinant;
    const double db = (here.ab * here.a - aa * here.b) / determinant;
    const double falls = here.a * da + here.b * db;
    // The last steps are too small to show in the value, but they still show in the gradient.
    const auto better = [&](const Slope& there, double length) {
      return there.value <= here.value + kEnough * length * falls ||
             (there.value <= here.value + kRounding * here.value &&
              length_of(std::array{there.a, there.b}) < length_of(std::array{here.a, here.b}));
    };
    double length = 1;
    Slope there = slope_at(ties, a + da, b + db);
    while (!better(there, length) && length > kShortest) {
      length /= 2;
      there = slope_at(ties, a + length * da, b + length * db);
    }
    if (length <= kShortest) break;
    a += length * da;
    b += length * db;
    here = there;
  }
  return {a, b};
}

}  // namespace

Calibration fit_sigmoid(std::vector<ScoredRow> rows) {
  const Targets targets = prepare(rows);
  double weight = 0, target = 0;
  for (const ScoredRow& row : rows) {
    weight += row.weight;
    target += row.weight * (row.label > 0 ? targets.high : targets.low);
  }
  Calibration result;
  result.kind = Calibration::Kind::kSigmoid;
  result.slope = 0;
  result.offset = elementary::log(target / (weight - target));
  // Scores from −1 to 1, so the fit depends neither on their scale nor on where they begin.
  const double middle = rows.front().score / 2 + rows.back().score / 2;
  const double reach = rows.back().score / 2 - rows.front().score / 2;
  if (!(reach > 0)) return result;
  std::vector<Tie> ties;
  for (const ScoredRow& row : rows) {
    const double s = (row.score - middle) / reach;
    if (ties.empty() || ties.back().score != s) ties.push_back({s, 0, 0});
    ties.back().weight += row.weight / weight;
    ties.back().target += row.weight / weight * (row.label > 0 ? targets.high : targets.low);
  }
  const auto [a, b] = least(ties, result.offset);
  const double slope = a / reach, offset = b - slope * middle;
  if (!std::isfinite(slope) || !std::isfinite(offset))
    return result;  // scores closer to each other than numbers can tell
  result.slope = slope;
  result.offset = offset;
  return result;
}

Calibration fit_isotonic(std::vector<ScoredRow> rows) {
  const Targets targets = prepare(rows);
  struct Pool {
    double first = 0, last = 0;  // scores
    double weight = 0, positive = 0;
    double share() const { return positive / weight; }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < rows.size();) {
    Pool pool{rows[i].score, rows[i].score, 0, 0};
    for (; i < rows.size() && rows[i].score == pool.first; ++i) {
      pool.weight += rows[i].weight;
      if (rows[i].label > 0) pool.positive += rows[i].weight;
    }
    while (!pools.empty() && pools.back().share() >= pool.share()) {
      pool = {pools.back().first, pool.last, pools.back().weight + pool.weight, pools.back().positive + pool.positive};
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  Calibration result;
  result.kind = Calibration::Kind::kIsotonic;
  for (const Pool& pool : pools) {
    const double p = std::clamp(pool.share(), targets.low, targets.high);
    // Pools that the bounds make equal need no knots between their ends.
    const auto known = result.probability.size();
    if (known > 1 && result.probability[known - 1] == p && result.probability[known - 2] == p) {
      result.score.back() = pool.last;
      continue;
    }
    result.score.push_back(pool.first);
    result.probability.push_back(p);
    if (pool.last == pool.first) continue;
    result.score.push_back(pool.last);
    result.probability.push_back(p);
  }
  return result;
}

}  // namespace linsep
