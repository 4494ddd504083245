// Problem: min over Θ, b of F (task.h), the loss of multinomial logistic regression.
//
// Method: Newton's method on Θ and b together. With P_i = softmax(t_i) the Hessian times a direction q is q (not of the
// offsets) + Σ c_i·P_ic(u_ic − Σ_a P_ia·u_ia)·(x_i, 1) with u_ic = q_c·(x_i, 1). Systems are solved by conjugate
// gradients on centred columns, scaled by the diagonal (direction.h), then a line search by halving over scores that
// are known, then the best offsets for the new scores (offsets.h): so the dual point is feasible up to rounding.
//
// Stopping rule: the gap at P (bounds.h). Cost: one pass for a gradient, one for each step of conjugate gradients, one
// for the scores' change along the step; each takes the rows' values times the classes.
//
// Workers: as in newton.cc. Exchanged: 2(d + 1)k numbers for a gradient, (d + 1)k for a step of conjugate gradients.
#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "kernel/kernel.h"
#include "learn/margin/softmax/bounds.h"
#include "learn/margin/softmax/direction.h"
#include "learn/margin/softmax/offsets.h"
#include "learn/margin/softmax/row_sums.h"
#include "learn/margin/softmax/softmax.h"
#include "learn/margin/task.h"
#include "linsep/error.h"
#include "numeric/row_blocks.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

constexpr int kMostHalvings = 40;
constexpr double kSteepest = 1, kMostCurved = 0.25;  // |1[y = c] − p| and p(1 − p)

enum class Phase : std::uint8_t { kLabels, kGradient, kProduct, kDirection, kDone };

class SoftmaxNewton : public Learner {
 public:
  SoftmaxNewton(const SoftmaxSettings& settings, SolverChoice choice) : task_(settings), choice_(std::move(choice)) {}

