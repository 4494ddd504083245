// Problem: min over Θ, b of F (softmax.h) with a penalty that has an L1 part, of each weight or grouped by features
// (penalty.h).
//
// Method: proximal Newton on a working set, as in working_set.cc, whose coordinates are pairs of a feature and a class.
// A gradient pass scores the rows at a new point and sums V_jc = Σ c_i(1[y_i = c] − P_ic)·x_ij over all pairs. A
// Hessian pass sums Σ c_i·P_ia(1[a = b] − P_ib)·x_ij·x_il over the pairs (j, a), (l, b) of the working set, classes
// coupled, with the offsets eliminated. The model is then minimized (softmax_quadratic.h), and the next gradient pass
// tries its minimizer.
//
// Bounds: the dual is D(P) = Σ c_i·H(P_i) − R*(V) over distributions P_i with r_c = Σ c_i(1[y_i = c] − P_ic) = 0 for
// every class, unless through the origin. P′ = (1 − s)·P + s·q with the same q_c = (n_c + r_c(1 − s)/s)/N in every row
// is balanced, n_c the cost of class c and N that of all rows; its V′ takes the classes' column sums, which the first
// gradient pass adds up. The step from the rows' own classes towards P′, shortened by t, scales V′ by t, to where R* is
// finite, and stays balanced.
//
// Workers: as in working_set.cc. Exchanged: dk numbers for a gradient, half the square of the pairs for a Hessian.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/deadline.h"
#include "core/elementary.h"
#include "core/fields.h"
#include "learn/margin/grid_sums.h"
#include "learn/margin/proximal_step.h"
#include "learn/margin/softmax.h"
#include "learn/margin/softmax_quadratic.h"
#include "learn/margin/softmax_rows.h"
#include "numeric/row_blocks.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

constexpr std::size_t kFirstPairs = 512;  // of a working set that begins
constexpr std::size_t kMostPairs = 2048;  // of any; at most as many again make features whole
constexpr int kMostHalvings = 40, kMostSweeps = 2000;
constexpr double kLeastShare = 0.03;
constexpr double kRoundings = 16;  // by which a step may raise F: it still brings the dual point closer
constexpr double kUnit = ProximalStep::kUnit;
constexpr std::uint32_t kOutside = ~std::uint32_t{0};

enum class Phase : std::uint8_t { kLabels, kGradient, kHessian, kDone };

/// Probabilities whose Hessian the model takes, given those of the row and its loss. Of a row far on the wrong side
/// hardly anything is left of the Hessian, though not of its pull: its own class gets a least share. Returns the
/// greatest p(1 − p), which no entry of the row's Hessian exceeds.
double model_shares(double* p, std::size_t classes, std::size_t own, double loss) {
  const double least = kLeastShare / (1 + loss);
  if (p[own] < least) {
    const double others = (1 - least) / (1 - p[own]);
    for (std::size_t c = 0; c < classes; ++c) p[c] *= others;
    p[own] = least;
  }
  double most = 0;
  for (std::size_t c = 0; c < classes; ++c) most = std::max(most, p[c] * (1 - p[c]));
  return most;
}

/// −Σ p·log p, where p_own = 1 − rest.
double entropy(const double* p, std::size_t classes, std::size_t own, double rest) {
  double sum = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    if (p[c] > 0 && c != own) sum -= p[c] * elementary::log(p[c]);
  }
  if (p[own] > 0) sum -= p[own] * (rest < 0.5 ? elementary::log1p(-rest) : elementary::log(p[own]));
  return sum;
}

/// The offsets of a model, eliminated: G = LLᵀ of the classes whose offsets are free.
class OffsetElimination {
 public:
  /// `g` is the triangle of G for all classes. A class whose pivot is no more than rounding stays where it is.
  void factor(const std::vector<double>& g, std::size_t classes, const std::vector<std::size_t>& free);
  /// L⁻¹ of numbers by class.
  std::vector<double> forward(const double* by_class) const;
  /// L⁻ᵀ, as numbers by class.
  std::vector<double> backward(std::vector<double> y) const;

 private:
  std::size_t classes_ = 0;
  std::vector<std::size_t> free_;
  std::vector<std::vector<double>> rows_;  // of L
};

