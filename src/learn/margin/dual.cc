// Problem (units of F, see margin/gap.h): max over α of Σ (α_i − κ_i α_i²/2) − ½‖Σ α_i y_i x_i‖², 0 ≤ α_i ≤ C_i,
// Σ α_i y_i = 0. Hinge: C_i = c_i and κ_i = 0. Squared hinge: C_i = ∞ and κ_i = 1/(2c_i).
//
// Method: dual coordinate descent (Hsieh, Chang, Lin, Keerthi & Sundararajan, 2008) on the augmented Lagrangian of the
// balance r = Σ α_i y_i = 0 (Hestenes, Powell, 1969): the multiplier is the offset θ0, moved by σ·r after each sweep.
// As r ends at 0, any centre v may be taken from the rows: θ = Σ α_i y_i (x_i − v) is kept as u − r·v with
// u = Σ α_i y_i x_i, so a step stays one dot product and one update of the row's own columns.
//
// A row at a bound sleeps (sleeping_rows.h). It wakes when its time is over or when a pass over all scores finds it on
// the wrong side of its margin.
//
// Stopping rule: from time to time, when the sum of the steps' own gaps says so, a pass computes every score. That
// gives the primal value at the best offset; α is repaired to r = 0, a second pass sums u again, and the gap of
// margin/gap.h decides. Cost of a sweep: a dot product for each row awake and an update for each row that moves.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
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

constexpr std::int64_t kCentreRows = 4096;  // this many rows, the first of the first pass, make the centre v
constexpr double kPenalty = 0.01;           // σ in units of the mean squared distance from the centre
constexpr std::int64_t kAveraged = 3;       // sweeps
constexpr std::size_t kWindow = 8;          // batches

// The first cache lines of a row, asked for before they are needed.
void prefetch_row(const Batch& batch, std::size_t i) {
  const auto lines = [](const void* from, std::uint64_t bytes) {
    constexpr std::uint64_t kLine = 64, kMost = 64 * kLine;
    const char* at = static_cast<const char*>(from);
    for (std::uint64_t b = 0; b < std::min(bytes + kLine - 1, kMost); b += kLine) __builtin_prefetch(at + b);
  };
  const std::uint64_t begin = batch.dense ? i * batch.stride : batch.start[i];
  const std::uint64_t size = batch.dense ? batch.features : batch.start[i + 1] - begin;
  if (!batch.dense) lines(batch.column.data() + begin, size * sizeof(std::uint32_t));
  if (batch.is_float) {
    lines(batch.value32.data() + begin, size * sizeof(float));
  } else {
    lines(batch.value64.data() + begin, size * sizeof(double));
  }
}

constexpr double kNearMargin = 0.1;  // a warm start's α falls from c to 0 over margins of this width

class DualSolver final : public LambdaLearner, public SeparatorFinder {
 public:
  DualSolver(const MarginSettings& settings, const Model* start)
      : task_(settings, start),
        loss_(settings.loss),
        conjugate_(facts_of(settings.loss).conjugate.value()),
        centred_(!settings.origin) {}

  void set_stop(const StopFunction& stop) override;
  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;
  Model model() const override { return task_.model(); }
  TrainingStats stats() const override { return task_.stats(); }
  bool separates() const override { return task_.separates(); }
  std::vector<double> shares() const;

  bool change_lambda(double lambda) override;
  std::int64_t passes_to_finish() override;
  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  enum class Phase : std::uint8_t { kLabels, kSweep, kScore, kSum };

  struct RowState {
    double alpha = 0;
    float centre = 0;  ///< x·v
    float square = 0;  ///< ‖x − v‖²; 0: not yet known
  };

  void sample_centre(const Batch& batch);
  void end_labels();
  void end_rows(Comm& comm);
  /// True: the rows are of one class.
  bool end_phase();
  bool all_asleep(const Batch& batch);
  void prefetch_states(const Batch& batch) const;
  void sweep(const Batch& batch, const Batch* ahead);
  template <class Row>
  void step(const Row& row, std::size_t i);
  void end_sweep();
  void average();
  double running_dual() const;

