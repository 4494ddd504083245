// Problem: min over θ of f(θ) = min over θ0 of F(θ, θ0) (see gap.h), for a loss with a curvature.
//
// Method: Newton's method on f. With D_i = c_i·ℓ″(m_i), S = Σ D_i and s = Σ D_i x_i, the Hessian of f is
// I + Σ D_i x_i x_iᵀ − s sᵀ/S: the second term less what the offset takes up. Systems are solved by conjugate gradients
// (Lin, Weng & Keerthi, 2008) scaled by the Hessian's diagonal, which is where badly scaled columns are met; then a
// line search by halving. Along a line scores are known from those of its ends, so the search never looks at the data.
//
// Dense rows are gone through in blocks by the kernels of kernel/dense_kernels.h. Where that costs less than it saves,
// conjugate gradients are preconditioned: with few columns by the Hessian itself, summed up in the gradient pass
// (numeric/hessian_sums.h), so that one product is enough; dense rows of many columns by the factor of a sampled Gram
// matrix (numeric/gram.h).
//
// Stopping rule: at the best offset α_i = −c_i·ℓ′(m_i) is dual feasible and the gap is ½‖∇f‖². Cost: one pass for a
// gradient, one for each step of conjugate gradients, one (squared hinge, rows without curvature) for the direction.
//
// Workers: sums by column are in fixed point (numeric/fixed_point.h), sums over rows exact
// (numeric/exact_all_reduce.h), everything else is done by all of them alike; so the result is the same for any number
// of them. Exchanged: 3d numbers for a gradient, d for a step of conjugate gradients, and a few hundred for each trial
// of a search.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "core/slice.h"
#include "kernel/kernel.h"
#include "learn/margin/newton_direction.h"
#include "learn/margin/solvers.h"
#include "learn/margin/task.h"
#include "learn/wide_pass.h"
#include "numeric/dense_sums.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/gram.h"
#include "numeric/hessian_sums.h"
#include "numeric/row_blocks.h"

namespace linsep {
namespace {

constexpr int kMostHalvings = 40;

enum class Phase : std::uint8_t { kLabels, kStart, kGradient, kProduct, kDirection, kDone };

/// What a gradient pass adds up for one column: Σ α_i y_i x_ij, Σ D_i x_ij, Σ D_i x_ij².
enum : std::size_t { kSlope, kCurved, kSquare, kColumnSums };

class Newton : public Learner, public GramSharer, public WideLearner, public SeparatorFinder {
 public:
  Newton(const MarginSettings& settings, const Model* start) : task_(settings, start) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }

  bool share_gram(const std::shared_ptr<SharedGram>& gram) override {
    shared_ = gram;
    shared_->centred = !task_.settings().origin;
    return true;
  }

  WideLearner* wide_learner() override {
    const bool wide = phase_ == Phase::kGradient || phase_ == Phase::kProduct;
    return wide && sampled_gram_ && shared_ ? this : nullptr;
  }
  PassRequest begin_wide(std::size_t slots) override {
    if (slot_.size() < slots) slot_.resize(slots);
    if (phase_ == Phase::kProduct) return {&direction_.direction(), &task_.fixed(), {product_step_}, 1};
    return {&w_, &task_.fixed(), {slope_step_, curved_step_}, 2};
  }
  void take_scores(const Batch& batch, std::size_t first, std::size_t rows, std::size_t slot, const double* score,
                   std::size_t score_stride, double* factor, std::size_t factor_stride) override {
    const std::size_t begin = task_.index_of(batch) + first;
    std::vector<double>& scores = phase_ == Phase::kGradient ? z_ : xq_;
    for (std::size_t r = 0; r < rows; ++r) scores[begin + r] = score[r * score_stride];
    factors_of(begin, rows, slot_[slot], factor, factor_stride);
    if (phase_ != Phase::kGradient) return;
    for (std::size_t r = 0; r < rows; ++r) factor[r * factor_stride + 1] = curvature_[begin + r];
  }
  void take_units(std::size_t sum, const std::int64_t* units, std::size_t stride) override {
    const bool product = phase_ == Phase::kProduct;
    std::int64_t* to = product ? slot_[0].product.data() : slot_[0].columns.data() + sum;
    for (std::size_t j = 0; j < w_.size(); ++j) add_units(to[product ? j : kColumnSums * j], units[j * stride]);
  }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    for (std::vector<double>* v : {&z_, &dz_, &xq_, &curvature_}) v->assign(task_.rows(), 0);
    w_.assign(task_.features(), 0);
    phase_ = Phase::kLabels;
    dense_ = true;
    gram_ = std::make_unique<GramPreconditioner>();
    begin_blocks();
  }