void OffsetElimination::factor(const std::vector<double>& g, std::size_t classes,
                               const std::vector<std::size_t>& free) {
  classes_ = classes;
  free_.clear();
  rows_.clear();
  for (const std::size_t c : free) {
    std::vector<double> line;
    double pivot = g[triangle_begin(c, classes) + c];
    const double enough = 1e-12 * pivot;
    for (std::size_t m = 0; m < free_.size(); ++m) {
      double sum = g[triangle_begin(std::min(c, free_[m]), classes) + std::max(c, free_[m])];
      for (std::size_t l = 0; l < m; ++l) sum -= rows_[m][l] * line[l];
      line.push_back(sum / rows_[m][m]);
      pivot -= line[m] * line[m];
    }
    if (!(pivot > enough)) continue;
    line.push_back(std::sqrt(pivot));
    free_.push_back(c);
    rows_.push_back(std::move(line));
  }
}

std::vector<double> OffsetElimination::forward(const double* by_class) const {
  std::vector<double> y(free_.size());
  for (std::size_t m = 0; m < y.size(); ++m) {
    double sum = by_class[free_[m]];
    for (std::size_t l = 0; l < m; ++l) sum -= rows_[m][l] * y[l];
    y[m] = sum / rows_[m][m];
  }
  return y;
}

std::vector<double> OffsetElimination::backward(std::vector<double> y) const {
  std::vector<double> all(classes_, 0);
  for (std::size_t m = y.size(); m-- > 0;) {
    y[m] /= rows_[m][m];
    for (std::size_t l = 0; l < m; ++l) y[l] -= rows_[m][l] * y[m];
    all[free_[m]] = y[m];
  }
  return all;
}

class SoftmaxWorkingSet : public Learner {
 public:
  SoftmaxWorkingSet(const MarginSettings& settings, std::size_t classes, SolverChoice choice)
      : task_(settings, classes, std::move(choice)), penalty_{settings.penalty, settings.group_features, classes} {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    for (std::vector<double>* z : {&z_, &trial_z_}) z->assign(task_.rows() * classes(), 0);
    w_.assign(task_.weights() + classes(), 0);
    block_of_.assign(task_.features(), kOutside);
    phase_ = Phase::kLabels;
    begin_blocks();
  }

  void visit(const Batch& batch) override {
    if (phase_ == Phase::kLabels) task_.visit_labels(batch);
    deadline_.run([&] { blocks_.add(batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot); }); });
  }

  void synchronise(Comm& comm) override {
    deadline_.run([&] { end_rows(comm); });
  }

  Verdict end_pass(Progress& progress) override {
    if (deadline_.cut_off()) return report_stopped(task_, progress);
    task_.report(progress);
    if (task_.converged() || phase_ == Phase::kDone) return Verdict::kConverged;
    return step_.stalled() ? Verdict::kStalled : Verdict::kContinue;
  }

  Model model() const override { return task_.model(); }
  TrainingStats stats() const override { return task_.stats(); }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  /// What a thread adds up.
  struct Slot {
    std::vector<std::int64_t> columns;            // by pair: V
    std::vector<std::int64_t> centre;             // by pair: Σ c_i·x_ij of the class; of the first gradient
    std::vector<double> hessian, border, corner;  // on the grid: of pairs; of pairs and offsets; of offsets
    std::vector<double> p;
    std::vector<std::uint32_t> hit;  // of a row's pairs: places in the working set, classes, values
    std::vector<double> hit_class, own, other;
    ExactSum loss, curvature;
    std::vector<ExactSum> balance;
  };

  std::size_t classes() const { return task_.classes(); }
  bool origin() const { return task_.settings().origin; }
  bool has_offset(std::size_t c) const { return !origin() && task_.active(c); }
  std::span<const double> weights(const std::vector<double>& w) const { return std::span(w).first(task_.weights()); }
  std::span<const double> offsets(const std::vector<double>& w) const { return std::span(w).subspan(task_.weights()); }

  void begin_blocks();
  void process(const Batch& batch, std::size_t slot);
  template <class Row>
  void gradient_of(const Row& row, std::size_t i, Slot& slot);
  template <class Row>
  void hessian_of(const Row& row, std::size_t i, Slot& slot) const;

  void end_rows(Comm& comm);
  void end_labels(Comm& comm);
  void begin_gradient();
  void end_gradient(Comm& comm);
  void shorten(Comm& comm);
  void offer_bounds(Comm& comm);
  void offer_dual(double share, double scale, std::span<const double> v, Comm& comm);
  void begin_hessian();
  void choose_pairs();
  void end_hessian(Comm& comm);
  void build_model(const Slot& all);
  void minimize_model();

  SoftmaxTask task_;
  Deadline deadline_;
  const JointPenalty penalty_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::vector<Slot> slot_;
  // By row and class: scores without offsets, at w_ and at the point that is tried.
  std::vector<double> z_, trial_z_;
  // By feature and class, then offsets: the point, the model's minimizer, what is tried on the way to it.
  std::vector<double> w_, target_, trial_;
  // By feature and class: V, and Σ c_i·x_ij of the class.
  std::vector<double> v_, class_sum_;
  std::vector<double> balance_;  // r by class
  ProximalStep step_;
  double total_curvature_ = 0, curvature_scale_ = 1;
  // The working set: pairs, ascending, in blocks by feature, and each feature's block.
  std::vector<std::uint64_t> pairs_;
  std::vector<SoftmaxQuadratic::Block> block_;
  std::vector<std::uint32_t> block_of_;
  std::vector<double> column_scale_;  // by block: a power of two
  double worst_ = 0;                  // violation in it
  // The model: H and V with the offsets eliminated, and how.
  SoftmaxQuadratic model_;
  OffsetElimination elimination_;
  std::vector<double> model_v_, model_balance_;
  std::vector<std::vector<double>> model_border_;
};