  void begin_score();
  void score(const Batch& batch, std::size_t slot);
  void find_best_offset(Comm& comm);
  void end_score();
  void wake(double offset);
  void start_alphas(double offset);
  void sum_rows(const Batch& batch, std::size_t slot);
  void fold(std::size_t slot);
  void end_sum();

  template <class Row>
  void measure(const Row& row, RowState& state, RowExtent& extent) const {
    const double square = squared_norm(row);
    extent.include(square, row.size);
    double distance = square;
    if (centred_) {
      state.centre = static_cast<float>(dot(row, v_.data()));
      distance = std::max(square - 2 * static_cast<double>(state.centre) + vv_, 1e-6 * (square + vv_));
    }
    // Nonzero marks it as computed; a row of zeros moves by the penalty alone.
    state.square = std::max(static_cast<float>(distance), std::numeric_limits<float>::min());
  }

  MarginTask task_;
  Deadline deadline_;
  const Loss loss_;
  const QuadraticConjugate conjugate_;
  const bool centred_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::deque<Batch> waiting_;  // visited, but not yet swept over: rows are asked for some batches ahead of their use
  std::vector<RowState> state_;
  SleepingRows sleep_{.drifts = 0.5, .longest = 200};
  std::vector<double> z_, u_, v_, theta_;
  std::vector<std::vector<double>> partial_;
  RowExtent extent_;
  std::vector<RowExtent> extents_;  // of each slot, while a warm start measures the rows
  std::int64_t sampled_ = 0;
  double mean_square_ = 0, vv_ = 0, sigma_ = 0;
  double balance_ = 0, along_ = 0, multiplier_ = 0, shift_ = 0;  // r, u·v, θ0, and what a score adds to u·x − r·(x·v)
  double best_offset_ = 0;                                       // of the scores of the last kScore
  double estimate_ = 0, last_estimate_ = std::numeric_limits<double>::infinity();
  double before_ = std::numeric_limits<double>::infinity();  // the estimate of the last sweep but this one
  double terms_ = 0;  // Σ (α_i − κ_i α_i²/2), as the steps changed it since it was last summed
  bool due_ = false, starting_ = false, winding_up_ = false;
  bool midway_ = false;  // in the middle of a pass
  std::int64_t averaged_ = 0;
  std::int64_t sweeps_ = 0, sweeps_since_ = 0, passes_ = 0;
};

void DualSolver::sample_centre(const Batch& batch) {
  for_each_row(batch, [&](const auto& row, std::int64_t) {
    if (sampled_ == kCentreRows) return;
    ++sampled_;
    axpy(1, row, v_.data());
    mean_square_ += squared_norm(row);
  });
}

void DualSolver::end_labels() {
  if (centred_) {
    for (double& v : v_) v /= static_cast<double>(sampled_);
    vv_ = squared_length(v_);
    mean_square_ = std::max(mean_square_ / static_cast<double>(sampled_) - vv_, 0.0);
    sigma_ = kPenalty * mean_square_;
    if (!(sigma_ > 0)) sigma_ = 1;
  }
  phase_ = Phase::kSweep;
  starting_ = !task_.start_theta().empty();
  if (!starting_) return;
  theta_ = task_.start_theta();
  begin_score();
}

// What a sweep needs to know of the rows before it comes to their values.
void DualSolver::prefetch_states(const Batch& batch) const {
  const std::size_t first = task_.index_of(batch), last = first + static_cast<std::size_t>(batch.rows) - 1;
  __builtin_prefetch(&sleep_.asleep[first]);
  for (const std::size_t i : {first, (first + last) / 2, last}) {
    __builtin_prefetch(&state_[i]);
    __builtin_prefetch(&task_.cost()[i]);
    if (!batch.dense) __builtin_prefetch(&batch.start[i - first]);
  }
}

