// Problem: min over θ of f(θ) = min over θ0 of F(θ, θ0) (see learn/gap.h), for a loss with a curvature.
//
// Method: Newton's method on f. With D_i = c_i·ℓ″(m_i), S = Σ D_i and s = Σ D_i x_i, the Hessian of f is
// I + Σ D_i x_i x_iᵀ − s sᵀ/S: the second term less what the offset takes up. Systems are solved by conjugate gradients
// (Lin, Weng & Keerthi, 2008) scaled by the Hessian's diagonal, which is where badly scaled columns are met; then a
// line search by halving. Along a line scores are known from those of its ends, so the search never looks at the data.
//
// Stopping rule: at the best offset α_i = −c_i·ℓ′(m_i) is dual feasible and the gap is ½‖∇f‖². Cost: one pass for a
// gradient, one for each step of conjugate gradients, one (squared hinge, rows without curvature) for the direction.
#include "learn/newton.h"

#include <algorithm>
#include <cmath>

#include "kernel/kernel.h"
#include "learn/margin_blocks.h"

namespace linsep {
namespace {

constexpr int kMostProducts = 300;
constexpr int kMostHalvings = 40;

enum class Phase : std::uint8_t { kLabels, kStart, kGradient, kProduct, kDirection };

/// What a gradient pass adds up for one column: Σ α_i y_i x_ij, Σ D_i x_ij, Σ D_i x_ij².
struct ColumnSums {
  double gradient = 0, curved = 0, square = 0;
};

class Newton : public Learner {
 public:
  Newton(const MarginSettings& settings, const Model* start) : task_(settings, start) {}

  void begin(const Shape& shape) override {
    task_.begin(shape);
    for (std::vector<double>* v : {&z_, &dz_, &xq_, &curvature_}) v->assign(task_.rows(), 0);
    w_.assign(task_.features(), 0);
    begin_blocks();
  }

  void visit(const Batch& batch) override {
    if (phase_ == Phase::kLabels) {
      task_.visit_labels(batch);
    } else {
      blocks_.add(
          batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot); },
          [&](std::size_t slot) { fold(slot); });
    }
  }

  void synchronise(Comm& comm) override {
    require_one_worker(comm);
    if (phase_ == Phase::kLabels) return;
    blocks_.finish([&](const Batch& rows, std::size_t slot) { process(rows, slot); },
                   [&](std::size_t slot) { fold(slot); });
  }

  Verdict end_pass(Progress& progress) override {
    switch (phase_) {
      case Phase::kLabels:
        if (task_.end_labels(progress)) return Verdict::kConverged;
        offset_ = task_.offset();
        if (task_.start_theta().empty()) {
          begin_gradient();
        } else {
          w_ = task_.start_theta();
          offset_ = task_.start_offset();
          phase_ = Phase::kStart;
        }
        break;
      case Phase::kStart:
        offset_ = best_offset(z_, offset_);
        begin_gradient();
        break;
      case Phase::kGradient:
        end_gradient();
        break;
      case Phase::kProduct:
        end_product();
        break;
      case Phase::kDirection:
        line_search();
        break;
    }
    begin_blocks();
    task_.report(progress);
    return task_.verdict();
  }

  Model model() const override { return task_.model(); }
  Findings findings() const override { return task_.findings(); }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  Loss loss() const { return task_.settings().loss; }
  int threads() const { return task_.settings().threads; }
  double label(std::size_t i) const { return task_.cost()[i] < 0 ? -1 : 1; }
  double best_offset(std::span<const double> z, double near) const {
    return task_.settings().origin ? 0 : best_smooth_offset(loss(), task_.cost(), z, near, threads());
  }

  void begin_blocks() {
    blocks_.begin(static_cast<std::int64_t>(task_.rows()), threads());
    slot_.resize(blocks_.slots());
    for (Slot& slot : slot_) {
      slot.columns.resize(phase_ == Phase::kGradient ? task_.features() : 0);
      slot.product.resize(phase_ == Phase::kProduct ? task_.features() : 0);
    }
  }