void SoftmaxWorkingSet::begin_blocks() {
  const std::size_t k = classes(), size = pairs_.size();
  const bool gradient = phase_ == Phase::kGradient, first = gradient && class_sum_.empty();
  const bool hessian = phase_ == Phase::kHessian;
  const double hits = static_cast<double>(size);
  blocks_.begin(static_cast<std::int64_t>(task_.rows()), task_.threads(),
                hessian ? 1 + hits / 64 : static_cast<double>(k));
  if (phase_ == Phase::kLabels) task_.begin_survey(blocks_.slots());
  slot_.resize(blocks_.slots());
  for (Slot& slot : slot_) {
    slot.columns.assign(gradient ? task_.weights() : 0, 0);
    slot.centre.assign(first ? task_.weights() : 0, 0);
    slot.hessian.assign(hessian ? triangle_size(size) : 0, 0);
    slot.border.assign(hessian ? size * k : 0, 0);
    slot.corner.assign(hessian ? triangle_size(k) : 0, 0);
    slot.p.resize(2 * k);
    slot.hit.resize(hessian ? size : 0);
    for (std::vector<double>* v : {&slot.hit_class, &slot.own, &slot.other}) v->resize(slot.hit.size());
    slot.loss = slot.curvature = {};
    slot.balance.assign(gradient ? k : 0, {});
  }
}

void SoftmaxWorkingSet::process(const Batch& batch, std::size_t number) {
  if (phase_ == Phase::kLabels) return task_.survey(batch, number);
  if (phase_ == Phase::kDone) return;
  const std::size_t first = task_.index_of(batch);
  Slot& slot = slot_[number];
  for_each_row(batch, [&](const auto& row, std::int64_t at) {
    poll((row.size + 8) * classes());
    const std::size_t i = first + static_cast<std::size_t>(at);
    if (task_.cost()[i] == 0) return;
    if (phase_ == Phase::kGradient) {
      gradient_of(row, i, slot);
    } else {
      hessian_of(row, i, slot);
    }
  });
}

