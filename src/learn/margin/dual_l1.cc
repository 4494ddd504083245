// Problem (see gap.h): min over θ, θ0 of R(θ) + Σ c_i·ℓ(m_i), R with an L1 part, ℓ the hinge or the squared hinge.
//
// Method: the proximal point method (Rockafellar, 1976). Each step adds δ/2·‖θ − θ̄‖² around the last θ̄, which makes the
// dual smooth, and improves it by a few sweeps of coordinate descent (Shalev-Shwartz & Zhang, 2014): with
// w = Σ α_i y_i x_i + δ·θ̄ the classifier is θ_j = soft(w_j, ρ)/(δ + 1 − ρ), so a step in α_i takes one dot product with
// θ and one update of the row's own columns. The balance Σ α_i y_i = 0 has θ0 for its multiplier, as in dual.cc. δ
// follows the mean size of the weights that aren't 0. A row at a bound sleeps (sleeping_rows.h), but not for long, as
// θ̄ moves.
//
// Stopping rule: from time to time a pass scores every row with θ̄, which gives the primal value at the best offset, and
// a second pass sums Σ α_i y_i x_i of both classes again. With the heavier class scaled down to balance, and all of α
// to where the penalty's conjugate is finite, that is the dual value. Rows that are a hair short of their margin are
// costly at a large C, so that a few longer θ̄ are tried as well. Cost of a sweep: a dot product and an update for each
// row that isn't at a bound.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "kernel/kernel.h"
#include "learn/margin/sleeping_rows.h"
#include "learn/margin/solvers.h"
#include "learn/margin/sparse_bounds.h"
#include "learn/margin/task.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/row_blocks.h"

namespace linsep {
namespace {

constexpr std::int64_t kSweepsAround = 5;  // with the same θ̄
constexpr std::int64_t kMeasureEvery = 10;
constexpr std::int64_t kMeasureShare = 10;  // or after a tenth more sweeps
constexpr double kOffsetPenalty = 0.01;     // in units of the mean squared length of a row
constexpr double kDelta = 0.5;              // δ in units of ρ over the mean size of a weight
constexpr double kMostChange = 3;           // of δ at a time
constexpr double kMostDelta = 4;            // in units of the first
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

class SparseDual final : public Learner {
 public:
  SparseDual(const MarginSettings& settings, const Model* start)
      : task_(settings, start), conjugate_(facts_of(settings.loss).conjugate.value()) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    alpha_.assign(task_.rows(), 0);
    square_.assign(task_.rows(), 0);
    z_.assign(task_.rows(), 0);
    sleep_.asleep.assign(task_.rows(), 0);
    for (std::vector<double>* x : {&w_, &theta_, &centre_, &best_}) x->assign(task_.features(), 0);
    phase_ = Phase::kLabels;
  }

  void visit(const Batch& batch) override {
    switch (phase_) {
      case Phase::kLabels:
        task_.visit_labels(batch);
        measure(batch);
        break;
      case Phase::kSweep:
        sweep(batch);
        break;
      case Phase::kScore:
        deadline_.run([&] { blocks_.add(batch, [&](const Batch& rows, std::size_t /*slot*/) { score(rows); }); });
        break;
      case Phase::kSum:
        deadline_.run([&] {
          blocks_.add(
              batch, [&](const Batch& rows, std::size_t slot) { sum(rows, partial_[slot]); },
              [&](std::size_t slot) { fold(partial_[slot]); });
        });
        break;
    }
  }

  void synchronise(Comm& comm) override {
    require_one_worker(comm);
    deadline_.run([&] {
      if (phase_ == Phase::kLabels) task_.resolve_costs(comm);
      if (phase_ == Phase::kScore) {
        blocks_.finish([&](const Batch& rows, std::size_t /*slot*/) { score(rows); });
        offer_classifier(comm);
        for (std::size_t i = 0; i < alpha_.size(); ++i) {
          sleep_.wake(i, alpha_[i], (task_.cost()[i] < 0 ? -1.0 : 1.0) * (z_[i] + multiplier_));
        }
      }
      if (phase_ == Phase::kSum) {
        blocks_.finish([&](const Batch& rows, std::size_t slot) { sum(rows, partial_[slot]); },
                       [&](std::size_t slot) { fold(partial_[slot]); });
      }
    });
  }

  Verdict end_pass(Progress& progress) override {
    bool one_class = false;
    const bool whole = deadline_.run([&] { one_class = end_phase(); });
    if (!whole) return report_stopped(task_, progress);
    task_.report(progress);
    return one_class ? Verdict::kConverged : task_.verdict();
  }

  std::int64_t passes_to_finish() override { return phase_ == Phase::kScore ? 2 : phase_ == Phase::kSum ? 1 : 0; }
  Model model() const override { return task_.model(); }
  TrainingStats stats() const override { return task_.stats(); }

  BestShares& best_shares() { return shares_; }
  std::vector<double> shares() const { return shares_.of(task_); }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  enum class Phase : std::uint8_t { kLabels, kSweep, kScore, kSum };

