// Problem: min over θ, θ0 of F(θ, θ0) (gap.h) with a penalty that has an L1 part (penalty.h), for a loss with a
// curvature.
//
// Method: proximal Newton on a working set, every step a pass over rows. A gradient pass scores the rows at a new point
// and sums v = Σ α_i·y_i·x_i over all columns. The working set W holds the support and the columns that violate
// optimality most. A Hessian pass sums H = Σ D_i·x_i·x_iᵀ over W, D_i = c_i·ℓ″(m_i), with the offset eliminated. The
// quadratic model is then minimized on W by coordinate descent (l1_quadratic.h), and the next gradient pass tries its
// minimizer. A point that doesn't lower F enough is given up for one on the way to it: scores are linear along the way,
// so the search looks at scores alone. How exactly the model is minimized decides how many passes there are: until its
// greatest violation is a tenth of min(0.1, v₀)·v₀, where v₀ is what it was at the start.
// Where the model promises more than there is to gain, or the last step had to be shortened, it is damped: H +
// μ·diag(H).
//
// Solver `columns` needs no Hessian: coordinate descent minimizes the same model through a copy of the rows by columns,
// one entry at a time. That takes less where there are many columns, and one worker that can hold the copy.
//
// Bounds: v is summed for each class by itself. α scaled by class, to Σ α_i·y_i = 0, and as a whole, to where the
// conjugate is 0, is dual feasible at any offset; its dual value takes the scores alone.
//
// Zeros: the dual is strongly concave, Σ (α_i − α*_i)²/c_i ≤ 2·L·gap with L ≥ ℓ″, so v*_j is within
// √(2·L·gap·Σ c_i·(x_ij − x̄_j)²) of v_j. A column with |v*_j| < ρ certainly has weight 0 at the optimum (Ndiaye et al.,
// 2017).
//
// Workers: sums by column are in fixed point (numeric/fixed_point.h), sums over rows exact (exact_all_reduce.h). Terms
// of H are rounded to a common grid so coarse that their sums are exact in doubles, whatever their order. Exchanged: 2d
// numbers for a gradient, |W|²/2 for a Hessian.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/random.h"
#include "kernel/kernel.h"
#include "learn/margin/column_store.h"
#include "learn/margin/grid_sums.h"
#include "learn/margin/l1_quadratic.h"
#include "learn/margin/proximal_step.h"
#include "learn/margin/solvers.h"
#include "learn/margin/task.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/row_blocks.h"

namespace linsep {
namespace {

constexpr std::size_t kFirstColumns = 512;  // of a working set that begins
constexpr std::size_t kMostColumns = 4096;  // of any: 64 MB for each thread
constexpr double kRoundings = 16;           // by which a step may raise F
constexpr int kMostHalvings = 40, kMostSweeps = 2000;
constexpr double kLeastCurvature = 0.03;
constexpr double kLeastDiagonal = 1e-10;
constexpr double kEnough = 0.3;           // of the gap, as a violation that a model's minimizer may leave
constexpr std::int64_t kTakenBefore = 4;  // steps that a new λ begins with, for how much a model is worth
constexpr double kUnit = ProximalStep::kUnit;

/// Puts coordinates into the order of sweep number `sweep`: a random one, new in every sweep, because coordinates that
/// resemble each other can take many times the sweeps in a fixed order (Lee and Wright, 2019). Those with a weight in
/// `u` come first, so that of equal coordinates the one that has the weight keeps it and the others stay 0.
void order_sweep(std::span<std::uint32_t> order, std::span<const double> u, int sweep) {
  Random random(static_cast<std::uint64_t>(sweep));
  for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[random.below(left)]);
  std::stable_partition(order.begin(), order.end(), [&](std::uint32_t k) { return u[k] != 0; });
}

enum class Phase : std::uint8_t { kLabels, kGradient, kHessian, kColumns, kDone };

/// What the quadratic model is summed from: its Hessian over W, by a pass; or a copy of the rows by columns, which one
/// worker can hold, through which coordinate descent goes without a Hessian.
enum class ModelBy : std::uint8_t { kHessian, kColumns };

class WorkingSet : public LambdaLearner {
 public:
  WorkingSet(const MarginSettings& settings, const Model* start, ModelBy model_by)
      : model_by_(model_by), task_(settings, start) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    for (std::vector<double>* v : {&z_, &trial_z_, &curvature_}) v->assign(task_.rows(), 0);
    w_.assign(task_.features(), 0);
    place_.assign(task_.features(), kOutside);
    phase_ = Phase::kLabels;
    begin_blocks();
  }

