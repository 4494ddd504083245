// Problem (units of F, see margin/gap.h): max over α of Σ (α_i − κ_i α_i²/2) − ½‖Σ α_i y_i x_i‖², 0 ≤ α_i ≤ C_i,
// Σ α_i y_i = 0. Hinge: C_i = c_i and κ_i = 0. Squared hinge: C_i = ∞ and κ_i = 1/(2c_i).
//
// Method: dual coordinate descent (Hsieh, Chang, Lin, Keerthi & Sundararajan, 2008) on the augmented Lagrangian of the
// balance r = Σ α_i y_i = 0 (Hestenes, Powell, 1969): the multiplier is the offset θ0, moved by σ·r after each sweep.
// As r ends at 0, any centre v may be taken from the rows: θ = Σ α_i y_i (x_i − v) is kept as u − r·v with
// u = Σ α_i y_i x_i, so a step stays one dot product and one update of the row's own columns.
//
// A row at a bound sleeps: after a sweep in which a free row's gradient drifted by δ on average, a row whose gradient
// is g away from mattering is passed over for g/δ sweeps, more or less. It wakes when that time is over or when a pass
// over all scores finds it on the wrong side of its margin.
//
// Stopping rule: from time to time, when the sum of the steps' own gaps says so, a pass computes every score. That
// gives the primal value at the best offset; α is repaired to r = 0, a second pass sums u anew, and the gap of
// margin/gap.h decides. Cost of a sweep: a dot product for each row awake and an update for each row that moves.
#include <algorithm>
#include <cmath>

#include "learn/margin/dual/solver.h"
#include "learn/margin/solvers.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr std::int64_t kCentreRows = 4096;  // this many rows, the first of the first pass, make the centre v
constexpr double kPenalty = 0.01;           // σ in units of the mean squared distance from the centre
constexpr double kDrifts = 0.5;             // a row sleeps one sweep per this many drifts of distance
constexpr double kLongestSleep = 200;
constexpr std::int64_t kAveraged = 3;  // sweeps
constexpr std::size_t kWindow = 8;     // batches

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

}  // namespace

void HingeDual::sample_centre(const Batch& batch) {
  for_each_row(batch, [&](const auto& row, std::int64_t) {
    if (sampled_ == kCentreRows) return;
    ++sampled_;
    axpy(1, row, v_.data());
    mean_square_ += squared_norm(row);
  });
}

void HingeDual::end_labels() {
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
void HingeDual::prefetch_states(const Batch& batch) const {
  const std::size_t first = task_.index_of(batch), last = first + static_cast<std::size_t>(batch.rows) - 1;
  __builtin_prefetch(&asleep_[first]);
  for (const std::size_t i : {first, (first + last) / 2, last}) {
    __builtin_prefetch(&state_[i]);
    __builtin_prefetch(&task_.cost()[i]);
    if (!batch.dense) __builtin_prefetch(&batch.start[i - first]);
  }
}

// Passes over a batch at once when none of its rows is awake.
bool HingeDual::all_asleep(const Batch& batch) {
  std::uint8_t* sleep = asleep_.data() + task_.index_of(batch);
  const auto rows = static_cast<std::size_t>(batch.rows);
  for (std::size_t i = 0; i < rows; ++i) {
    if (sleep[i] == 0) return false;
  }
  for (std::size_t i = 0; i < rows; ++i) --sleep[i];
  return true;
}

template <class Row>
void HingeDual::step(const Row& row, std::size_t i, std::uint8_t& sleep) {
  const double cost = task_.cost()[i];
  if (cost == 0) return;
  RowState& state = state_[i];
  if (state.square == 0) measure(row, state, extent_);
  const double y = cost < 0 ? -1 : 1, limit = std::abs(cost);
  const double curved = bounded_ ? 0 : 1 / (2 * limit);
  const double old = state.alpha;
  const double z = dot(row, u_.data()) - balance_ * static_cast<double>(state.centre) + shift_;
  const double gradient = y * z - 1 + curved * old;
  const double short_of_one = 1 - y * z;
  const double loss =
      bounded_ ? std::max(0.0, short_of_one) : std::max(0.0, short_of_one) * std::max(0.0, short_of_one);
  estimate_ += limit * loss - old * short_of_one + curved * old * old / 2;
  if (old == 0 ? gradient >= 0 : bounded_ && old == limit && gradient <= 0) {
    const double sweeps = std::abs(gradient) * wakefulness_;
    sleep = static_cast<std::uint8_t>(std::min(kLongestSleep, sweeps));  // also of ∞·0
    return;
  }
  if (old > 0 && !(bounded_ && old == limit)) {
    drift_ += std::abs(gradient);
    ++drifting_;
  }
  double alpha = std::max(0.0, old - gradient / (static_cast<double>(state.square) + sigma_ + curved));
  if (bounded_) alpha = std::min(alpha, limit);
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

void HingeDual::sweep(const Batch& batch, const Batch* ahead) {
  const std::size_t first = task_.index_of(batch);
  const std::size_t next = ahead != nullptr ? task_.index_of(*ahead) : 0;
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    if (ahead != nullptr && i < ahead->rows && asleep_[next + at] == 0) prefetch_row(*ahead, at);
    std::uint8_t& sleep = asleep_[first + at];
    if (sleep > 0) {
      --sleep;
    } else {
      step(row, first + at, sleep);
    }
  });
}

