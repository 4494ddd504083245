// The class behind dual_solver, for the files that define its parts: dual.cc sweeps, gap.cc measures, state.cc
// continues: with another λ, to an early end, or from a saved state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "learn/margin/lambda_learner.h"
#include "learn/margin/task.h"
#include "numeric/row_blocks.h"

namespace linsep {

class HingeDual final : public LambdaLearner {
 public:
  HingeDual(const MarginSettings& settings, const Model* start)
      : task_(settings, start), bounded_(settings.loss == Loss::kHinge), centred_(!settings.origin) {}

  void set_stop(const StopFunction& stop) override;
  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;
  Model model() const override { return task_.model(); }
  TrainingStats stats() const override { return task_.stats(); }

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
  void step(const Row& row, std::size_t i, std::uint8_t& sleep);
  void end_sweep();
  void average();
  double running_dual() const;

  void begin_score();
  void score(const Batch& batch, std::size_t slot);
  void find_best_offset(Comm& comm);
  void end_score();
  void wake(double offset);
  void start_alphas(double offset);
  void exact_all_reduce(const Batch& batch, std::size_t slot);
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
    // Never 0, so that it is known to be known; a row of zeros moves by the penalty alone.
    state.square = std::max(static_cast<float>(distance), std::numeric_limits<float>::min());
  }

  MarginTask task_;
  StopPoint stop_;
  const bool bounded_, centred_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::deque<Batch> waiting_;  // visited, but not yet swept over: rows are asked for some batches ahead of their use
  std::vector<RowState> state_;
  std::vector<std::uint8_t> asleep_;  // sweeps a row is still to be passed over
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
  double drift_ = 0, wakefulness_ = 0;
  double terms_ = 0;  // Σ (α_i − κ_i α_i²/2), as the steps changed it since it was last summed
  bool due_ = false, starting_ = false, winding_up_ = false;
  bool midway_ = false;  // in the midst of a pass
  std::int64_t averaged_ = 0;
  std::int64_t drifting_ = 0, sweeps_ = 0, sweeps_since_ = 0, passes_ = 0;
};

}  // namespace linsep