  void visit(const Batch& batch) override {
    if (phase_ == Phase::kLabels) task_.visit_labels(batch);
    if (phase_ == Phase::kColumns) return store_.add(batch, task_.index_of(batch), task_.cost());
    deadline_.run([&] { blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot); }); });
  }

  void synchronise(Comm& comm) override {
    deadline_.run([&] { end_rows(comm); });
  }

  Verdict end_pass(Progress& progress) override {
    if (deadline_.cut_off()) return report_stopped(task_, progress);
    task_.report(progress);
    if (phase_ == Phase::kDone) return Verdict::kConverged;
    return task_.verdict() == Verdict::kContinue && step_.stalled() ? Verdict::kStalled : task_.verdict();
  }

  bool change_lambda(double lambda) override;

  Model model() const override {
    Model model = task_.model();
    model.open_zeros = open_zeros(model.theta);
    return model;
  }
  TrainingStats stats() const override { return task_.stats(); }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  static constexpr std::uint32_t kOutside = ~std::uint32_t{0};

  /// What a thread adds up.
  struct Slot {
    std::vector<std::int64_t> columns;    // two for each column: Σ α_i·x_ij of the positive class, of the negative
    std::vector<std::int64_t> centre;     // two for each column: Σ c_i·x_ij, Σ c_i·x_ij²; of the first gradient
    std::vector<double> hessian, border;  // on the grid
    std::vector<std::uint32_t> hit;       // places in W of a row's columns, and their scaled values
    std::vector<double> value;
    ExactSum loss, curvature;
    std::array<ExactSum, 2> alphas;  // by class
  };

  /// The quadratic model without its Hessian.
  struct ColumnModel {
    std::vector<double> v, diagonal, border;  // by place in W, the offset eliminated; Σ D_i·x_ij
    std::vector<double> curved;               // by row of the extract: D_i times the change of the score
    double moved = 0;                         // Σ D_i times the change of the score
  };

  Loss loss() const { return task_.settings().loss; }
  const Penalty& penalty() const { return task_.penalty(); }
  bool origin() const { return task_.settings().origin; }

  void begin_blocks();
  void process(const Batch& batch, std::size_t slot);
  template <class AnyLoss, class Row>
  void gradient_of(const AnyLoss& l, const Row& row, std::size_t i, Slot& slot);
  template <class Row>
  void hessian_of(const Row& row, std::size_t i, Slot& slot) const;

  void end_rows(Comm& comm);
  void end_labels(Comm& comm);
  void begin_gradient();
  void end_gradient(Comm& comm);
  void end_centre(Comm& comm);
  void shorten(Comm& comm);
  void offer_bounds(Comm& comm);
  std::optional<std::vector<std::uint64_t>> open_zeros(const std::vector<double>& theta) const;
  void begin_hessian();
  void begin_columns();
  void choose_columns();
  void end_hessian(Comm& comm);
  void step_by_columns();
  double pulled(const ColumnModel& model, double share, std::size_t k) const;
  void descend_columns(ColumnModel& model, double share, std::span<double> u, double tolerance) const;
  void set_target(std::span<const double> v, std::span<const double> u, double offset_step);

  const ModelBy model_by_;
  SurveyedTask task_;
  ColumnStore store_;
  ColumnExtract extract_;  // of W, for one step
  Deadline deadline_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::vector<Slot> slot_;
  // By row: scores at w_ and at the point that is tried, and D.
  std::vector<double> z_, trial_z_, curvature_;
  std::vector<double> dual_v_;  // by column: at least |v| of the best dual point; empty without one
  // By column: the point, the model's minimizer, what is tried on the way to it, v by class, Σ c_i·(x_ij − x̄_j)².
  std::vector<double> w_, target_, trial_, square_;
  std::array<std::vector<double>, 2> v_;
  double offset_ = 0, target_offset_ = 0, trial_offset_ = 0;
  ProximalStep step_;
  double total_loss_ = 0, total_curvature_ = 0, slope_step_ = 1;
  std::array<double, 2> alphas_ = {};  // Σ α_i by class
  double curvature_scale_ = 1;
  std::vector<std::uint32_t> columns_, place_;  // W, ascending, and each column's place in it
  std::vector<double> column_scale_;            // by place: a power of two
  L1Quadratic model_;
};

