// Coordinate descent continues with another λ, comes to an early end, or resumes from a saved state.
#include <algorithm>
#include <cmath>

#include "learn/margin/dual/solver.h"

namespace linsep {

// The costs grow by a factor, and a row at its bound mostly stays there: α goes along the ray through it, to where the
// dual objective is greatest. Balance and offset stay as they are.
bool HingeDual::change_lambda(double lambda) {
  if (phase_ != Phase::kSweep) return false;
  const double factor = task_.change_lambda(lambda);
  Sum linear, quadratic;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const double alpha = state_[i].alpha;
    linear.add(alpha);
    if (!bounded_ && alpha != 0) quadratic.add(alpha * alpha / (2 * std::abs(task_.cost()[i])));
  }
  double square = quadratic.value();
  for (std::size_t j = 0; j < u_.size(); ++j) {
    const double theta = u_[j] - balance_ * v_[j];
    square += theta * theta;
  }
  double along = square > 0 ? linear.value() / square : 1;
  if (bounded_) along = std::min(along, factor);
  terms_ = 0;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    double& alpha = state_[i].alpha;
    alpha *= along;
    if (bounded_) alpha = std::min(alpha, std::abs(task_.cost()[i]));
    if (alpha != 0) terms_ += bounded_ ? alpha : alpha - alpha * alpha / (4 * std::abs(task_.cost()[i]));
  }
  for (double& u : u_) u *= along;
  balance_ *= along;
  along_ *= along;
  shift_ = balance_ * (vv_ + sigma_) - along_ + multiplier_;
  std::fill(asleep_.begin(), asleep_.end(), std::uint8_t{0});
  estimate_ = drift_ = wakefulness_ = 0;
  last_estimate_ = before_ = std::numeric_limits<double>::infinity();
  averaged_ = drifting_ = sweeps_ = sweeps_since_ = passes_ = 0;
  due_ = false;
  return true;
}

// A sweep under way goes to its end; then its θ is scored and the gap measured. Sweeps that have been measured don't
// count, and without any there is nothing to score.
std::int64_t HingeDual::passes_to_finish() {
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

std::string HingeDual::save_state() const {
  ByteWriter writer;
  writer.text("margin dual 2");
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
  writer.numbers(asleep_);
  writer.numbers(z_);
  writer.numbers(u_);
  writer.numbers(v_);
  writer.numbers(theta_);
  for (const double x : {extent_.longest, extent_.most_values, mean_square_, vv_, sigma_, balance_, along_, multiplier_,
                         shift_, estimate_, last_estimate_, before_, drift_, wakefulness_, terms_}) {
    writer.number(x);
  }
  for (const std::int64_t x : {sampled_, drifting_, sweeps_, sweeps_since_, passes_, averaged_}) {
    writer.number(x);
  }
  for (const bool x : {due_, starting_}) writer.number(static_cast<std::uint8_t>(x));
  return writer.bytes();
}

void HingeDual::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin dual 2");
  task_.load(reader);
  phase_ = reader.choice(Phase::kSum);
  const std::size_t rows = task_.rows(), features = task_.features();
  const auto alpha = reader.numbers<double>(rows);
  const auto measured = reader.numbers<float>(2 * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    require_state(alpha[i] >= 0 && measured[2 * i + 1] >= 0, "a row's weight in it is below 0");
    state_[i] = {alpha[i], measured[2 * i], measured[2 * i + 1]};
  }
  asleep_ = reader.numbers<std::uint8_t>(rows);
  z_ = reader.numbers<double>(rows);
  for (std::vector<double>* x : {&u_, &v_}) *x = reader.numbers<double>(features);
  theta_ = reader.numbers_or_none<double>(features);
  for (double* x : {&extent_.longest, &extent_.most_values, &mean_square_, &vv_, &sigma_}) *x = reader.at_least_zero();
  for (double* x : {&balance_, &along_, &multiplier_, &shift_}) *x = reader.finite();
  for (double* x : {&estimate_, &last_estimate_, &before_, &drift_, &wakefulness_, &terms_}) *x = reader.ordered();
  for (std::int64_t* x : {&sampled_, &drifting_, &sweeps_, &sweeps_since_, &passes_, &averaged_}) *x = reader.count();
  for (bool* x : {&due_, &starting_}) *x = reader.flag();
  reader.end();
  require_state(phase_ != Phase::kScore || theta_.size() == features);
  require_state(averaged_ < 2 || theta_.size() == features);
  require_state(wakefulness_ >= 0);
  require_state(phase_ == Phase::kLabels || (task_.labelled() && (!centred_ || sigma_ > 0)));
  blocks_.begin(static_cast<std::int64_t>(task_.rows()), task_.settings().threads);
  extents_.assign(blocks_.slots(), {});
  partial_.assign(phase_ == Phase::kSum ? blocks_.slots() : 0, std::vector<double>(u_.size(), 0));
}

}  // namespace linsep