  void measure(const Batch& batch) {
    const std::size_t first = task_.index_of(batch);
    for_each_row(batch, [&](const auto& row, std::int64_t i) {
      const double square = squared_norm(row);
      square_[first + static_cast<std::size_t>(i)] = static_cast<float>(square);
      mean_square_ += square;
      extent_.include(square, row.size);
    });
  }

  /// True: the rows are of one class.
  bool end_phase() {
    switch (phase_) {
      case Phase::kLabels:
        if (task_.end_labels()) return true;
        mean_square_ /= static_cast<double>(task_.rows());
        multiplier_ = task_.settings().origin ? 0 : task_.offset();
        set_delta(first_delta());
        phase_ = Phase::kSweep;
        break;
      case Phase::kSweep:
        end_sweep();
        break;
      case Phase::kScore:
        begin_blocks();
        partial_.assign(blocks_.slots(), {});
        for (AlphaSums& sums : partial_) sums.begin(task_.features());
        sums_.begin(task_.features());
        phase_ = Phase::kSum;
        break;
      case Phase::kSum:
        end_sum();
        break;
    }
    return false;
  }

  double first_delta() const { return mean_square_ > 0 ? std::sqrt(mean_square_) : 1; }
  double ridge() const { return task_.penalty().ridge(); }
  double weight_at(double w) const {
    const double rho = task_.penalty().l1_ratio;
    return (w > rho ? w - rho : w < -rho ? w + rho : 0) * per_weight_;
  }

  void set_delta(double delta) {
    delta_ = delta;
    per_weight_ = 1 / (delta + ridge());
    sigma_ = task_.settings().origin ? 0 : kOffsetPenalty * std::max(mean_square_, 1e-300) * per_weight_;
  }

  void sweep(const Batch& batch) {
    const std::size_t first = task_.index_of(batch);
    for_each_row(batch, [&](const auto& row, std::int64_t at) {
      const std::size_t i = first + static_cast<std::size_t>(at);
      if (!sleep_.skips(i)) step(row, i);
    });
  }

  template <class Row>
  void step(const Row& row, std::size_t i) {
    const double cost = task_.cost()[i];
    if (cost == 0) return;
    const double y = cost < 0 ? -1 : 1, limit = std::abs(cost), curved = conjugate_.curvature / limit;
    const double old = alpha_[i], z = dot(row, theta_.data()) + multiplier_ + sigma_ * balance_;
    const double gradient = y * z - 1 + curved * old,
                 steep = static_cast<double>(square_[i]) * per_weight_ + sigma_ + curved;
    if (sleep_.rests(i, old, conjugate_.bounded ? limit : kNoLimit, gradient)) return;
    // A row of zeros without an offset costs the same whatever θ is.
    double alpha = steep > 0 ? std::max(0.0, old - gradient / steep) : limit;
    if (conjugate_.bounded) alpha = std::min(alpha, limit);
    if (alpha == old) return;
    const double change = (alpha - old) * y;
    alpha_[i] = alpha;
    balance_ += change;
    for_each_entry(row, [&](std::uint32_t j, double x) {
      w_[j] += change * x;
      theta_[j] = weight_at(w_[j]);
    });
  }

  void end_sweep() {
    multiplier_ += sigma_ * balance_;
    sleep_.end_sweep();
    ++sweeps_;
    if (sweeps_ % kSweepsAround == 0) move_centre();
    if (sweeps_ < next_measured_) return;
    next_measured_ = sweeps_ + std::max(kMeasureEvery, sweeps_ / kMeasureShare);
    begin_blocks();
    best_ = theta_;
    phase_ = Phase::kScore;
  }

  /// θ̄ goes to θ, and δ to what its weights ask for.
  void move_centre() {
    std::size_t weights = 0;
    Sum size;
    for (const double x : theta_) {
      weights += x != 0 ? 1 : 0;
      size.add(std::abs(x));
    }
    const double before = delta_;
    if (weights > 0) {
      const double wanted = kDelta * task_.penalty().l1_ratio * static_cast<double>(weights) / size.value();
      // Where all weights go to 0 δ must not grow without end, since θ̄ would hardly move.
      const double most = std::min(delta_ * kMostChange, kMostDelta * first_delta());
      set_delta(std::clamp(wanted, std::min(delta_ / kMostChange, most), most));
    }
    for (std::size_t j = 0; j < w_.size(); ++j) {
      w_[j] += delta_ * theta_[j] - before * centre_[j];
      centre_[j] = theta_[j];
      theta_[j] = weight_at(w_[j]);
    }
  }

  void begin_blocks() { blocks_.begin(static_cast<std::int64_t>(task_.rows()), task_.settings().threads); }

  void score(const Batch& batch) {
    const std::size_t first = task_.index_of(batch);
    for_each_row(batch, [&](const auto& row, std::int64_t i) {
      z_[first + static_cast<std::size_t>(i)] = dot(row, best_.data());
    });
  }

  void offer_classifier(Comm& comm) { offer_longer(task_, extent_, best_, z_, multiplier_, comm); }