void WorkingSet::begin_blocks() {
  const double hits = static_cast<double>(columns_.size());
  blocks_.begin(static_cast<std::int64_t>(task_.rows()), task_.threads(),
                phase_ == Phase::kHessian ? 1 + hits / 64 : 1);
  if (phase_ == Phase::kLabels) task_.begin_survey(blocks_.slots());
  slot_.resize(blocks_.slots());
  const std::size_t features = task_.features(), size = columns_.size();
  const bool gradient = phase_ == Phase::kGradient, first = gradient && square_.empty();
  const bool hessian = phase_ == Phase::kHessian && model_by_ == ModelBy::kHessian;
  for (Slot& slot : slot_) {
    slot.columns.assign(gradient ? 2 * features : 0, 0);
    slot.centre.assign(first ? 2 * features : 0, 0);
    slot.hessian.assign(hessian ? triangle_size(size) : 0, 0);
    slot.border.assign(hessian ? size : 0, 0);
    slot.hit.resize(hessian ? size : 0);
    slot.value.resize(hessian ? size : 0);
    slot.loss = slot.curvature = slot.alphas[0] = slot.alphas[1] = {};
  }
}

void WorkingSet::process(const Batch& batch, std::size_t number) {
  if (phase_ == Phase::kLabels) return task_.survey(batch, number);
  const std::size_t first = task_.index_of(batch);
  Slot& slot = slot_[number];
  if (phase_ == Phase::kGradient) {
    with_loss(loss(), [&](auto l) {
      for_each_row(batch, [&](const auto& row, std::int64_t i) {
        gradient_of(l, row, first + static_cast<std::size_t>(i), slot);
      });
    });
  } else if (phase_ == Phase::kHessian && model_by_ == ModelBy::kHessian) {
    for_each_row(batch,
                 [&](const auto& row, std::int64_t i) { hessian_of(row, first + static_cast<std::size_t>(i), slot); });
  }
}

template <class AnyLoss, class Row>
void WorkingSet::gradient_of(const AnyLoss& l, const Row& row, std::size_t i, Slot& slot) {
  const double z = trial_z_[i] = dot(row, trial_.data());
  const double cost = std::abs(task_.cost()[i]), y = task_.label(i);
  const std::size_t side = y > 0 ? 0 : 1;
  const double m = y * (z + trial_offset_);
  const LossAt at = l.at(m);
  const double alpha = cost * at.slope;
  // Of a row far on the wrong side hardly anything is left of ℓ″, though not of its pull: the model needs a least
  // value.
  curvature_[i] = cost * std::max(at.curvature, m < 0 ? kLeastCurvature * at.slope / (1 - m) : 0);
  slot.loss.add(cost * at.value);
  slot.alphas[side].add(alpha);
  slot.curvature.add(curvature_[i]);
  const FixedColumns& fixed = task_.fixed();
  if (alpha != 0) {
    const double term = alpha * slope_step_;
    std::int64_t* columns = slot.columns.data() + side;
    for_each_entry(row, [&](std::uint32_t j, double x) {
      add_units(columns[2 * j], whole_units(term * (x * fixed.scale(j).column)));
    });
  }
  if (slot.centre.empty() || cost == 0) return;
  const double term = cost * FixedColumns::step(1);
  for_each_entry(row, [&](std::uint32_t j, double x) {
    const FixedColumns::Scale& scale = fixed.scale(j);
    const double units = term * (x * scale.column);
    add_units(slot.centre[2 * j], whole_units(units));
    add_units(slot.centre[2 * j + 1], whole_units(units * (x * scale.square)));
  });
}

template <class Row>
void WorkingSet::hessian_of(const Row& row, std::size_t i, Slot& slot) const {
  const double curvature = curvature_[i] * curvature_scale_;
  if (curvature == 0) return;
  std::size_t hits = 0;
  std::uint32_t* hit = slot.hit.data();
  double* value = slot.value.data();
  for_each_entry(row, [&](std::uint32_t j, double x) {
    const std::uint32_t place = place_[j];
    if (place == kOutside || x == 0) return;
    hit[hits] = place;
    value[hits++] = x * column_scale_[place];
  });
  const std::size_t size = columns_.size();
  for (std::size_t a = 0; a < hits; ++a) {
    const double curved = curvature * value[a];
    double* line = slot.hessian.data() + triangle_begin(hit[a], size);
    slot.border[hit[a]] += on_grid(curved);
    for (std::size_t b = a; b < hits; ++b) line[hit[b]] += on_grid(curved * value[b]);
  }
}

void WorkingSet::end_rows(Comm& comm) {
  blocks_.finish([&](const Batch& rows, std::size_t slot) { process(rows, slot); });
  switch (phase_) {
    case Phase::kLabels:
      end_labels(comm);
      break;
    case Phase::kGradient:
      end_gradient(comm);
      break;
    case Phase::kHessian:
      end_hessian(comm);
      break;
    case Phase::kColumns:
      step_by_columns();
      break;
    case Phase::kDone:
      break;
  }
  begin_blocks();
}