template <class Row>
void SoftmaxWorkingSet::gradient_of(const Row& row, std::size_t i, Slot& slot) {
  const std::size_t k = classes(), own = task_.own()[i];
  const double cost = task_.cost()[i];
  double *z = trial_z_.data() + i * k, *p = slot.p.data(), *term = p + k;
  output_scores(row, trial_.data(), k, z);
  const double loss = softmax_row(z, offsets(trial_).data(), k, own, p);
  slot.loss.add(cost * loss);
  for (std::size_t c = 0; c < k; ++c) {
    const double slope = cost * ((c == own ? 1.0 : 0.0) - p[c]);
    slot.balance[c].add(slope);
    term[c] = slope * FixedColumns::step(1);
  }
  slot.curvature.add(cost * model_shares(p, k, own, loss));
  for_each_entry(row, [&](std::uint32_t j, double x) {
    const double units = x * task_.fixed().scale(j).column;
    std::int64_t* to = slot.columns.data() + j * k;
    for (std::size_t c = 0; c < k; ++c) add_units(to[c], whole_units(term[c] * units));
  });
  if (slot.centre.empty()) return;
  const double unit = cost * FixedColumns::step(1);
  for_each_entry(row, [&](std::uint32_t j, double x) {
    add_units(slot.centre[j * k + own], whole_units(unit * (x * task_.fixed().scale(j).column)));
  });
}

template <class Row>
void SoftmaxWorkingSet::hessian_of(const Row& row, std::size_t i, Slot& slot) const {
  const std::size_t k = classes(), size = pairs_.size();
  double* p = slot.p.data();
  const double loss = softmax_row(z_.data() + i * k, offsets(w_).data(), k, task_.own()[i], p);
  model_shares(p, k, task_.own()[i], loss);
  const double cost = task_.cost()[i] * curvature_scale_;
  std::size_t hits = 0;
  for_each_entry(row, [&](std::uint32_t j, double x) {
    const std::uint32_t number = block_of_[j];
    if (number == kOutside || x == 0) return;
    const SoftmaxQuadratic::Block& block = block_[number];
    const double value = x * column_scale_[number];
    for (std::size_t a = block.begin; a < block.begin + block.size; ++a) {
      const std::size_t c = pairs_[a] % k;
      if (p[c] == 0) continue;
      slot.hit[hits] = static_cast<std::uint32_t>(a);
      slot.hit_class[hits] = static_cast<double>(c);
      slot.own[hits] = (1 - p[c]) * value;
      slot.other[hits++] = -p[c] * value;
    }
  });
  const std::uint32_t* hit = slot.hit.data();
  const double *of = slot.hit_class.data(), *own = slot.own.data(), *other = slot.other.data();
  for (std::size_t a = 0; a < hits; ++a) {
    const double curved = -cost * other[a], same = of[a];
    double *line = slot.hessian.data() + triangle_begin(hit[a], size), *edge = slot.border.data() + hit[a] * k;
    if (hits == size) {
      for (std::size_t b = a; b < hits; ++b) line[b] += on_grid(curved * (of[b] == same ? own[b] : other[b]));
    } else {
      for (std::size_t b = a; b < hits; ++b) line[hit[b]] += on_grid(curved * (of[b] == same ? own[b] : other[b]));
    }
    for (std::size_t c = 0; c < k; ++c) {
      edge[c] += on_grid(curved * (static_cast<double>(c) == same ? 1 - p[c] : -p[c]));
    }
  }
  for (std::size_t a = 0, at = 0; a < k; ++a) {
    for (std::size_t b = a; b < k; ++b) slot.corner[at++] += on_grid(cost * p[a] * (a == b ? 1 - p[b] : -p[b]));
  }
}

void SoftmaxWorkingSet::end_rows(Comm& comm) {
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
    case Phase::kDone:
      break;
  }
  begin_blocks();
}

void SoftmaxWorkingSet::end_labels(Comm& comm) {
  if (task_.end_survey(comm)) {
    phase_ = Phase::kDone;
    return;
  }
  const std::vector<double> first = task_.first_offsets();
  std::copy(first.begin(), first.end(), w_.begin() + static_cast<std::ptrdiff_t>(task_.weights()));
  target_ = w_;
  begin_gradient();
}

void SoftmaxWorkingSet::begin_gradient() {
  trial_ = target_;
  for (std::size_t a = 0; step_.length < 1 && a < w_.size(); ++a) {
    if (target_[a] != w_[a]) trial_[a] = w_[a] + step_.length * (target_[a] - w_[a]);
  }
  phase_ = Phase::kGradient;
}

