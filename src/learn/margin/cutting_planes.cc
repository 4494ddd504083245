// Problem: min over θ of ½‖θ‖² + R(θ), R(θ) = min over θ0 of Σ c_i·max(0, 1 − y_i(θ·x_i + θ0)) (see learn/gap.h).
//
// Method: cutting planes with a line search (Franc & Sonnenburg, 2008), on the minimum over the offset. Any α with
// 0 ≤ α_i ≤ c_i and Σ α_i y_i = 0 gives a plane R(θ) ≥ Σ α_i − θ·Σ α_i y_i x_i; at the best offset for some scores the
// α that touches R there has α_i = c_i within the margin, 0 outside, and a share of c_i for the rows on it. A round is:
// the least point w of ½‖θ‖² + the highest plane; the best point on the line from the best classifier so far to w; a
// new plane a little further towards w. Scores along a line are known from those of its ends.
//
// Stopping rule: the value at w under the planes is a dual value, so the gap is that of learn/gap.h. Cost of a round:
// two passes, one for the scores of w and one for the plane, which looks at rows within the margin only.
//
// Workers: as for newton, the result is the same for any number of them. Exchanged in a round: d numbers for the plane,
// d for w (each worker keeps the planes for its share of the features), and some thousands for the two searches.
#include "learn/margin/cutting_planes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernel/kernel.h"
#include "learn/margin/plane_bundle.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/fixed_point.h"
#include "numeric/quantile.h"
#include "numeric/row_blocks.h"

namespace linsep {
namespace {

constexpr double kAhead = 0.1;   // how far towards w a plane is taken
constexpr double kEnough = 0.1;  // share of the possible descent along a line that a search may leave
constexpr int kMostTrials = 12;

enum class Phase : std::uint8_t { kLabels, kScores, kPlane, kDone };

class CuttingPlanes : public Learner {
 public:
  CuttingPlanes(const MarginSettings& settings, const Model* start) : task_(settings, start) {}

  void begin(const Shape& shape) override {
    task_.begin(shape);
    for (std::vector<double>* v : {&z_, &z_new_, &bend_}) v->assign(task_.rows(), 0);
    theta_.assign(task_.features(), 0);
    survey_.clear(task_.features());
    bundle_.begin(task_.features());
    rounds_ = 0;
    phase_ = Phase::kLabels;
    begin_blocks();
  }