// Passes over a batch at once when none of its rows is awake.
bool DualSolver::all_asleep(const Batch& batch) {
  std::uint8_t* sleep = sleep_.asleep.data() + task_.index_of(batch);
  const auto rows = static_cast<std::size_t>(batch.rows);
  for (std::size_t i = 0; i < rows; ++i) {
    if (sleep[i] == 0) return false;
  }
  for (std::size_t i = 0; i < rows; ++i) --sleep[i];
  return true;
}

template <class Row>
void DualSolver::step(const Row& row, std::size_t i) {
  const double cost = task_.cost()[i];
  if (cost == 0) return;
  RowState& state = state_[i];
  if (state.square == 0) measure(row, state, extent_);
  const double y = cost < 0 ? -1 : 1, limit = std::abs(cost);
  const double curved = conjugate_.curvature / limit;
  const double old = state.alpha;
  const double z = dot(row, u_.data()) - balance_ * static_cast<double>(state.centre) + shift_;
  const double gradient = y * z - 1 + curved * old;
  const double short_of_one = 1 - y * z;
  estimate_ += limit * loss_value(loss_, y * z) - old * short_of_one + curved * old * old / 2;
  const double most = conjugate_.bounded ? limit : std::numeric_limits<double>::infinity();
  if (sleep_.rests(i, old, most, gradient)) return;
  double alpha = std::max(0.0, old - gradient / (static_cast<double>(state.square) + sigma_ + curved));
  alpha = std::min(alpha, most);
  const double change = (alpha - old) * y;
  if (change == 0) return;
  state.alpha = alpha;
  terms_ += alpha - old - curved / 2 * (alpha - old) * (alpha + old);
  axpy(change, row, u_.data());
  if (!centred_) return;
  balance_ += change;
  along_ += change * static_cast<double>(state.centre);
  shift_ = balance_ * (vv_ + sigma_) - along_ + multiplier_;
}

void DualSolver::sweep(const Batch& batch, const Batch* ahead) {
  const std::size_t first = task_.index_of(batch);
  const std::size_t next = ahead != nullptr ? task_.index_of(*ahead) : 0;
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    if (ahead != nullptr && i < ahead->rows && sleep_.asleep[next + at] == 0) prefetch_row(*ahead, at);
    if (!sleep_.skips(first + at)) step(row, first + at);
  });
}

// The point to be scored: θ, or where sweeps converge slowly the mean of the last few, which is better then.
void DualSolver::average() {
  averaged_ = estimate_ < 0.7 * before_ ? 1 : std::min<std::int64_t>(averaged_ + 1, kAveraged);
  const double part = 1 / static_cast<double>(averaged_);
  theta_.resize(u_.size());
  for (std::size_t j = 0; j < u_.size(); ++j) {
    const double now = u_[j] - balance_ * v_[j];
    theta_[j] = averaged_ == 1 ? now : theta_[j] + part * (now - theta_[j]);
  }
}

// D at the α of the moment: not feasible yet, so no bound, but near enough to judge by.
double DualSolver::running_dual() const {
  double square = 0;
  for (std::size_t j = 0; j < u_.size(); ++j) {
    const double theta = u_[j] - balance_ * v_[j];
    square += theta * theta;
  }
  return terms_ - square / 2;
}