  void set_stop(const StopFunction& stop) override {
    stop_.set(stop);
    blocks_.set_stop(&stop_);
  }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    z_.assign(task_.rows() * task_.classes(), 0);
    p_.assign(z_.size(), 0);
    w_.assign(task_.weights() + task_.classes(), 0);
    gradient_.assign(w_.size(), 0);
    phase_ = Phase::kLabels;
    begin_blocks();
  }

  void visit(const Batch& batch) override {
    if (phase_ == Phase::kLabels) task_.visit_labels(batch);
    stop_.run([&] { blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot); }); });
  }

  void synchronise(Comm& comm) override {
    stop_.run([&] { end_rows(comm); });
  }

  Verdict end_pass(Progress& progress) override {
    if (stop_.stopped()) return report_stopped(task_, progress);
    task_.report(progress);
    if (task_.converged()) return Verdict::kConverged;
    return phase_ == Phase::kDone ? Verdict::kStalled : Verdict::kContinue;
  }

  Model model() const override { return task_.model(); }
  TrainingStats stats() const override {
    TrainingStats stats = task_.stats();
    if (stats.margin) {
      stats.margin->solver = choice_.solver;
      stats.margin->because = choice_.because;
    }
    return stats;
  }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  /// All rows have been seen.
  void end_rows(Comm& comm) {
    blocks_.finish([&](const Batch& rows, std::size_t slot) { process(rows, slot); });
    switch (phase_) {
      case Phase::kLabels:
        end_labels(comm);
        break;
      case Phase::kGradient:
        add_up(comm);
        end_gradient();
        break;
      case Phase::kProduct:
        add_up(comm);
        end_product();
        break;
      case Phase::kDirection:
        line_search(comm);
        break;
      case Phase::kDone:
        break;
    }
    begin_blocks();
  }

  std::size_t classes() const { return task_.classes(); }
  std::span<const double> offsets() const { return std::span<const double>(w_).subspan(task_.weights()); }
  bool has_offset(std::size_t c) const { return !task_.settings().origin && task_.active(c); }

  void begin_blocks() {
    blocks_.begin(static_cast<std::int64_t>(task_.rows()), task_.threads());
    if (phase_ == Phase::kLabels) task_.begin_survey(blocks_.slots());
    if (phase_ != Phase::kGradient && phase_ != Phase::kProduct && phase_ != Phase::kDirection) return;
    slot_.resize(blocks_.slots());
    for (SoftmaxSums& slot : slot_) slot.clear(task_, phase_ == Phase::kGradient);
  }

  void process(const Batch& batch, std::size_t slot) {
    if (phase_ == Phase::kLabels) return task_.survey(batch, slot);
    if (phase_ == Phase::kDone) return;
    const std::size_t first = task_.index_of(batch), k = classes();
    SoftmaxSums& partial = slot_[slot];
    Pace pace(&stop_);
    for_each_row(batch, [&](const auto& row, std::int64_t at) {
      pace.after((row.size + 8) * k);
      const std::size_t i = first + static_cast<std::size_t>(at);
      if (task_.cost()[i] == 0) return;
      if (phase_ == Phase::kGradient) {
        gradient_of(row, i, partial);
      } else if (phase_ == Phase::kProduct) {
        product_of(row, i, partial);
      } else {
        class_scores(row, direction_.direction().data(), k, p_.data() + i * k);
      }
    });
  }

  template <class Row>
  void gradient_of(const Row& row, std::size_t i, SoftmaxSums& partial) {
    const std::size_t k = classes(), own = task_.own()[i];
    double *z = z_.data() + i * k, *p = p_.data() + i * k, *coefficient = partial.scratch.data();
    // Scores along a search drift by rounding: the bounds rest on fresh ones.
    if (!zero_) class_scores(row, w_.data(), k, z);
    const double cost = task_.cost()[i];
    partial.loss.add(cost * softmax_row(z, offsets().data(), k, own, p));
    for (std::size_t c = 0; c < k; ++c) {
      const double slope = cost * ((c == own ? 1.0 : 0.0) - p[c]);
      partial.balance[c].add(slope);
      coefficient[c] = slope * slope_step_;
      coefficient[k + c] = cost * p[c] * (1 - p[c]) * curved_step_;
    }
    partial.add_gradient(task_, row, coefficient);
  }

  template <class Row>
  void product_of(const Row& row, std::size_t i, SoftmaxSums& partial) {
    const std::size_t k = classes();
    const double* p = p_.data() + i * k;
    const double* q = direction_.direction().data();
    double *u = partial.scratch.data(), mean = 0;
    class_scores(row, q, k, u);
    for (std::size_t c = 0; c < k; ++c) {
      u[c] += q[task_.weights() + c];
      mean += p[c] * u[c];
    }
    const double scaled = task_.cost()[i] * product_step_;
    for (std::size_t c = 0; c < k; ++c) u[c] = scaled * p[c] * (u[c] - mean);
    partial.add_product(task_, row, u);
  }

  /// Over slots and workers, into the first slot; the sums don't depend on the order.
  void add_up(Comm& comm) {
    for (std::size_t s = 1; s < slot_.size(); ++s) slot_[0].add(slot_[s]);
    slot_[0].synchronise(comm);
  }

  void end_labels(Comm& comm) {
    if (task_.end_survey(comm)) {
      phase_ = Phase::kDone;
      return;
    }
    const std::vector<double> first = task_.first_offsets();
    std::copy(first.begin(), first.end(), w_.begin() + static_cast<std::ptrdiff_t>(task_.weights()));
    begin_gradient();
  }

  void begin_gradient() {
    zero_ = std::all_of(w_.begin(), w_.begin() + static_cast<std::ptrdiff_t>(task_.weights()),
                        [](double x) { return x == 0; });
    slope_step_ = FixedColumns::step(kSteepest);
    curved_step_ = FixedColumns::step(kMostCurved);
    phase_ = Phase::kGradient;
  }

  void end_gradient() {
    const SoftmaxSums& sums = slot_[0];
    const std::size_t weights = task_.weights(), k = classes();
    Sum ww, gg, vv;
    for (std::size_t j = 0; j < weights; ++j) {
      const double v = SoftmaxSums::value(task_, sums.slope, j, slope_step_);
      gradient_[j] = w_[j] - v;
      ww.add(w_[j] * w_[j]);
      gg.add(gradient_[j] * gradient_[j]);
      vv.add(v * v);
    }
    std::vector<double> balance;
    SoftmaxPoint at;
    for (std::size_t c = 0; c < k; ++c) {
      balance.push_back(sums.balance[c].value());
      gradient_[weights + c] = has_offset(c) ? -balance[c] : 0;
      if (has_offset(c)) at.greatest_offset = std::max(at.greatest_offset, std::abs(w_[weights + c]));
    }
    at.primal = primal_ = ww.value() / 2 + sums.loss.value();
    at.theta_norm = std::sqrt(ww.value());
    at.gradient_norm = std::sqrt(gg.value());
    at.slope_norm = std::sqrt(vv.value());
    at.slope_error = std::sqrt(static_cast<double>(k)) * task_.fixed().error(slope_step_);
    at.offset = offsets();
    at.balance = balance;
    task_.offer_primal(primal_, primal_rounding(task_, at), w_);
    const DualBound dual = dual_bound(task_, at);
    task_.offer_dual(dual.value, dual.rounding);
    if (!task_.converged()) begin_conjugate_gradients();
  }

  void begin_conjugate_gradients() {
    const double gap = std::max(primal_ - task_.gap().dual, 0.0) / primal_;
    direction_.begin(slot_[0], curved_step_, gradient_, 0.5 * std::min(0.25, std::sqrt(std::sqrt(gap))));
    begin_product();
  }

  // |p_c(u_c − Σ p·u)| is at most p_c(1 − p_c) times the range of u.
  void begin_product() {
    product_step_ = SoftmaxSums::product_step(2.02 * kMostCurved * std::max(direction_.farthest(), 1e-200));
    phase_ = Phase::kProduct;
  }

  void end_product() {
    std::vector<double> product(w_.size());
    for (std::size_t j = 0; j < product.size(); ++j) {
      product[j] = SoftmaxSums::value(task_, slot_[0].slope, j, product_step_);
    }
    if (direction_.advance(std::move(product))) {
      begin_product();
    } else {
      phase_ = Phase::kDirection;
    }
  }

  // `p_` holds the scores' change along the step.
  void line_search(Comm& comm) {
    const std::vector<double>& step = direction_.direction();
    const std::size_t weights = task_.weights();
    Sum ww, ws, ss, gs;
    for (std::size_t j = 0; j < w_.size(); ++j) {
      gs.add(gradient_[j] * step[j]);
      if (j >= weights) continue;
      ww.add(w_[j] * w_[j]);
      ws.add(w_[j] * step[j]);
      ss.add(step[j] * step[j]);
    }
    const auto along = std::span<const double>(step).subspan(weights);
    double t = 1;
    int halvings = 0;
    for (; halvings < kMostHalvings; ++halvings, t /= 2) {
      stop_.look();
      const double value = (ww.value() + 2 * t * ws.value() + t * t * ss.value()) / 2 +
                           loss_along(task_, z_, p_, offsets(), along, t, comm);
      if (value <= primal_ + 1e-4 * t * gs.value()) break;
    }
    if (halvings == kMostHalvings) {
      phase_ = Phase::kDone;
      return;
    }
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += t * step[j];
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += t * p_[i];
    if (!task_.settings().origin) {
      const auto now = offsets();
      const std::vector<double> best = best_offsets(task_, z_, {now.begin(), now.end()}, comm, stop_);
      std::copy(best.begin(), best.end(), w_.begin() + static_cast<std::ptrdiff_t>(weights));
    }
    begin_gradient();
  }

  SoftmaxTask task_;
  StopPoint stop_;
  const SolverChoice choice_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::vector<SoftmaxSums> slot_;
  // By row and class: scores without offsets; probabilities, and after the last product the scores' change.
  std::vector<double> z_, p_;
  // By feature and class, then offsets.
  std::vector<double> w_, gradient_;
  SoftmaxDirection direction_{task_};
  double slope_step_ = 1, curved_step_ = 1, product_step_ = 1;
  bool zero_ = true;
  double primal_ = 0;
};

