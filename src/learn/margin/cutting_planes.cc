// Problem: min over θ of ½‖θ‖² + R(θ), R(θ) = min over θ0 of Σ c_i·max(0, 1 − y_i(θ·x_i + θ0)) (see gap.h).
//
// Method: cutting planes with a line search (Franc & Sonnenburg, 2008), on the minimum over the offset. Any α with
// 0 ≤ α_i ≤ c_i and Σ α_i y_i = 0 gives a plane R(θ) ≥ Σ α_i − θ·Σ α_i y_i x_i; at the best offset for some scores the
// α that touches R there has α_i = c_i within the margin, 0 outside, and a share of c_i for the rows on it. A round is:
// the least point w of ½‖θ‖² + the highest plane; the best point on the line from the best classifier so far to w; a
// new plane a little further towards w. Scores along a line are known from those of its ends.
//
// Stopping rule: the value at w under the planes is a dual value, so the gap is that of gap.h. Cost of a round:
// two passes, one for the scores of w and one for the plane, which looks at rows within the margin only. Where columns
// differ by many orders of magnitude, the least point under the planes can't be found within rounding; when
// kMostStuck rounds in which that happened have closed the gap by less than a tenth, the run is stalled.
//
// Workers: as for newton, the result is the same for any number of them. Exchanged in a round: d numbers for the plane,
// d for w (each worker keeps the planes for its share of the features), and some thousands for the two searches.
#include "learn/margin/cutting_planes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/deadline.h"
#include "learn/margin/query_learner.h"
#include "learn/margin/solvers.h"
#include "numeric/compensated_sum.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr double kAhead = 0.1;  // how far towards w a plane is taken
constexpr std::int64_t kMostStuck = 5;
constexpr double kLeastProgress = 0.1;  // of what the gap was when rounds began to get stuck

/// Adds costs up: rows of a class have the same as a rule, and then these are counted.
class CostCount {
 public:
  void add(double cost, ExactSum& sizes, ExactSum& sum) {
    if (cost != cost_) flush(sizes, sum);
    cost_ = cost;
    ++count_;
  }
  void flush(ExactSum& sizes, ExactSum& sum) {
    if (std::abs(cost_) < 1e-200) {  // the rest of a product could be less than the least double
      for (; count_ > 0; --count_) add_term(cost_, sizes, sum);
    }
    const auto times = static_cast<double>(count_);
    const double product = cost_ * times;
    add_term(product, sizes, sum);
    const double rest = std::fma(cost_, times, -product);
    sizes.add(cost_ < 0 ? -rest : rest);
    sum.add(rest);
    count_ = 0;
  }

 private:
  static void add_term(double term, ExactSum& sizes, ExactSum& sum) {
    sizes.add(std::abs(term));
    sum.add(term);
  }

  double cost_ = 0;
  std::int64_t count_ = 0;
};

constexpr double kEnough = 0.1;  // share of the possible descent along a line that a search may leave
constexpr int kMostTrials = 12;
constexpr double kReach = 2, kLeastReach = 1e-3;  // how far the next offset may be, by how far the last one went

}  // namespace

void HingeLine::begin(std::size_t rows) {
  for (std::vector<double>* v : {&from_, &to_, &bend_}) v->assign(rows, 0);
  likely_ = {};
}

void HingeLine::move(double t) {
  for (std::size_t i = 0; i < from_.size(); ++i) from_[i] += t * (to_[i] - from_[i]);
}