void DualSolver::end_sweep() {
  multiplier_ += sigma_ * balance_;
  shift_ = balance_ * (vv_ + sigma_) - along_ + multiplier_;
  sleep_.end_sweep();
  ++sweeps_;
  ++sweeps_since_;
  average();
  const double scale = task_.settings().gap * running_dual();
  // The estimate is of gradients as they were met during the sweep; at its end things stand better.
  const double ratio = std::isfinite(before_) ? std::min(1.0, estimate_ / before_) : 1;
  const bool near = estimate_ * ratio < 1.3 * scale && estimate_ < 0.75 * last_estimate_;
  due_ = sweeps_since_ >= std::max<std::int64_t>(task_.settings().check_often ? 10 : 25, sweeps_ / 3);
  due_ = due_ || passes_ + 3 >= task_.settings().passes;
  if (near || due_ || winding_up_) {
    last_estimate_ = estimate_;
    begin_score();
  }
  before_ = estimate_;
  estimate_ = 0;
}

void DualSolver::set_stop(const StopFunction& stop) { deadline_ = stop; }

void DualSolver::begin(const Shape& shape) {
  task_.begin(shape);
  blocks_.begin(shape.rows, task_.settings().threads);
  state_.assign(task_.rows(), {});
  sleep_.asleep.assign(task_.rows(), 0);
  z_.resize(task_.rows());
  u_.assign(task_.features(), 0);
  v_.assign(task_.features(), 0);
}

void DualSolver::visit(const Batch& batch) {
  midway_ = true;
  switch (phase_) {
    case Phase::kLabels:
      task_.visit_labels(batch);
      if (centred_ && sampled_ < kCentreRows) sample_centre(batch);
      break;
    case Phase::kSweep:
      if (all_asleep(batch)) return;
      if (!batch.pinned) return sweep(batch, nullptr);
      prefetch_states(batch);
      waiting_.push_back(batch);
      if (waiting_.size() > kWindow) {
        sweep(waiting_.front(), &waiting_[kWindow / 2]);
        waiting_.pop_front();
      }
      break;
    case Phase::kScore:
      deadline_.run([&] { blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { score(rows, slot); }); });
      break;
    case Phase::kSum:
      deadline_.run([&] {
        blocks_.add(
            batch, [&](const Batch& rows, std::size_t slot) { sum_rows(rows, slot); },
            [&](std::size_t slot) { fold(slot); });
      });
      break;
  }
}

void DualSolver::synchronise(Comm& comm) {
  require_one_worker(comm);
  deadline_.run([&] { end_rows(comm); });
}

void DualSolver::end_rows(Comm& comm) {
  for (const Batch& batch : waiting_) sweep(batch, nullptr);
  waiting_.clear();
  if (phase_ == Phase::kLabels) task_.resolve_costs(comm);
  if (phase_ == Phase::kScore) {
    blocks_.finish([&](const Batch& rows, std::size_t slot) { score(rows, slot); });
    find_best_offset(comm);
  }
  if (phase_ == Phase::kSum) {
    blocks_.finish([&](const Batch& rows, std::size_t slot) { sum_rows(rows, slot); },
                   [&](std::size_t slot) { fold(slot); });
  }
}

Verdict DualSolver::end_pass(Progress& progress) {
  ++passes_;
  midway_ = false;
  bool one_class = false;
  if (!deadline_.run([&] { one_class = end_phase(); })) return report_stopped(task_, progress);
  task_.report(progress);
  if (one_class) return Verdict::kConverged;
  return phase_ == Phase::kSweep ? task_.verdict() : Verdict::kContinue;
}

bool DualSolver::end_phase() {
  switch (phase_) {
    case Phase::kLabels:
      if (task_.end_labels()) return true;
      end_labels();
      break;
    case Phase::kSweep:
      end_sweep();
      break;
    case Phase::kScore:
      end_score();
      break;
    case Phase::kSum:
      end_sum();
      break;
  }
  return false;
}

// The gap of coordinate descent: a pass that scores every row, the repair of α, and a pass that sums u again.

void DualSolver::begin_score() {
  sweeps_since_ = 0;
  blocks_.begin(static_cast<std::int64_t>(task_.rows()), task_.settings().threads);
  extents_.assign(blocks_.slots(), {});
  phase_ = Phase::kScore;
}