std::string SoftmaxNewton::save_state() const {
  ByteWriter writer;
  writer.text("margin softmax 1");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  for (const auto* v : {&z_, &p_, &w_, &gradient_}) writer.numbers(*v);
  writer.number(primal_);
  direction_.save(writer);
  return writer.take();
}

void SoftmaxNewton::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin softmax 1");
  const std::size_t scores = task_.rows() * classes();
  task_.load(reader);
  const auto phase = reader.number<std::uint8_t>();
  require_state(phase <= static_cast<std::uint8_t>(Phase::kDone));
  phase_ = static_cast<Phase>(phase);
  for (auto* v : {&z_, &p_, &w_, &gradient_}) *v = reader.numbers<double>();
  primal_ = reader.number<double>();
  const bool steps = phase_ == Phase::kProduct || phase_ == Phase::kDirection;
  direction_.load(reader, steps, phase_ == Phase::kDirection);
  reader.end();
  require_state(z_.size() == scores && p_.size() == scores);
  require_state(w_.size() == task_.weights() + classes() && gradient_.size() == w_.size());
  for (const auto* v : {&z_, &p_, &gradient_}) {
    require_state(std::ranges::all_of(*v, [](double x) { return std::isfinite(x); }));
  }
  for (std::size_t j = 0; j < w_.size(); ++j) {
    const bool none = j >= task_.weights() && !task_.active(j - task_.weights());
    require_state(std::isfinite(w_[j]) || (none && w_[j] < 0));
  }
  if (phase_ == Phase::kGradient) begin_gradient();
  if (phase_ == Phase::kProduct) begin_product();
  begin_blocks();
}

}  // namespace

std::unique_ptr<Learner> make_softmax(const SoftmaxSettings& settings, const SolverChoice& choice) {
  return std::make_unique<SoftmaxNewton>(settings, choice);
}

}  // namespace linsep
