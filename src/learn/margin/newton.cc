// Problem: min over θ of f(θ) = min over θ0 of F(θ, θ0) (see learn/gap.h), for a loss with a curvature.
//
// Method: Newton's method on f. With D_i = c_i·ℓ″(m_i), S = Σ D_i and s = Σ D_i x_i, the Hessian of f is
// I + Σ D_i x_i x_iᵀ − s sᵀ/S: the second term less what the offset takes up. Systems are solved by conjugate gradients
// (Lin, Weng & Keerthi, 2008) scaled by the Hessian's diagonal, which is where badly scaled columns are met; then a
// line search by halving. Along a line scores are known from those of its ends, so the search never looks at the data.
//
// Stopping rule: at the best offset α_i = −c_i·ℓ′(m_i) is dual feasible and the gap is ½‖∇f‖². Cost: one pass for a
// gradient, one for each step of conjugate gradients, one (squared hinge, rows without curvature) for the direction.
//
// Workers: sums by column are in fixed point (learn/fixed_sums.h), sums over rows exact (learn/agreed.h), everything
// else is done by all of them alike; so the result is the same for any number of them. Exchanged: 3d numbers for a
// gradient, d for a step of conjugate gradients, and a few hundred for each trial of a search.
#include "learn/margin/newton.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernel/kernel.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/fixed_point.h"
#include "numeric/row_blocks.h"

namespace linsep {
namespace {

constexpr int kMostProducts = 300;
constexpr int kMostHalvings = 40;

enum class Phase : std::uint8_t { kLabels, kStart, kGradient, kProduct, kDirection, kDone };

/// What a gradient pass adds up for one column: Σ α_i y_i x_ij, Σ D_i x_ij, Σ D_i x_ij².
enum : std::size_t { kSlope, kCurved, kSquare, kColumnSums };

class Newton : public Learner {
 public:
  Newton(const MarginSettings& settings, const Model* start) : task_(settings, start) {}

  void begin(const Shape& shape) override {
    task_.begin(shape);
    for (std::vector<double>* v : {&z_, &dz_, &xq_, &curvature_}) v->assign(task_.rows(), 0);
    w_.assign(task_.features(), 0);
    survey_.clear(task_.features());
    phase_ = Phase::kLabels;
    begin_blocks();
  }