// The point to be scored: θ, or where sweeps converge slowly the mean of the last few, which is better then.
void HingeDual::average() {
  averaged_ = estimate_ < 0.7 * before_ ? 1 : std::min<std::int64_t>(averaged_ + 1, kAveraged);
  const double part = 1 / static_cast<double>(averaged_);
  theta_.resize(u_.size());
  for (std::size_t j = 0; j < u_.size(); ++j) {
    const double now = u_[j] - balance_ * v_[j];
    theta_[j] = averaged_ == 1 ? now : theta_[j] + part * (now - theta_[j]);
  }
}

// D at the α of the moment: not feasible yet, so no bound, but near enough to judge by.
double HingeDual::running_dual() const {
  double square = 0;
  for (std::size_t j = 0; j < u_.size(); ++j) {
    const double theta = u_[j] - balance_ * v_[j];
    square += theta * theta;
  }
  return terms_ - square / 2;
}

void HingeDual::end_sweep() {
  multiplier_ += sigma_ * balance_;
  shift_ = balance_ * (vv_ + sigma_) - along_ + multiplier_;
  const double drift = drifting_ > 0 ? drift_ / static_cast<double>(drifting_) : 0;
  wakefulness_ = drift > 0 ? 1 / (kDrifts * drift) : 0;
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
  estimate_ = drift_ = 0;
  drifting_ = 0;
}

void HingeDual::set_stop(const StopFunction& stop) {
  stop_.set(stop);
  blocks_.set_stop(&stop_);
}

void HingeDual::begin(const Shape& shape) {
  task_.begin(shape);
  blocks_.begin(shape.rows, task_.settings().threads);
  state_.assign(task_.rows(), {});
  asleep_.assign(task_.rows(), 0);
  z_.resize(task_.rows());
  u_.assign(task_.features(), 0);
  v_.assign(task_.features(), 0);
}

void HingeDual::visit(const Batch& batch) {
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
      stop_.run([&] { blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { score(rows, slot); }); });
      break;
    case Phase::kSum:
      stop_.run([&] {
        blocks_.add(
            batch, [&](const Batch& rows, std::size_t slot) { exact_all_reduce(rows, slot); },
            [&](std::size_t slot) { fold(slot); });
      });
      break;
  }
}

void HingeDual::synchronise(Comm& comm) {
  require_one_worker(comm);
  stop_.run([&] { end_rows(comm); });
}

void HingeDual::end_rows(Comm& comm) {
  for (const Batch& batch : waiting_) sweep(batch, nullptr);
  waiting_.clear();
  if (phase_ == Phase::kLabels) task_.resolve_costs(comm);
  if (phase_ == Phase::kScore) {
    blocks_.finish([&](const Batch& rows, std::size_t slot) { score(rows, slot); });
    find_best_offset(comm);
  }
  if (phase_ == Phase::kSum) {
    blocks_.finish([&](const Batch& rows, std::size_t slot) { exact_all_reduce(rows, slot); },
                   [&](std::size_t slot) { fold(slot); });
  }
}

Verdict HingeDual::end_pass(Progress& progress) {
  ++passes_;
  midway_ = false;
  bool one_class = false;
  if (!stop_.run([&] { one_class = end_phase(); })) return report_stopped(task_, progress);
  task_.report(progress);
  if (one_class) return Verdict::kConverged;
  return phase_ == Phase::kSweep ? task_.verdict() : Verdict::kContinue;
}

bool HingeDual::end_phase() {
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

const SolverEntry& dual_solver() {
  static const SolverEntry kEntry = {
      .name = "dual",
      .help = "coordinate descent on the dual",
      .losses = {Loss::kHinge, Loss::kSquaredHinge},
      .order = VisitOrder::kPermuted,
      .make = [](const MarginSettings& settings, const Model* start) -> std::unique_ptr<Learner> {
        return std::make_unique<HingeDual>(settings, start);
      },
      .memory =
          [](std::uint64_t threads) {
            return MemoryRates{.row = 52, .column = 8 * (12 + 2 * threads), .least_column = 44};
          },
  };
  return kEntry;
}

}  // namespace linsep
