// Hard margin with many columns, on any number of workers. Problem and bounds: hard.h.
//
// Method: constraint generation. Every worker has a working set, the same on all, and solves its hard margin by itself
// (descent.cc) to a share of the gap asked for. A pass scores each worker's own rows by the θ found; the rows of all
// workers that lie within the margin, worst first, join the working set. It begins with rows drawn by their numbers.
// θ's margin over all rows is the lower bound, the working set's upper bound holds for all rows. What is exchanged
// doesn't depend on how rows are spread, so the result is the same bits on any number of workers.
//
// Stopping rule: the gap; or a pass brings no row that isn't known though the working set was solved as well as it can
// be, so that only rounding is left. Cost of a pass: a score for each row, and the working set's problem.
// State: the rows of the working set.
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "core/deadline.h"
#include "core/random.h"
#include "kernel/kernel.h"
#include "learn/margin/hard.h"
#include "learn/margin/solvers.h"
#include "linsep/comm.h"
#include "numeric/saved_rows.h"
#include "numeric/worst_rows.h"

namespace linsep {
namespace {

constexpr std::size_t kRowsAPass = 1024;  // that may join, of each class
constexpr double kShareOfGap = 0.25;      // to which the working set is solved
constexpr double kLeastGap = 1e-9;
constexpr std::int64_t kFirstSweeps = 2000;  // of one call; doubled whenever they don't suffice
constexpr std::int64_t kMostSweeps = 64000;
constexpr double kSlack = 1e-9;  // a row is within the margin when y·z is below 1 by more than this
constexpr std::uint64_t kDrawSeed = 0x6861726420726f77;

enum class Phase : std::uint8_t { kDraw, kScan };

/// Rows that keep their arrays, as one batch.
struct RowArrays {
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<double> value, label;
  std::vector<std::int64_t> number;

  void add(const WorkRow& row) {
    column.insert(column.end(), row.column.begin(), row.column.end());
    value.insert(value.end(), row.value.begin(), row.value.end());
    start.push_back(column.size());
    label.push_back(row.sign);
    number.push_back(row.row);
  }
  Batch batch(std::uint32_t features) const {
    Batch rows;
    rows.rows = static_cast<std::int64_t>(number.size());
    rows.features = features;
    rows.is_float = false;
    rows.start = start;
    rows.column = column;
    rows.value64 = value;
    rows.label = label;
    rows.row_number = number;
    return rows;
  }
};

class HardGathered : public Learner {
 public:
  HardGathered(const MarginSettings& settings, const Model* /*start*/) : task_(settings) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    rows_ = {};
    known_.clear();
    inner_.reset();
    inner_gap_ = std::max(kLeastGap, kShareOfGap * task_.settings().gap);
    sweeps_ = kFirstSweeps;
    phase_ = Phase::kDraw;
    begin_pass();
  }

  void visit(const Batch& batch) override {
    for_each_row(batch, [&](const auto& x, std::int64_t i) {
      if (batch.weight_of(i) == 0) return;
      const int sign = task_.sign_of(batch, i);
      const std::size_t c = sign > 0 ? 1 : 0;
      const std::int64_t number = batch.number_of(i);
      if (phase_ == Phase::kDraw) {
        ++count_[c];
        extent_.include(squared_norm(x), x.size);
        worst_[c].offer(0, keyed_hash(kDrawSeed, static_cast<std::uint64_t>(number)), number, sign, x);
        return;
      }
      const double score = sign * dot(x, theta_.data());
      least_[c] = std::min(least_[c], score);
      const bool within = score < (1 - kSlack) - sign * offset_;
      if (within && worst_[c].wants(score)) worst_[c].offer(score, 0, number, sign, x);
    });
  }

  void synchronise(Comm& comm) override {
    comm.all_reduce(std::span(count_), Comm::Op::kSum);
    std::array<double, 4> most = {extent_.longest, extent_.most_values, -least_[0], -least_[1]};
    comm.all_reduce(std::span(most), Comm::Op::kMax);
    extent_.longest = most[0];
    extent_.most_values = most[1];
    least_ = {-most[2], -most[3]};
    for (WorstRows& worst : worst_) worst.synchronise(comm);
  }