  void process(const Batch& batch, std::size_t slot) {
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
          axpy(curvature_[i] * (xq_[i] - shift_), row, partial.product.data());
          break;
        case Phase::kDirection:
          if (curvature_[i] == 0) dz_[i] = dot(row, step_.data());
          break;
        case Phase::kLabels:
          break;
      }
    });
  }

  struct Slot {
    std::vector<ColumnSums> columns;
    std::vector<double> product;
    Sum loss, alphas, balance, curvature;
    RowExtent extent;
  };

  template <class Row>
  void gradient_of(const Row& row, std::size_t i, Slot& partial) {
    // Scores along a search drift by rounding: the bounds rest on fresh ones.
    if (!zero_) z_[i] = dot(row, w_.data());
    if (!measured_) partial.extent.include(squared_norm(row), row.size);
    const double cost = std::abs(task_.cost()[i]), y = label(i);
    const LossAt at = loss_at(loss(), y * (z_[i] + offset_));
    const double alpha = cost * at.slope, signed_alpha = y * alpha;
    const double curved = curvature_[i] = cost * at.curvature;
    partial.loss.add(cost * at.value);
    partial.alphas.add(alpha);
    partial.balance.add(signed_alpha);
    partial.curvature.add(curved);
    if (alpha == 0 && curved == 0) return;
    for_each_entry(row, [&](std::uint32_t j, double x) {
      ColumnSums& sums = partial.columns[j];
      sums.gradient += signed_alpha * x;
      sums.curved += curved * x;
      sums.square += curved * x * x;
    });
  }

  void fold(std::size_t slot) {
    Slot& partial = slot_[slot];
    if (phase_ == Phase::kGradient) {
      for (std::size_t j = 0; j < w_.size(); ++j) {
        columns_[j].gradient += partial.columns[j].gradient;
        columns_[j].curved += partial.columns[j].curved;
        columns_[j].square += partial.columns[j].square;
      }
      total_.loss.add(partial.loss);
      total_.alphas.add(partial.alphas);
      total_.balance.add(partial.balance);
      total_.curvature.add(partial.curvature);
      extent_.include(partial.extent);
      std::fill(partial.columns.begin(), partial.columns.end(), ColumnSums{});
      partial.loss = partial.alphas = partial.balance = partial.curvature = {};
    } else if (phase_ == Phase::kProduct) {
      for (std::size_t j = 0; j < w_.size(); ++j) product_[j] += partial.product[j];
      std::fill(partial.product.begin(), partial.product.end(), 0.0);
    }
  }

  void begin_gradient() {
    zero_ = std::all_of(w_.begin(), w_.end(), [](double x) { return x == 0; });
    columns_.assign(w_.size(), {});
    total_ = {};
    phase_ = Phase::kGradient;
  }

  void end_gradient() {
    measured_ = true;
    const double square = squared_length(w_), norm = std::sqrt(square), loss = total_.loss.value();
    primal_ = square / 2 + loss;
    gradient_.resize(w_.size());
    Sum gg, vv;
    for (std::size_t j = 0; j < w_.size(); ++j) {
      const double v = columns_[j].gradient;
      gradient_[j] = w_[j] - v;
      gg.add(gradient_[j] * gradient_[j]);
      vv.add(v * v);
    }
    const double steepest = this->loss() == Loss::kLogistic ? 1 : 2 * std::sqrt(loss / task_.costs()) + 2;
    const double balance = task_.settings().origin ? 0 : total_.balance.value();
    const double rounding = primal_rounding(extent_, task_.costs(), steepest, norm, offset_, primal_);
    task_.offer_primal(primal_, rounding, w_, offset_);
    task_.offer_dual(primal_ - gg.value() / 2 + offset_ * balance,
                     rounding + dual_rounding(extent_, total_.alphas.value(), balance,
                                              std::max(norm, std::sqrt(vv.value())), blocks_.additions(), primal_));
    begin_conjugate_gradients();
  }

  void begin_conjugate_gradients() {
    const double gap = std::max(primal_ - task_.gap().dual, 0.0) / primal_;
    curved_ = task_.settings().origin ? 0 : total_.curvature.value();
    const std::size_t d = w_.size();
    scale_.resize(d);
    step_.assign(d, 0);
    residual_.resize(d);
    q_.resize(d);
    Sum rz;
    for (std::size_t j = 0; j < d; ++j) {
      const double taken = curved_ > 0 ? columns_[j].curved * columns_[j].curved / curved_ : 0;
      scale_[j] = std::max(1.0, 1 + columns_[j].square - taken);
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
      for (std::size_t j = 0; j < q_.size(); ++j) sq.add(columns_[j].curved * q_[j]);
    }
    shift_ = curved_ > 0 ? sq.value() / curved_ : 0;
    product_ = q_;
    phase_ = Phase::kProduct;
  }

  void end_product() {
    Sum qhq;
    for (std::size_t j = 0; j < q_.size(); ++j) qhq.add(q_[j] * product_[j]);
    const double length = qhq.value() > 0 ? rz_ / qhq.value() : 0;
    Sum next;
    for (std::size_t j = 0; j < q_.size(); ++j) {
      step_[j] += length * q_[j];
      residual_[j] -= length * product_[j];
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
    } else if (loss() == Loss::kLogistic && task_.costs() > 0 &&
               std::none_of(curvature_.begin(), curvature_.end(), [](double c) { return c == 0; })) {
      line_search();
    } else {
      phase_ = Phase::kDirection;
    }
  }

  void line_search() {
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
      offset = best_offset(xq_, offset_);
      const double value = (square + 2 * t * ws.value() + t * t * ss.value()) / 2 +
                           total_loss(loss(), task_.cost(), xq_, offset, threads());
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
  std::vector<double> w_, gradient_, scale_, step_, residual_, q_, product_;
  std::vector<ColumnSums> columns_;
  struct {
    Sum loss, alphas, balance, curvature;
  } total_;
  RowExtent extent_;
  bool measured_ = false, zero_ = true;
  double offset_ = 0, primal_ = 0, curved_ = 0, shift_ = 0;  // curved_ is S; shift_ is s·q/S
  double rz_ = 0, rz_stop_ = 0;
  std::int64_t products_ = 0;
};

