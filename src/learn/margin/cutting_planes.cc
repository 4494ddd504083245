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
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/deadline.h"
#include "kernel/kernel.h"
#include "learn/margin/gap.h"
#include "learn/margin/plane_bundle.h"
#include "learn/margin/solvers.h"
#include "learn/margin/task.h"
#include "numeric/compensated_sum.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/row_blocks.h"

namespace linsep {
namespace {

// HingeLine: the hinge's least risk over the offset, along the line from one classifier's scores to another's.
//
// R(θ) = min over θ0 of Σ c_i·max(0, 1 − y_i(θ·x_i + θ0)) is convex. At the best offset for some scores the α that
// touches R there has α_i = c_i within the margin, 0 outside, and a share of c_i for the rows on it, so that
// Σ α_i y_i = 0.

/// R at some scores: its value, and the α that touches it there. Rows on the margin count for a share of their cost.
struct Touching {
  double offset = 0, positive_share = 0, negative_share = 0;
  double risk = 0;
  double slope = 0;  ///< of R along the line
  double alphas = 0, imbalance = 0;
};

class HingeLine {
 public:
  /// Where a search ended: a share t of the way, the value of ½‖θ‖² + R there but for a constant, and R.
  struct Trial {
    double t = 0, value = 0;
    Touching at = {};
  };

  void begin(std::size_t rows);
  /// By row: the scores from which the line goes out, and those to which it goes.
  std::vector<double>& from() { return from_; }
  std::vector<double>& to() { return to_; }
  const std::vector<double>& from() const { return from_; }
  /// The offset at which a row comes to lie on its margin, for the scores that were touched last.
  std::vector<double>& bends() { return bend_; }
  const std::vector<double>& bends() const { return bend_; }

  /// R at the scores a share t of the way. A collective call.
  Touching touch(double t, const SurveyedTask& task, Comm& comm);
  /// α_i at the scores that were touched last.
  double alpha_of(std::size_t i, const Touching& at, const SurveyedTask& task) const {
    const double cost = task.cost()[i], side = bend_[i] - at.offset;
    if (cost > 0) return side > 0 ? cost : (side == 0 ? cost * at.positive_share : 0);
    return side < 0 ? -cost : (side == 0 ? -cost * at.negative_share : 0);
  }

  /// The best point found on the way from `theta` to `w`, not beyond it (scores would lose precision). Lines below R,
  /// one from either side, say where to look next, and how much there is to gain: R is convex along the way, and what θ
  /// costs is a parabola. A collective call. Polls between trials.
  Trial search(std::span<const double> theta, std::span<const double> w, const SurveyedTask& task, Comm& comm);
  /// The line goes out from a share t of the way from now on.
  void move(double t);