void SoftmaxWorkingSet::end_gradient(Comm& comm) {
  Slot& all = slot_.front();
  for (std::size_t s = 1; s < slot_.size(); ++s) {
    fold(all.columns, slot_[s].columns);
    fold(all.centre, slot_[s].centre);
    all.loss.add(slot_[s].loss);
    all.curvature.add(slot_[s].curvature);
    for (std::size_t c = 0; c < classes(); ++c) all.balance[c].add(slot_[s].balance[c]);
  }
  std::vector<ExactSum*> sums = {&all.loss, &all.curvature};
  for (ExactSum& sum : all.balance) sums.push_back(&sum);
  exact_all_reduce(comm, sums);
  const double value = penalty_.value(weights(trial_)) + all.loss.value();
  if (step_.length == 1 && !step_.lowers_enough(value, 1, kRoundings)) return shorten(comm);
  comm.all_reduce(std::span(all.columns), Comm::Op::kSum);
  const auto take = [&](const std::vector<std::int64_t>& from, std::vector<double>& to) {
    to.resize(task_.weights());
    for (std::size_t a = 0; a < to.size(); ++a) {
      to[a] = task_.fixed().value(a / classes(), from[a], FixedColumns::step(1));
    }
  };
  if (!all.centre.empty()) {
    comm.all_reduce(std::span(all.centre), Comm::Op::kSum);
    take(all.centre, class_sum_);
  }
  take(all.columns, v_);
  balance_.clear();
  for (const ExactSum& sum : all.balance) balance_.push_back(sum.value());
  step_.accept(value);
  std::swap(w_, trial_);
  std::swap(z_, trial_z_);
  total_curvature_ = all.curvature.value();
  offer_bounds(comm);
  begin_hessian();
}

void SoftmaxWorkingSet::shorten(Comm& comm) {
  std::vector<double> dz(z_.size()), change(w_.size(), 0), at(w_.size());
  for (std::size_t i = 0; i < z_.size(); ++i) dz[i] = trial_z_[i] - z_[i];
  for (std::size_t a = 0; a < w_.size(); ++a) {
    if (target_[a] != w_[a]) change[a] = target_[a] - w_[a];
  }
  for (int halving = 0; halving < kMostHalvings; ++halving) {
    poll_now();
    step_.length /= 2;
    for (std::size_t a = 0; a < w_.size(); ++a) at[a] = w_[a] + step_.length * change[a];
    const double value =
        penalty_.value(weights(at)) + loss_along(task_, z_, dz, offsets(w_), offsets(change), step_.length, comm);
    if (step_.lowers_enough(value, step_.length, kRoundings)) break;
  }
  begin_gradient();
}

// The computed probabilities, scaled to sum to 1, differ from them by a share of (classes + 8)·2⁻⁵³ each.
void SoftmaxWorkingSet::offer_bounds(Comm& comm) {
  const std::size_t k = classes(), unit = penalty_.unit();
  SoftmaxValue at{.primal = step_.value, .theta_norm = std::sqrt(squared_length(weights(w_)))};
  for (std::size_t c = 0; c < k; ++c) {
    if (has_offset(c)) at.greatest_offset = std::max(at.greatest_offset, std::abs(offsets(w_)[c]));
  }
  task_.offer_primal(step_.value, primal_rounding(task_, at), w_);

  const double costs = task_.costs(), rounding = (4 * static_cast<double>(k) + 64) * kUnit * costs;
  double share = 0;  // s; no q_c is below n_c/(2N) then
  for (std::size_t c = 0; c < k; ++c) {
    if (has_offset(c)) share = std::max(share, 2 * (std::abs(balance_[c]) + rounding) / task_.class_costs()[c]);
  }
  if (!(share < 1)) return;
  std::vector<double> v(task_.weights());
  std::vector<double> length;  // of each unit at least
  double greatest = 0;
  for (std::size_t j = 0; j < task_.features(); ++j) {
    Sum all;
    for (std::size_t c = 0; c < k; ++c) all.add(class_sum_[j * k + c]);
    const double error =
        2 * task_.fixed().error(j, task_.columns(), FixedColumns::step(1)) + rounding * task_.columns().greatest[j];
    for (std::size_t c = 0; c < k; ++c) {
      const std::size_t a = j * k + c;
      v[a] = v_[a];
      if (share > 0) {
        const double q = task_.class_costs()[c] / costs;
        v[a] = (1 - share) * (v_[a] - balance_[c] * all.value() / costs) + share * (class_sum_[a] - q * all.value());
      }
      if ((a + 1) % unit > 0) continue;
      length.push_back(JointPenalty::length(std::span(v).subspan(a + 1 - unit, unit)) +
                       error * std::sqrt(static_cast<double>(unit)));
      greatest = std::max(greatest, length.back());
    }
  }
  const double ratio = penalty_.each.l1_ratio;
  const double within = greatest > ratio ? (1 - 0x1p-50) * ratio / greatest : 1;
  offer_dual(share, within, length, comm);
  if (!penalty_.each.lasso() && within < 1) offer_dual(share, 1, length, comm);
}

