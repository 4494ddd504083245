// Hard margin with many columns. Problem and bounds: hard.h.
//
// Method: coordinate descent on the dual, max Σ α_i − ½‖Σ α_i y_i x_i‖² over α ≥ 0 with Σ α_i y_i = 0, as the solver
// dual does it for the hinge (../dual.cc): the multiplier of Σ α_i y_i is the offset, moved by σ·Σ α_i y_i
// after each sweep; rows whose α is 0 sleep for as long as their margin lets them. There is no bound above α.
//
// From time to time a pass scores all rows by θ = Σ α_i y_i x_i, which gives its margin, and sums each class's α_i x_i
// anew; divided by the class's Σ α_i they are points p and q of the hulls.
//
// Stopping rule: the gap. Cost of a sweep: a dot product for each row awake and an update for each that moves.
#include <algorithm>
#include <cmath>

#include "kernel/kernel.h"
#include "learn/margin/hard.h"
#include "learn/margin/solvers.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/row_blocks.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

constexpr double kPenalty = 0.01;  // σ in units of the mean ‖x‖²
constexpr double kDrifts = 0.5;    // a row sleeps one sweep per this many drifts of distance
constexpr double kLongestSleep = 50;
constexpr std::int64_t kFirstMeasure = 10;

enum class Phase : std::uint8_t { kLabels, kSweep, kMeasure };

/// What one thread gathers of its block.
struct Slot {
  RowExtent extent;
  std::vector<double> sum[2];  ///< Σ α·x of each class, negative first
  double least[2] = {0, 0};    ///< of y·θ·x
};