void WorkingSet::end_labels(Comm& comm) {
  if (model_by_ == ModelBy::kColumns) require_one_worker(comm);
  if (task_.end_survey(comm)) {
    phase_ = Phase::kDone;
    return;
  }
  offset_ = task_.offset();
  if (!task_.start_theta().empty()) {
    w_ = task_.start_theta();
    offset_ = task_.start_offset();
  }
  target_ = w_;
  target_offset_ = offset_;
  begin_gradient();
}

void WorkingSet::begin_gradient() {
  trial_ = target_;
  trial_offset_ = target_offset_;
  if (step_.length < 1) {
    for (std::size_t j = 0; j < w_.size(); ++j) trial_[j] = w_[j] + step_.length * (target_[j] - w_[j]);
    trial_offset_ = offset_ + step_.length * (target_offset_ - offset_);
  }
  const double farthest = task_.columns().farthest_score(trial_) + std::abs(trial_offset_);
  slope_step_ = FixedColumns::step(steepest_slope(loss(), farthest));
  phase_ = Phase::kGradient;
}

void WorkingSet::end_gradient(Comm& comm) {
  Slot& all = slot_.front();
  for (std::size_t s = 1; s < slot_.size(); ++s) {
    fold(all.columns, slot_[s].columns);
    fold(all.centre, slot_[s].centre);
    all.loss.add(slot_[s].loss);
    all.curvature.add(slot_[s].curvature);
    for (std::size_t side : {0, 1}) all.alphas[side].add(slot_[s].alphas[side]);
  }
  const std::array<ExactSum*, 4> sums = {&all.loss, &all.curvature, &all.alphas[0], &all.alphas[1]};
  exact_all_reduce(comm, sums);
  const double value = penalty().value(trial_) + all.loss.value();
  if (step_.length == 1 && !step_.lowers_enough(value, 1, kRoundings)) return shorten(comm);
  comm.all_reduce(std::span(all.columns), Comm::Op::kSum);
  if (!all.centre.empty()) end_centre(comm);
  step_.accept(value);
  std::swap(w_, trial_);
  std::swap(z_, trial_z_);
  offset_ = trial_offset_;
  total_loss_ = all.loss.value();
  total_curvature_ = all.curvature.value();
  for (std::size_t side : {0, 1}) {
    const double sign = side == 0 ? 1 : -1;
    alphas_[side] = all.alphas[side].value();
    v_[side].resize(w_.size());
    for (std::size_t j = 0; j < w_.size(); ++j) {
      v_[side][j] = sign * task_.fixed().value(j, all.columns[2 * j + side], slope_step_);
    }
  }
  offer_bounds(comm);
  if (model_by_ == ModelBy::kHessian || task_.converged()) {
    begin_hessian();
  } else if (store_.empty()) {
    begin_columns();
  } else {
    step_by_columns();
  }
}

void WorkingSet::end_centre(Comm& comm) {
  std::vector<std::int64_t>& sums = slot_.front().centre;
  comm.all_reduce(std::span(sums), Comm::Op::kSum);
  square_.resize(w_.size());
  for (std::size_t j = 0; j < w_.size(); ++j) {
    const double step = FixedColumns::step(1), square = task_.fixed().square_value(j, sums[2 * j + 1], step);
    const double mean = origin() ? 0 : task_.fixed().value(j, sums[2 * j], step) / task_.costs();
    // Rounded up, by more than the sums were cut off.
    square_[j] = std::max(0.0, square - mean * mean * task_.costs()) + 0x1p-40 * square;
  }
}

// Scores between z_ and trial_z_.
void WorkingSet::shorten(Comm& comm) {
  std::vector<double> z(z_.size());
  for (int halving = 0; halving < kMostHalvings; ++halving) {
    poll_now();
    step_.length /= 2;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = z_[i] + step_.length * (trial_z_[i] - z_[i]);
    const double offset = offset_ + step_.length * (target_offset_ - offset_);
    Sum value;
    for (std::size_t j = 0; j < w_.size(); ++j) {
      value.add(penalty().value(w_[j] + step_.length * (target_[j] - w_[j])));
    }
    value.add(total_loss(loss(), task_.cost(), z, offset, task_.threads(), comm));
    if (step_.lowers_enough(value.value(), step_.length, kRoundings)) break;
  }
  begin_gradient();
}

