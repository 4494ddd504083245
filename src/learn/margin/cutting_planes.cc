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
#include <cmath>
#include <utility>

#include "kernel/kernel.h"
#include "learn/margin/hinge_line.h"
#include "learn/margin/plane_bundle.h"
#include "learn/margin/solvers.h"
#include "learn/margin/surveyed_task.h"
#include "numeric/row_blocks.h"

namespace linsep {
namespace {

constexpr double kAhead = 0.1;  // how far towards w a plane is taken
constexpr std::int64_t kMostStuck = 5;
constexpr double kLeastProgress = 0.1;  // of what the gap was when rounds began to get stuck

enum class Phase : std::uint8_t { kLabels, kScores, kPlane, kDone };

class CuttingPlanes : public Learner {
 public:
  CuttingPlanes(const MarginSettings& settings, const Model* start) : task_(settings, start) {}

  void set_stop(const StopFunction& stop) override {
    stop_.set(stop);
    blocks_.set_stop(&stop_);
  }

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
    stop_.run([&] { blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot); }); });
  }

  void synchronise(Comm& comm) override {
    stop_.run([&] { end_rows(comm); });
  }

  Verdict end_pass(Progress& progress) override {
    if (stop_.stopped()) return report_stopped(task_, progress);
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
        start ? HingeLine::Trial{1, 0, line_.touch(1, task_, comm)} : line_.search(theta_, w_, task_, comm, stop_);
    for (std::size_t j = 0; j < w_.size(); ++j) theta_[j] += best.t * (w_[j] - theta_[j]);
    line_.move(best.t);
    const double primal = squared_length(theta_) / 2 + best.at.risk;
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
    const double alphas = bundle_.beta(), square = squared_length(w_);
    const double theta_error = task_.fixed().error(step_) + sum_rounding(task_.extent(), alphas, 64);
    task_.offer_dual(alphas - square / 2, dual_rounding(task_.extent(), alphas, bundle_.imbalance(), std::sqrt(square),
                                                        theta_error, alphas));
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
  StopPoint stop_;
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
  writer.text("margin planes 1");
  task_.save(writer);
  bundle_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  // The scores of w are made anew by the next pass for them, and so are bends unless a plane is being taken.
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
  reader.expect("margin planes 1");
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
      .make = [](const MarginSettings& settings, const Model* start) -> std::unique_ptr<Learner> {
        return std::make_unique<CuttingPlanes>(settings, start);
      },
      .memory =
          [](std::uint64_t threads) {
            return MemoryRates{.row = 64, .column = 8 * (160 + 2 * threads), .least_column = 80};
          },
  };
  return kEntry;
}

}  // namespace linsep