 private:
  std::vector<double> from_, to_, bend_;
  LikelyInterval likely_;  // of the next offset
  double offset_ = 0;      // the last one
};

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

void HingeLine::begin(std::size_t rows) {
  for (std::vector<double>* v : {&from_, &to_, &bend_}) v->assign(rows, 0);
  likely_ = {};
}

void HingeLine::move(double t) {
  for (std::size_t i = 0; i < from_.size(); ++i) from_[i] += t * (to_[i] - from_[i]);
}

Touching HingeLine::touch(double t, const SurveyedTask& task, Comm& comm) {
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

constexpr double kAhead = 0.1;  // how far towards w a plane is taken
constexpr std::int64_t kMostStuck = 5;
constexpr double kLeastProgress = 0.1;  // of what the gap was when rounds began to get stuck

enum class Phase : std::uint8_t { kLabels, kScores, kPlane, kDone };

class CuttingPlanes : public Learner {
 public:
  CuttingPlanes(const MarginSettings& settings, const Model* start) : task_(settings, start) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    line_.begin(task_.rows());
    theta_.assign(task_.features(), 0);
    bundle_.begin(task_.features());
    rounds_ = stuck_ = 0;
    phase_ = Phase::kLabels;
    begin_blocks();
  }

  void visit(const Batch& batch) override {
    if (phase_ == Phase::kDone) return;
    if (phase_ == Phase::kLabels) task_.visit_labels(batch);
    deadline_.run([&] { blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot); }); });
  }

  void synchronise(Comm& comm) override {
    deadline_.run([&] { end_rows(comm); });
  }

  Verdict end_pass(Progress& progress) override {
    if (deadline_.cut_off()) return report_stopped(task_, progress);
    task_.report(progress);
    const Verdict verdict = phase_ == Phase::kDone ? Verdict::kConverged : task_.verdict();
    return verdict == Verdict::kContinue && stuck_ >= kMostStuck ? Verdict::kStalled : verdict;
  }

  Model model() const override { return task_.model(); }
  TrainingStats stats() const override { return task_.stats(); }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  /// All rows have been seen.
  void end_rows(Comm& comm) {
    blocks_.finish([&](const Batch& rows, std::size_t slot) { process(rows, slot); });
    if (phase_ == Phase::kPlane) fold();  // once: the sums don't depend on the order
    if (phase_ == Phase::kLabels) {
      end_labels(comm);
    } else if (phase_ == Phase::kScores) {
      end_scores(comm);
    } else if (phase_ == Phase::kPlane) {
      end_plane(comm);
    }
    begin_blocks();
  }

  void begin_blocks() {
    blocks_.begin(static_cast<std::int64_t>(task_.rows()), task_.threads());
    if (phase_ == Phase::kLabels) task_.begin_survey(blocks_.slots());
    part_.resize(blocks_.slots());
    for (std::vector<std::int64_t>& part : part_) part.resize(phase_ == Phase::kPlane ? task_.features() : 0);
  }

  void process(const Batch& batch, std::size_t slot) {
    if (phase_ == Phase::kLabels) return task_.survey(batch, slot);
    const std::size_t first = task_.index_of(batch);
    for_each_row(batch, [&](const auto& row, std::int64_t at) {
      const std::size_t i = first + static_cast<std::size_t>(at);
      if (phase_ == Phase::kScores) {
        line_.to()[i] = dot(row, w_.data());
      } else if (const double alpha = line_.alpha_of(i, touching_, task_); alpha > 0) {
        task_.fixed().add(task_.label(i) * alpha * step_, row, part_[slot].data());
      }
    });
  }

  void fold() {
    for (std::vector<std::int64_t>& part : part_) {
      for (std::size_t j = 0; j < plane_.size(); ++j) add_units(plane_[j], part[j]);
      std::fill(part.begin(), part.end(), 0);
    }
  }

  void begin_plane(double t, Comm& comm) {
    touching_ = line_.touch(t, task_, comm);
    plane_.assign(task_.features(), 0);
    phase_ = Phase::kPlane;
  }

  void end_labels(Comm& comm) {
    step_ = FixedColumns::step(1);
    if (task_.end_survey(comm)) {
      phase_ = Phase::kDone;
      return;
    }
    if (task_.start_theta().empty()) {
      begin_plane(0, comm);
    } else {
      w_ = task_.start_theta();
      phase_ = Phase::kScores;
    }
  }

  void end_scores(Comm& comm) {
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

  void end_plane(Comm& comm) {
    ++rounds_;
    comm.all_reduce(std::span(plane_), Comm::Op::kSum);
    std::vector<double> g(plane_.size());
    for (std::size_t j = 0; j < g.size(); ++j) g[j] = task_.fixed().value(j, plane_[j], step_);
    bundle_.add(g, touching_.alphas, touching_.imbalance, comm);
    const double open = std::max(task_.gap().primal - task_.gap().dual, task_.settings().gap * task_.gap().primal);
    const bool solved = bundle_.solve(1e-3 * open);
    w_ = bundle_.theta(comm);
    const double alphas = bundle_.beta(), norm = std::sqrt(squared_length(w_));
    const double theta_error = task_.fixed().error(step_) + sum_rounding(task_.extent(), alphas, 64);
    task_.offer_dual(alphas - task_.penalty().conjugate(w_),
                     dual_rounding(task_.extent(), alphas, bundle_.imbalance(), norm, theta_error, alphas));
    if (!solved) count_stuck(task_.gap().primal - task_.gap().dual);
    phase_ = Phase::kScores;
  }

  void count_stuck(double open) {
    if (stuck_ == 0 || open < (1 - kLeastProgress) * stuck_open_) {
      stuck_ = 0;
      stuck_open_ = open;
    }
    ++stuck_;
  }

  SurveyedTask task_;
  Deadline deadline_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::vector<std::vector<std::int64_t>> part_;  // of the plane, by slot
  HingeLine line_;                               // from the best classifier to w
  // By column.
  std::vector<double> theta_, w_;
  std::vector<std::int64_t> plane_;
  PlaneBundle bundle_;
  Touching touching_;
  double step_ = 1, longest_theta_ = 0;
  std::int64_t rounds_ = 0;
  std::int64_t stuck_ = 0;  // rounds whose least point wasn't found, without progress since
  double stuck_open_ = 0;   // the gap in the first of them
};