  void visit(const Batch& batch) override {
    if (phase_ == Phase::kLabels) task_.visit_labels(batch);
    blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot); });
  }

  void synchronise(Comm& comm) override {
    blocks_.finish([&](const Batch& rows, std::size_t slot) { process(rows, slot); });
    for (std::size_t slot = 0; slot < slot_.size(); ++slot) fold(slot);  // once: the sums don't depend on the order
    if (phase_ == Phase::kLabels) {
      end_labels(comm);
    } else if (phase_ == Phase::kScores) {
      end_scores(comm);
    } else if (phase_ == Phase::kPlane) {
      end_plane(comm);
    }
    begin_blocks();
  }

  Verdict end_pass(Progress& progress) override {
    task_.report(progress);
    return phase_ == Phase::kDone ? Verdict::kConverged : task_.verdict();
  }

  Model model() const override { return task_.model(); }
  TrainingStats stats() const override { return task_.stats(); }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  struct Slot {
    ColumnSurvey survey;
    std::vector<std::int64_t> plane;
  };
  /// R at some scores: its value, and the α that touches it there. Rows on the margin count for a share of their cost.
  struct Touching {
    double offset = 0, positive_share = 0, negative_share = 0;
    double risk = 0;
    double slope = 0;  ///< of R towards the scores of w
    double alphas = 0, imbalance = 0;
  };

  int threads() const { return task_.settings().threads; }
  double label(std::size_t i) const { return task_.cost()[i] < 0 ? -1 : 1; }

  void begin_blocks() {
    blocks_.begin(static_cast<std::int64_t>(task_.rows()), threads());
    slot_.resize(blocks_.slots());
    for (Slot& slot : slot_) {
      slot.survey.clear(phase_ == Phase::kLabels ? task_.features() : 0);
      slot.plane.resize(phase_ == Phase::kPlane ? task_.features() : 0);
    }
  }

  void process(const Batch& batch, std::size_t slot) {
    if (phase_ == Phase::kLabels) return slot_[slot].survey.add(batch);
    const std::size_t first = task_.index_of(batch);
    for_each_row(batch, [&](const auto& row, std::int64_t at) {
      const std::size_t i = first + static_cast<std::size_t>(at);
      if (phase_ == Phase::kScores) {
        z_new_[i] = dot(row, w_.data());
      } else if (const double alpha = alpha_of(i); alpha > 0) {
        fixed_.add(label(i) * alpha * step_, row, slot_[slot].plane.data());
      }
    });
  }

  void fold(std::size_t slot) {
    Slot& partial = slot_[slot];
    if (phase_ == Phase::kLabels) {
      survey_.add(partial.survey);
      partial.survey.clear(survey_.greatest.size());
    } else if (phase_ == Phase::kPlane) {
      for (std::size_t j = 0; j < plane_.size(); ++j) plane_[j] += partial.plane[j];
      std::fill(partial.plane.begin(), partial.plane.end(), 0);
    }
  }

  /// α_i at the scores whose bends y_i − z_i are at hand.
  double alpha_of(std::size_t i) const {
    const double cost = task_.cost()[i], side = bend_[i] - touching_.offset;
    if (cost > 0) return side > 0 ? cost : (side == 0 ? cost * touching_.positive_share : 0);
    return side < 0 ? -cost : (side == 0 ? -cost * touching_.negative_share : 0);
  }

  /// R at the scores a share t of the way from the best classifier's to w's; leaves the rows' bends behind.
  Touching touch(double t, Comm& comm) {
    for (std::size_t i = 0; i < z_.size(); ++i) bend_[i] = label(i) - (z_[i] + t * (z_new_[i] - z_[i]));
    Touching at;
    if (!task_.settings().origin) {
      at.offset = agreed_quantile({bend_, task_.cost(), 1.01 * task_.costs()}, task_.positive_cost(), comm);
    }
    // Of rows within the margin, on it as a positive, on it as a negative row: cost, signed cost, slope; and the loss.
    enum : std::size_t {
      kRisk,
      kCost,
      kSigned,
      kSlope,
      kOnPositive,
      kOnNegative,
      kSlopePositive,
      kSlopeNegative,
      kSums
    };
    const auto sums =
        exact_all_reduce_sums<kSums>(comm, z_.size(), threads(), [&](std::size_t i, std::array<ExactSum, kSums>& sum) {
          const double cost = task_.cost()[i], side = bend_[i] - at.offset, change = cost * (z_new_[i] - z_[i]);
          if (side == 0) {
            sum[cost > 0 ? kOnPositive : kOnNegative].add(std::abs(cost));
            sum[cost > 0 ? kSlopePositive : kSlopeNegative].add(change);
          } else if ((side > 0) == (cost > 0)) {
            sum[kRisk].add(cost * side);
            sum[kCost].add(std::abs(cost));
            sum[kSigned].add(cost);
            sum[kSlope].add(change);
          }
        });
    if (!task_.settings().origin) {
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

  void begin_plane(double t, Comm& comm) {
    touching_ = touch(t, comm);
    plane_.assign(task_.features(), 0);
    phase_ = Phase::kPlane;
  }

  void end_labels(Comm& comm) {
    task_.resolve_costs(comm);
    survey_.synchronise(comm);
    fixed_.set(survey_, task_.costs(), task_.greatest_cost());
    step_ = FixedColumns::step(1);
    if (task_.end_labels()) {
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
    const Trial best = search(start, comm);
    for (std::size_t j = 0; j < w_.size(); ++j) theta_[j] += best.t * (w_[j] - theta_[j]);
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += best.t * (z_new_[i] - z_[i]);
    const double primal = squared_length(theta_) / 2 + best.at.risk;
    // Scores are those of a combination of as many points as there were rounds.
    const double rounding = primal_rounding(survey_.extent, task_.costs(), 1, longest_theta_, best.at.offset, primal) *
                            static_cast<double>(rounds_ + 1);
    task_.offer_primal(primal, rounding, theta_, best.at.offset);
    begin_plane(start ? 0 : kAhead, comm);
  }

  struct Trial {
    double t = 0, value = 0;
    Touching at = {};
  };

  /// The best place found on the way to w, not beyond it (scores would lose precision). Lines below R, one from either
  /// side, say where to look next, and how much there is to gain: R is convex along the way, and what θ costs is a
  /// parabola.
  Trial search(bool start, Comm& comm) {
    if (start) return {1, 0, touch(1, comm)};
    Sum along, length;
    for (std::size_t j = 0; j < w_.size(); ++j) {
      along.add(theta_[j] * (w_[j] - theta_[j]));
      length.add((w_[j] - theta_[j]) * (w_[j] - theta_[j]));
    }
    if (!(length.value() > 0)) return {0, 0, touch(0, comm)};
    const auto bend = [&](double t) { return t * along.value() + t * t / 2 * length.value(); };
    const auto least = [&](double slope) { return -(along.value() + slope) / length.value(); };
    struct Line {
      bool known = false;
      double slope = 0, at_zero = 0;  // R ≥ at_zero + slope·t
    } left, right;
    Trial best;
    double t = 0, first = 0;
    for (int trial = 0; trial < kMostTrials; ++trial) {
      const Touching at = touch(t, comm);
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

  void end_plane(Comm& comm) {
    ++rounds_;
    comm.all_reduce(std::span(plane_), Comm::Op::kSum);
    std::vector<double> g(plane_.size());
    for (std::size_t j = 0; j < g.size(); ++j) g[j] = fixed_.value(j, plane_[j], step_);
    bundle_.add(g, touching_.alphas, touching_.imbalance, comm);
    const double open = std::max(task_.gap().primal - task_.gap().dual, task_.settings().gap * task_.gap().primal);
    bundle_.solve(1e-3 * open);
    w_ = bundle_.theta(comm);
    const double alphas = bundle_.beta(), square = squared_length(w_);
    const double theta_error = fixed_.error(step_) + sum_rounding(survey_.extent, alphas, 64);
    task_.offer_dual(alphas - square / 2, dual_rounding(survey_.extent, alphas, bundle_.imbalance(), std::sqrt(square),
                                                        theta_error, alphas));
    phase_ = Phase::kScores;
  }

  MarginTask task_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::vector<Slot> slot_;
  // By row: scores of the best classifier and of w; the offset at which a row comes to lie on its margin.
  std::vector<double> z_, z_new_, bend_;
  // By column.
  std::vector<double> theta_, w_;
  std::vector<std::int64_t> plane_;
  ColumnSurvey survey_;
  FixedColumns fixed_;
  PlaneBundle bundle_;
  Touching touching_;
  double step_ = 1, longest_theta_ = 0;
  std::int64_t rounds_ = 0;
};

std::string CuttingPlanes::save_state() const {
  ByteWriter writer;
  writer.text("margin planes 1");
  task_.save(writer);
  survey_.save(writer);
  bundle_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  // The scores of w are made anew by the next pass for them, and so are bends unless a plane is being taken.
  for (const auto* v : {&z_, &theta_, &w_}) writer.numbers(*v);
  writer.numbers(phase_ == Phase::kPlane ? bend_ : std::vector<double>{});
  for (const double x : {touching_.offset, touching_.positive_share, touching_.negative_share, touching_.alphas,
                         touching_.imbalance, longest_theta_}) {
    writer.number(x);
  }
  writer.number(rounds_);
  return writer.bytes();
}

void CuttingPlanes::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin planes 1");
  task_.load(reader);
  survey_.load(reader);
  bundle_.load(reader);
  fixed_.set(survey_, task_.costs(), task_.greatest_cost());
  step_ = FixedColumns::step(1);
  phase_ = static_cast<Phase>(reader.number<std::uint8_t>());
  for (auto* v : {&z_, &theta_, &w_, &bend_}) *v = reader.numbers<double>();
  for (double* x : {&touching_.offset, &touching_.positive_share, &touching_.negative_share, &touching_.alphas,
                    &touching_.imbalance, &longest_theta_}) {
    *x = reader.number<double>();
  }
  rounds_ = reader.number<std::int64_t>();
  reader.end();
  bend_.resize(z_.size());
  z_new_.assign(z_.size(), 0);
  plane_.assign(task_.features(), 0);
  begin_blocks();
}

}  // namespace

std::unique_ptr<Learner> make_planes(const MarginSettings& settings, const Model* start) {
  return std::make_unique<CuttingPlanes>(settings, start);
}

}  // namespace linsep