// `length` holds at least ‖V′‖ of each unit.
void SoftmaxWorkingSet::offer_dual(double share, double scale, std::span<const double> length, Comm& comm) {
  const std::size_t k = classes();
  const double costs = task_.costs();
  std::vector<double> add(k, 0);  // s·q
  double least = 1;
  for (std::size_t c = 0; c < k && share > 0; ++c) {
    if (!task_.active(c)) continue;
    add[c] = (share * task_.class_costs()[c] + balance_[c] * (1 - share)) / costs;
    least = std::min(least, add[c]);
  }
  const auto sums =
      exact_all_reduce_sums<2>(comm, task_.rows(), task_.threads(), [&](std::size_t i, std::array<ExactSum, 2>& sum) {
        thread_local std::vector<double> p;
        const double cost = task_.cost()[i];
        const std::size_t own = task_.own()[i];
        if (cost == 0) return;
        p.resize(k);
        softmax_row(z_.data() + i * k, offsets(w_).data(), k, own, p.data());
        double rest = 0;
        for (std::size_t c = 0; c < k; ++c) {
          p[c] = scale * ((1 - share) * p[c] + add[c]);
          if (c != own) rest += p[c];
        }
        p[own] += 1 - scale;
        const double term = cost * entropy(p.data(), k, own, std::min(rest, 1.0));
        sum[0].add(term);
        sum[1].add(std::abs(term) + cost * rest);
      });
  Sum conjugate;
  for (const double x : length) {
    const double excess = std::max(0.0, scale * x - penalty_.each.l1_ratio);
    if (excess > 0 && !penalty_.each.lasso()) conjugate.add(excess * excess / (2 * penalty_.each.ridge()));
  }
  // Where q isn't quite what balances the classes, each P moves by as much, and its entropy by the logarithm of it.
  const double each = (4 * static_cast<double>(k) + 64) * kUnit;
  const double moved = origin() ? 0 : each * costs * static_cast<double>(k) * (1 - elementary::log(scale * least));
  task_.offer_dual(sums[0] - conjugate.value(), each * (sums[1] + conjugate.value()) + moved);
}

void SoftmaxWorkingSet::begin_hessian() {
  choose_pairs();
  curvature_scale_ = total_curvature_ > 0 ? power_below(0.25 / total_curvature_) / 2 : 0;
  column_scale_.clear();
  for (const SoftmaxQuadratic::Block& block : block_) {
    const double greatest = task_.columns().greatest[pairs_[block.begin] / classes()];
    column_scale_.push_back(greatest > 0 ? power_below(1 / greatest) : 1);
  }
  phase_ = Phase::kHessian;
}