  void visit(const Batch& batch) override {
    if (phase_ == Phase::kLabels) {
      task_.visit_labels(batch);
      dense_ = dense_ && batch.dense;
    }
    deadline_.run([&] { blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot); }); });
  }

  void synchronise(Comm& comm) override {
    deadline_.run([&] { end_rows(comm); });
  }

  Verdict end_pass(Progress& progress) override {
    if (deadline_.cut_off()) return report_stopped(task_, progress);
    task_.report(progress);
    return phase_ == Phase::kDone ? Verdict::kConverged : task_.verdict();
  }

  Model model() const override { return task_.model(); }
  TrainingStats stats() const override { return task_.stats(); }
  bool separates() const override { return task_.separates(); }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  /// All rows have been seen.
  void end_rows(Comm& comm) {
    blocks_.finish([&](const Batch& rows, std::size_t slot) { process(rows, slot); });
    for (Slot& slot : slot_) fold(slot);  // once: the sums don't depend on the order
    if (gram_->sampling()) gram_->end_sample(comm, !task_.settings().origin, task_.threads());
    switch (phase_) {
      case Phase::kLabels:
        end_labels(comm);
        break;
      case Phase::kStart:
        offset_ = best_offset(z_, offset_, comm);
        begin_gradient();
        break;
      case Phase::kGradient:
        end_gradient(comm);
        break;
      case Phase::kProduct:
        end_product(comm);
        break;
      case Phase::kDirection:
        line_search(comm);
        break;
      case Phase::kDone:
        break;
    }
    begin_blocks();
  }

  Loss loss() const { return task_.settings().loss; }
  double best_offset(std::span<const double> z, double near, Comm& comm) const {
    if (task_.settings().origin) return 0;
    return best_smooth_offset(loss(), task_.cost(), z, near, task_.threads(), comm);
  }

  void begin_blocks() {
    blocks_.begin(static_cast<std::int64_t>(task_.rows()), task_.threads());
    if (phase_ == Phase::kLabels) task_.begin_survey(blocks_.slots());
    slot_.resize(blocks_.slots());
    if (exact_ && phase_ == Phase::kGradient) {
      hessian_.begin(task_.columns().greatest, steepest_curvature() * task_.greatest_cost(), all_rows_,
                     !task_.settings().origin, blocks_.slots());
    }
    if (draws()) gram_->begin_sample(task_.features(), all_rows_, blocks_.slots());
    for (Slot& slot : slot_) {
      slot.columns.resize(phase_ == Phase::kGradient ? kColumnSums * task_.features() : 0);
      slot.product.resize(phase_ == Phase::kProduct ? task_.features() : 0);
      for (DenseSums& sums : slot.dense) sums.clear();
      if (dense_ && phase_ == Phase::kGradient) {
        slot.dense[kSlope].begin(task_.fixed(), slope_step_, 1);
        slot.dense[kCurved].begin(task_.fixed(), curved_step_, 1);
        if (!exact_ && !sampled_gram_) slot.dense[kSquare].begin(task_.fixed(), curved_step_, 1, Power::kTwo);
      }
      if (dense_ && phase_ == Phase::kProduct) slot.dense[kSlope].begin(task_.fixed(), product_step_, 1);
    }
  }

  /// The next pass draws the preconditioner's rows.
  bool draws() const {
    return sampled_gram_ && !shared_ && !gram_->sampled() && phase_ != Phase::kLabels && phase_ != Phase::kDone;
  }
  void precondition(std::span<double> x) {
    if (exact_) return hessian_.solve(x);
    const std::span<const int> level(&level_, 1);
    if (shared_) return shared_->gram.solve(level, x.data(), 1, task_.threads());
    gram_->keep_levels(level);
    gram_->solve(level, x.data(), 1, task_.threads());
  }

  void process(const Batch& batch, std::size_t slot) {
    if (phase_ == Phase::kLabels) return task_.survey(batch, slot);
    const std::size_t first = task_.index_of(batch);
    Slot& partial = slot_[slot];
    if (gram_->sampling() && batch.dense) gram_->sample(batch, slot);
    if (dense_ && batch.dense && (phase_ == Phase::kGradient || phase_ == Phase::kProduct)) {
      for_each_block(batch, [&](const auto& block, std::size_t at) { process_block(block, first + at, slot); });
      return;
    }
    if (phase_ == Phase::kGradient) return add_gradient(batch, first, slot);
    for_each_row(batch, [&](const auto& row, std::int64_t at) {
      const std::size_t i = first + static_cast<std::size_t>(at);
      switch (phase_) {
        case Phase::kStart:
          z_[i] = dot(row, w_.data());
          break;
        case Phase::kProduct:
          if (curvature_[i] == 0) break;
          xq_[i] = dot(row, direction_.direction().data());
          task_.fixed().add(curvature_[i] * (xq_[i] - direction_.shift()) * product_step_, row, partial.product.data());
          break;
        case Phase::kDirection:
          if (curvature_[i] == 0) dz_[i] = dot(row, direction_.step().data());
          break;
        case Phase::kLabels:
        case Phase::kGradient:
        case Phase::kDone:
          break;
      }
    });
  }

  struct Slot {
    std::vector<std::int64_t> columns, product;
    std::array<DenseSums, kColumnSums> dense;      ///< of a product the first alone
    ExactSum loss, positive, negative, curvature;  ///< α is summed by class
    std::int64_t mistakes = 0;
  };

  /// By what rows with new scores z are multiplied in a gradient's first sum: y·α. Their curvatures and sums over rows
  /// are taken down.
  void slopes_of(std::size_t first, std::size_t rows, Slot& partial, double* to, std::size_t stride) {
    with_loss(loss(), [&](auto l) {
      for_margins<decltype(l)>(task_.cost(), z_, offset_, first, first + rows, [&](std::size_t i, double m, double e) {
        const LossAt at = l.at(m, e);
        const double cost = std::abs(task_.cost()[i]), alpha = cost * at.slope, y = task_.label(i);
        curvature_[i] = cost * at.curvature;
        partial.mistakes += cost > 0 && !(m > 0) ? 1 : 0;
        partial.loss.add(cost * at.value);
        (y < 0 ? partial.negative : partial.positive).add(alpha);
        partial.curvature.add(curvature_[i]);
        to[(i - first) * stride] = y * alpha;
      });
    });
  }

  /// Scores along a search drift by rounding: the bounds rest on fresh ones.
  template <class Row>
  double fresh_score(const Row& row) const {
    return zero_ ? 0 : dot(row, w_.data());
  }
  /// By what rows are multiplied in a gradient's first sum or in a product, given their scores: z with w, or x·q with
  /// the direction.
  void factors_of(std::size_t first, std::size_t rows, Slot& partial, double* to, std::size_t stride) {
    if (phase_ == Phase::kGradient) return slopes_of(first, rows, partial, to, stride);
    for (std::size_t r = 0; r < rows; ++r) {
      const double curved = curvature_[first + r];
      to[r * stride] = curved == 0 ? 0 : curved * (xq_[first + r] - direction_.shift());
    }
  }

  template <class V>
  void process_block(const DenseBlock<V>& block, std::size_t first, std::size_t slot) {
    Slot& partial = slot_[slot];
    std::array<double, kDenseBlockRows> factor;
    const double* curvature = curvature_.data() + first;
    if (phase_ == Phase::kGradient) {
      for (std::size_t r = 0; r < block.rows; ++r) z_[first + r] = fresh_score(block.row(r));
      factors_of(first, block.rows, partial, factor.data(), 1);
      if (exact_) {
        for (std::size_t r = 0; r < block.rows; ++r) hessian_.add(block.row(r), curvature[r], slot);
      }
      const auto add = [&](std::size_t sum, const double* by) {
        if (partial.dense[sum].begun()) {
          partial.dense[sum].add(block, by, 1, partial.columns.data() + sum, kColumnSums);
        }
      };
      add(kSlope, factor.data());
      add(kCurved, curvature);
      add(kSquare, curvature);
    } else {
      const double* q = direction_.direction().data();
      for (std::size_t r = 0; r < block.rows; ++r) {
        if (curvature[r] != 0) xq_[first + r] = dot(block.row(r), q);
      }
      factors_of(first, block.rows, partial, factor.data(), 1);
      partial.dense[kSlope].add(block, factor.data(), 1, partial.product.data(), 1);
    }
    poll(block.rows * block.columns);
  }

  /// Row by row, so that every way of storing rows gives the same bits; losses of a few rows at a time.
  void add_gradient(const Batch& batch, std::size_t first, std::size_t slot) {
    constexpr std::size_t kTogether = 64;
    std::array<double, kTogether> signed_alpha;
    for (std::int64_t done = 0; done < batch.rows; done += kTogether) {
      const Batch rows = slice(batch, done, std::min<std::int64_t>(kTogether, batch.rows - done));
      const std::size_t begin = first + static_cast<std::size_t>(done);
      for_each_row(
          rows, [&](const auto& row, std::int64_t i) { z_[begin + static_cast<std::size_t>(i)] = fresh_score(row); });
      slopes_of(begin, static_cast<std::size_t>(rows.rows), slot_[slot], signed_alpha.data(), 1);
      for_each_row(rows, [&](const auto& row, std::int64_t i) {
        const auto k = static_cast<std::size_t>(i);
        add_gradient(row, signed_alpha[k], curvature_[begin + k], slot);
      });
    }
  }
  template <class Row>
  void add_gradient(const Row& row, double signed_alpha, double curved, std::size_t slot) {
    if (signed_alpha == 0 && curved == 0) return;
    if (exact_) hessian_.add(row, curved, slot);
    const double slope_term = signed_alpha * slope_step_, curved_term = curved * curved_step_;
    std::int64_t* columns = slot_[slot].columns.data();
    for_each_entry(row, [&](std::uint32_t j, double x) {
      std::int64_t* sums = columns + kColumnSums * j;
      const FixedColumns::Scale& scale = task_.fixed().scale(j);
      const double units = x * scale.column, term = curved_term * units;
      add_units(sums[kSlope], whole_units(slope_term * units));
      add_units(sums[kCurved], whole_units(term));
      if (!exact_) add_units(sums[kSquare], whole_units(term * (x * scale.square)));
    });
  }

  void fold(Slot& partial) {
    const auto take = [](std::vector<std::int64_t>& all, std::vector<std::int64_t>& part) {
      for (std::size_t k = 0; k < part.size(); ++k) add_units(all[k], part[k]);
      std::fill(part.begin(), part.end(), 0);
    };
    if (phase_ == Phase::kGradient) {
      for (std::size_t sum = 0; sum < kColumnSums; ++sum) {
        if (partial.dense[sum].begun()) partial.dense[sum].flush(partial.columns.data() + sum, kColumnSums);
      }
      take(columns_, partial.columns);
      total_.loss.add(partial.loss);
      total_.positive.add(partial.positive);
      total_.negative.add(partial.negative);
      total_.curvature.add(partial.curvature);
      total_.mistakes += partial.mistakes;
      partial.loss = partial.positive = partial.negative = partial.curvature = {};
      partial.mistakes = 0;
    } else if (phase_ == Phase::kProduct) {
      if (partial.dense[kSlope].begun()) partial.dense[kSlope].flush(partial.product.data(), 1);
      take(product_, partial.product);
    }
  }

  void end_labels(Comm& comm) {
    if (task_.end_survey(comm)) {
      phase_ = Phase::kDone;
      return;
    }
    constexpr std::size_t kLeastFeatures = 32;
    dense_ = !all_reduce_any(comm, !dense_) && task_.features() >= kLeastFeatures &&
             suits_blocks(task_.columns(), task_.costs());
    all_rows_ = all_reduce_sum(comm, static_cast<std::int64_t>(task_.rows()));
    set_method();
    offset_ = task_.offset();
    if (task_.start_theta().empty()) {
      begin_gradient();
    } else {
      w_ = task_.start_theta();
      offset_ = task_.start_offset();
      phase_ = Phase::kStart;
    }
  }

  /// All rows are known: how they are gone through, and the preconditioner.
  void set_method() {
    if (dense_) task_.set_dense_units();
    exact_ = HessianSums::pays(task_.features());
    sampled_gram_ =
        dense_ && !exact_ &&
        GramPreconditioner::pays(static_cast<double>(all_rows_), static_cast<double>(task_.features()), 1) &&
        (!shared_ || shared_->expected);
    if (exact_ || sampled_gram_) direction_.set_precondition([this](std::span<double> x) { precondition(x); });
  }
  double units_step(double factor) const {
    return dense_ ? task_.fixed().block_step(factor) : FixedColumns::step(factor);
  }

  void begin_gradient() {
    zero_ = std::all_of(w_.begin(), w_.end(), [](double x) { return x == 0; });
    columns_.assign(kColumnSums * w_.size(), 0);
    total_ = {};
    const double farthest = task_.columns().farthest_score(w_) + std::abs(offset_);
    slope_step_ = units_step(steepest_slope(loss(), farthest));
    curved_step_ = units_step(steepest_curvature());
    phase_ = Phase::kGradient;
  }

  double steepest_curvature() const { return facts_of(loss()).curvature; }

  void end_gradient(Comm& comm) {
    comm.all_reduce(std::span(columns_), Comm::Op::kSum);
    const std::array<ExactSum*, 4> sums = {&total_.loss, &total_.positive, &total_.negative, &total_.curvature};
    exact_all_reduce(comm, sums);
    if (total_.mistakes == 0) task_.found_separator();
    ExactSum all_alphas = total_.positive, difference = total_.positive;
    all_alphas.add(total_.negative);
    difference.subtract(total_.negative);
    const double norm = std::sqrt(squared_length(w_)), loss = total_.loss.value();
    primal_ = task_.penalty().value(w_) + loss;
    gradient_.resize(w_.size());
    Sum vv;
    for (std::size_t j = 0; j < w_.size(); ++j) {
      const double v = task_.fixed().value(j, columns_[kColumnSums * j + kSlope], slope_step_);
      gradient_[j] = task_.penalty().slope(w_[j]) - v;
      vv.add(v * v);
    }
    const double steepest = mean_slope(this->loss(), loss / task_.costs());
    const double balance = task_.settings().origin ? 0 : difference.value(), alphas = all_alphas.value();
    const RowExtent& extent = task_.extent();
    const double rounding = primal_rounding(extent, task_.costs(), steepest, norm, offset_, primal_);
    const double theta_error = task_.fixed().error(slope_step_) + sum_rounding(extent, alphas, 4);
    task_.offer_primal(primal_, rounding, w_, offset_);
    task_.offer_dual(
        primal_ - task_.penalty().fenchel_gap(gradient_) + offset_ * balance,
        rounding + dual_rounding(extent, alphas, balance, std::max(norm, std::sqrt(vv.value())), theta_error, primal_));
    if (exact_) hessian_.finish(comm);
    begin_conjugate_gradients();
  }

  void begin_conjugate_gradients() {
    const double gap = std::max(primal_ - task_.gap().dual, 0.0) / primal_;
    std::vector<double> curved(w_.size()), square(w_.size());
    for (std::size_t j = 0; j < w_.size(); ++j) {
      curved[j] = task_.fixed().value(j, columns_[kColumnSums * j + kCurved], curved_step_);
      square[j] = task_.fixed().square_value(j, columns_[kColumnSums * j + kSquare], curved_step_);
    }
    level_ = GramPreconditioner::level_of(total_.curvature.value());
    direction_.begin(gradient_, std::move(curved), square, task_.settings().origin ? 0 : total_.curvature.value(),
                     (exact_ || sampled_gram_ ? 1 : 0.5) * std::min(0.25, std::sqrt(std::sqrt(gap))));
    std::fill(dz_.begin(), dz_.end(), 0.0);
    begin_product();
  }

  void begin_product() {
    product_.assign(w_.size(), 0);
    const double farthest = task_.columns().farthest_score(direction_.direction()) + std::abs(direction_.shift());
    product_step_ = units_step(steepest_curvature() * std::max(farthest, 1e-200));
    phase_ = Phase::kProduct;
  }

  void end_product(Comm& comm) {
    comm.all_reduce(std::span(product_), Comm::Op::kSum);
    std::vector<double> product(product_.size());
    for (std::size_t j = 0; j < product.size(); ++j) product[j] = task_.fixed().value(j, product_[j], product_step_);
    const double length = direction_.advance(product);
    for (std::size_t i = 0; i < dz_.size(); ++i) {
      if (curvature_[i] != 0) dz_[i] += length * xq_[i];
    }
    if (direction_.next_direction(length)) {
      begin_product();
    } else if (facts_of(loss()).curved_everywhere && !some_row_lacks_curvature(comm)) {
      line_search(comm);
    } else {
      phase_ = Phase::kDirection;
    }
  }

  // Products leave such a row's change along the step unknown.
  bool some_row_lacks_curvature(Comm& comm) const {
    const bool mine = std::any_of(curvature_.begin(), curvature_.end(), [](double c) { return c == 0; });
    return all_reduce_any(comm, mine);
  }

  void line_search(Comm& comm) {
    const std::vector<double>& step = direction_.step();
    const RidgeAlong penalty = task_.penalty().along(w_, step);
    Sum gs;
    for (std::size_t j = 0; j < w_.size(); ++j) gs.add(gradient_[j] * step[j]);
    double t = 1, offset = offset_;
    for (int halving = 0; halving < kMostHalvings; ++halving, t /= 2) {
      poll_now();
      for (std::size_t i = 0; i < z_.size(); ++i) xq_[i] = z_[i] + t * dz_[i];
      offset = best_offset(xq_, offset_, comm);
      const double value = penalty(t) + total_loss(loss(), task_.cost(), xq_, offset, task_.threads(), comm);
      if (value <= primal_ + 1e-4 * t * gs.value()) break;
    }
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += t * step[j];
    std::swap(z_, xq_);
    offset_ = offset;
    begin_gradient();
  }

  SurveyedTask task_;
  Deadline deadline_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::vector<Slot> slot_;
  // By row: scores, their change along the step, x·q, D.
  std::vector<double> z_, dz_, xq_, curvature_;
  // By column.
  std::vector<double> w_, gradient_;
  std::vector<std::int64_t> columns_, product_;
  NewtonDirection direction_;
  double slope_step_ = 1, curved_step_ = 1, product_step_ = 1;
  struct {
    ExactSum loss, positive, negative, curvature;
    std::int64_t mistakes = 0;  // of this worker's rows
  } total_;
  bool zero_ = true;
  double offset_ = 0, primal_ = 0;
  // All rows of all workers are dense; which preconditioner there is, if any; the sampled one's level in this step.
  bool dense_ = true, exact_ = false, sampled_gram_ = false;
  std::int64_t all_rows_ = 0;
  HessianSums hessian_;
  std::unique_ptr<GramPreconditioner> gram_ = std::make_unique<GramPreconditioner>();
  std::shared_ptr<SharedGram> shared_;
  int level_ = 0;
};