void DualSolver::score(const Batch& batch, std::size_t slot) {
  const std::size_t first = task_.index_of(batch);
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    const std::size_t k = first + static_cast<std::size_t>(i);
    z_[k] = dot(row, theta_.data());
    if (starting_) measure(row, state_[k], extents_[slot]);
  });
}

void DualSolver::find_best_offset(Comm& comm) {
  best_offset_ = 0;
  if (!centred_) return;
  best_offset_ = facts_of(loss_).smooth
                     ? best_smooth_offset(loss_, task_.cost(), z_, multiplier_, task_.settings().threads, comm)
                     : best_hinge_offset(task_.cost(), z_);
}

void DualSolver::end_score() {
  for (const RowExtent& extent : extents_) extent_.include(extent);
  const int threads = task_.settings().threads;
  const double offset = best_offset_;
  const double total = total_loss(loss_, task_.cost(), z_, offset, threads);
  const double primal = task_.penalty().value(theta_) + total;
  const double steepest = mean_slope(loss_, total / std::max(task_.costs(), 1e-300));
  const double norm = std::sqrt(squared_length(theta_));
  task_.offer_primal(primal, primal_rounding(extent_, task_.costs(), steepest, norm, offset, primal), theta_, offset);
  bool separates = true;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double cost = task_.cost()[i];
    separates = separates && (cost == 0 || (cost < 0 ? -1.0 : 1.0) * (z_[i] + offset) > 0);
  }
  if (separates) task_.found_separator();
  if (starting_) {
    start_alphas(offset);
  } else {
    wake(offset);
  }
  if (centred_) {
    repair_balance(task_.cost(), z_, offset, conjugate_, [&](std::size_t i) -> double& { return state_[i].alpha; });
  }
  partial_.assign(blocks_.slots(), std::vector<double>(u_.size(), 0));
  std::fill(u_.begin(), u_.end(), 0.0);
  blocks_.begin(static_cast<std::int64_t>(task_.rows()), threads);
  phase_ = Phase::kSum;
}

void DualSolver::wake(double offset) {
  for (std::size_t i = 0; i < state_.size(); ++i) {
    sleep_.wake(i, state_[i].alpha, (task_.cost()[i] < 0 ? -1.0 : 1.0) * (z_[i] + offset));
  }
}

// α that goes with the scores of a given classifier: exactly so for a smooth loss. For the hinge α is c below the
// margin and 0 above it; near it, where optimal α may be anything, it falls in between.
void DualSolver::start_alphas(double offset) {
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const double cost = task_.cost()[i], limit = std::abs(cost);
    const double margin = (cost < 0 ? -1.0 : 1.0) * (z_[i] + offset);
    state_[i].alpha = limit * (facts_of(loss_).smooth ? loss_at(loss_, margin).slope
                                                      : std::clamp(0.5 + (1 - margin) / kNearMargin, 0.0, 1.0));
  }
  multiplier_ = offset;
  starting_ = false;
}

void DualSolver::sum_rows(const Batch& batch, std::size_t slot) {
  const std::size_t first = task_.index_of(batch);
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    const std::size_t k = first + static_cast<std::size_t>(i);
    const double alpha = state_[k].alpha;
    if (alpha != 0) axpy(task_.cost()[k] < 0 ? -alpha : alpha, row, partial_[slot].data());
  });
}

void DualSolver::fold(std::size_t slot) {
  for (std::size_t j = 0; j < u_.size(); ++j) u_[j] += partial_[slot][j];
  std::fill(partial_[slot].begin(), partial_[slot].end(), 0.0);
}