// The support and the units that violate most; of a large support only those that violate most. A feature with most of
// its classes gets all of them.
void SoftmaxWorkingSet::choose_pairs() {
  const std::size_t k = classes(), unit = penalty_.unit();
  for (const SoftmaxQuadratic::Block& block : block_) block_of_[pairs_[block.begin] / k] = kOutside;
  struct Candidate {
    double violation = 0;
    std::uint64_t unit = 0;
    bool support = false;
  };
  std::vector<Candidate> candidates;
  std::size_t support = 0;
  for (std::size_t a = 0; a < task_.weights(); a += unit) {
    const auto weights = std::span<const double>(w_).subspan(a, unit);
    const double violation = penalty_.violation(weights, std::span<const double>(v_).subspan(a, unit));
    const bool used = JointPenalty::length(weights) > 0;
    support += used ? 1 : 0;
    if (used || violation > 0) candidates.push_back({violation, a / unit, used});
  }
  const std::size_t limit = std::max<std::size_t>(1, kMostPairs / unit),
                    begin = std::max<std::size_t>(1, kFirstPairs / unit);
  const std::size_t most = std::min({limit, std::max(begin, 2 * support), candidates.size()});
  const bool whole = support <= limit / 2;
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(most), candidates.end(),
                   [&](const Candidate& a, const Candidate& b) {
                     if (whole && a.support != b.support) return a.support;
                     return a.violation != b.violation ? a.violation > b.violation : a.unit < b.unit;
                   });
  candidates.resize(most);
  worst_ = 0;
  for (const Candidate& candidate : candidates) worst_ = std::max(worst_, candidate.violation);
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.unit < b.unit; });
  std::size_t taking_part = 0;
  for (std::size_t c = 0; c < k; ++c) taking_part += task_.active(c) ? 1 : 0;
  pairs_.clear();
  block_.clear();
  for (std::size_t first = 0, last = 0; first < most; first = last) {
    const std::uint64_t j = candidates[first].unit * unit / k;
    while (last < most && candidates[last].unit * unit / k == j) ++last;
    const bool all = penalty_.grouped || 2 * (last - first) > taking_part;
    block_of_[j] = static_cast<std::uint32_t>(block_.size());
    block_.push_back({pairs_.size(), 0, all || last - first == taking_part});
    if (all) {
      for (std::size_t c = 0; c < k; ++c) {
        if (task_.active(c)) pairs_.push_back(j * k + c);
      }
    } else {
      for (std::size_t m = first; m < last; ++m) pairs_.push_back(candidates[m].unit);
    }
    block_.back().size = pairs_.size() - block_.back().begin;
  }
}

void SoftmaxWorkingSet::end_hessian(Comm& comm) {
  Slot& all = slot_.front();
  for (std::size_t s = 1; s < slot_.size(); ++s) {
    fold(all.hessian, slot_[s].hessian);
    fold(all.border, slot_[s].border);
    fold(all.corner, slot_[s].corner);
  }
  for (std::vector<double>* sums : {&all.hessian, &all.border, &all.corner}) {
    comm.all_reduce(std::span(*sums), Comm::Op::kSum);
  }
  build_model(all);
  minimize_model();
  begin_gradient();
}

// With the offsets' change at its best, G⁻¹(r − Bᵀd), H becomes H − B·G⁻¹·Bᵀ and V becomes V − B·G⁻¹·r.
void SoftmaxWorkingSet::build_model(const Slot& all) {
  const std::size_t k = classes(), size = pairs_.size();
  std::vector<std::size_t> free;
  const auto costs = task_.class_costs();
  const auto heaviest = static_cast<std::size_t>(std::max_element(costs.begin(), costs.end()) - costs.begin());
  for (std::size_t c = 0; c < k && curvature_scale_ > 0; ++c) {
    if (has_offset(c) && c != heaviest) free.push_back(c);
  }
  std::vector<double> corner = all.corner, unscale;
  for (double& x : corner) x /= curvature_scale_;
  elimination_.factor(corner, k, free);
  model_balance_ = elimination_.forward(balance_.data());
  for (std::size_t b = 0; b < block_.size(); ++b) {
    unscale.insert(unscale.end(), block_[b].size, 1 / column_scale_[b]);
  }
  model_.begin(size);
  model_v_.clear();
  model_border_.clear();
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = a; b < size; ++b) {
      const double sum = curvature_scale_ > 0 ? all.hessian[triangle_begin(a, size) + b] / curvature_scale_ : 0;
      model_.row(a)[b] = model_.row(b)[a] = sum * unscale[a] * unscale[b];
    }
    model_v_.push_back(v_[pairs_[a]]);
  }
  if (free.empty()) return;
  for (std::size_t a = 0; a < size; ++a) {
    std::vector<double> edge(all.border.begin() + static_cast<std::ptrdiff_t>(a * k),
                             all.border.begin() + static_cast<std::ptrdiff_t>((a + 1) * k));
    for (double& x : edge) x *= unscale[a] / curvature_scale_;
    model_border_.push_back(elimination_.forward(edge.data()));
  }
  std::vector<double> square(size);
  for (std::size_t m = 0; m < model_balance_.size(); ++m) {
    for (std::size_t a = 0; a < size; ++a) square[a] = model_border_[a][m];
    model_.add_square(square, -1, model_balance_[m], model_v_);
  }
}

