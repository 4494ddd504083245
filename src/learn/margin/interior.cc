// Problem (see gap.h), with slacks: min ½‖θ‖² + Σ c_i ξ_i, y_i(θ·x_i + θ0) − 1 = s_i − ξ_i, s, ξ ≥ 0.
//
// Method: Mehrotra's predictor and corrector (1992) on the pairs α_i·s_i and (c_i − α_i)·ξ_i. Both systems of an
// iteration share one factor of I + Σ e_i x_i x_iᵀ, e_i = 1/(s_i/α_i + ξ_i/(c_i − α_i)), with a row and a column more,
// without the I, for the offset.
//
// The squared hinge has c_i ξ_i² instead of c_i ξ_i. Then α_i has no upper bound, ξ_i is κ_i α_i with κ_i = 1/(2c_i),
// and κ_i takes the place of ξ_i/(c_i − α_i): only the pairs α_i·s_i are left.
//
// With an L1 part θ = p − q, p, q ≥ 0, and the penalty is ρ·Σ(p_j + q_j) + (1 − ρ)/2·‖θ‖². The pairs p_j·λ_j and
// q_j·ν_j with the multipliers λ = ρ + (1 − ρ)θ − v, ν = ρ − (1 − ρ)θ + v, v = Σ α_i y_i x_i, join those of the rows,
// and (1 − ρ) + 1/(p_j/λ_j + q_j/ν_j) takes the place of the 1 in the matrix. The classifier has weights where p_j or
// q_j is large beside its multiplier, and 0 elsewhere.
//
// An iteration is three passes: assemble the matrix and the first right-hand side; scores of the predictor and the
// second right-hand side, in which the centring σ is still open and enters as a factor; scores of the corrector.
//
// Stopping rule: each iteration gives θ with its best offset and α with the heavier class scaled down to
// Σ α_i y_i = 0, and, with an L1 part, to where R*(v) is finite and the bound best. Cost: d² per row of a dense set
// (values² of a sparse one), and d³/3 for the factor.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "kernel/kernel.h"
#include "learn/margin/solvers.h"
#include "learn/margin/sparse_bounds.h"
#include "linsep/error.h"
#include "numeric/compensated_sum.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/row_blocks.h"
#include "numeric/symmetric_matrix.h"

namespace linsep {
namespace {

// InteriorRows: what the interior-point method keeps of each row: the pairs α·s and (c − α)·ξ, and how they change.

/// `room` is c_i − α_i, kept by itself so that it stays precise when it is small. Where α isn't bounded, ξ is κ·α.
struct InteriorRow {
  double alpha = 0, room = 0, s = 0, xi = 0;
  double z = 0;  ///< θ·x
  double dalpha = 0, ds = 0, dxi = 0;

  /// How much ξ grows with α.
  double give(bool bounded) const { return xi / (bounded ? room : alpha); }
  /// e_i of the matrix.
  double weight(bool bounded) const { return 1 / (s / alpha + give(bounded)); }
  /// The change of the variables that goes with the change `dz` of the score, offset included, aiming at α·s = first
  /// and (c − α)·ξ = second. `excess` is 1 − y·(z + θ0).
  void change(double y, double excess, double dz, double first, double second, bool bounded) {
    const double slack = bounded ? second / room : xi;  // ξ after the step, but for its growth
    const double g = excess - slack + first / alpha;
    dalpha = (g - y * dz) * weight(bounded);
    ds = first / alpha - s - s / alpha * dalpha;
    dxi = slack - xi + give(bounded) * dalpha;
  }
};

class InteriorRows {
 public:
  void begin(std::size_t rows, const QuadraticConjugate& conjugate) {
    rows_.assign(rows, {});
    conjugate_ = conjugate;
  }
  std::size_t size() const { return rows_.size(); }
  bool bounded() const { return conjugate_.bounded; }
  /// Of products, in all rows.
  std::size_t pairs() const { return (bounded() ? 2 : 1) * rows_.size(); }
  InteriorRow& operator[](std::size_t i) { return rows_[i]; }
  const InteriorRow& operator[](std::size_t i) const { return rows_[i]; }