// Scales α of each class to Σ α_i·y_i = 0, and both to where no |v_j| exceeds ρ. Where the conjugate is finite beyond
// that, α as it is may be better.
void WorkingSet::offer_bounds(Comm& comm) {
  const RowExtent& extent = task_.extent();
  const double norm = std::sqrt(squared_length(w_));
  const double steepest = mean_slope(loss(), total_loss_ / task_.costs());
  task_.offer_primal(step_.value, primal_rounding(extent, task_.costs(), steepest, norm, offset_, step_.value), w_,
                     offset_);

  std::array<double, 2> factor = {1, 1};
  if (!origin()) {
    const double least = std::min(alphas_[0], alphas_[1]);
    for (std::size_t side : {0, 1}) factor[side] = alphas_[side] > 0 ? least / alphas_[side] : 0;
  }
  const double alphas = factor[0] * alphas_[0] + factor[1] * alphas_[1];
  // At least |v_j|: with what was cut off and rounded, and what a balance that is exact would change.
  std::vector<double> v(w_.size());
  double greatest = 0;
  for (std::size_t j = 0; j < w_.size(); ++j) {
    const double error =
        task_.fixed().error(j, task_.columns(), slope_step_) + 32 * kUnit * alphas * task_.columns().greatest[j];
    v[j] = std::abs(factor[0] * v_[0][j] + factor[1] * v_[1][j]) + error;
    greatest = std::max(greatest, v[j]);
  }
  const double within = greatest > penalty().l1_ratio ? (1 - 0x1p-50) * penalty().l1_ratio / greatest : 1;
  const auto dual_at = [&](double scale) {
    const std::array<double, 2> scaled = {factor[0] * scale, factor[1] * scale};
    const auto sums = with_loss(loss(), [&](auto l) {
      return exact_all_reduce_sums<2>(comm, z_.size(), task_.threads(),
                                      [&](std::size_t i, std::array<ExactSum, 2>& sum) {
                                        const double cost = std::abs(task_.cost()[i]), y = task_.label(i);
                                        const double a = l.at(y * (z_[i] + offset_)).slope * scaled[y > 0 ? 0 : 1];
                                        const double term = cost * l.dual(a);
                                        sum[0].add(term);
                                        sum[1].add(std::abs(term));
                                      });
    });
    Sum conjugate;
    for (const double x : v) conjugate.add(penalty().conjugate(scale * x));
    const double rounding = 32 * kUnit * (sums[1] + alphas + conjugate.value());
    const double before = task_.gap().dual;
    task_.offer_dual(sums[0] - conjugate.value(), rounding);
    if (task_.gap().dual == before) return;
    dual_v_ = v;
    for (double& x : dual_v_) x *= scale;
  };
  dual_at(within);
  if (!penalty().lasso() && within < 1) dual_at(1);
}

std::optional<std::vector<std::uint64_t>> WorkingSet::open_zeros(const std::vector<double>& theta) const {
  const Gap& gap = task_.gap();
  const double distance = std::max(0.0, gap.primal - gap.dual + gap.rounding);
  if (dual_v_.size() != theta.size() || square_.size() != theta.size() || !std::isfinite(distance)) return std::nullopt;
  std::vector<std::uint64_t> open;
  for (std::size_t j = 0; j < theta.size(); ++j) {
    const double radius = std::sqrt(2 * facts_of(loss()).curvature * distance * square_[j]);
    if (theta[j] == 0 && !(dual_v_[j] + (1 + 0x1p-40) * radius < penalty().l1_ratio)) open.push_back(j);
  }
  return open;
}

void WorkingSet::begin_hessian() {
  choose_columns();
  curvature_scale_ = total_curvature_ > 0 ? power_below(0.25 / total_curvature_) / 2 : 0;
  column_scale_.resize(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const double greatest = task_.columns().greatest[columns_[k]];
    column_scale_[k] = greatest > 0 ? power_below(1 / greatest) : 1;
  }
  phase_ = Phase::kHessian;
}

// The support and the columns that violate most; of a large support only those that violate most.
void WorkingSet::choose_columns() {
  for (const std::uint32_t j : columns_) place_[j] = kOutside;
  struct Candidate {
    double violation = 0;
    std::uint32_t column = 0;
  };
  std::vector<Candidate> candidates;
  std::size_t support = 0;
  for (std::size_t j = 0; j < w_.size(); ++j) {
    const double violation = penalty().violation(w_[j], v_[0][j] + v_[1][j]);
    support += w_[j] != 0 ? 1 : 0;
    if (w_[j] != 0 || violation > 0) candidates.push_back({violation, static_cast<std::uint32_t>(j)});
  }
  const bool hessian = model_by_ == ModelBy::kHessian;
  const std::size_t limit = hessian ? std::min(kMostColumns, std::max(kFirstColumns, 2 * support)) : w_.size();
  const std::size_t most = std::min(limit, candidates.size());
  const bool whole = !hessian || support <= kMostColumns / 2;
  const auto first = [&](const Candidate& a, const Candidate& b) {
    const bool kept_a = whole && w_[a.column] != 0, kept_b = whole && w_[b.column] != 0;
    if (kept_a != kept_b) return kept_a;
    return a.violation != b.violation ? a.violation > b.violation : a.column < b.column;
  };
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(most), candidates.end(), first);
  columns_.clear();
  for (std::size_t k = 0; k < most; ++k) columns_.push_back(candidates[k].column);
  std::sort(columns_.begin(), columns_.end());
  for (std::size_t k = 0; k < most; ++k) place_[columns_[k]] = static_cast<std::uint32_t>(k);
}