void DualSolver::end_sum() {
  partial_.clear();
  Sum alphas, terms, balance;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const double alpha = state_[i].alpha, cost = task_.cost()[i];
    if (alpha == 0) continue;
    alphas.add(alpha);
    terms.add(conjugate_.term(alpha, std::abs(cost)));
    balance.add(cost < 0 ? -alpha : alpha);
  }
  terms_ = terms.value();
  balance_ = centred_ ? balance.value() : 0;
  task_.offer_dual(terms.value() - task_.penalty().conjugate(u_),
                   dual_rounding(extent_, alphas.value(), balance_, std::sqrt(squared_length(u_)),
                                 sum_rounding(extent_, alphas.value(), blocks_.additions()), terms.value()));
  along_ = 0;
  if (centred_) {
    Sum along;
    for (std::size_t j = 0; j < u_.size(); ++j) along.add(u_[j] * v_[j]);
    along_ = along.value();
  }
  shift_ = balance_ * (vv_ + sigma_) - along_ + multiplier_;
  phase_ = Phase::kSweep;
}

std::vector<double> DualSolver::shares() const {
  std::vector<double> shares(state_.size(), 0);
  for (std::size_t i = 0; i < state_.size(); ++i) {
    if (task_.cost()[i] != 0) shares[i] = state_[i].alpha / std::abs(task_.cost()[i]);
  }
  return shares;
}

// Coordinate descent continues with another λ, comes to an early end, or resumes from a saved state.

// The costs grow by a factor, and a row at its bound mostly stays there: α goes along the ray through it, to where the
// dual objective is greatest. Balance and offset stay as they are.
bool DualSolver::change_lambda(double lambda) {
  if (phase_ != Phase::kSweep) return false;
  const double factor = task_.change_lambda(lambda);
  Sum linear, quadratic;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const double alpha = state_[i].alpha;
    linear.add(alpha);
    if (alpha != 0) quadratic.add(conjugate_.curvature * (alpha * alpha / std::abs(task_.cost()[i])));
  }
  double square = quadratic.value();
  for (std::size_t j = 0; j < u_.size(); ++j) {
    const double theta = u_[j] - balance_ * v_[j];
    square += theta * theta;
  }
  double along = square > 0 ? linear.value() / square : 1;
  if (conjugate_.bounded) along = std::min(along, factor);
  terms_ = 0;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    double& alpha = state_[i].alpha;
    alpha *= along;
    if (conjugate_.bounded) alpha = std::min(alpha, std::abs(task_.cost()[i]));
    if (alpha != 0) terms_ += conjugate_.term(alpha, std::abs(task_.cost()[i]));
  }
  for (double& u : u_) u *= along;
  balance_ *= along;
  along_ *= along;
  shift_ = balance_ * (vv_ + sigma_) - along_ + multiplier_;
  std::fill(sleep_.asleep.begin(), sleep_.asleep.end(), std::uint8_t{0});
  estimate_ = sleep_.drift = sleep_.wakefulness = 0;
  last_estimate_ = before_ = std::numeric_limits<double>::infinity();
  averaged_ = sleep_.drifting = sweeps_ = sweeps_since_ = passes_ = 0;
  due_ = false;
  return true;
}

// A sweep under way goes to its end; then its θ is scored and the gap measured. Sweeps that have been measured don't
// count, and without any there is nothing to score.
std::int64_t DualSolver::passes_to_finish() {
  if (phase_ == Phase::kScore) return 2;
  if (phase_ == Phase::kSum) return 1;
  if (phase_ == Phase::kLabels || (!midway_ && sweeps_since_ == 0)) return 0;
  if (midway_) {
    winding_up_ = true;
    return 3;
  }
  begin_score();
  return 2;
}