std::string CuttingPlanes::save_state() const {
  ByteWriter writer;
  writer.text("margin planes 2");
  task_.save(writer);
  bundle_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  // The scores of w are recomputed by the next pass for them, and so are bends unless a plane is being taken.
  for (const auto* v : {&line_.from(), &theta_, &w_}) writer.numbers(*v);
  writer.numbers(phase_ == Phase::kPlane ? line_.bends() : std::vector<double>{});
  for (const double x : {touching_.offset, touching_.positive_share, touching_.negative_share, touching_.alphas,
                         touching_.imbalance, longest_theta_}) {
    writer.number(x);
  }
  writer.number(rounds_);
  if (bundle_.exhausted()) {
    writer.number(stuck_);
    writer.number(stuck_open_);
  }
  return writer.bytes();
}

void CuttingPlanes::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin planes 2");
  task_.load(reader);
  bundle_.load(reader);
  step_ = FixedColumns::step(1);
  phase_ = reader.choice(Phase::kDone);
  auto scores = reader.numbers<double>(task_.rows());
  theta_ = reader.numbers<double>(task_.features());
  w_ = reader.numbers_or_none<double>(task_.features());
  auto bends = reader.numbers<double>(phase_ == Phase::kPlane ? task_.rows() : 0);
  touching_.offset = reader.finite();
  for (double* x : {&touching_.positive_share, &touching_.negative_share, &touching_.alphas}) {
    *x = reader.at_least_zero();
  }
  touching_.imbalance = reader.finite();
  longest_theta_ = reader.at_least_zero();
  rounds_ = reader.count();
  if (!reader.at_end()) {
    bundle_.set_exhausted();
    stuck_ = reader.count();
    stuck_open_ = reader.number<double>();
  }
  reader.end();
  require_state(touching_.positive_share <= 1 && touching_.negative_share <= 1);
  require_state(phase_ == Phase::kLabels || task_.labelled());
  require_state(phase_ != Phase::kScores || w_.size() == task_.features());
  line_.begin(scores.size());
  bends.resize(scores.size());
  line_.from() = std::move(scores);
  line_.bends() = std::move(bends);
  plane_.assign(task_.features(), 0);
  begin_blocks();
}

}  // namespace

const SolverEntry& planes_solver() {
  static const SolverEntry kEntry = {
      .name = "planes",
      .help = "cutting planes with a line search",
      .losses = {Loss::kHinge},
      .any_workers = true,
      .make = make_solver<CuttingPlanes>,
      .memory =
          [](std::uint64_t threads, const Shape& /*shape*/) {
            return MemoryRates{.row = 64, .column = 8 * (160 + 2 * threads), .least_column = 80};
          },
  };
  return kEntry;
}

}  // namespace linsep