  void sum(const Batch& batch, AlphaSums& sums) const {
    const std::size_t first = task_.index_of(batch);
    for_each_row(batch, [&](const auto& row, std::int64_t i) {
      const std::size_t k = first + static_cast<std::size_t>(i);
      if (alpha_[k] != 0) axpy(alpha_[k], row, (task_.cost()[k] > 0 ? sums.positive : sums.negative).data());
    });
  }

  void fold(AlphaSums& part) {
    for (std::size_t j = 0; j < w_.size(); ++j) {
      sums_.positive[j] += part.positive[j];
      sums_.negative[j] += part.negative[j];
    }
    part.begin(w_.size());
  }

  // w comes from fresh sums.
  void end_sum() {
    DualPoint point;
    Sum balance;
    for (std::size_t i = 0; i < alpha_.size(); ++i) {
      const double cost = task_.cost()[i], alpha = alpha_[i];
      if (alpha == 0) continue;
      point.add(cost, alpha, conjugate_.curvature * alpha * alpha / std::abs(cost));
      balance.add(cost < 0 ? -alpha : alpha);
    }
    if (task_.settings().origin || (point.positive.value() > 0 && point.negative.value() > 0)) {
      const auto offer = [&] {
        offer_sparse_dual(task_, extent_, balanced(point, sums_.positive, sums_.negative, task_.settings().origin),
                          blocks_.additions() + 4);
      };
      shares_.keep_if_better(task_, offer, [&](std::size_t i) { return alpha_[i]; });
    }
    balance_ = balance.value();
    for (std::size_t j = 0; j < w_.size(); ++j) {
      w_[j] = sums_.positive[j] - sums_.negative[j] + delta_ * centre_[j];
      theta_[j] = weight_at(w_[j]);
    }
    partial_.clear();
    phase_ = Phase::kSweep;
  }

  MarginTask task_;
  BestShares shares_;
  Deadline deadline_;
  const QuadraticConjugate conjugate_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::vector<double> alpha_, z_;                  // by row: α, scores of the classifier that is measured
  std::vector<float> square_;                      // by row: ‖x‖²
  std::vector<double> w_, theta_, centre_, best_;  // by column; θ̄; the classifier that is measured
  AlphaSums sums_;
  std::vector<AlphaSums> partial_;
  RowExtent extent_;
  double mean_square_ = 0, delta_ = 1, per_weight_ = 1, sigma_ = 0;
  double multiplier_ = 0, balance_ = 0;  // θ0, and Σ α_i y_i
  SleepingRows sleep_{.drifts = 2, .longest = 50};
  std::int64_t sweeps_ = 0, next_measured_ = kMeasureEvery;
};

std::string SparseDual::save_state() const {
  ByteWriter writer;
  writer.text("margin dual l1 2");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  for (const auto* x : {&alpha_, &z_, &w_, &theta_, &centre_, &best_}) writer.numbers(*x);
  writer.numbers(square_);
  writer.numbers(sleep_.asleep);
  for (const double x : {extent_.longest, extent_.most_values, mean_square_, delta_, sleep_.drift, sleep_.wakefulness,
                         multiplier_, balance_}) {
    writer.number(x);
  }
  for (const std::int64_t x : {sweeps_, next_measured_, sleep_.drifting}) writer.number(x);
  return writer.bytes();
}

void SparseDual::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin dual l1 2");
  task_.load(reader);
  phase_ = reader.choice(Phase::kSum);
  for (auto* x : {&alpha_, &z_}) *x = reader.numbers<double>(task_.rows());
  for (auto* x : {&w_, &theta_, &centre_, &best_}) *x = reader.numbers<double>(task_.features());
  square_ = reader.numbers<float>(task_.rows());
  sleep_.asleep = reader.numbers<std::uint8_t>(task_.rows());
  for (double* x :
       {&extent_.longest, &extent_.most_values, &mean_square_, &delta_, &sleep_.drift, &sleep_.wakefulness}) {
    *x = reader.at_least_zero();
  }
  for (double* x : {&multiplier_, &balance_}) *x = reader.finite();
  for (std::int64_t* x : {&sweeps_, &next_measured_, &sleep_.drifting}) *x = reader.count();
  reader.end();
  require_state(delta_ > 0 && (phase_ == Phase::kLabels || task_.labelled()));
  for (const double alpha : alpha_) require_state(alpha >= 0, "a row's weight in it is below 0");
  set_delta(delta_);
  begin_blocks();
  if (phase_ != Phase::kSum) return;
  sums_.begin(task_.features());
  partial_.assign(blocks_.slots(), {});
  for (AlphaSums& sums : partial_) sums.begin(task_.features());
}

}  // namespace

std::unique_ptr<Learner> make_sparse_dual(const MarginSettings& settings, const Model* start) {
  return std::make_unique<SparseDual>(settings, start);
}

DualRun sparse_dual_run(const MarginSettings& settings, const Model& start) {
  auto solver = std::make_unique<SparseDual>(settings, &start);
  SparseDual* const run = solver.get();
  run->best_shares().want();
  return {std::move(solver), [run] { return run->shares(); }};
}

}  // namespace linsep