void SoftmaxWorkingSet::minimize_model() {
  const std::size_t size = pairs_.size();
  std::vector<double> start(size), diagonal(size), u, v;
  for (std::size_t a = 0; a < size; ++a) {
    start[a] = w_[pairs_[a]];
    diagonal[a] = model_.row(a)[a];
  }
  for (;;) {
    for (std::size_t a = 0; a < size; ++a) model_.row(a)[a] = (1 + step_.damping) * diagonal[a];
    u = start;
    v = model_v_;
    model_.solve(penalty_, block_, v, u, ProximalStep::accuracy(worst_), kMostSweeps);
    Sum gain;  // of the model: V·d − ½dᵀHd − R(u) + R(w)
    for (std::size_t a = 0; a < size; ++a) gain.add((model_v_[a] + v[a]) / 2 * (u[a] - start[a]));
    target_ = w_;
    for (std::size_t a = 0; a < size; ++a) target_[pairs_[a]] = u[a];
    gain.add(penalty_.value(weights(w_)) - penalty_.value(weights(target_)));
    if (!step_.damps(gain.value())) break;
  }
  Sum change;
  std::vector<double> rest = model_balance_;
  for (std::size_t a = 0; a < size; ++a) {
    const double step = u[a] - start[a];
    change.add(-v_[pairs_[a]] * step);
    for (std::size_t m = 0; m < rest.size() && step != 0; ++m) rest[m] -= model_border_[a][m] * step;
  }
  const std::vector<double> moved = elimination_.backward(std::move(rest));
  for (std::size_t c = 0; c < classes() && !origin(); ++c) {
    if (moved[c] == 0) continue;
    target_[task_.weights() + c] += moved[c];
    change.add(-balance_[c] * moved[c]);
  }
  change.add(penalty_.value(weights(target_)) - penalty_.value(weights(w_)));
  step_.begin(change.value());
}

std::string SoftmaxWorkingSet::save_state() const {
  ByteWriter writer;
  writer.text("margin softmax working set 2");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  write_fields(writer, step_);
  for (const auto* v : {&z_, &trial_z_, &w_, &target_, &v_, &class_sum_, &balance_}) writer.numbers(*v);
  writer.number(total_curvature_);
  return writer.take();
}

void SoftmaxWorkingSet::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin softmax working set 2");
  task_.load(reader);
  phase_ = reader.choice(Phase::kDone);
  read_fields(reader, step_);
  const std::size_t scores = task_.rows() * classes(), weights = task_.weights();
  for (auto* z : {&z_, &trial_z_}) *z = reader.numbers<double>(scores);
  for (auto* w : {&w_, &target_}) *w = reader.numbers<double>();
  for (auto* v : {&v_, &class_sum_}) *v = reader.numbers_or_none<double>(weights);
  balance_ = reader.numbers_or_none<double>(classes());
  total_curvature_ = reader.ordered();
  reader.end();
  require_state(phase_ == Phase::kLabels || task_.labelled());
  for (const auto* w : {&w_, &target_}) {
    require_state(w->size() == weights + classes() || (w == &target_ && w->empty()));
    if (!w->empty()) task_.require_point(*w);
  }
  require_state(phase_ != Phase::kGradient || target_.size() == w_.size());
  require_state(phase_ != Phase::kHessian ||
                (v_.size() == weights && class_sum_.size() == weights && balance_.size() == classes()));
  if (phase_ == Phase::kGradient) begin_gradient();
  if (phase_ == Phase::kHessian) begin_hessian();
  begin_blocks();
}

}  // namespace

std::unique_ptr<Learner> make_sparse_softmax(const MarginSettings& settings, std::size_t classes,
                                             const SolverChoice& choice) {
  return std::make_unique<SoftmaxWorkingSet>(settings, classes, choice);
}

}  // namespace linsep