  void visit(const Batch& batch) override {
    if (phase_ == Phase::kLabels) task_.visit_labels(batch);
    blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot); });
  }

  void synchronise(Comm& comm) override {
    blocks_.finish([&](const Batch& rows, std::size_t slot) { process(rows, slot); });
    for (std::size_t slot = 0; slot < slot_.size(); ++slot) fold(slot);  // once: the sums don't depend on the order
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

  Verdict end_pass(Progress& progress) override {
    task_.report(progress);
    return phase_ == Phase::kDone ? Verdict::kConverged : task_.verdict();
  }

  Model model() const override { return task_.model(); }
  TrainingStats stats() const override { return task_.stats(); }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  Loss loss() const { return task_.settings().loss; }
  int threads() const { return task_.settings().threads; }
  double label(std::size_t i) const { return task_.cost()[i] < 0 ? -1 : 1; }
  double best_offset(std::span<const double> z, double near, Comm& comm) const {
    return task_.settings().origin ? 0 : best_smooth_offset(loss(), task_.cost(), z, near, threads(), comm);
  }

  void begin_blocks() {
    blocks_.begin(static_cast<std::int64_t>(task_.rows()), threads());
    slot_.resize(blocks_.slots());
    for (Slot& slot : slot_) {
      slot.survey.clear(phase_ == Phase::kLabels ? task_.features() : 0);
      slot.columns.resize(phase_ == Phase::kGradient ? kColumnSums * task_.features() : 0);
      slot.product.resize(phase_ == Phase::kProduct ? task_.features() : 0);
    }
  }

  void process(const Batch& batch, std::size_t slot) {
    if (phase_ == Phase::kLabels) return slot_[slot].survey.add(batch);
    const std::size_t first = task_.index_of(batch);
    Slot& partial = slot_[slot];
    for_each_row(batch, [&](const auto& row, std::int64_t at) {
      const std::size_t i = first + static_cast<std::size_t>(at);
      switch (phase_) {
        case Phase::kStart:
          z_[i] = dot(row, w_.data());
          break;
        case Phase::kGradient:
          gradient_of(row, i, partial);
          break;
        case Phase::kProduct:
          if (curvature_[i] == 0) break;
          xq_[i] = dot(row, q_.data());
          fixed_.add(curvature_[i] * (xq_[i] - shift_) * product_step_, row, partial.product.data());
          break;
        case Phase::kDirection:
          if (curvature_[i] == 0) dz_[i] = dot(row, step_.data());
          break;
        case Phase::kLabels:
        case Phase::kDone:
          break;
      }
    });
  }

  struct Slot {
    ColumnSurvey survey;
    std::vector<std::int64_t> columns, product;
    ExactSum loss, alphas, balance, curvature;
  };

  template <class Row>
  void gradient_of(const Row& row, std::size_t i, Slot& partial) {
    // Scores along a search drift by rounding: the bounds rest on fresh ones.
    if (!zero_) z_[i] = dot(row, w_.data());
    const double cost = std::abs(task_.cost()[i]), y = label(i);
    const LossAt at = loss_at(loss(), y * (z_[i] + offset_));
    const double alpha = cost * at.slope, signed_alpha = y * alpha;
    const double curved = curvature_[i] = cost * at.curvature;
    partial.loss.add(cost * at.value);
    partial.alphas.add(alpha);
    partial.balance.add(signed_alpha);
    partial.curvature.add(curved);
    if (alpha == 0 && curved == 0) return;
    const double slope_term = signed_alpha * slope_step_, curved_term = curved * curved_step_;
    std::int64_t* columns = partial.columns.data();
    for_each_entry(row, [&](std::uint32_t j, double x) {
      std::int64_t* sums = columns + kColumnSums * j;
      const FixedColumns::Scale& scale = fixed_.scale(j);
      const double units = x * scale.column, term = curved_term * units;
      sums[kSlope] += static_cast<std::int64_t>(slope_term * units);
      sums[kCurved] += static_cast<std::int64_t>(term);
      sums[kSquare] += static_cast<std::int64_t>(term * (x * scale.square));
    });
  }

  void fold(std::size_t slot) {
    Slot& partial = slot_[slot];
    const auto take = [](std::vector<std::int64_t>& all, std::vector<std::int64_t>& part) {
      for (std::size_t k = 0; k < all.size(); ++k) all[k] += part[k];
      std::fill(part.begin(), part.end(), 0);
    };
    if (phase_ == Phase::kLabels) {
      survey_.add(partial.survey);
      partial.survey.clear(survey_.greatest.size());
    } else if (phase_ == Phase::kGradient) {
      take(columns_, partial.columns);
      total_.loss.add(partial.loss);
      total_.alphas.add(partial.alphas);
      total_.balance.add(partial.balance);
      total_.curvature.add(partial.curvature);
      partial.loss = partial.alphas = partial.balance = partial.curvature = {};
    } else if (phase_ == Phase::kProduct) {
      take(product_, partial.product);
    }
  }

  void end_labels(Comm& comm) {
    task_.resolve_costs(comm);
    survey_.synchronise(comm);
    fixed_.set(survey_, task_.costs(), task_.greatest_cost());
    if (task_.end_labels()) {
      phase_ = Phase::kDone;
      return;
    }
    offset_ = task_.offset();
    if (task_.start_theta().empty()) {
      begin_gradient();
    } else {
      w_ = task_.start_theta();
      offset_ = task_.start_offset();
      phase_ = Phase::kStart;
    }
  }

  void begin_gradient() {
    zero_ = std::all_of(w_.begin(), w_.end(), [](double x) { return x == 0; });
    columns_.assign(kColumnSums * w_.size(), 0);
    total_ = {};
    const bool logistic = loss() == Loss::kLogistic;
    const double farthest = survey_.farthest_score(w_) + std::abs(offset_);
    slope_step_ = FixedColumns::step(logistic ? 1 : 2 * (1 + farthest));
    curved_step_ = FixedColumns::step(steepest_curvature());
    phase_ = Phase::kGradient;
  }

  double steepest_curvature() const { return loss() == Loss::kLogistic ? 0.25 : 2; }

  void end_gradient(Comm& comm) {
    comm.all_reduce(std::span(columns_), Comm::Op::kSum);
    const std::array<ExactSum*, 4> sums = {&total_.loss, &total_.alphas, &total_.balance, &total_.curvature};
    exact_all_reduce(comm, sums);
    const double square = squared_length(w_), norm = std::sqrt(square), loss = total_.loss.value();
    primal_ = square / 2 + loss;
    gradient_.resize(w_.size());
    Sum gg, vv;
    for (std::size_t j = 0; j < w_.size(); ++j) {
      const double v = fixed_.value(j, columns_[kColumnSums * j + kSlope], slope_step_);
      gradient_[j] = w_[j] - v;
      gg.add(gradient_[j] * gradient_[j]);
      vv.add(v * v);
    }
    const double steepest = this->loss() == Loss::kLogistic ? 1 : 2 * std::sqrt(loss / task_.costs()) + 2;
    const double balance = task_.settings().origin ? 0 : total_.balance.value(), alphas = total_.alphas.value();
    const RowExtent& extent = survey_.extent;
    const double rounding = primal_rounding(extent, task_.costs(), steepest, norm, offset_, primal_);
    const double theta_error = fixed_.error(slope_step_) + sum_rounding(extent, alphas, 4);
    task_.offer_primal(primal_, rounding, w_, offset_);
    task_.offer_dual(
        primal_ - gg.value() / 2 + offset_ * balance,
        rounding + dual_rounding(extent, alphas, balance, std::max(norm, std::sqrt(vv.value())), theta_error, primal_));
    begin_conjugate_gradients();
  }

  void begin_conjugate_gradients() {
    const double gap = std::max(primal_ - task_.gap().dual, 0.0) / primal_;
    curved_ = task_.settings().origin ? 0 : total_.curvature.value();
    const std::size_t d = w_.size();
    curved_column_.resize(d);
    scale_.resize(d);
    step_.assign(d, 0);
    residual_.resize(d);
    q_.resize(d);
    Sum rz;
    for (std::size_t j = 0; j < d; ++j) {
      const double curved = curved_column_[j] = fixed_.value(j, columns_[kColumnSums * j + kCurved], curved_step_);
      const double taken = curved_ > 0 ? curved * curved / curved_ : 0;
      scale_[j] = std::max(1.0, 1 + fixed_.square_value(j, columns_[kColumnSums * j + kSquare], curved_step_) - taken);
      residual_[j] = -gradient_[j];
      q_[j] = residual_[j] / scale_[j];
      rz.add(residual_[j] * q_[j]);
    }
    rz_ = rz.value();
    const double accuracy = 0.5 * std::min(0.25, std::sqrt(std::sqrt(gap)));
    rz_stop_ = accuracy * accuracy * rz_;
    products_ = 0;
    std::fill(dz_.begin(), dz_.end(), 0.0);
    begin_product();
  }

  void begin_product() {
    Sum sq;
    if (curved_ > 0) {
      for (std::size_t j = 0; j < q_.size(); ++j) sq.add(curved_column_[j] * q_[j]);
    }
    shift_ = curved_ > 0 ? sq.value() / curved_ : 0;
    product_.assign(q_.size(), 0);
    const double farthest = survey_.farthest_score(q_) + std::abs(shift_);
    product_step_ = FixedColumns::step(steepest_curvature() * std::max(farthest, 1e-200));
    phase_ = Phase::kProduct;
  }

  void end_product(Comm& comm) {
    comm.all_reduce(std::span(product_), Comm::Op::kSum);
    const auto product = [&](std::size_t j) { return q_[j] + fixed_.value(j, product_[j], product_step_); };
    Sum qhq;
    for (std::size_t j = 0; j < q_.size(); ++j) qhq.add(q_[j] * product(j));
    const double length = qhq.value() > 0 ? rz_ / qhq.value() : 0;
    Sum next;
    for (std::size_t j = 0; j < q_.size(); ++j) {
      step_[j] += length * q_[j];
      residual_[j] -= length * product(j);
      next.add(residual_[j] * residual_[j] / scale_[j]);
    }
    for (std::size_t i = 0; i < dz_.size(); ++i) {
      if (curvature_[i] != 0) dz_[i] += length * xq_[i];
    }
    const double ratio = next.value() / rz_;
    rz_ = next.value();
    if (++products_ < kMostProducts && rz_ > rz_stop_ && length > 0) {
      for (std::size_t j = 0; j < q_.size(); ++j) q_[j] = residual_[j] / scale_[j] + ratio * q_[j];
      begin_product();
    } else if (loss() == Loss::kLogistic && !some_row_lacks_curvature(comm)) {
      line_search(comm);
    } else {
      phase_ = Phase::kDirection;
    }
  }

  // Products leave such a row's change along the step unknown.
  bool some_row_lacks_curvature(Comm& comm) const {
    const bool mine = std::any_of(curvature_.begin(), curvature_.end(), [](double c) { return c == 0; });
    return all_reduce_max(comm, std::int64_t{mine ? 1 : 0}) != 0;
  }

  void line_search(Comm& comm) {
    Sum ws, ss, gs;
    for (std::size_t j = 0; j < w_.size(); ++j) {
      ws.add(w_[j] * step_[j]);
      ss.add(step_[j] * step_[j]);
      gs.add(gradient_[j] * step_[j]);
    }
    const double square = squared_length(w_);
    double t = 1, offset = offset_;
    for (int halving = 0; halving < kMostHalvings; ++halving, t /= 2) {
      for (std::size_t i = 0; i < z_.size(); ++i) xq_[i] = z_[i] + t * dz_[i];
      offset = best_offset(xq_, offset_, comm);
      const double value = (square + 2 * t * ws.value() + t * t * ss.value()) / 2 +
                           total_loss(loss(), task_.cost(), xq_, offset, threads(), comm);
      if (value <= primal_ + 1e-4 * t * gs.value()) break;
    }
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += t * step_[j];
    std::swap(z_, xq_);
    offset_ = offset;
    begin_gradient();
  }

  MarginTask task_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::vector<Slot> slot_;
  // By row: scores, their change along the step, x·q, D.
  std::vector<double> z_, dz_, xq_, curvature_;
  // By column.
  std::vector<double> w_, gradient_, scale_, step_, residual_, q_, curved_column_;
  std::vector<std::int64_t> columns_, product_;
  ColumnSurvey survey_;
  FixedColumns fixed_;
  double slope_step_ = 1, curved_step_ = 1, product_step_ = 1;
  struct {
    ExactSum loss, alphas, balance, curvature;
  } total_;
  bool zero_ = true;
  double offset_ = 0, primal_ = 0, curved_ = 0, shift_ = 0;  // curved_ is S; shift_ is s·q/S
  double rz_ = 0, rz_stop_ = 0;
  std::int64_t products_ = 0;
};