  Verdict end_pass(Progress& progress) override {
    bool ended = false;
    const bool whole = deadline_.run([&] { ended = phase_ == Phase::kDraw ? end_draw() : end_scan(); });
    task_.report(progress);
    if (!whole) return Verdict::kContinue;
    if (ended) return task_.converged() ? Verdict::kConverged : Verdict::kStalled;
    begin_pass();
    return Verdict::kContinue;
  }

  std::int64_t passes_to_finish() override { return phase_ == Phase::kDraw ? 2 : 1; }

  Model model() const override { return task_.model(); }
  TrainingStats stats() const override {
    TrainingStats stats;
    stats.margin_upper_bound = task_.margin_upper_bound();
    stats.hull_weights = hull_weights_;
    return stats;
  }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  void begin_pass() {
    count_ = {0, 0};
    extent_ = {};
    least_.fill(std::numeric_limits<double>::infinity());
    worst_.fill(WorstRows(kRowsAPass));
  }

  bool end_draw() {
    if (task_.end_labels(extent_, count_[1], count_[0])) return true;
    phase_ = Phase::kScan;
    add_worst();
    solve();
    return false;
  }

  bool end_scan() {
    task_.offer_separator(theta_, least_[1], least_[0]);
    if (task_.converged()) return true;
    if (add_worst() == 0 && solved_) {
      if (inner_gap_ <= kLeastGap) return true;
      inner_gap_ = std::max(kLeastGap, kShareOfGap * inner_gap_);
      inner_.reset();
    }
    solve();
    return false;
  }

  /// Returns how many rows joined.
  std::size_t add_worst() {
    std::size_t added = 0;
    for (WorstRows& worst : worst_) {
      for (const WorkRow& row : worst.take()) {
        if (!known_.insert(row.row).second) continue;
        rows_.add(row);
        ++added;
      }
    }
    if (added > 0) inner_.reset();
    return added;
  }

  Shape working_shape() const {
    return {static_cast<std::int64_t>(rows_.number.size()), static_cast<std::uint32_t>(task_.features()),
            static_cast<std::int64_t>(rows_.column.size())};
  }

  void make_inner() {
    inner_ = hard_descent_solver().make({.origin = task_.settings().origin, .gap = inner_gap_}, nullptr);
    if (deadline_) inner_->set_stop([this] { return deadline_.expired(); });
    inner_->begin(working_shape());
  }

  /// The working set's hard margin, or as far as the sweeps of one call go.
  void solve() {
    if (!inner_) make_inner();
    const Batch batch = rows_.batch(static_cast<std::uint32_t>(task_.features()));
    const auto alone = solo();
    solved_ = false;
    for (std::int64_t k = 0; k < sweeps_ && !solved_; ++k) {
      Progress progress;
      inner_->visit(batch);
      inner_->synchronise(*alone);
      solved_ = inner_->end_pass(progress) != Verdict::kContinue;
      poll_now();
    }
    if (!solved_) sweeps_ = std::min(2 * sweeps_, kMostSweeps);
    const Model found = inner_->model();
    theta_ = found.theta;
    offset_ = found.offset;
    const TrainingStats stats = inner_->stats();
    if (stats.margin_upper_bound >= task_.margin_upper_bound()) return;
    task_.offer_hull(stats.margin_upper_bound * static_cast<double>(task_.hulls()), 0);
    hull_weights_ = stats.hull_weights;
  }