  /// α in the middle of its room, or c; where the classes must be `balanced`, the heavier one less. `cost` is y_i·c_i.
  void set_alphas(std::span<const double> cost, double positive, double negative, bool balanced);
  /// s and ξ for the present scores with this offset, all of them well above 0.
  void set_slacks(std::span<const double> cost, double offset, int threads);

  /// The sum of all products α·s and (c − α)·ξ after a step of this length.
  double products(double step) const;
  /// The longest step, at most 1, that keeps every variable at or above 0.
  double longest_step() const;
  void advance(double step, std::span<const double> cost);

  std::vector<double> scores() const;

  void save(ByteWriter& writer) const;
  /// Throws an input Error where the number of rows isn't `size()`.
  void load(ByteReader& reader);

 private:
  double slack_at(double alpha, double cost) const {
    return cost == 0 ? 0 : conjugate_.curvature * alpha / std::abs(cost);
  }

  QuadraticConjugate conjugate_;
  std::vector<InteriorRow> rows_;
};

double sign_of(double cost) { return cost < 0 ? -1 : 1; }

void InteriorRows::set_alphas(std::span<const double> cost, double positive, double negative, bool balanced) {
  const double least = std::min(positive, negative);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double mass = cost[i] > 0 ? positive : negative;
    rows_[i].alpha = (bounded() ? 0.5 : 1) * std::abs(cost[i]) * (balanced ? least / mass : 1);
    rows_[i].room = std::abs(cost[i]) - rows_[i].alpha;
  }
}

void InteriorRows::set_slacks(std::span<const double> cost, double offset, int threads) {
  const double total = sum_over(rows_.size(), threads,
                                [&](std::size_t i) { return std::abs(1 - sign_of(cost[i]) * (rows_[i].z + offset)); });
  const double away = std::max(1 / static_cast<double>(rows_.size()) * total, 1e-3);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double t = sign_of(cost[i]) * (rows_[i].z + offset) - 1;
    rows_[i].s = std::max(t, 0.0) + away;
    rows_[i].xi = bounded() ? std::max(-t, 0.0) + away : slack_at(rows_[i].alpha, cost[i]);
  }
}

double InteriorRows::products(double step) const {
  Sum sum;
  for (const InteriorRow& row : rows_) {
    sum.add((row.alpha + step * row.dalpha) * (row.s + step * row.ds));
    if (bounded()) sum.add((row.room - step * row.dalpha) * (row.xi + step * row.dxi));
  }
  return sum.value();
}

double InteriorRows::longest_step() const {
  double step = 1;
  for (const InteriorRow& row : rows_) {
    if (row.dalpha < 0) step = std::min(step, -row.alpha / row.dalpha);
    if (row.ds < 0) step = std::min(step, -row.s / row.ds);
    if (!bounded()) continue;
    if (row.dalpha > 0) step = std::min(step, row.room / row.dalpha);
    if (row.dxi < 0) step = std::min(step, -row.xi / row.dxi);
  }
  return step;
}

void InteriorRows::advance(double step, std::span<const double> cost) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    InteriorRow& row = rows_[i];
    row.s += step * row.ds;
    if (bounded()) {
      row.alpha = std::min(row.alpha + step * row.dalpha, std::abs(cost[i]));
      row.room -= step * row.dalpha;
      row.xi += step * row.dxi;
    } else {
      row.alpha += step * row.dalpha;
      row.xi = slack_at(row.alpha, cost[i]);
    }
  }
}

std::vector<double> InteriorRows::scores() const {
  std::vector<double> z;
  z.reserve(rows_.size());
  for (const InteriorRow& row : rows_) z.push_back(row.z);
  return z;
}

void InteriorRows::save(ByteWriter& writer) const {
  std::vector<double> all;
  all.reserve(8 * rows_.size());
  for (const InteriorRow& r : rows_) {
    all.insert(all.end(), {r.alpha, r.room, r.s, r.xi, r.z, r.dalpha, r.ds, r.dxi});
  }
  writer.numbers(all);
}

void InteriorRows::load(ByteReader& reader) {
  const auto all = reader.numbers<double>(8 * rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double* r = all.data() + 8 * i;
    rows_[i] = {r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]};
  }
}