std::string Newton::save_state() const {
  ByteWriter writer;
  writer.text("margin newton 2");
  task_.save(writer);
  survey_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  for (const auto* v :
       {&z_, &dz_, &xq_, &curvature_, &w_, &gradient_, &scale_, &step_, &residual_, &q_, &curved_column_}) {
    writer.numbers(*v);
  }
  for (const double x : {offset_, primal_, curved_, rz_, rz_stop_}) writer.number(x);
  writer.number(products_);
  return writer.bytes();
}

void Newton::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin newton 2");
  task_.load(reader);
  survey_.load(reader);
  fixed_.set(survey_, task_.costs(), task_.greatest_cost());
  phase_ = static_cast<Phase>(reader.number<std::uint8_t>());
  for (auto* v : {&z_, &dz_, &xq_, &curvature_, &w_, &gradient_, &scale_, &step_, &residual_, &q_, &curved_column_}) {
    *v = reader.numbers<double>();
  }
  for (double* x : {&offset_, &primal_, &curved_, &rz_, &rz_stop_}) *x = reader.number<double>();
  products_ = reader.number<std::int64_t>();
  reader.end();
  if (phase_ == Phase::kGradient) begin_gradient();
  if (phase_ == Phase::kProduct) begin_product();
  begin_blocks();
}

}  // namespace

std::unique_ptr<Learner> make_newton(const MarginSettings& settings, const Model* start) {
  return std::make_unique<Newton>(settings, start);
}

}  // namespace linsep
