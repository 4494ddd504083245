// Hard margin with few columns. Problem and bounds: hard.h.
//
// Method: nearest points of the hulls (numeric/nearest_points.h) of a working set, to the last digits. v = p − q is the
// direction of θ; a scan of all rows gives θ's margin and the rows nearest to the boundary, and those that are nearer
// than the working set's join it (ties: any one of rows with equal scores, the first). The first direction is the
// difference of the class means. The upper bound is that of the working set. Of several workers each scans its own
// rows; the worst of all join the working set, which is the same on all.
//
// Stopping rule: the gap; or a scan brings no row that isn't known, so that only rounding is left. Cost of a pass: a
// score for each row. State: the rows of the working set and three numbers per column.
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "kernel/kernel.h"
#include "learn/margin/hard.h"
#include "learn/margin/solvers.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/nearest_points.h"
#include "numeric/row_blocks.h"
#include "numeric/worst_rows.h"

namespace linsep {
namespace {

constexpr double kTolerance = 1e-12;  // of the working set's problem, as a share of ‖v‖²
constexpr std::size_t kFewest = 64, kMost = 1024;

enum class Phase : std::uint8_t { kMeans, kScan };

/// What one thread gathers of its block.
struct Slot {
  RowExtent extent;
  std::int64_t count[2] = {0, 0};  ///< rows, negative first
  std::vector<double> sum[2];
  double least[2] = {0, 0};  ///< of y·θ·x
  WorstRows worst[2];
};

class HardNearest : public Learner {
 public:
  HardNearest(const MarginSettings& settings, const Model* /*start*/) : task_(settings) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    rows_ = shape.rows;
    points_.reset();
    hull_weights_.clear();
    known_.clear();
    paused_ = false;
    phase_ = Phase::kMeans;
    begin_pass();
  }

  void visit(const Batch& batch) override {
    deadline_.run([&] {
      blocks_.add(
          batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot_[slot]); },
          [&](std::size_t slot) { fold(slot_[slot]); });
    });
  }

  void synchronise(Comm& comm) override {
    deadline_.run([&] {
      blocks_.finish([&](const Batch& rows, std::size_t slot) { process(rows, slot_[slot]); },
                     [&](std::size_t slot) { fold(slot_[slot]); });
      if (comm.size() > 1) gather(comm);
    });
  }

  Verdict end_pass(Progress& progress) override {
    bool ended = false;
    const bool whole = deadline_.run([&] { ended = phase_ == Phase::kMeans ? end_means() : end_scan(); });
    task_.report(progress);
    if (!whole) return Verdict::kContinue;
    if (ended) return task_.converged() ? Verdict::kConverged : Verdict::kStalled;
    begin_pass();
    return Verdict::kContinue;
  }

  std::int64_t passes_to_finish() override { return phase_ == Phase::kMeans ? 2 : 1; }

  Model model() const override { return task_.model(); }
  TrainingStats stats() const override;

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  static std::size_t place(int sign) { return sign > 0 ? 1 : 0; }
  std::size_t hull(int sign) const { return task_.settings().origin ? 0 : place(sign); }

  void begin_pass() {
    blocks_.begin(rows_, task_.settings().threads);
    all_ = fresh_slot();
    slot_.assign(blocks_.slots(), all_);
  }

  Slot fresh_slot() const {
    Slot slot;
    const std::size_t limit = std::clamp(2 * (task_.features() + 1), kFewest, kMost);
    for (std::size_t c = 0; c < 2; ++c) {
      slot.least[c] = std::numeric_limits<double>::infinity();
      if (phase_ == Phase::kMeans) slot.sum[c].assign(task_.features(), 0.0);
      if (phase_ == Phase::kScan) slot.worst[c] = WorstRows(limit);
    }
    return slot;
  }

  void process(const Batch& batch, Slot& slot) {
    for_each_row(batch, [&](const auto& x, std::int64_t i) {
      if (batch.weight_of(i) == 0) return;
      const int sign = task_.sign_of(batch, i);
      const std::size_t c = place(sign);
      if (phase_ == Phase::kMeans) {
        ++slot.count[c];
        slot.extent.include(linsep::squared_norm(x), x.size);
        axpy(1, x, slot.sum[c].data());
        return;
      }
      const double score = sign * dot(x, theta_.data());
      slot.least[c] = std::min(slot.least[c], score);
      if (slot.worst[c].wants(score)) slot.worst[c].offer(score, 0, batch.number_of(i), sign, x);
    });
  }

  void fold(Slot& slot) {
    all_.extent.include(slot.extent);
    for (std::size_t c = 0; c < 2; ++c) {
      all_.count[c] += slot.count[c];
      for (std::size_t j = 0; j < slot.sum[c].size(); ++j) all_.sum[c][j] += slot.sum[c][j];
      all_.least[c] = std::min(all_.least[c], slot.least[c]);
      all_.worst[c].absorb(slot.worst[c]);
    }
    slot = fresh_slot();
  }

  /// What all workers have gathered.
  void gather(Comm& comm) {
    std::array<double, 4> most = {all_.extent.longest, all_.extent.most_values, -all_.least[0], -all_.least[1]};
    comm.all_reduce(std::span(most), Comm::Op::kMax);
    all_.extent.longest = most[0];
    all_.extent.most_values = most[1];
    for (std::size_t c = 0; c < 2; ++c) all_.least[c] = -most[2 + c];
    comm.all_reduce(std::span(all_.count), Comm::Op::kSum);
    for (std::size_t c = 0; c < 2; ++c) {
      if (phase_ == Phase::kMeans) exact_all_reduce(comm, std::span(all_.sum[c]));
      if (phase_ == Phase::kScan) all_.worst[c].synchronise(comm);
    }
  }

  bool end_means() {
    if (task_.end_labels(all_.extent, all_.count[1], all_.count[0])) return true;
    // Values are scaled to norms of at most 1 by a power of two, which changes no digit.
    scale_ = task_.extent().longest > 0 ? std::ldexp(1.0, -std::ilogb(task_.extent().longest) - 1) : 1;
    theta_.assign(task_.features(), 0.0);
    for (std::size_t j = 0; j < theta_.size(); ++j) {
      for (std::size_t c = 0; c < 2; ++c) {
        const double sign = c == 1 ? 1 : -1;
        if (all_.count[c] > 0) theta_[j] += sign * all_.sum[c][j] / static_cast<double>(all_.count[c]);
      }
    }
    points_ = std::make_unique<NearestPoints>(task_.features(), task_.hulls());
    phase_ = Phase::kScan;
    return false;
  }

  bool below_level(const WorkRow& row) const {
    const double score = dot(SparseRow<double>{row.column.data(), row.value.data(), row.column.size()}, theta_.data());
    return row.sign * score * scale_ < points_->level(hull(row.sign)) - kTolerance * points_->squared_norm();
  }

  /// Those that the bound rests on: a later solution may be stopped in its midst.
  void note_hull_weights() {
    hull_weights_.clear();
    for (std::size_t c = 0; c < points_->corral().size(); ++c) {
      hull_weights_.emplace_back(points_->name(points_->corral()[c]), points_->weights()[c]);
    }
    std::sort(hull_weights_.begin(), hull_weights_.end());
  }

  bool end_scan() {
    task_.offer_separator(theta_, all_.least[1], all_.least[0]);
    if (task_.converged()) return true;
    std::size_t added = 0;
    const bool first = points_->rows() == 0;
    for (std::size_t c = 0; c < 2; ++c) {
      for (WorkRow& row : all_.worst[c].take()) {
        if (!first && !below_level(row)) continue;
        if (!known_.insert(row.row).second) continue;
        for (double& value : row.value) value *= scale_ * row.sign;
        points_->add(row.column, row.value, hull(row.sign), row.row);
        ++added;
      }
    }
    if (added == 0 && !paused_) return true;
    const NearestPoints::End end = points_->solve(kTolerance);
    paused_ = end == NearestPoints::End::kPaused;
    theta_ = points_->direction();
    task_.offer_hull(std::sqrt(points_->squared_norm()) / scale_, static_cast<double>(points_->corral().size()));
    note_hull_weights();
    return end == NearestPoints::End::kZero;
  }

  HardTask task_;
  Deadline deadline_;
  Phase phase_ = Phase::kMeans;
  std::int64_t rows_ = 0;
  RowBlocks blocks_;
  std::vector<Slot> slot_;
  Slot all_;
  double scale_ = 1;
  std::vector<double> theta_;  // the direction of the scan under way
  std::unique_ptr<NearestPoints> points_;
  std::vector<std::pair<std::int64_t, double>> hull_weights_;  // by row
  std::unordered_set<std::int64_t> known_;
  bool paused_ = false;  // the working set's problem isn't solved to the end yet
};