void WorkingSet::end_hessian(Comm& comm) {
  if (model_by_ == ModelBy::kColumns) return store_.empty() ? begin_columns() : step_by_columns();
  Slot& all = slot_.front();
  for (std::size_t s = 1; s < slot_.size(); ++s) {
    fold(all.hessian, slot_[s].hessian);
    fold(all.border, slot_[s].border);
  }
  comm.all_reduce(std::span(all.hessian), Comm::Op::kSum);
  comm.all_reduce(std::span(all.border), Comm::Op::kSum);
  const std::size_t size = columns_.size();
  model_.begin(size);
  std::vector<double> v(size), u(size), border(size);
  double worst = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const double unscale = 1 / (column_scale_[k] * curvature_scale_);
    border[k] = all.border[k] * unscale;
    for (std::size_t l = k; l < size; ++l) {
      model_.row(l)[k] = model_.row(k)[l] = all.hessian[triangle_begin(k, size) + l] * (unscale / column_scale_[l]);
    }
    const std::uint32_t j = columns_[k];
    v[k] = v_[0][j] + v_[1][j];
    u[k] = w_[j];
    worst = std::max(worst, penalty().violation(u[k], v[k]));
  }
  const double imbalance = alphas_[0] - alphas_[1], gradient_offset = origin() ? 0 : imbalance;
  const bool with_offset = !origin() && total_curvature_ > 0;
  const std::vector<double> start_v = v;
  std::vector<double> diagonal(size);
  for (std::size_t k = 0; k < size; ++k) diagonal[k] = model_.row(k)[k];
  if (with_offset) model_.add_square(border, -1 / total_curvature_, gradient_offset, v);
  const std::vector<double> reduced_v = v, start_u = u;
  // Of a column that is constant where D isn't 0 the offset leaves no curvature but rounding.
  for (std::size_t k = 0; k < size; ++k) diagonal[k] = std::max(model_.row(k)[k], kLeastDiagonal * diagonal[k]);
  for (;;) {
    for (std::size_t k = 0; k < size; ++k) model_.row(k)[k] = (1 + step_.damping) * diagonal[k];
    model_.solve(penalty(), v, u, ProximalStep::accuracy(worst), kMostSweeps);
    Sum gain;  // of the model: −v·d + ½dᵀHd + R(u) − R(w)
    for (std::size_t k = 0; k < size; ++k) {
      const double step = u[k] - start_u[k];
      gain.add((reduced_v[k] + v[k]) / 2 * step);
      gain.add(penalty().value(start_u[k]) - penalty().value(u[k]));
    }
    if (!step_.damps(gain.value())) break;
    v = reduced_v;
    u = start_u;
  }

  Sum moved;
  for (std::size_t k = 0; k < size; ++k) moved.add(border[k] * (u[k] - start_u[k]));
  set_target(start_v, u, with_offset ? (gradient_offset - moved.value()) / total_curvature_ : 0);
}

/// The point with the weights `u` on W, to be tried next. `v`: over W, at w_.
void WorkingSet::set_target(std::span<const double> v, std::span<const double> u, double offset_step) {
  target_ = w_;
  Sum change;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const double before = w_[columns_[k]];
    change.add(-v[k] * (u[k] - before));
    change.add(penalty().value(u[k]) - penalty().value(before));
    target_[columns_[k]] = u[k];
  }
  target_offset_ = offset_ + offset_step;
  change.add(-(alphas_[0] - alphas_[1]) * offset_step);
  step_.begin(change.value());
  begin_gradient();
}

void WorkingSet::begin_columns() {
  store_.begin(task_.columns().values);
  phase_ = Phase::kColumns;
}