class HardDescent : public Learner {
 public:
  HardDescent(const MarginSettings& settings, const Model* /*start*/) : task_(settings), free_(!settings.origin) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    first_row_ = -1;
    const auto rows = static_cast<std::size_t>(shape.rows);
    alpha_.assign(rows, 0.0);
    square_.assign(rows, 0.0F);
    sign_.assign(rows, 0);
    asleep_.assign(rows, 0);
    name_.assign(rows, 0);
    u_.assign(task_.features(), 0.0);
    phase_ = Phase::kLabels;
    begin_pass();
  }

  void visit(const Batch& batch) override {
    if (phase_ == Phase::kSweep) {
      deadline_.run([&] { sweep(batch); });
      return;
    }
    if (phase_ == Phase::kLabels && first_row_ < 0) first_row_ = batch.row_number.empty() ? batch.first_row : 0;
    deadline_.run([&] {
      blocks_.add(
          batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot_[slot]); },
          [&](std::size_t slot) { fold(slot_[slot]); });
    });
  }

  void synchronise(Comm& comm) override {
    require_one_worker(comm);
    if (phase_ == Phase::kSweep) return;
    deadline_.run([&] {
      blocks_.finish([&](const Batch& rows, std::size_t slot) { process(rows, slot_[slot]); },
                     [&](std::size_t slot) { fold(slot_[slot]); });
    });
  }

  Verdict end_pass(Progress& progress) override {
    bool ended = false;
    const bool whole = deadline_.run([&] { ended = end_phase(); });
    task_.report(progress);
    if (!whole) return Verdict::kContinue;
    if (ended) return Verdict::kConverged;
    begin_pass();
    return Verdict::kContinue;
  }

  std::int64_t passes_to_finish() override {
    next_measure_ = 0;
    return phase_ == Phase::kMeasure ? 1 : phase_ == Phase::kSweep ? 2 : 3;
  }

  Model model() const override { return task_.model(); }
  TrainingStats stats() const override;

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  /// True: the run has ended.
  bool end_phase() {
    bool ended = false;
    switch (phase_) {
      case Phase::kLabels:
        ended = end_labels();
        break;
      case Phase::kSweep:
        end_sweep();
        break;
      case Phase::kMeasure:
        ended = end_measure();
        break;
    }
    return ended;
  }

  std::size_t index_of(const Batch& batch) const { return place_of(batch, first_row_, alpha_.size()); }
  static std::size_t place(int sign) { return sign > 0 ? 1 : 0; }

  void begin_pass() {
    if (phase_ == Phase::kSweep) {
      slot_.clear();
      return;
    }
    blocks_.begin(static_cast<std::int64_t>(alpha_.size()), task_.settings().threads);
    Slot slot;
    for (std::size_t c = 0; c < 2; ++c) {
      slot.least[c] = std::numeric_limits<double>::infinity();
      if (phase_ == Phase::kMeasure) slot.sum[c].assign(task_.features(), 0.0);
    }
    all_ = slot;
    slot_.assign(blocks_.slots(), slot);
  }

  void process(const Batch& batch, Slot& slot) {
    const std::size_t first = index_of(batch);
    for_each_row(batch, [&](const auto& x, std::int64_t i) {
      const std::size_t k = first + static_cast<std::size_t>(i);
      if (batch.weight_of(i) == 0) return;  // its sign stays 0
      if (phase_ == Phase::kLabels) {
        sign_[k] = static_cast<std::int8_t>(task_.sign_of(batch, i));
        name_[k] = batch.number_of(i);
        const double square = squared_norm(x);
        square_[k] = static_cast<float>(square);
        slot.extent.include(square, x.size);
        return;
      }
      const std::size_t c = place(sign_[k]);
      const double score = sign_[k] * dot(x, u_.data());
      slot.least[c] = std::min(slot.least[c], score);
      if (asleep_[k] > 0 && sign_[k] * (score * sign_[k] + offset_) < 1) asleep_[k] = 0;
      if (alpha_[k] > 0) axpy(alpha_[k], x, slot.sum[c].data());
    });
  }

  void fold(Slot& slot) {
    all_.extent.include(slot.extent);
    for (std::size_t c = 0; c < 2; ++c) {
      for (std::size_t j = 0; j < slot.sum[c].size(); ++j) all_.sum[c][j] += slot.sum[c][j];
      std::fill(slot.sum[c].begin(), slot.sum[c].end(), 0.0);
      all_.least[c] = std::min(all_.least[c], slot.least[c]);
    }
  }

  bool end_labels() {
    const auto positive = std::count(sign_.begin(), sign_.end(), std::int8_t{1});
    const auto negative = std::count(sign_.begin(), sign_.end(), std::int8_t{-1});
    if (task_.end_labels(all_.extent, positive, negative)) return true;
    double sum = 0;
    for (const float square : square_) sum += static_cast<double>(square);
    sigma_ = free_ ? kPenalty * sum / static_cast<double>(square_.size()) : 0;
    phase_ = Phase::kSweep;
    return false;
  }

  void sweep(const Batch& batch) {
    const std::size_t first = index_of(batch);
    for_each_row(batch, [&](const auto& x, std::int64_t i) {
      const std::size_t k = first + static_cast<std::size_t>(i);
      poll(x.size);
      if (asleep_[k] > 0 || sign_[k] == 0) {
        if (asleep_[k] > 0) --asleep_[k];
        return;
      }
      const double y = sign_[k], old = alpha_[k];
      const double gradient = y * (dot(x, u_.data()) + offset_ + sigma_ * balance_) - 1;
      if (old == 0 && gradient >= 0) {
        asleep_[k] = static_cast<std::uint8_t>(std::min(gradient * wakefulness_, kLongestSleep));
        return;
      }
      if (old > 0) {
        drift_ += std::abs(gradient);
        ++drifting_;
      }
      const double curvature = static_cast<double>(square_[k]) + sigma_;
      if (!(curvature > 0)) return;  // a row of zeros through the origin
      alpha_[k] = std::max(0.0, old - gradient / curvature);
      const double change = (alpha_[k] - old) * y;
      if (change == 0) return;
      axpy(change, x, u_.data());
      balance_ += change;
    });
  }

  void end_sweep() {
    if (free_) offset_ += sigma_ * balance_;
    const double drift = drifting_ > 0 ? drift_ / static_cast<double>(drifting_) : 0;
    wakefulness_ = drift > 0 ? 1 / (kDrifts * drift) : 0;
    drift_ = 0;
    drifting_ = 0;
    ++sweeps_;
    if (sweeps_ < next_measure_) return;
    next_measure_ = sweeps_ + std::max(kFirstMeasure, sweeps_ / 5);
    phase_ = Phase::kMeasure;
  }

  bool end_measure() {
    task_.offer_separator(u_, all_.least[1], all_.least[0]);
    double sum[2] = {0, 0};
    std::int64_t carried = 0;
    for (std::size_t k = 0; k < alpha_.size(); ++k) {
      if (alpha_[k] > 0) ++carried;
      sum[place(sign_[k])] += alpha_[k];
    }
    balance_ = free_ ? sum[1] - sum[0] : 0;
    const double total = sum[0] + sum[1];
    const double share[2] = {free_ ? sum[0] : total, free_ ? sum[1] : total};
    for (std::size_t j = 0; j < u_.size(); ++j) u_[j] = all_.sum[1][j] - all_.sum[0][j];
    if (share[0] > 0 && share[1] > 0) {
      Sum squared;
      for (std::size_t j = 0; j < u_.size(); ++j) {
        const double v = all_.sum[1][j] / share[1] - all_.sum[0][j] / share[0];
        squared.add(v * v);
      }
      task_.offer_hull(std::sqrt(squared.value()), std::min(static_cast<double>(carried), blocks_.additions()));
    }
    phase_ = Phase::kSweep;
    return task_.converged();
  }

  HardTask task_;
  Deadline deadline_;
  const bool free_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::vector<Slot> slot_;
  Slot all_;
  std::int64_t first_row_ = -1;
  std::vector<double> alpha_;
  std::vector<float> square_;
  std::vector<std::int8_t> sign_;
  std::vector<std::uint8_t> asleep_;  // sweeps for which a row is still to be skipped
  std::vector<std::int64_t> name_;
  std::vector<double> u_;
  double sigma_ = 0, offset_ = 0, balance_ = 0, drift_ = 0, wakefulness_ = 0;
  std::int64_t drifting_ = 0, sweeps_ = 0, next_measure_ = kFirstMeasure;
};