std::string Newton::save_state() const {
  ByteWriter writer;
  writer.text("margin newton 5");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(dense_));
  writer.number(all_rows_);
  writer.number<std::int64_t>(level_);
  writer.number(static_cast<std::uint8_t>(phase_));
  for (const auto* v : {&z_, &dz_, &xq_, &curvature_, &w_, &gradient_}) writer.numbers(*v);
  direction_.save_columns(writer);
  for (const double x : {offset_, primal_}) writer.number(x);
  direction_.save_numbers(writer);
  hessian_.save(writer);
  return writer.bytes();
}

void Newton::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin newton 5");
  task_.load(reader);
  dense_ = reader.flag();
  all_rows_ = reader.count();
  const auto level = reader.number<std::int64_t>();
  require_state(std::abs(level) <= 1000);
  level_ = static_cast<int>(level);
  phase_ = reader.choice(Phase::kDone);
  for (auto* v : {&z_, &dz_, &xq_, &curvature_}) *v = reader.numbers<double>(task_.rows());
  w_ = reader.numbers<double>(task_.features());
  gradient_ = reader.numbers_or_none<double>(task_.features());
  direction_.load_columns(reader, task_.features());
  offset_ = reader.finite();
  primal_ = reader.at_least_zero();
  direction_.load_numbers(reader);
  hessian_.load(reader, task_.features(), !task_.settings().origin);
  reader.end();
  require_state(phase_ == Phase::kLabels || task_.labelled());
  const bool within_step = phase_ == Phase::kProduct || phase_ == Phase::kDirection;
  require_state(!within_step || (gradient_.size() == task_.features() && direction_.step().size() == task_.features()));
  if (phase_ != Phase::kLabels) set_method();
  require_state(!within_step || !exact_ || hessian_.factored());
  if (phase_ == Phase::kGradient) begin_gradient();
  if (phase_ == Phase::kProduct) begin_product();
  begin_blocks();
}

}  // namespace

const SolverEntry& newton_solver() {
  static const SolverEntry kEntry = {
      .name = "newton",
      .method = "Newton's method",
      .help = "Newton's method, with exact Hessians for few features, else conjugate gradients",
      .losses = losses_where([](const LossFacts& loss) { return loss.smooth; }),
      .any_workers = true,
      .make = make_solver<Newton>,
      .memory =
          [](std::uint64_t threads, const Shape& shape) {
            MemoryRates rates{.row = 48, .column = 8 * (22 + 10 * threads), .least_column = 120};
            if (HessianSums::pays(shape.features)) {
              rates.more = HessianSums::bytes(shape.features, threads);
            } else if (is_preconditioned(shape)) {
              rates.square = 32;  // the sampled rows, their Gram matrix and its factor
            }
            return rates;
          },
  };
  return kEntry;
}

}  // namespace linsep