// The model's minimizer by coordinate descent through the columns of W. The offset is eliminated: with s_k = Σ D_i·x_ik
// and S = Σ D_i, H has −s·sᵀ/S besides, for which one number is kept, s·(u − w).
void WorkingSet::step_by_columns() {
  choose_columns();
  const std::size_t size = columns_.size();
  const bool with_offset = !origin() && total_curvature_ > 0;
  const double share = with_offset ? 1 / total_curvature_ : 0, imbalance = alphas_[0] - alphas_[1];
  ColumnModel model;
  extract_.take(store_, columns_, curvature_);
  const std::span<const double> curvature = extract_.curvature();
  model.curved.resize(curvature.size());
  std::vector<double> v(size);
  double worst = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const std::uint32_t j = columns_[k];
    v[k] = v_[0][j] + v_[1][j];
    worst = std::max(worst, penalty().violation(w_[j], v[k]));
    const SparseRow<double> column = extract_.column(k);
    const double border = dot(column, curvature.data());
    double square = 0;
    for_each_entry(column, [&](std::uint32_t i, double x) { square += curvature[i] * x * x; });
    model.border.push_back(border);
    model.diagonal.push_back(std::max(square - share * border * border, kLeastDiagonal * square));
    model.v.push_back(v[k] - share * border * imbalance);
  }
  // Violations bound the gap, so that a point isn't worth more than the gap that is asked for.
  const double accuracy = ProximalStep::accuracy(worst), enough = kEnough * penalty().l1_ratio * task_.settings().gap;
  std::vector<double> u(size);
  for (;;) {
    for (std::size_t k = 0; k < size; ++k) u[k] = w_[columns_[k]];
    std::fill(model.curved.begin(), model.curved.end(), 0.0);
    model.moved = 0;
    descend_columns(model, share, u, worst > 2 * enough ? std::max(enough, accuracy) : accuracy);
    Sum gain;
    for (std::size_t k = 0; k < size; ++k) {
      const double before = w_[columns_[k]], step = u[k] - before;
      if (step == 0) continue;
      gain.add((model.v[k] - pulled(model, share, k) / 2) * step);
      gain.add(penalty().value(before) - penalty().value(u[k]));
    }
    if (!step_.damps(gain.value())) break;
  }
  set_target(v, u, with_offset ? (imbalance - model.moved) * share : 0);
}

/// Component k of H(u − w).
double WorkingSet::pulled(const ColumnModel& model, double share, std::size_t k) const {
  return dot(extract_.column(k), model.curved.data()) - share * model.border[k] * model.moved;
}

void WorkingSet::descend_columns(ColumnModel& model, double share, std::span<double> u, double tolerance) const {
  const double threshold = penalty().l1_ratio, ridge = penalty().ridge();
  const std::vector<double> start(u.begin(), u.end());
  const double* curvature_of = extract_.curvature().data();
  double* curved = model.curved.data();
  // Between two sweeps over all columns there are some over those that moved or could have.
  std::vector<std::uint32_t> all(u.size()), active;
  std::iota(all.begin(), all.end(), 0U);
  bool whole = true;
  // Far from the optimum the model isn't worth more than a few sweeps; where F can't tell points apart any more, it
  // alone can lower the violations that the gap still sees.
  const std::int64_t most = step_.stuck > 0 ? kMostSweeps : std::min<std::int64_t>(kMostSweeps, 2 * (step_.taken + 1));
  for (int sweep = 0; sweep < most; ++sweep) {
    double worst = 0;
    if (whole) active.clear();
    std::vector<std::uint32_t>& order = whole ? all : active;
    order_sweep(order, u, sweep);
    for (const std::uint32_t k : order) {
      const double damped = step_.damping * model.diagonal[k];
      const double curvature = model.diagonal[k] + damped + ridge;
      const double pull = model.diagonal[k] * u[k] + damped * start[k] + model.v[k] - pulled(model, share, k);
      const bool to_zero = std::abs(pull) <= threshold;
      const SparseRow<double> column = extract_.column(k);
      poll(column.size + 1);
      if (whole && (u[k] != 0 || !to_zero)) active.push_back(k);
      if (!to_zero && !(curvature > 0)) continue;
      const double best = to_zero ? 0 : (pull - std::copysign(threshold, pull)) / curvature, step = best - u[k];
      if (step == 0) continue;
      worst = std::max(worst, std::abs(step) * curvature);
      u[k] = best;
      model.moved += step * model.border[k];
      for_each_entry(column, [&](std::uint32_t i, double x) { curved[i] += step * curvature_of[i] * x; });
    }
    if (whole && worst <= tolerance) return;
    whole = worst <= tolerance;
  }
}