std::string DualSolver::save_state() const {
  ByteWriter writer;
  writer.text("margin dual 3");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  std::vector<double> alpha;
  std::vector<float> measured;
  for (const RowState& state : state_) {
    alpha.push_back(state.alpha);
    measured.push_back(state.centre);
    measured.push_back(state.square);
  }
  writer.numbers(alpha);
  writer.numbers(measured);
  writer.numbers(sleep_.asleep);
  writer.numbers(z_);
  writer.numbers(u_);
  writer.numbers(v_);
  writer.numbers(theta_);
  for (const double x : {extent_.longest, extent_.most_values, mean_square_, vv_, sigma_, balance_, along_, multiplier_,
                         shift_, estimate_, last_estimate_, before_, sleep_.drift, sleep_.wakefulness, terms_}) {
    writer.number(x);
  }
  for (const std::int64_t x : {sampled_, sleep_.drifting, sweeps_, sweeps_since_, passes_, averaged_}) {
    writer.number(x);
  }
  for (const bool x : {due_, starting_}) writer.number(static_cast<std::uint8_t>(x));
  return writer.bytes();
}

void DualSolver::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin dual 3");
  task_.load(reader);
  phase_ = reader.choice(Phase::kSum);
  const std::size_t rows = task_.rows(), features = task_.features();
  const auto alpha = reader.numbers<double>(rows);
  const auto measured = reader.numbers<float>(2 * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    require_state(alpha[i] >= 0 && measured[2 * i + 1] >= 0, "a row's weight in it is below 0");
    state_[i] = {alpha[i], measured[2 * i], measured[2 * i + 1]};
  }
  sleep_.asleep = reader.numbers<std::uint8_t>(rows);
  z_ = reader.numbers<double>(rows);
  for (std::vector<double>* x : {&u_, &v_}) *x = reader.numbers<double>(features);
  theta_ = reader.numbers_or_none<double>(features);
  for (double* x : {&extent_.longest, &extent_.most_values, &mean_square_, &vv_, &sigma_}) *x = reader.at_least_zero();
  for (double* x : {&balance_, &along_, &multiplier_, &shift_}) *x = reader.finite();
  for (double* x : {&estimate_, &last_estimate_, &before_, &sleep_.drift, &sleep_.wakefulness, &terms_}) {
    *x = reader.ordered();
  }
  for (std::int64_t* x : {&sampled_, &sleep_.drifting, &sweeps_, &sweeps_since_, &passes_, &averaged_})
    *x = reader.count();
  for (bool* x : {&due_, &starting_}) *x = reader.flag();
  reader.end();
  require_state(phase_ != Phase::kScore || theta_.size() == features);
  require_state(averaged_ < 2 || theta_.size() == features);
  require_state(sleep_.wakefulness >= 0);
  require_state(phase_ == Phase::kLabels || (task_.labelled() && (!centred_ || sigma_ > 0)));
  blocks_.begin(static_cast<std::int64_t>(task_.rows()), task_.settings().threads);
  extents_.assign(blocks_.slots(), {});
  partial_.assign(phase_ == Phase::kSum ? blocks_.slots() : 0, std::vector<double>(u_.size(), 0));
}

}  // namespace

DualRun dual_run(const MarginSettings& settings, const Model& start) {
  if (settings.penalty.has_l1()) return sparse_dual_run(settings, start);
  auto solver = std::make_unique<DualSolver>(settings, &start);
  const DualSolver* const run = solver.get();
  return {std::move(solver), [run] { return run->shares(); }};
}

const SolverEntry& dual_solver() {
  static const SolverEntry kEntry = {
      .name = "dual",
      .method = "coordinate descent",
      .help = "coordinate descent on the dual",
      .losses = losses_where([](const LossFacts& loss) { return loss.conjugate.has_value(); }),
      .l1 = true,
      .forecasts = true,
      .order = VisitOrder::kPermuted,
      .make = [](const MarginSettings& settings, const Model* start) -> std::unique_ptr<Learner> {
        if (settings.penalty.has_l1()) return make_sparse_dual(settings, start);
        return std::make_unique<DualSolver>(settings, start);
      },
      .memory =
          [](std::uint64_t threads, const Shape& /*shape*/) {
            return MemoryRates{.row = 52, .column = 8 * (12 + 2 * threads), .least_column = 44};
          },
  };
  return kEntry;
}

}  // namespace linsep