// InteriorWeights: what it keeps of each weight where the penalty has an L1 part: the pairs p·λ and q·ν.

struct InteriorWeight {
  double p = 0, q = 0, lambda = 0, nu = 0;
  double dp = 0, dq = 0, dlambda = 0, dnu = 0;

  /// p/λ + q/ν: how far the weight gives way.
  double give() const { return p / lambda + q / nu; }
  /// What the right-hand side of its row gets, aiming at p·λ = first and q·ν = second.
  double pull(double rho, double first, double second) const {
    return (first / lambda - second / nu - rho * (p / lambda - q / nu)) / give();
  }
  void change(double rho, double step, double first, double second) {
    const double slope = pull(rho, first, second) - step / give();  // (1 − ρ)θ − v, after the step
    dp = (first - p * (rho + slope)) / lambda;
    dq = (second - q * (rho - slope)) / nu;
    dlambda = rho + slope - lambda;
    dnu = rho - slope - nu;
  }
};

class InteriorWeights {
 public:
  /// None where the penalty has no L1 part.
  void begin(std::size_t features, const Penalty& penalty) {
    penalty_ = penalty;
    weights_.assign(penalty.has_l1() ? features : 0, {});
  }
  std::size_t size() const { return weights_.size(); }
  InteriorWeight& operator[](std::size_t j) { return weights_[j]; }
  const InteriorWeight& operator[](std::size_t j) const { return weights_[j]; }

  /// θ = 0, with products of this size.
  void set(double product) {
    const double rho = penalty_.l1_ratio, size = std::max(product, 1e-8) / rho;
    for (InteriorWeight& x : weights_) x = {.p = size, .q = size, .lambda = rho, .nu = rho};
  }
  /// The changes that go with θ's, `centre` being what all products should come to: before, without, and then with
  /// what is of second order in the changes so far.
  void change(std::span<const double> dw, double centre, bool second_order) {
    for (std::size_t j = 0; j < size(); ++j) {
      InteriorWeight& x = weights_[j];
      x.change(penalty_.l1_ratio, dw[j], centre - (second_order ? x.dp * x.dlambda : 0),
               centre - (second_order ? x.dq * x.dnu : 0));
    }
  }
  double products(double step) const {
    Sum sum;
    for (const InteriorWeight& x : weights_) {
      sum.add((x.p + step * x.dp) * (x.lambda + step * x.dlambda));
      sum.add((x.q + step * x.dq) * (x.nu + step * x.dnu));
    }
    return sum.value();
  }
  double longest_step(double step) const {
    for (const InteriorWeight& x : weights_) {
      if (x.dp < 0) step = std::min(step, -x.p / x.dp);
      if (x.dq < 0) step = std::min(step, -x.q / x.dq);
      if (x.dlambda < 0) step = std::min(step, -x.lambda / x.dlambda);
      if (x.dnu < 0) step = std::min(step, -x.nu / x.dnu);
    }
    return step;
  }
  /// Moves, and writes θ.
  void advance(double step, std::span<double> theta) {
    for (std::size_t j = 0; j < size(); ++j) {
      InteriorWeight& x = weights_[j];
      x.p += step * x.dp;
      x.q += step * x.dq;
      x.lambda += step * x.dlambda;
      x.nu += step * x.dnu;
      theta[j] = x.p - x.q;
    }
  }
  /// θ with 0 for every weight whose multipliers are large beside it.
  std::vector<double> sparse(std::span<const double> theta) const {
    double greatest = 0;
    for (const double x : theta) greatest = std::max(greatest, std::abs(x));
    std::vector<double> all(theta.begin(), theta.end());
    for (std::size_t j = 0; j < size(); ++j) {
      const InteriorWeight& x = weights_[j];
      const double scale = greatest / penalty_.l1_ratio;
      if (x.p <= scale * x.lambda && x.q <= scale * x.nu) all[j] = 0;
    }
    return all;
  }