TrainingStats HardDescent::stats() const {
  TrainingStats stats;
  stats.margin_upper_bound = task_.margin_upper_bound();
  for (std::size_t k = 0; k < alpha_.size(); ++k) {
    if (alpha_[k] > 0) stats.hull_weights.emplace_back(name_[k], alpha_[k]);
  }
  std::sort(stats.hull_weights.begin(), stats.hull_weights.end());
  return stats;
}

std::string HardDescent::save_state() const {
  ByteWriter writer;
  writer.text("hard descent 1");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  for (const double x : {sigma_, offset_, balance_, wakefulness_}) writer.number(x);
  for (const std::int64_t x : {first_row_, sweeps_, next_measure_}) writer.number(x);
  writer.numbers(alpha_);
  writer.numbers(square_);
  writer.numbers(sign_);
  writer.numbers(asleep_);
  writer.numbers(name_);
  writer.numbers(u_);
  return writer.bytes();
}

void HardDescent::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("hard descent 1");
  task_.load(reader);
  phase_ = reader.choice(Phase::kMeasure);
  sigma_ = reader.at_least_zero();
  for (double* x : {&offset_, &balance_}) *x = reader.finite();
  wakefulness_ = reader.ordered();
  first_row_ = reader.number<std::int64_t>();
  for (std::int64_t* x : {&sweeps_, &next_measure_}) *x = reader.count();
  const std::size_t rows = alpha_.size();
  alpha_ = reader.numbers<double>(rows);
  square_ = reader.numbers<float>(rows);
  sign_ = reader.numbers<std::int8_t>(rows);
  asleep_ = reader.numbers<std::uint8_t>(rows);
  name_ = reader.numbers<std::int64_t>(rows);
  u_ = reader.numbers<double>(task_.features());
  reader.end();
  require_state(first_row_ >= -1 && wakefulness_ >= 0);
  std::vector<std::int64_t> names;
  for (std::size_t k = 0; k < rows; ++k) {
    require_state(alpha_[k] >= 0 && square_[k] >= 0 && sign_[k] >= -1 && sign_[k] <= 1 && name_[k] >= 0);
    if (sign_[k] != 0) names.push_back(name_[k]);
    require_state(sign_[k] != 0 || alpha_[k] == 0);
  }
  std::sort(names.begin(), names.end());
  require_state(std::adjacent_find(names.begin(), names.end()) == names.end(), "a row in it comes twice");
  begin_pass();
}

}  // namespace

const SolverEntry& hard_descent_solver() {
  static const SolverEntry kEntry = {
      .name = "hard-descent",
      .help = "coordinate descent on the hard margin's dual",
      .order = VisitOrder::kPermuted,
      .make = make_solver<HardDescent>,
      .memory =
          [](std::uint64_t threads, const Shape& /*shape*/) {
            return MemoryRates{.row = 64, .column = 8 * (36 + 2 * threads), .least_column = 56};
          },
  };
  return kEntry;
}

}  // namespace linsep