Touching HingeLine::touch(double t, const SurveyedTask& task, Comm& comm) {
  bend_.resize(from_.size());
  for (std::size_t i = 0; i < from_.size(); ++i) bend_[i] = task.label(i) - (from_[i] + t * (to_[i] - from_[i]));
  Touching at;
  if (!task.settings().origin) {
    at.offset = agreed_quantile({bend_, task.cost(), 1.01 * task.costs()}, task.positive_cost(), comm, likely_);
    const double reach = kLeastReach + kReach * std::abs(at.offset - offset_);
    likely_ = {at.offset - reach, at.offset + reach};
    offset_ = at.offset;
  }
  // Of rows within the margin, on it as a positive, on it as a negative row: cost, signed cost, slope; and the loss.
  enum : std::size_t { kRisk, kCost, kSigned, kSlope, kOnPositive, kOnNegative, kSlopePositive, kSlopeNegative, kSums };
  const auto sums = exact_all_reduce_block_sums<kSums>(
      comm, from_.size(), task.threads(), [&](std::size_t begin, std::size_t end, std::array<ExactSum, kSums>& sum) {
        const std::span<const double> costs = task.cost();
        CostCount positive, negative;
        std::array<std::size_t, 512> within;  // listed first: which rows are can't be predicted
        for (std::size_t i = begin; i < end;) {
          std::size_t count = 0;
          for (const std::size_t last = std::min(end, i + within.size()); i < last; ++i) {
            const double side = bend_[i] - at.offset;
            within[count] = i;
            count += ((side > 0) == (costs[i] > 0) && side != 0) ? 1 : 0;
            if (side != 0) continue;
            sum[costs[i] > 0 ? kOnPositive : kOnNegative].add(std::abs(costs[i]));
            sum[costs[i] > 0 ? kSlopePositive : kSlopeNegative].add(costs[i] * (to_[i] - from_[i]));
          }
          for (const std::size_t k : std::span(within).first(count)) {
            sum[kRisk].add(costs[k] * (bend_[k] - at.offset));
            sum[kSlope].add(costs[k] * (to_[k] - from_[k]));
            (costs[k] > 0 ? positive : negative).add(costs[k], sum[kCost], sum[kSigned]);
          }
        }
        positive.flush(sum[kCost], sum[kSigned]);
        negative.flush(sum[kCost], sum[kSigned]);
      });
  if (!task.settings().origin) {
    const double over = sums[kSigned];
    if (over < 0 && sums[kOnPositive] > 0) at.positive_share = std::min(1.0, -over / sums[kOnPositive]);
    if (over > 0 && sums[kOnNegative] > 0) at.negative_share = std::min(1.0, over / sums[kOnNegative]);
    at.imbalance = over + at.positive_share * sums[kOnPositive] - at.negative_share * sums[kOnNegative];
  }
  at.risk = sums[kRisk];
  at.slope = -(sums[kSlope] + at.positive_share * sums[kSlopePositive] + at.negative_share * sums[kSlopeNegative]);
  at.alphas = sums[kCost] + at.positive_share * sums[kOnPositive] + at.negative_share * sums[kOnNegative];
  return at;
}

HingeLine::Trial HingeLine::search(std::span<const double> theta, std::span<const double> w, const SurveyedTask& task,
                                   Comm& comm) {
  Sum along, length;
  for (std::size_t j = 0; j < w.size(); ++j) {
    along.add(theta[j] * (w[j] - theta[j]));
    length.add((w[j] - theta[j]) * (w[j] - theta[j]));
  }
  if (!(length.value() > 0)) return {0, 0, touch(0, task, comm)};
  const auto bend = [&](double t) { return t * along.value() + t * t / 2 * length.value(); };
  const auto least = [&](double slope) { return -(along.value() + slope) / length.value(); };
  struct Line {
    bool known = false;
    double slope = 0, at_zero = 0;  // R ≥ at_zero + slope·t
  } left, right;
  Trial best;
  double t = 0, first = 0;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    poll_now();
    const Touching at = touch(t, task, comm);
    const double value = bend(t) + at.risk;
    if (trial == 0) first = value;
    if (trial == 0 || value < best.value) best = {t, value, at};
    const bool falls = least(at.slope) > t;
    (falls ? left : right) = {true, at.slope, at.risk - at.slope * t};
    if (!left.known) break;  // it doesn't fall at all
    double next = std::min(1.0, least(left.slope));
    double bound = left.at_zero + left.slope * next + bend(next);
    if (right.known) {
      const double meet = (left.at_zero - right.at_zero) / (right.slope - left.slope);
      next = std::min(1.0, std::clamp(meet, std::min(least(right.slope), least(left.slope)), least(left.slope)));
      bound = std::max(left.at_zero + left.slope * next, right.at_zero + right.slope * next) + bend(next);
    }
    if (trial > 0 && best.value - bound <= kEnough * (first - bound)) break;
    if (!(next > 0) || next == t || !std::isfinite(next)) break;
    t = next;
  }
  return best;
}

void CuttingPlanes::begin() {
  line_.begin(task_.rows());
  theta_.assign(task_.features(), 0);
  bundle_.begin(task_.features());
  rounds_ = stuck_ = 0;
  phase_ = Phase::kScores;
}