TrainingStats HardNearest::stats() const {
  TrainingStats stats;
  stats.margin_upper_bound = task_.margin_upper_bound();
  stats.hull_weights = hull_weights_;
  return stats;
}

std::string HardNearest::save_state() const {
  ByteWriter writer;
  writer.text("hard nearest 1");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  writer.number(rows_);
  writer.number(scale_);
  writer.numbers(theta_);
  writer.number(static_cast<std::uint8_t>(paused_));
  writer.number(static_cast<std::uint8_t>(points_ != nullptr));
  if (points_) points_->save(writer);
  return writer.bytes();
}

void HardNearest::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("hard nearest 1");
  task_.load(reader);
  phase_ = reader.choice(Phase::kScan);
  require_state(reader.number<std::int64_t>() == rows_);
  scale_ = reader.finite();
  require_state(scale_ > 0);
  theta_ = reader.numbers_or_none<double>(task_.features());
  points_.reset();
  known_.clear();
  paused_ = reader.flag();
  if (reader.flag()) {
    points_ = std::make_unique<NearestPoints>(task_.features(), task_.hulls());
    points_->load(reader);
    for (std::size_t i = 0; i < points_->rows(); ++i) {
      require_state(points_->name(i) >= 0 && known_.insert(points_->name(i)).second, "a row in it comes twice");
    }
    note_hull_weights();
  }
  reader.end();
  require_state(phase_ == Phase::kMeans || (points_ != nullptr && theta_.size() == task_.features()));
  begin_pass();
}

}  // namespace

const SolverEntry& hard_nearest_solver() {
  static const SolverEntry kEntry = {
      .name = "nearest-points",
      .help = "nearest points of the two hulls, on a working set of rows",
      .make = make_solver<HardNearest>,
      .memory =
          [](std::uint64_t threads, const Shape& /*shape*/) {
            return MemoryRates{.row = 64, .column = 8 * (36 + 2 * threads), .square = 8 * 40, .least_column = 56};
          },
  };
  return kEntry;
}

}  // namespace linsep