  HardTask task_;
  Deadline deadline_;
  Phase phase_ = Phase::kDraw;
  std::array<std::int64_t, 2> count_ = {0, 0};  // rows, negative first
  RowExtent extent_;
  std::array<double, 2> least_ = {0, 0};  // of y·θ·x
  std::array<WorstRows, 2> worst_;
  RowArrays rows_;  // the working set
  std::unordered_set<std::int64_t> known_;
  std::unique_ptr<Learner> inner_;  // over the working set; none: to be begun
  double inner_gap_ = 0;
  std::int64_t sweeps_ = kFirstSweeps;
  bool solved_ = false;
  std::vector<double> theta_;  // of the scan under way
  double offset_ = 0;
  std::vector<std::pair<std::int64_t, double>> hull_weights_;
};

std::string HardGathered::save_state() const {
  ByteWriter writer;
  writer.text("hard gathered 1");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  writer.number(inner_gap_);
  writer.number(sweeps_);
  writer.number(static_cast<std::uint8_t>(solved_));
  writer.numbers(theta_);
  writer.number(offset_);
  writer.numbers(rows_.start);
  writer.numbers(rows_.column);
  writer.numbers(rows_.value);
  writer.numbers(rows_.label);
  writer.numbers(rows_.number);
  writer.number<std::uint64_t>(hull_weights_.size());
  for (const auto& [row, weight] : hull_weights_) {
    writer.number(row);
    writer.number(weight);
  }
  writer.text(inner_ ? inner_->save_state() : "");
  return writer.bytes();
}

void HardGathered::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("hard gathered 1");
  const std::size_t begun = task_.features();  // 0 where `begin` wasn't called
  task_.load(reader);
  const std::size_t features = task_.features();
  const auto phase = reader.number<std::uint8_t>();
  inner_gap_ = reader.number<double>();
  sweeps_ = reader.number<std::int64_t>();
  solved_ = reader.number<std::uint8_t>() != 0;
  theta_ = reader.numbers<double>();
  offset_ = reader.number<double>();
  rows_.start = reader.numbers<std::uint64_t>();
  rows_.column = reader.numbers<std::uint32_t>();
  rows_.value = reader.numbers<double>();
  rows_.label = reader.numbers<double>();
  rows_.number = reader.numbers<std::int64_t>();
  hull_weights_.clear();
  for (auto left = reader.number<std::uint64_t>(); left > 0; --left) {
    const auto row = reader.number<std::int64_t>();
    hull_weights_.emplace_back(row, reader.number<double>());
  }
  const std::string inner = reader.text();
  reader.end();
  const auto finite = [](double x) { return std::isfinite(x); };
  const std::size_t rows = rows_.number.size();
  require_state(phase <= 1 && (begun == 0 || features == begun) && inner_gap_ > 0 && inner_gap_ <= 1 && sweeps_ > 0 &&
                sweeps_ <= kMostSweeps);
  require_state((phase == 0 ? theta_.empty() : theta_.size() == features) && std::ranges::all_of(theta_, finite));
  require_state(rows_.start.size() == rows + 1 && rows_.label.size() == rows && rows_.start.front() == 0);
  require_state(rows_.start.back() == rows_.column.size() && rows_.value.size() == rows_.column.size());
  require_state(std::isfinite(offset_) && std::ranges::is_sorted(rows_.start));
  require_state(std::ranges::all_of(rows_.value, finite));
  require_state(std::ranges::all_of(rows_.column, [&](std::uint32_t j) { return j < features; }));
  require_state(std::ranges::all_of(rows_.label, [](double y) { return y == 1 || y == -1; }));
  require_state(std::ranges::all_of(hull_weights_, [&](const auto& w) { return w.first >= 0 && finite(w.second); }));
  phase_ = static_cast<Phase>(phase);
  known_ = {rows_.number.begin(), rows_.number.end()};
  inner_.reset();
  if (!inner.empty()) {
    require_state(rows > 0);
    make_inner();
    inner_->load_state(inner);
  }
  begin_pass();
}

}  // namespace

const SolverEntry& hard_gathered_solver() {
  static const SolverEntry kEntry = {
      .name = "hard-gathered",
      .help = "coordinate descent on the hard margin's dual, on rows gathered from all workers",
      .any_workers = true,
      .make = make_solver<HardGathered>,
      .memory = [](std::uint64_t /*threads*/,
                   const Shape& /*shape*/) { return MemoryRates{.row = 64, .column = 8 * 36, .least_column = 56}; },
  };
  return kEntry;
}

}  // namespace linsep