  void save(ByteWriter& writer) const {
    std::vector<double> all;
    for (const InteriorWeight& x : weights_) {
      all.insert(all.end(), {x.p, x.q, x.lambda, x.nu, x.dp, x.dq, x.dlambda, x.dnu});
    }
    writer.numbers(all);
  }
  void load(ByteReader& reader) {
    const auto all = reader.numbers<double>(8 * size());
    for (std::size_t j = 0; j < size(); ++j) {
      const double* r = all.data() + 8 * j;
      weights_[j] = {r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]};
    }
  }

 private:
  Penalty penalty_;
  std::vector<InteriorWeight> weights_;
};

constexpr double kStepFraction = 0.995;  // to the boundary
constexpr double kLeastShare = 1e-6;     // of the gap asked for: products that small are no better than rounding
constexpr double kMostCentring = 0.1;    // σ: few rows can stop the predictor early, and shouldn't stop the others

enum class Phase : std::uint8_t { kLabels, kAssemble, kPredict, kCorrect };

class Interior : public Learner {
 public:
  Interior(const MarginSettings& settings, const Model* start) : task_(settings, start), free_(!settings.origin) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    size_ = task_.features() + (free_ ? 1 : 0);
    state_.begin(task_.rows(), facts_of(task_.settings().loss).conjugate.value());
    weights_.begin(task_.features(), task_.penalty());
    sparse_z_.assign(l1() ? task_.rows() : 0, 0);
    w_.assign(size_, 0);
    matrix_.resize(size_);
    slot_.resize(static_cast<std::size_t>(std::max(task_.settings().threads, 1)));
    for (Slot& slot : slot_) {
      slot.matrix.resize(size_);
      slot.assembler.resize(size_, free_);
    }
    begin_pass(Phase::kLabels);
  }

  void visit(const Batch& batch) override {
    if (phase_ == Phase::kLabels) return task_.visit_labels(batch);
    deadline_.run([&] {
      blocks_.add(
          batch, [&](const Batch& rows, std::size_t slot) { process(rows, slot_[slot]); },
          [&](std::size_t slot) { fold(slot_[slot]); });
    });
  }

  void synchronise(Comm& comm) override {
    require_one_worker(comm);
    if (phase_ == Phase::kLabels) return task_.resolve_costs(comm);
    deadline_.run([&] {
      blocks_.finish([&](const Batch& rows, std::size_t slot) { process(rows, slot_[slot]); },
                     [&](std::size_t slot) { fold(slot_[slot]); });
    });
  }

  Verdict end_pass(Progress& progress) override {
    bool one_class = false;
    const bool whole = deadline_.run([&] { one_class = end_phase(); });
    if (!whole) return report_stopped(task_, progress);
    task_.report(progress);
    if (one_class) return Verdict::kConverged;
    const bool stalled = l1() && least_share_ < kLeastShare;
    return task_.verdict() == Verdict::kContinue && stalled ? Verdict::kStalled : task_.verdict();
  }

  Model model() const override { return task_.model(); }
  TrainingStats stats() const override { return task_.stats(); }

  BestShares& best_shares() { return shares_; }
  /// The method keeps every α away from its bounds.
  std::vector<double> shares() const { return shares_.of(task_); }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  /// Partial sums of one block: two vectors (see `process`) and, for the assembly, a third and the matrix.
  struct Slot {
    SymmetricMatrix matrix;
    RowAssembler assembler;
    std::vector<double> first, second, third;
    RowExtent extent;
  };

  /// True: the rows are of one class.
  bool end_phase() {
    switch (phase_) {
      case Phase::kLabels:
        if (task_.end_labels()) return true;
        first_point();
        begin_pass(Phase::kAssemble);
        break;
      case Phase::kAssemble:
        end_assemble();
        break;
      case Phase::kPredict:
        end_predict();
        break;
      case Phase::kCorrect:
        end_correct();
        break;
    }
    return false;
  }

  bool l1() const { return task_.penalty().has_l1(); }
  std::span<const double> theta() const { return std::span(w_).first(task_.features()); }
  std::size_t pairs() const { return state_.pairs() + 2 * weights_.size(); }
  double mean_product(double step) const {
    return (state_.products(step) + weights_.products(step)) / static_cast<double>(pairs());
  }
  /// With an L1 part the products don't fall further at once: without the I the matrix is the worse conditioned the
  /// smaller they are, and their sum is small beside the gap asked for.
  double least_product() const {
    if (!l1()) return 0;
    return least_share_ * task_.settings().gap * task_.gap().primal / static_cast<double>(pairs());
  }
  double longest_step() const { return weights_.longest_step(state_.longest_step()); }
  double label(std::size_t i) const { return task_.cost()[i] < 0 ? -1 : 1; }
  double offset() const { return free_ ? w_.back() : 0; }

  void begin_pass(Phase phase) {
    phase_ = phase;
    const double effort = phase == Phase::kAssemble ? 1 + static_cast<double>(size_) / 8 : 1;
    blocks_.begin(static_cast<std::int64_t>(task_.rows()), task_.settings().threads, effort);
    for (Slot& slot : slot_) {
      for (std::vector<double>* v : {&slot.first, &slot.second, &slot.third}) v->assign(size_, 0);
    }
    for (std::vector<double>* v : {&first_, &second_, &third_}) v->assign(size_, 0);
    if (phase == Phase::kAssemble) matrix_.clear();
  }

  // θ = 0; slacks follow when the scores are known.
  void first_point() {
    state_.set_alphas(task_.cost(), task_.positive_cost(), task_.negative_cost(), free_);
    if (free_) w_.back() = task_.offset();
    state_.set_slacks(task_.cost(), offset(), task_.settings().threads);
    if (l1()) weights_.set(state_.products(0) / static_cast<double>(state_.pairs()));
    set_sparse();
  }

  void set_sparse() {
    if (l1()) sparse_ = weights_.sparse(theta());
  }

  void process(const Batch& batch, Slot& slot) {
    const std::size_t begin = task_.index_of(batch);
    for_each_row(batch, [&](const auto& row, std::int64_t at) {
      const std::size_t i = begin + static_cast<std::size_t>(at);
      if (task_.cost()[i] == 0) return;
      if (phase_ == Phase::kAssemble) {
        assemble(row, i, slot);
        poll(row.size * row.size / 4);
      } else if (phase_ == Phase::kPredict) {
        predict(row, i, slot);
      } else {
        change(i, dot(row, dw_.data()), corrected_first(state_[i]), corrected_second(state_[i]));
      }
    });
  }

  template <class Row>
  void add(double factor, const Row& row, std::vector<double>& to) {
    axpy(factor, row, to.data());
    if (free_) to.back() += factor;
  }

  // first: Σ e y g x of the predictor. second, third: Σ α x of the positive and of the negative rows.
  template <class Row>
  void assemble(const Row& row, std::size_t i, Slot& slot) {
    InteriorRow& state = state_[i];
    if (!measured_) slot.extent.include(squared_norm(row), row.size);
    state.z = dot(row, w_.data());
    if (l1()) sparse_z_[i] = dot(row, sparse_.data());
    const double e = state.weight(state_.bounded()), y = label(i);
    const double slack = state_.bounded() ? 0 : state.xi;
    slot.assembler.add(row, e, slot.matrix);
    add(y * e * (1 - y * (state.z + offset()) - slack), row, slot.first);
    add(state.alpha, row, y > 0 ? slot.second : slot.third);
  }

  // first: the corrector's terms of second order. second: what the centring σμ is a factor of.
  template <class Row>
  void predict(const Row& row, std::size_t i, Slot& slot) {
    InteriorRow& state = state_[i];
    change(i, dot(row, dw_.data()), 0, 0);
    const double ye = label(i) * state.weight(state_.bounded());
    const double second_order = state_.bounded() ? state.dalpha * state.dxi / state.room : 0;
    add(-ye * (second_order + state.dalpha * state.ds / state.alpha), row, slot.first);
    add(ye * (1 / state.alpha - (state_.bounded() ? 1 / state.room : 0)), row, slot.second);
  }

  double corrected_first(const InteriorRow& state) const { return centre_ - state.dalpha * state.ds; }
  double corrected_second(const InteriorRow& state) const { return centre_ + state.dalpha * state.dxi; }

  /// Of a row's variables, with the change `dz` of its score but for the offset.
  void change(std::size_t i, double dz, double first, double second) {
    const double y = label(i), excess = 1 - y * (state_[i].z + offset());
    state_[i].change(y, excess, dz + (free_ ? dw_.back() : 0), first, second, state_.bounded());
  }

  void fold(Slot& slot) {
    if (phase_ == Phase::kAssemble) {
      slot.assembler.flush(slot.matrix);
      matrix_.add(slot.matrix);
      slot.matrix.clear();
      extent_.include(slot.extent);
    }
    const auto take = [&](std::vector<double>& total, std::vector<double>& part) {
      for (std::size_t j = 0; j < size_; ++j) total[j] += part[j];
      std::fill(part.begin(), part.end(), 0.0);
    };
    take(first_, slot.first);
    take(second_, slot.second);
    take(third_, slot.third);
  }

  void end_assemble() {
    measured_ = true;
    certify();
    if (task_.converged()) return;
    mu_ = mean_product(0);
    const double ridge = task_.penalty().ridge(), rho = task_.penalty().l1_ratio;
    rhs_ = first_;
    for (std::size_t j = 0; j < task_.features(); ++j) {
      rhs_[j] += second_[j] - third_[j] - ridge * w_[j];
      matrix_.at(j, j) += ridge;
      if (!l1()) continue;
      rhs_[j] += weights_[j].pull(rho, 0, 0);
      matrix_.at(j, j) += 1 / weights_[j].give();
    }
    if (free_) rhs_.back() += second_.back() - third_.back();
    factor();
    solve();
    begin_pass(Phase::kPredict);
  }

  /// Where rounding has made the matrix indefinite, a ridge on the diagonal makes it definite again; the direction is
  /// less good then, the bounds are not touched.
  void factor() {
    const SymmetricMatrix kept = matrix_;
    for (double ridge = 1e-15; !matrix_.factor(task_.settings().threads) && ridge < 1; ridge *= 100) {
      matrix_ = kept;
      for (std::size_t j = 0; j < size_; ++j) matrix_.at(j, j) *= 1 + ridge;
    }
  }

  void solve() {
    dw_ = rhs_;
    matrix_.solve(dw_);
  }

  void certify() {
    const auto comm = solo();
    if (l1()) {
      offer_longer(task_, extent_, sparse_, sparse_z_, offset(), *comm);
    } else {
      const std::vector<double> theta(w_.begin(), w_.begin() + static_cast<std::ptrdiff_t>(task_.features()));
      offer_classifier(task_, extent_, theta, state_.scores(), offset(), 1, *comm);
    }
    DualPoint point;
    for (std::size_t i = 0; i < state_.size(); ++i) {
      const InteriorRow& row = state_[i];
      point.add(task_.cost()[i], row.alpha, state_.bounded() ? 0 : row.alpha * row.xi);
    }
    const std::size_t d = task_.features();
    const BalancedDual dual = balanced(point, std::span(second_).first(d), std::span(third_).first(d), !free_);
    const auto offer = [&] { offer_dual(dual, blocks_.additions() + 4); };
    shares_.keep_if_better(task_, offer, [&](std::size_t i) { return state_[i].alpha; });
  }

  void offer_dual(const BalancedDual& dual, double additions) {
    if (l1()) return offer_sparse_dual(task_, extent_, dual, additions);
    double v2 = squared_length(dual.v);
    const double shorter = std::min(1.0, dual.alphas / (v2 + dual.square));  // far from the optimum less α is better
    const double alphas = shorter * dual.alphas, square = shorter * shorter * dual.square;
    v2 *= shorter * shorter;
    task_.offer_dual(
        alphas - square / 2 - v2 / 2,
        dual_rounding(extent_, alphas, 0, std::sqrt(v2), sum_rounding(extent_, alphas, additions), alphas + square));
  }

  void end_predict() {
    weights_.change(dw_, 0, false);
    if (mu_ < 2 * least_product()) least_share_ /= 4;
    const double ratio = mean_product(longest_step()) / mu_;
    centre_ = std::max(std::min(ratio * ratio * ratio, kMostCentring) * mu_, least_product());
    for (std::size_t j = 0; j < size_; ++j) rhs_[j] += first_[j] + centre_ * second_[j];
    for (std::size_t j = 0; j < weights_.size(); ++j) {
      const InteriorWeight& x = weights_[j];
      rhs_[j] += x.pull(0, centre_ - x.dp * x.dlambda, centre_ - x.dq * x.dnu);
    }
    solve();
    weights_.change(dw_, centre_, true);
    begin_pass(Phase::kCorrect);
  }

  void end_correct() {
    const double step = kStepFraction * longest_step();
    for (std::size_t j = 0; j < size_; ++j) w_[j] += step * dw_[j];
    weights_.advance(step, w_);
    state_.advance(step, task_.cost());
    set_sparse();
    begin_pass(Phase::kAssemble);
  }

  MarginTask task_;
  BestShares shares_;
  Deadline deadline_;
  const bool free_;  // the offset is
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::vector<Slot> slot_;
  std::size_t size_ = 0;  // d, and 1 for the offset
  InteriorRows state_;
  InteriorWeights weights_;
  std::vector<double> sparse_, sparse_z_;                      // θ as it is offered, with an L1 part, and its scores
  std::vector<double> w_, dw_, rhs_, first_, second_, third_;  // the offset last
  SymmetricMatrix matrix_;
  RowExtent extent_;
  bool measured_ = false;
  double mu_ = 0, centre_ = 0, least_share_ = 0.1;
};