std::string Newton::save_state() const {
  ByteWriter writer;
  writer.text("margin newton 1");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  for (const auto* v : {&z_, &dz_, &xq_, &curvature_, &w_, &gradient_, &scale_, &step_, &residual_, &q_, &product_}) {
    writer.numbers(*v);
  }
  std::vector<double> curved;
  for (const ColumnSums& sums : columns_) curved.push_back(sums.curved);
  writer.numbers(curved);
  for (const double x : {extent_.longest, extent_.most_values, offset_, primal_, curved_, shift_, rz_, rz_stop_}) {
    writer.number(x);
  }
  writer.number(static_cast<std::uint8_t>(measured_));
  writer.number(products_);
  return writer.bytes();
}

void Newton::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin newton 1");
  task_.load(reader);
  phase_ = static_cast<Phase>(reader.number<std::uint8_t>());
  for (auto* v : {&z_, &dz_, &xq_, &curvature_, &w_, &gradient_, &scale_, &step_, &residual_, &q_, &product_}) {
    *v = reader.numbers<double>();
  }
  const auto curved = reader.numbers<double>();
  columns_.assign(curved.size(), {});
  for (double* x : {&extent_.longest, &extent_.most_values, &offset_, &primal_, &curved_, &shift_, &rz_, &rz_stop_}) {
    *x = reader.number<double>();
  }
  measured_ = reader.number<std::uint8_t>() != 0;
  products_ = reader.number<std::int64_t>();
  reader.end();
  if (phase_ == Phase::kGradient) {
    begin_gradient();
  } else {
    for (std::size_t j = 0; j < curved.size(); ++j) columns_[j].curved = curved[j];
  }
  begin_blocks();
}

}  // namespace

std::unique_ptr<Learner> make_newton(const MarginSettings& settings, const Model* start) {
  return std::make_unique<Newton>(settings, start);
}

}  // namespace linsep