void CuttingPlanes::start(const KnownRows& /*known*/, Comm& comm) {
  if (task_.start_theta().empty()) return begin_plane(0, comm);
  w_ = task_.start_theta();
  phase_ = Phase::kScores;
}

void CuttingPlanes::resume(const KnownRows& /*known*/) const {
  require_state(touching_.positive_share <= 1 && touching_.negative_share <= 1);
  require_state(phase_ == Phase::kPlane ? line_.bends().size() == task_.rows() : w_.size() == task_.features());
}

RowQuery CuttingPlanes::next() {
  RowQuery query;
  if (phase_ == Phase::kScores) {
    query.scores = {{w_, line_.to()}};
    return query;
  }
  query.function = [this](const ScoredRows& rows) {
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const double alpha = line_.alpha_of(rows.first + r, touching_, task_);
      rows.factor[r * rows.stride] = task_.label(rows.first + r) * alpha;
    }
  };
  query.sums = {{1}};
  return query;
}

Verdict CuttingPlanes::take(const RowAnswer& answer, Comm& comm) {
  if (phase_ == Phase::kScores) {
    take_scores(comm);
  } else {
    take_plane(answer, comm);
  }
  const Verdict verdict = task_.verdict();
  return verdict == Verdict::kContinue && stuck_ >= kMostStuck ? Verdict::kStalled : verdict;
}

void CuttingPlanes::begin_plane(double t, Comm& comm) {
  touching_ = line_.touch(t, task_, comm);
  phase_ = Phase::kPlane;
}

void CuttingPlanes::take_scores(Comm& comm) {
  const bool start = bundle_.size() == 0;
  longest_theta_ = std::max(longest_theta_, std::sqrt(squared_length(w_)));
  const HingeLine::Trial best =
      start ? HingeLine::Trial{1, 0, line_.touch(1, task_, comm)} : line_.search(theta_, w_, task_, comm);
  for (std::size_t j = 0; j < w_.size(); ++j) theta_[j] += best.t * (w_[j] - theta_[j]);
  line_.move(best.t);
  const double primal = task_.penalty().value(theta_) + best.at.risk;
  // Scores are those of a combination of as many points as there were rounds.
  const double rounding = primal_rounding(task_.extent(), task_.costs(), 1, longest_theta_, best.at.offset, primal) *
                          static_cast<double>(rounds_ + 1);
  task_.offer_primal(primal, rounding, theta_, best.at.offset);
  begin_plane(start ? 0 : kAhead, comm);
}

void CuttingPlanes::take_plane(const RowAnswer& answer, Comm& comm) {
  ++rounds_;
  line_.bends().clear();
  const RowAnswer::Columns& plane = answer.sums[0];
  bundle_.add(plane.sum, touching_.alphas, touching_.imbalance, comm);
  const double open = std::max(task_.gap().primal - task_.gap().dual, task_.settings().gap * task_.gap().primal);
  const bool solved = bundle_.solve(1e-3 * open);
  w_ = bundle_.theta(comm);
  const double alphas = bundle_.beta(), norm = std::sqrt(squared_length(w_));
  const double theta_error = plane.error + sum_rounding(task_.extent(), alphas, 64);
  task_.offer_dual(alphas - task_.penalty().conjugate(w_),
                   dual_rounding(task_.extent(), alphas, bundle_.imbalance(), norm, theta_error, alphas));
  if (!solved) count_stuck(task_.gap().primal - task_.gap().dual);
  phase_ = Phase::kScores;
}

void CuttingPlanes::count_stuck(double open) {
  if (stuck_ == 0 || open < (1 - kLeastProgress) * stuck_open_) {
    stuck_ = 0;
    stuck_open_ = open;
  }
  ++stuck_;
}

const SolverEntry& planes_solver() {
  static const SolverEntry kEntry = {
      .name = "planes",
      .help = "cutting planes with a line search",
      .losses = {Loss::kHinge},
      .any_workers = true,
      .make = make_solver<QueryLearner<CuttingPlanes>>,
      .memory =
          [](std::uint64_t threads, const Shape& /*shape*/) {
            return MemoryRates{.row = 64, .column = 8 * (160 + 2 * threads), .least_column = 80};
          },
  };
  return kEntry;
}

}  // namespace linsep