std::string Interior::save_state() const {
  ByteWriter writer;
  writer.text("margin interior 3");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(phase_));
  state_.save(writer);
  weights_.save(writer);
  for (const auto* v : {&w_, &dw_, &rhs_, &matrix_.entries()}) writer.numbers(*v);
  for (const double x : {extent_.longest, extent_.most_values, mu_, centre_, least_share_}) writer.number(x);
  writer.number(static_cast<std::uint8_t>(measured_));
  return writer.bytes();
}

void Interior::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin interior 3");
  task_.load(reader);
  const auto phase = reader.choice(Phase::kCorrect);
  state_.load(reader);
  weights_.load(reader);
  w_ = reader.numbers<double>(size_);
  for (std::vector<double>* v : {&dw_, &rhs_}) *v = reader.numbers_or_none<double>(size_);
  const auto entries = reader.numbers<double>(matrix_.entries().size());
  for (double* x : {&extent_.longest, &extent_.most_values, &mu_, &centre_, &least_share_}) *x = reader.at_least_zero();
  measured_ = reader.flag();
  reader.end();
  require_state(phase == Phase::kLabels || task_.labelled());
  for (std::size_t i = 0; phase != Phase::kLabels && i < state_.size(); ++i) {
    const InteriorRow& row = state_[i];
    const bool room = row.room > 0 || !state_.bounded();
    require_state(task_.cost()[i] == 0 || (row.alpha > 0 && room && row.s > 0 && row.xi > 0),
                  "a row's weight in it isn't above 0");
  }
  for (std::size_t j = 0; phase != Phase::kLabels && j < weights_.size(); ++j) {
    const InteriorWeight& x = weights_[j];
    require_state(x.p > 0 && x.q > 0 && x.lambda > 0 && x.nu > 0, "a part of a weight in it isn't above 0");
  }
  const bool within_step = phase == Phase::kPredict || phase == Phase::kCorrect;
  require_state(!within_step || (dw_.size() == size_ && rhs_.size() == size_));
  set_sparse();
  begin_pass(phase);
  std::copy(entries.begin(), entries.end(), matrix_.data());
}

}  // namespace

DualRun interior_run(const MarginSettings& settings) {
  auto solver = std::make_unique<Interior>(settings, nullptr);
  Interior* const run = solver.get();
  run->best_shares().want();
  return {std::move(solver), [run] { return run->shares(); }};
}

const SolverEntry& interior_solver() {
  static const SolverEntry kEntry = {
      .name = "interior",
      .method = "the interior-point method",
      .help = "an interior-point method for few features",
      .losses = losses_where([](const LossFacts& loss) { return loss.conjugate.has_value(); }),
      .l1 = true,
      .steady = true,
      .make = make_solver<Interior>,
      .memory =
          [](std::uint64_t threads, const Shape& /*shape*/) {
            return MemoryRates{
                .row = 112, .column = 8 * (38 + 4 * threads), .square = 8 * (threads + 2), .least_column = 44};
          },
  };
  return kEntry;
}

}  // namespace linsep