// v, the loss and the curvature grow with the costs; the penalty, and so the point's violations, don't.
bool WorkingSet::change_lambda(double lambda) {
  if (phase_ != Phase::kHessian) return false;
  step_.stuck = 0;
  step_.taken = std::min(step_.taken, kTakenBefore);
  dual_v_.clear();
  const double factor = task_.change_lambda(lambda);
  for (std::vector<double>* all : {&v_[0], &v_[1], &curvature_, &square_}) {
    for (double& x : *all) x *= factor;
  }
  for (double* x : {&total_loss_, &total_curvature_, &alphas_[0], &alphas_[1]}) *x *= factor;
  step_.value = penalty().value(w_) + total_loss_;
  const double norm = std::sqrt(squared_length(w_)), steepest = mean_slope(loss(), total_loss_ / task_.costs());
  task_.offer_primal(step_.value, primal_rounding(task_.extent(), task_.costs(), steepest, norm, offset_, step_.value),
                     w_, offset_);
  if (model_by_ == ModelBy::kColumns && !store_.empty()) {
    step_by_columns();
  } else {
    begin_hessian();
  }
  begin_blocks();
  return true;
}

std::string WorkingSet::save_state() const {
  ByteWriter writer;
  writer.text("margin working set 3");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  step_.save(writer);
  for (const auto* v : {&z_, &trial_z_, &curvature_, &w_, &target_, &square_, &dual_v_, &v_[0], &v_[1]})
    writer.numbers(*v);
  for (const double x : {offset_, target_offset_, total_loss_, total_curvature_, alphas_[0], alphas_[1]}) {
    writer.number(x);
  }
  return writer.bytes();
}

void WorkingSet::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin working set 3");
  task_.load(reader);
  phase_ = reader.choice(Phase::kDone);
  step_.load(reader);
  for (auto* v : {&z_, &trial_z_, &curvature_}) *v = reader.numbers<double>(task_.rows());
  w_ = reader.numbers<double>(task_.features());
  for (auto* v : {&target_, &square_, &dual_v_, &v_[0], &v_[1]}) *v = reader.numbers_or_none<double>(task_.features());
  for (double* x : {&offset_, &target_offset_}) *x = reader.finite();
  for (double* x : {&total_loss_, &total_curvature_, &alphas_[0], &alphas_[1]}) *x = reader.ordered();
  reader.end();
  require_state(phase_ == Phase::kLabels || task_.labelled());
  const std::size_t features = task_.features();
  require_state(phase_ != Phase::kGradient || target_.size() == features);
  require_state(phase_ != Phase::kColumns || model_by_ == ModelBy::kColumns);
  require_state((phase_ != Phase::kHessian && phase_ != Phase::kColumns) ||
                (v_[0].size() == features && v_[1].size() == features && square_.size() == features));
  if (phase_ == Phase::kGradient) begin_gradient();
  if (phase_ == Phase::kHessian) begin_hessian();
  if (phase_ == Phase::kColumns) begin_columns();
  begin_blocks();
}

}  // namespace

const SolverEntry& working_set_solver() {
  static const SolverEntry kEntry = {
      .name = "working-set",
      .help = "proximal Newton steps on the columns that matter, for penalties with an L1 part",
      .losses = losses_where([](const LossFacts& loss) { return loss.smooth; }),
      .l1 = true,
      .l2 = false,
      .any_workers = true,
      .make = [](const MarginSettings& settings, const Model* start) -> std::unique_ptr<Learner> {
        return std::make_unique<WorkingSet>(settings, start, ModelBy::kHessian);
      },
      .memory =
          [](std::uint64_t threads, const Shape& shape) {
            const std::uint64_t most = std::min<std::uint64_t>(kMostColumns, shape.features);
            return MemoryRates{.row = 48,
                               .column = 8 * (12 + 6 * threads),
                               .more = 4 * (2 + threads) * most * most,
                               .least_column = 144};
          },
  };
  return kEntry;
}

const SolverEntry& columns_solver() {
  static const SolverEntry kEntry = {
      .name = "columns",
      .help = "the same steps on a copy of the rows by columns, for one worker",
      .losses = losses_where([](const LossFacts& loss) { return loss.smooth && !loss.joint; }),
      .l1 = true,
      .l2 = false,
      .make = [](const MarginSettings& settings, const Model* start) -> std::unique_ptr<Learner> {
        return std::make_unique<WorkingSet>(settings, start, ModelBy::kColumns);
      },
      .memory =
          [](std::uint64_t threads, const Shape& shape) {
            return MemoryRates{.row = 64,
                               .column = 8 * (14 + 6 * threads),
                               .more = 24 * static_cast<std::uint64_t>(std::max<std::int64_t>(shape.nonzeros, 0)),
                               .least_column = 144};
          },
  };
  return kEntry;
}

}  // namespace linsep
