// Problem: min over Θ, b of F (softmax.h), the loss of multinomial logistic regression.
//
// Method: Newton's method on Θ and b together. With P_i = softmax(t_i) the Hessian times a direction q is q (not of the
// offsets) + Σ c_i·P_ic(u_ic − Σ_a P_ia·u_ia)·(x_i, 1) with u_ic = q_c·(x_i, 1). Systems are solved by conjugate
// gradients on centred columns, scaled by the diagonal, then a line search by halving over scores that
// are known, then the best offsets for the new scores: so the dual point is feasible up to rounding.
//
// Dense rows are gone through in blocks by the kernels of kernel/dense_kernels.h. Where the factor of a sampled Gram
// matrix (numeric/gram.h) costs less than it saves, it makes a good first guess of the inverse Hessian, class by class,
// and the method is L-BFGS (Liu & Nocedal, 1989) from that guess: half a pass for the scores' change along a direction,
// a search along it without a look at the data, half a pass for the gradient. Columns are centred by each class's own
// mean by D, which now and then takes another half pass.
//
// Stopping rule: the gap at P. Cost: one pass for a gradient, one for each step of conjugate gradients, one
// for the scores' change along the step; each takes the rows' values times the classes.
//
// Workers: as in newton.cc. Exchanged: 2(d + 1)k numbers for a gradient, (d + 1)k for a step of conjugate gradients.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "core/bytes.h"
#include "core/deadline.h"
#include "core/elementary.h"
#include "core/exact_sum.h"
#include "core/fields.h"
#include "core/parallel.h"
#include "kernel/kernel.h"
#include "learn/margin/newton_direction.h"
#include "learn/margin/softmax.h"
#include "learn/margin/softmax_rows.h"
#include "learn/margin/task.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "numeric/dense_sums.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/gram.h"
#include "numeric/row_blocks.h"
#include "numeric/saved_rows.h"
#include "numeric/symmetric_matrix.h"

namespace linsep {
namespace {

// What a pass adds up over rows, to the same bits however rows are spread over threads and workers.
//
// Weights lie feature by feature, all classes of a feature together, so that a value of a row meets adjacent ones; the
// classes' offsets follow. Sums by column lie likewise, in fixed point.

/// Of a gradient: Σ c_i(1[y_i = c] − p_ic)x_ij; with D_ic = c_i·p_ic(1 − p_ic), Σ D_ic·x_ij and Σ D_ic·x_ij²; the same
/// of a column of ones; and the loss. Of a product with a direction u: Σ c_i·p_ic(u_ic − Σ_a p_ia·u_ia)x_ij.
struct SoftmaxSums {
  std::vector<std::int64_t> slope, curved, square;  ///< weights, then offsets: not of a gradient's `slope`, no `square`
  std::vector<ExactSum> balance;                    ///< of a gradient: the offsets' slopes
  ExactSum loss;
  std::vector<double> scratch;                        ///< of a row
  DenseSums dense_slope, dense_curved, dense_square;  ///< of blocks of dense rows, begun where they are used
  std::vector<double> scores, factors, packed;        ///< of a block

  /// 2⁻¹⁰ of the step of whole units (FixedColumns::step), so that sums are below 2⁵¹: a direction needs no more.
  static double product_step(double factor) { return 0x1p-10 * FixedColumns::step(factor); }

  void clear(const SoftmaxTask& task, bool gradient);
  void add(const SoftmaxSums& other);
  void synchronise(Comm& comm);

  /// `coefficient` holds c_i(1[y_i = c] − p_ic), then D_ic, each times the step of its units.
  template <class Row>
  void add_gradient(const SoftmaxTask& task, const Row& row, const double* coefficient) {
    const std::size_t k = task.classes();
    const double *first = coefficient, *second = coefficient + k;
    for_each_entry(row, [&](std::uint32_t j, double x) {
      const FixedColumns::Scale& scale = task.fixed().scale(j);
      const double units = x * scale.column, squares = units * (x * scale.square);
      std::int64_t *to = slope.data() + j * k, *means = curved.data() + j * k, *squared = square.data() + j * k;
      for (std::size_t c = 0; c < k; ++c) add_units(to[c], whole_units(first[c] * units));
      for (std::size_t c = 0; c < k; ++c) add_units(means[c], whole_units(second[c] * units));
      for (std::size_t c = 0; c < k; ++c) add_units(squared[c], whole_units(second[c] * squares));
    });
    add_offset_curvature(task, second);
  }
  void add_offset_curvature(const SoftmaxTask& task, const double* second) {
    const double one = task.ones().scale(0).column;
    std::int64_t* all = curved.data() + task.weights();
    for (std::size_t c = 0; c < task.classes(); ++c) add_units(all[c], whole_units(second[c] * one));
  }

  /// `coefficient` likewise holds c_i·p_ic(u_ic − Σ_a p_ia·u_ia), its step being `product_step`.
  template <class Row>
  void add_product(const SoftmaxTask& task, const Row& row, const double* coefficient) {
    const std::size_t k = task.classes();
    for_each_entry(row, [&](std::uint32_t j, double x) {
      const double units = x * task.fixed().scale(j).column;
      std::int64_t* to = slope.data() + j * k;
      for (std::size_t c = 0; c < k; ++c) add_units(to[c], nearest_units(coefficient[c] * units));
    });
    add_offset_product(task, coefficient, 1);
  }
  void add_offset_product(const SoftmaxTask& task, const double* coefficient, double step) {
    const double one = step * task.ones().scale(0).column;
    std::int64_t* to = slope.data() + task.weights();
    for (std::size_t c = 0; c < task.classes(); ++c) add_units(to[c], nearest_units(coefficient[c] * one));
  }

  /// Ends blocks of dense rows.
  void flush(const SoftmaxTask& task) {
    const auto one = [&](DenseSums& sums, std::vector<std::int64_t>& units) {
      if (sums.begun()) sums.flush(units.data(), task.classes());
    };
    one(dense_slope, slope);
    one(dense_curved, curved);
    one(dense_square, square);
  }

  /// A sum as a number, `at` being feature·classes + class, and features·classes + class for offsets.
  static double value(const SoftmaxTask& task, const std::vector<std::int64_t>& sums, std::size_t at, double step) {
    if (at >= task.weights()) return task.ones().value(0, sums[at], step);
    return task.fixed().value(at / task.classes(), sums[at], step);
  }
  /// REQUIRES: `at` is of a weight.
  double square_value(const SoftmaxTask& task, std::size_t at, double step) const {
    return task.fixed().square_value(at / task.classes(), square[at], step);
  }
};

void SoftmaxSums::clear(const SoftmaxTask& task, bool gradient) {
  const std::size_t size = task.weights() + task.classes();
  slope.assign(size, 0);
  curved.assign(gradient ? size : 0, 0);
  square.assign(gradient ? task.weights() : 0, 0);
  balance.assign(gradient ? task.classes() : 0, {});
  loss = {};
  scratch.assign(2 * task.classes(), 0);
  for (DenseSums* sums : {&dense_slope, &dense_curved, &dense_square}) sums->clear();
}

void SoftmaxSums::add(const SoftmaxSums& other) {
  for (std::size_t k = 0; k < slope.size(); ++k) add_units(slope[k], other.slope[k]);
  for (std::size_t k = 0; k < curved.size(); ++k) add_units(curved[k], other.curved[k]);
  for (std::size_t k = 0; k < square.size(); ++k) add_units(square[k], other.square[k]);
  for (std::size_t k = 0; k < balance.size(); ++k) balance[k].add(other.balance[k]);
  loss.add(other.loss);
}

void SoftmaxSums::synchronise(Comm& comm) {
  comm.all_reduce(std::span(slope), Comm::Op::kSum);
  comm.all_reduce(std::span(curved), Comm::Op::kSum);
  comm.all_reduce(std::span(square), Comm::Op::kSum);
  std::vector<ExactSum*> each = {&loss};
  for (ExactSum& sum : balance) each.push_back(&sum);
  exact_all_reduce(comm, each);
}

// What rounding can do to the bounds of the softmax loss, and the dual point made feasible.
//
// The dual of F (softmax.h) is D(P) = Σ c_i·H(P_i) − ½Σ_c‖v_c‖² over distributions P_i of the classes, with entropy H
// and v_c = Σ c_i(1[y_i = c] − P_ic)x_i, and, unless through the origin, r_c = Σ c_i(1[y_i = c] − P_ic) = 0 for every
// class. For any Θ, b and any such P: D(P) ≤ min F ≤ F(Θ, b).
//
// At P_i = softmax(t_i), Σ c_i·H(P_i) = Σ c_i·loss_i + Σ_c θ_c·v_c + b·r, so that
// D(P) = F − ½‖Θ − V‖² + b·r. Where r isn't quite 0, P′ = (1 − s)·P + s·q is feasible, with the same
// q_c = (n_c + r_c·(1 − s)/s)/N in every row, n_c the cost of class c and N that of all rows: a distribution as soon as
// s ≥ |r_c|/n_c. H is concave, so Σ c_i·H(P′_i) ≥ (1 − s)·Σ c_i·H(P_i) ≥ Σ c_i·H(P_i) − s·N·log k, and
// ‖V′ − V‖ ≤ s·Σ c_i·‖P_i − q‖·‖x_i‖ ≤ √2·s·N·longest.

/// What was computed at a point Θ, b with fresh scores.
struct SoftmaxPoint : SoftmaxValue {
  double gradient_norm = 0, slope_norm = 0;  ///< ‖Θ − V‖, ‖V‖
  double slope_error = 0;                    ///< bounds the length of V's error by cutting off
  std::span<const double> offset = {};       ///< b
  std::span<const double> balance = {};      ///< r
};

/// A lower bound of min F: D(P) as computed and, as `rounding`, what rounding and the way to P′ can take from it. 0
/// where P can't be made feasible.
struct DualBound {
  double value = 0, rounding = 0;
};

constexpr double kUnit = 0x1p-53;

/// Bounds Σ_c |computed P_c − P_c| of a row, in units of 2⁻⁵³ (softmax_row).
double share_error(const SoftmaxTask& task) { return 4 * static_cast<double>(task.classes()) + 20; }

DualBound dual_bound(const SoftmaxTask& task, const SoftmaxPoint& at) {
  const auto k = static_cast<double>(task.classes());
  const double costs = task.costs(), longest = task.extent().longest;
  const double shares = kUnit * 1.01 * share_error(task);
  // Of V: what the shares' errors do, the terms' own rounding (four multiplications), cutting off.
  const double error = at.slope_error + (shares + 6 * kUnit) * costs * longest;
  DualBound bound;
  bound.value = at.primal - at.gradient_norm * at.gradient_norm / 2;
  bound.rounding = primal_rounding(task, at) + error * (at.gradient_norm + error) +
                   2 * kUnit * costs * score_error(task, at) + kUnit * 8 * at.gradient_norm * at.gradient_norm;
  if (task.settings().origin) return bound;
  double share = 0;  // s
  const double balance_error = (shares + 4 * kUnit) * costs;
  for (std::size_t c = 0; c < task.classes(); ++c) {
    if (!task.active(c)) continue;
    const double wrong = std::abs(at.balance[c]) + balance_error;
    share = std::max(share, 1.01 * wrong / task.class_costs()[c]);
    bound.value += at.offset[c] * at.balance[c];
  }
  if (!(share < 1)) return {0, 0};
  const double moved = 1.42 * share * costs * longest;
  bound.rounding += at.greatest_offset * (balance_error + kUnit * 8 * k * costs) + share * costs * elementary::log(k) +
                    moved * (at.slope_norm + error + moved);
  return bound;
}

// The offsets that suit given scores best, and the loss along a line: sums over rows whose scores are known, without a
// look at the data.

constexpr int kMostSteps = 100;
constexpr double kScoreNanoseconds = 40;  // an exponential and two sums of each row and class
constexpr double kLongestStep = 10;       // of a logarithm of odds

/// Loss, −gradient r_c = Σ c_i(1[y_i = c] − p_ic) and −Hessian Σ c_i·p_ia·p_ib (a < b) in the offsets.
struct OffsetSums {
  double loss = 0;
  std::vector<double> balance, cross;
};

std::size_t cross_index(std::size_t a, std::size_t b) { return b * (b - 1) / 2 + a; }

struct Partial {
  std::vector<ExactSum> sum;        // loss, then r
  std::vector<std::int64_t> cross;  // in fixed point
  std::vector<double> p;
};

/// `step`: 0 where no Hessian is wanted.
void add_row(const SoftmaxTask& task, std::size_t i, const double* z, const double* b, double step, Partial& partial) {
  const std::size_t k = task.classes(), own = task.own()[i];
  const double cost = task.cost()[i];
  if (cost == 0) return;
  double* p = partial.p.data();
  partial.sum[0].add(cost * softmax_row(z, b, k, own, p));
  for (std::size_t c = 0; c < k; ++c) partial.sum[1 + c].add(cost * ((c == own ? 1.0 : 0.0) - p[c]));
  if (step == 0) return;
  std::int64_t* cross = partial.cross.data();
  for (std::size_t c = 1; c < k; ++c) {
    const double weight = cost * step * p[c];
    for (std::size_t a = 0; a < c; ++a) add_units(*cross++, whole_units(weight * p[a]));
  }
}

OffsetSums sums_at(const SoftmaxTask& task, std::span<const double> z, const std::vector<double>& b, bool hessian,
                   Comm& comm) {
  constexpr std::size_t kBlock = 512;
  const std::size_t k = task.classes(), rows = task.rows();
  const double step = hessian ? FixedColumns::step(task.costs()) : 0;
  std::vector<Partial> part(static_cast<std::size_t>(std::max(task.threads(), 1)));
  for (Partial& own : part)
    own = {std::vector<ExactSum>(k + 1), std::vector<std::int64_t>(hessian ? k * (k - 1) / 2 : 0), {}};
  for (Partial& own : part) own.p.resize(k);
  const double work = kScoreNanoseconds * static_cast<double>(rows * k);
  parallel_for((rows + kBlock - 1) / kBlock, task.threads(), work, [&](std::size_t block, std::size_t thread) {
    for (std::size_t i = block * kBlock; i < std::min(rows, (block + 1) * kBlock); ++i) {
      add_row(task, i, z.data() + i * k, b.data(), step, part[thread]);
    }
  });
  Partial& all = part.front();
  std::vector<ExactSum*> each;
  for (std::size_t t = 1; t < part.size(); ++t) {
    for (std::size_t s = 0; s <= k; ++s) all.sum[s].add(part[t].sum[s]);
    for (std::size_t s = 0; s < all.cross.size(); ++s) add_units(all.cross[s], part[t].cross[s]);
  }
  for (ExactSum& sum : all.sum) each.push_back(&sum);
  exact_all_reduce(comm, each);
  comm.all_reduce(std::span(all.cross), Comm::Op::kSum);
  OffsetSums sums;
  sums.loss = all.sum[0].value();
  for (std::size_t c = 0; c < k; ++c) sums.balance.push_back(all.sum[1 + c].value());
  for (const std::int64_t units : all.cross) sums.cross.push_back(static_cast<double>(units) / step);
  return sums;
}

/// H⁻¹r over the classes that take part but the heaviest, whose offset stays; or, where H has no inverse, the step of
/// iterative scaling, log(n_c/(n_c − r_c)), which never raises the loss (Darroch & Ratcliff, 1972).
std::vector<double> newton_step(const SoftmaxTask& task, const OffsetSums& at) {
  const std::size_t k = task.classes();
  const auto costs = task.class_costs();
  const auto fixed = static_cast<std::size_t>(std::max_element(costs.begin(), costs.end()) - costs.begin());
  std::vector<std::size_t> free;
  for (std::size_t c = 0; c < k; ++c) {
    if (c != fixed && task.active(c)) free.push_back(c);
  }
  SymmetricMatrix matrix;
  matrix.resize(free.size());
  matrix.clear();
  std::vector<double> right;
  for (std::size_t m = 0; m < free.size(); ++m) {
    right.push_back(at.balance[free[m]]);
    for (std::size_t c = 0; c < k; ++c) {
      if (c != free[m]) matrix.at(m, m) += at.cross[cross_index(std::min(c, free[m]), std::max(c, free[m]))];
    }
    for (std::size_t l = m + 1; l < free.size(); ++l) matrix.at(m, l) = -at.cross[cross_index(free[m], free[l])];
  }
  std::vector<double> step(k, 0);
  if (matrix.factor(1)) {
    matrix.solve(right);
    for (std::size_t m = 0; m < free.size(); ++m) step[free[m]] = right[m];
  } else {
    for (const std::size_t c : free) step[c] = elementary::log(costs[c] / std::max(costs[c] - at.balance[c], 1e-300));
  }
  double longest = 0;
  for (const double x : step) longest = std::isfinite(x) ? std::max(longest, std::abs(x)) : 1e300;
  if (longest > kLongestStep) {
    for (double& x : step) x = std::isfinite(x) ? x * (kLongestStep / longest) : 0;
  }
  return step;
}

double largest(const std::vector<double>& numbers) {
  double most = 0;
  for (const double x : numbers) most = std::max(most, std::abs(x));
  return most;
}

void centre(const SoftmaxTask& task, std::vector<double>& b) {
  double sum = 0, count = 0;
  for (std::size_t c = 0; c < b.size(); ++c) {
    if (!task.active(c)) continue;
    sum += b[c];
    count += 1;
  }
  for (double& x : b) x -= sum / count;
}

/// argmin over b of Σ c_i·(log Σ_c e^(z_ic + b_c) − z_iy − b_y) over all workers' rows, from `near`: Newton's method on
/// the classes that take part, down to rounding. Their mean is 0; others keep −∞. Σ_i c_i·(1[y_i = c] − P_i(c)) is then
/// 0 up to rounding for every class. Cost: for each step the rows times half the square of the classes, and an
/// all-reduce.
/// `z` holds the scores of a row one after another. The same bits for any number of threads and workers. Polls
/// between steps. `enough`: an imbalance, as a share of all costs, that needs no further step. `cross`: the Hessian
/// serves, here and in later calls, until a step no longer divides the imbalance by kRefresh; null: for one step.
std::vector<double> best_offsets(const SoftmaxTask& task, std::span<const double> z, std::vector<double> near,
                                 Comm& comm, double enough, std::vector<double>* cross) {
  constexpr double kRefresh = 4;
  std::vector<double> best = near, step;
  OffsetSums at = sums_at(task, z, near, cross == nullptr || cross->empty(), comm);
  if (at.cross.empty()) at.cross = *cross;
  for (int made = 0; made < kMostSteps; ++made) {
    const double wrong = largest(at.balance);
    if (!(wrong > enough * task.costs())) break;
    step = newton_step(task, at);
    OffsetSums next;
    double t = 1;
    for (; t > 1e-9; t /= 2) {
      poll_now();
      for (std::size_t c = 0; c < near.size(); ++c) near[c] = best[c] + t * step[c];
      next = sums_at(task, z, near, cross == nullptr, comm);
      if (next.loss <= at.loss * (1 + 8 * kUnit)) break;
    }
    // Once rounding is all that is left, the imbalance no longer falls.
    if (!(t > 1e-9) || (largest(next.balance) > wrong / 2 && wrong < 1e-10 * task.costs())) break;
    best = near;
    if (cross != nullptr) {
      if (largest(next.balance) * kRefresh <= wrong) {
        next.cross = std::move(at.cross);
      } else {
        next = sums_at(task, z, near, true, comm);
      }
    }
    at = std::move(next);
  }
  if (cross != nullptr) *cross = std::move(at.cross);
  centre(task, best);
  return best;
}

// SoftmaxDirection: the step of Newton's method by conjugate gradients, one product with the Hessian at a time.
//
// Conjugate gradients see columns less their mean by D (row_sums.h), class by class, which the class's offset makes up
// for: b′_c = b_c + mean_c·θ_c. Directions go from b′ to b, gradients and products the other way. Then the diagonal is
// a good scale, and frequent columns and offsets no longer stand in each other's way.

class SoftmaxDirection {
 public:
  explicit SoftmaxDirection(const SoftmaxTask& task) : task_(task) {}

  /// From now on L-BFGS by this preconditioner, whose mean all classes' columns are centred by. REQUIRES: it outlives
  /// this, or none.
  void set_preconditioner(GramPreconditioner* gram) { gram_ = gram; }

  /// Begins to solve Hessian·step = −gradient, of weights and offsets; `sums` are those of the gradient's pass, `step`
  /// the units of what is curved. The residual is to fall to `accuracy` times the first one, in the scaled norm.
  void begin(const SoftmaxSums& sums, double step, std::vector<double> gradient, double accuracy);

  /// Whether the next gradient's sums are to tell each class's mean by D: in wider and wider intervals, as they change
  /// less and less and cost half a pass.
  bool wants_means() const { return steps_ == next_means_; }
  /// The step of L-BFGS from w, where the gradient is `gradient`: the direction afterwards. REQUIRES: a preconditioner.
  void begin_quasi(const SoftmaxSums& sums, double step, const std::vector<double>& w,
                   const std::vector<double>& gradient);

  /// What the next product is wanted of, or, once none is, the step.
  const std::vector<double>& direction() const { return q_; }
  /// At least |q_c·(x_i, 1)| of every row and class.
  double farthest() const;
  /// Takes the product, without q itself. True when another one is wanted.
  bool advance(std::vector<double> product);

  void save(ByteWriter& writer) const;
  /// `begun`: in the midst of a step. `ended`: no more products are wanted. Throws an input Error if the state doesn't
  /// fit the task.
  void load(ByteReader& reader, bool begun, bool ended);

 private:
  bool has_offset(std::size_t c) const { return !task_.settings().origin && task_.active(c); }
  void set_direction(const std::vector<double>& centred);
  void to_centred(std::vector<double>& gradient) const;

  void precondition(std::span<double> x);

  const SoftmaxTask& task_;
  NewtonDirection direction_;
  std::vector<double> mean_, q_;
  GramPreconditioner* gram_ = nullptr;
  std::vector<double> curvature_;  // Σ_i D_ic by class
  std::int64_t steps_ = 0, next_means_ = 2;
  // Of L-BFGS: the last point and gradient, and the differences before, the oldest first.
  struct Difference {
    std::vector<double> point, gradient;
    double inverse = 0;  // of their product
  };
  std::vector<double> last_point_, last_gradient_;
  std::deque<Difference> history_;
};

constexpr std::size_t kMostDifferences = 12;

double product_of(const std::vector<double>& a, const std::vector<double>& b) {
  return dot(DenseRow<double>{a.data(), a.size()}, b.data());
}
void add_scaled(double factor, const std::vector<double>& from, std::vector<double>& to) {
  axpy(factor, DenseRow<double>{from.data(), from.size()}, to.data());
}

void SoftmaxDirection::precondition(std::span<double> x) {
  std::vector<int> level;
  for (const double curvature : curvature_) level.push_back(GramPreconditioner::level_of(curvature));
  gram_->keep_levels(level);
  gram_->solve(level, x.data(), task_.classes(), task_.threads());
  for (std::size_t c = 0; c < task_.classes(); ++c) x[task_.weights() + c] /= std::max(1.0, curvature_[c]);
}

// NewtonDirection adds q to every product and 1 to every square: of offsets, which aren't penalized, they are taken
// away beforehand.
void SoftmaxDirection::begin(const SoftmaxSums& sums, double step, std::vector<double> gradient, double accuracy) {
  const std::size_t weights = task_.weights(), k = task_.classes();
  std::vector<double> square(weights + k), all(k);
  for (std::size_t c = 0; c < k; ++c) {
    all[c] = SoftmaxSums::value(task_, sums.curved, weights + c, step);
    square[weights + c] = all[c] - 1;
  }
  mean_.assign(weights, 0);
  for (std::size_t j = 0; j < weights; ++j) {
    const std::size_t c = j % k;
    const double curved = SoftmaxSums::value(task_, sums.curved, j, step);
    if (has_offset(c) && all[c] > 0) mean_[j] = curved / all[c];
    square[j] = std::max(0.0, sums.square_value(task_, j, step) - mean_[j] * curved);
  }
  to_centred(gradient);
  direction_.begin(gradient, std::vector<double>(gradient.size()), square, 0, accuracy);
  set_direction(direction_.direction());
}

void SoftmaxDirection::begin_quasi(const SoftmaxSums& sums, double step, const std::vector<double>& w,
                                   const std::vector<double>& gradient) {
  const std::size_t weights = task_.weights(), k = task_.classes();
  curvature_.resize(k);
  for (std::size_t c = 0; c < k; ++c) curvature_[c] = SoftmaxSums::value(task_, sums.curved, weights + c, step);
  const bool known = wants_means();
  if (known || mean_.empty()) {
    mean_.assign(weights, 0);
    for (std::size_t j = 0; j < weights; ++j) {
      if (!has_offset(j % k)) continue;
      const double all = known ? curvature_[j % k] : 0;
      mean_[j] = all > 0 ? SoftmaxSums::value(task_, sums.curved, j, step) / all : gram_->mean()[j / k];
    }
  }
  if (known) next_means_ += next_means_ / 2 + 1;
  ++steps_;
  std::vector<double> point = w;  // a class that takes no part stays as it is
  for (std::size_t c = 0; c < k; ++c) {
    if (!has_offset(c)) point[weights + c] = 0;
  }
  if (!last_point_.empty()) {
    Difference difference{point, gradient, 0};
    add_scaled(-1, last_point_, difference.point);
    add_scaled(-1, last_gradient_, difference.gradient);
    const double product = product_of(difference.point, difference.gradient);
    if (product > 0) {
      difference.inverse = 1 / product;
      history_.push_back(std::move(difference));
    }
    if (history_.size() > kMostDifferences) history_.pop_front();
  }
  last_point_ = std::move(point);
  last_gradient_ = gradient;
  std::vector<double> x = gradient, share(history_.size());
  for (std::size_t h = history_.size(); h-- > 0;) {
    share[h] = history_[h].inverse * product_of(history_[h].point, x);
    add_scaled(-share[h], history_[h].gradient, x);
  }
  to_centred(x);
  precondition(x);
  set_direction(x);
  for (std::size_t h = 0; h < history_.size(); ++h) {
    const double other = history_[h].inverse * product_of(history_[h].gradient, q_);
    add_scaled(share[h] - other, history_[h].point, q_);
  }
  // Short, so that blocks are scored at full speed (PackedWeights).
  for (double& number : q_) number = -shortened(number);
}

void SoftmaxDirection::set_direction(const std::vector<double>& centred) {
  const std::size_t weights = task_.weights(), k = task_.classes();
  q_ = centred;
  for (std::size_t j = 0; j < weights; ++j) q_[weights + j % k] -= mean_[j] * q_[j];
}

void SoftmaxDirection::to_centred(std::vector<double>& gradient) const {
  const std::size_t weights = task_.weights(), k = task_.classes();
  for (std::size_t j = 0; j < weights; ++j) gradient[j] -= mean_[j] * gradient[weights + j % k];
}

double SoftmaxDirection::farthest() const {
  const std::size_t k = task_.classes();
  std::vector<double> by_column(k), squares(k);
  for (std::size_t j = 0; j < task_.weights(); ++j) {
    by_column[j % k] += task_.columns().greatest[j / k] * std::abs(q_[j]);
    squares[j % k] += q_[j] * q_[j];
  }
  double most = 0;
  for (std::size_t c = 0; c < k; ++c) {
    const double score = std::min(by_column[c], std::sqrt(squares[c]) * task_.extent().longest);
    most = std::max(most, 1.01 * score + std::abs(q_[task_.weights() + c]));
  }
  return most;
}

bool SoftmaxDirection::advance(std::vector<double> product) {
  const std::size_t weights = task_.weights();
  for (std::size_t c = 0; c < task_.classes(); ++c) {
    if (!has_offset(c)) product[weights + c] = 0;
  }
  to_centred(product);
  for (std::size_t at = weights; at < product.size(); ++at) product[at] -= direction_.direction()[at];
  const bool more = direction_.next_direction(direction_.advance(product));
  set_direction(more ? direction_.direction() : direction_.step());
  return more;
}

void SoftmaxDirection::save(ByteWriter& writer) const {
  writer.numbers(mean_);
  write_fields(writer, direction_, task_.weights() + task_.classes());
  for (const auto* v : {&q_, &last_point_, &last_gradient_}) writer.numbers(*v);
  for (const std::int64_t number : {steps_, next_means_}) writer.number(number);
  writer.number<std::uint64_t>(history_.size());
  for (const Difference& difference : history_) {
    writer.numbers(difference.point);
    writer.numbers(difference.gradient);
    writer.number(difference.inverse);
  }
}

void SoftmaxDirection::load(ByteReader& reader, bool begun, bool ended) {
  mean_ = reader.numbers_or_none<double>(task_.weights());
  const std::size_t size = task_.weights() + task_.classes();
  read_fields(reader, direction_, size);
  for (auto* v : {&q_, &last_point_, &last_gradient_}) *v = reader.numbers_or_none<double>(size);
  for (std::int64_t* number : {&steps_, &next_means_}) *number = reader.count();
  const auto differences = reader.number<std::uint64_t>();
  require_state(differences <= kMostDifferences && last_gradient_.size() == last_point_.size());
  history_.resize(differences);
  for (Difference& difference : history_) {
    for (auto* v : {&difference.point, &difference.gradient}) *v = reader.numbers<double>(size);
    difference.inverse = reader.finite();
  }
  if (!begun) return;
  if (gram_ != nullptr) return require_state(q_.size() == size);
  require_state(mean_.size() == task_.weights() && direction_.is_of(task_.weights() + task_.classes()));
  set_direction(ended ? direction_.step() : direction_.direction());
}

constexpr int kMostHalvings = 40;
constexpr double kSteepest = 1, kMostCurved = 0.25;  // |1[y = c] − p| and p(1 − p)

enum class Phase : std::uint8_t { kLabels, kGradient, kProduct, kDirection, kDone };

class SoftmaxNewton : public Learner {
 public:
  SoftmaxNewton(const MarginSettings& settings, std::size_t classes, SolverChoice choice)
      : task_(settings, classes), choice_(std::move(choice)) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    z_.assign(task_.rows() * task_.classes(), 0);
    p_.assign(z_.size(), 0);
    w_.assign(task_.weights() + task_.classes(), 0);
    gradient_.assign(w_.size(), 0);
    phase_ = Phase::kLabels;
    dense_ = true;
    drift_ = 0;
    length_ = 1;
    offset_hessian_.clear();
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
    if (gram_->sampling()) gram_->end_sample(comm, !task_.settings().origin, task_.threads());
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
    if (draws()) gram_->begin_sample(task_.features(), task_.all_rows(), blocks_.slots());
    for (SoftmaxSums& slot : slot_) slot.clear(task_, phase_ == Phase::kGradient);
    if (dense_) begin_dense();
  }

  void begin_dense() {
    const std::vector<double>& scored = phase_ == Phase::kGradient ? w_ : direction_.direction();
    weights_.set(scored.data(), task_.features(), classes(), classes(), 1);
    for (SoftmaxSums& slot : slot_) {
      slot.scores.resize(kDenseBlockRows * padded_outputs(classes()));
      slot.factors.assign(slot.scores.size(), 0);
      if (phase_ == Phase::kProduct) slot.dense_slope.begin(task_.fixed(), product_step_, classes());
      if (phase_ != Phase::kGradient) continue;
      slot.dense_slope.begin(task_.fixed(), slope_step_, classes());
      if (preconditioned_ && !direction_.wants_means()) continue;
      slot.dense_curved.begin(task_.fixed(), curved_step_, classes());
      if (preconditioned_) continue;
      slot.dense_square.begin(task_.fixed(), curved_step_, classes(), Power::kTwo);
    }
  }

  /// The next pass draws the preconditioner's rows.
  bool draws() const {
    return preconditioned_ && !gram_->sampled() && phase_ != Phase::kLabels && phase_ != Phase::kDone;
  }

  void process(const Batch& batch, std::size_t slot) {
    if (phase_ == Phase::kLabels) return task_.survey(batch, slot);
    if (phase_ == Phase::kDone) return;
    const std::size_t first = task_.index_of(batch), k = classes();
    SoftmaxSums& partial = slot_[slot];
    if (gram_->sampling() && batch.dense) gram_->sample(batch, slot);
    if (dense_ && batch.dense) {
      for_each_block(batch, [&](const auto& block, std::size_t at) { process_block(block, first + at, partial); });
      return;
    }
    for_each_row(batch, [&](const auto& row, std::int64_t at) {
      poll((row.size + 8) * k);
      const std::size_t i = first + static_cast<std::size_t>(at);
      if (task_.cost()[i] == 0) return;
      if (phase_ == Phase::kGradient) {
        gradient_of(row, i, partial);
      } else if (phase_ == Phase::kProduct) {
        product_of(row, i, partial);
      } else {
        output_scores(row, direction_.direction().data(), k, p_.data() + i * k);
      }
    });
  }

  /// A row's probabilities and loss, and its slopes and curvatures in the scores, times steps of units.
  void slopes_of(std::size_t i, double slope_step, double curved_step, double* slopes, double* curved,
                 SoftmaxSums& partial) {
    const std::size_t k = classes(), own = task_.own()[i];
    double *z = z_.data() + i * k, *p = p_.data() + i * k;
    const double cost = task_.cost()[i];
    partial.loss.add(cost * softmax_row(z, offsets().data(), k, own, p));
    for (std::size_t c = 0; c < k; ++c) {
      const double slope = cost * ((c == own ? 1.0 : 0.0) - p[c]);
      partial.balance[c].add(slope);
      slopes[c] = slope * slope_step;
      curved[c] = cost * p[c] * (1 - p[c]) * curved_step;
    }
  }

  template <class Row>
  void gradient_of(const Row& row, std::size_t i, SoftmaxSums& partial) {
    const std::size_t k = classes();
    double* coefficient = partial.scratch.data();
    // Scores along a search drift by rounding: the bounds rest on fresh ones.
    if (fresh_) output_scores(row, w_.data(), k, z_.data() + i * k);
    slopes_of(i, slope_step_, curved_step_, coefficient, coefficient + k, partial);
    partial.add_gradient(task_, row, coefficient);
  }

  template <class V>
  void process_block(const DenseBlock<V>& block, std::size_t first, SoftmaxSums& partial) {
    const std::size_t k = classes(), stride = padded_outputs(k);
    double *scores = partial.scores.data(), *factors = partial.factors.data();
    if (phase_ != Phase::kGradient || fresh_) block_scores(block, weights_, scores, stride, partial.packed);
    for (std::size_t r = 0; r < block.rows; ++r) {
      const std::size_t i = first + r;
      double *score = scores + r * stride, *factor = factors + r * stride;
      std::fill_n(factor, k, 0.0);
      if (phase_ == Phase::kGradient) {
        if (fresh_) std::copy_n(score, k, z_.data() + i * k);
        std::fill_n(score, k, 0.0);  // from here on of the curvature
        if (task_.cost()[i] == 0) continue;
        slopes_of(i, 1, 1, factor, score, partial);
        for (std::size_t c = 0; c < k; ++c) partial.scratch[c] = score[c] * curved_step_;
        partial.add_offset_curvature(task_, partial.scratch.data());
      } else if (task_.cost()[i] == 0) {
        continue;
      } else if (phase_ == Phase::kProduct) {
        product_factors(i, score, 1);
        partial.add_offset_product(task_, score, product_step_);
        std::copy_n(score, k, factor);
      } else {
        std::copy_n(score, k, p_.data() + i * k);
      }
    }
    const auto add = [&](DenseSums& sums, const double* a, std::vector<std::int64_t>& units) {
      if (sums.begun()) sums.add(block, a, stride, units.data(), k);
    };
    add(partial.dense_slope, factors, partial.slope);
    add(partial.dense_curved, scores, partial.curved);
    add(partial.dense_square, scores, partial.square);
    poll((block.columns + 8) * block.rows * k);
  }

  /// u_c ← scale·c_i·p_ic(u_c + q_c − Σ_a p_ia·(u_a + q_a)), q being the direction's offsets.
  void product_factors(std::size_t i, double* u, double scale) {
    const std::size_t k = classes();
    const double *p = p_.data() + i * k, *q = direction_.direction().data() + task_.weights();
    double mean = 0;
    for (std::size_t c = 0; c < k; ++c) {
      u[c] += q[c];
      mean += p[c] * u[c];
    }
    const double scaled = task_.cost()[i] * scale;
    for (std::size_t c = 0; c < k; ++c) u[c] = scaled * p[c] * (u[c] - mean);
  }

  template <class Row>
  void product_of(const Row& row, std::size_t i, SoftmaxSums& partial) {
    double* u = partial.scratch.data();
    output_scores(row, direction_.direction().data(), classes(), u);
    product_factors(i, u, product_step_);
    partial.add_product(task_, row, u);
  }

  /// Offsets that don't suit the scores cost the bound, but no step: far from the end it is too low anyway.
  bool offsets_matter() const {
    if (!preconditioned_) return true;
    constexpr double kNear = 10;
    const auto gradient = std::span<const double>(gradient_).first(task_.weights());
    return squared_length(gradient) / 2 <= kNear * task_.settings().gap * primal_;
  }

  /// Over slots and workers, into the first slot; the sums don't depend on the order.
  void add_up(Comm& comm) {
    for (SoftmaxSums& slot : slot_) slot.flush(task_);
    for (std::size_t s = 1; s < slot_.size(); ++s) slot_[0].add(slot_[s]);
    slot_[0].synchronise(comm);
  }

  void end_labels(Comm& comm) {
    if (task_.end_survey(comm)) {
      phase_ = Phase::kDone;
      return;
    }
    constexpr std::size_t kLeastFeatures = 32;
    dense_ = !all_reduce_any(comm, !dense_) && task_.features() >= kLeastFeatures &&
             suits_blocks(task_.columns(), task_.costs());
    set_dense();
    const std::vector<double> first = task_.first_offsets();
    std::copy(first.begin(), first.end(), w_.begin() + static_cast<std::ptrdiff_t>(task_.weights()));
    begin_gradient();
  }

  void set_dense() {
    preconditioned_ = false;
    if (!dense_) return;
    task_.set_dense_units();
    preconditioned_ = GramPreconditioner::pays(static_cast<double>(task_.all_rows()),
                                               static_cast<double>(task_.features()), static_cast<double>(classes()));
    direction_.set_preconditioner(preconditioned_ ? gram_.get() : nullptr);
  }
  double units_step(double factor) const {
    return dense_ ? task_.fixed().block_step(factor) : FixedColumns::step(factor);
  }

  void begin_gradient() {
    fresh_ = std::any_of(w_.begin(), w_.begin() + static_cast<std::ptrdiff_t>(task_.weights()),
                         [](double x) { return x != 0; });
    // Updated scores will do while the gap that is asked for lies far above what they are off by.
    if (preconditioned_ && 0x1p-53 * 20 * task_.costs() * drift_ < task_.settings().gap * primal_) fresh_ = false;
    slope_step_ = units_step(kSteepest);
    curved_step_ = units_step(kMostCurved);
    phase_ = Phase::kGradient;
  }

  void end_gradient() {
    const SoftmaxSums& sums = slot_[0];
    const std::size_t weights = task_.weights(), k = classes();
    const Penalty& penalty = task_.settings().penalty;
    const auto theta = std::span<const double>(w_).first(weights),
               gradient = std::span<const double>(gradient_).first(weights);
    Sum vv;
    for (std::size_t j = 0; j < weights; ++j) {
      const double v = SoftmaxSums::value(task_, sums.slope, j, slope_step_);
      gradient_[j] = penalty.slope(w_[j]) - v;
      vv.add(v * v);
    }
    std::vector<double> balance;
    SoftmaxPoint at;
    for (std::size_t c = 0; c < k; ++c) {
      balance.push_back(sums.balance[c].value());
      gradient_[weights + c] = has_offset(c) ? -balance[c] : 0;
      if (has_offset(c)) at.greatest_offset = std::max(at.greatest_offset, std::abs(w_[weights + c]));
    }
    at.primal = primal_ = penalty.value(theta) + sums.loss.value();
    at.theta_norm = std::sqrt(squared_length(theta));
    at.gradient_norm = std::sqrt(squared_length(gradient));
    at.slope_norm = std::sqrt(vv.value());
    at.slope_error = std::sqrt(static_cast<double>(k)) * task_.fixed().error(slope_step_);
    at.offset = offsets();
    at.balance = balance;
    if (fresh_) drift_ = 0;
    at.drift = drift_;
    task_.offer_primal(primal_, primal_rounding(task_, at), w_);
    const DualBound dual = dual_bound(task_, at);
    task_.offer_dual(dual.value, dual.rounding);
    if (task_.converged()) return;
    if (!preconditioned_) return begin_conjugate_gradients();
    direction_.begin_quasi(sums, curved_step_, w_, gradient_);
    phase_ = Phase::kDirection;
  }

  void begin_conjugate_gradients() {
    const double gap = std::max(primal_ - task_.gap().dual, 0.0) / primal_;
    direction_.begin(slot_[0], curved_step_, gradient_, 0.5 * std::min(0.25, std::sqrt(std::sqrt(gap))));
    begin_product();
  }

  // |p_c(u_c − Σ p·u)| is at most p_c(1 − p_c) times the range of u.
  void begin_product() {
    const double most = 2.02 * kMostCurved * std::max(direction_.farthest(), 1e-200);
    product_step_ = dense_ ? task_.fixed().block_step(most) : SoftmaxSums::product_step(most);
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

  // `p_` holds the scores' change along the step. To a slope that is a fraction of the first one, by Newton's method in
  // t from the last step's length, then back by halving if the objective doesn't fall enough. Returns t, or 0.
  double search_smoothly(const RidgeAlong& penalty, double slope, Comm& comm) {
    constexpr int kMostTrials = 30;
    constexpr double kFlatter = 0.3, kLongest = 4;
    const auto along = std::span<const double>(direction_.direction()).subspan(task_.weights());
    double t = length_, low = 0, high = 0;
    for (int trial = 0; trial < kMostTrials; ++trial) {
      poll_now();
      const SoftmaxSlope at = slope_along(task_, z_, p_, offsets(), along, t, comm);
      const double here = at.slope + penalty.slope(t);
      const bool falls = at.value + penalty(t) <= primal_ + 1e-4 * t * slope;
      if (falls && std::abs(here) <= kFlatter * std::abs(slope)) return length_ = t;
      if (trial + 1 == kMostTrials) return falls ? t : 0;
      (here > 0 || !falls ? high : low) = t;
      double next = t - here / (at.curvature + penalty.curvature());
      if (high == 0) {
        next = std::min(std::max(next, 1.1 * t), kLongest * t);
      } else if (!(next > low && next < high)) {
        next = low + (high - low) / 2;
      }
      t = next;
    }
    return 0;
  }

  void line_search(Comm& comm) {
    const std::vector<double>& step = direction_.direction();
    const std::size_t weights = task_.weights();
    const RidgeAlong penalty =
        task_.settings().penalty.along(std::span(w_).first(weights), std::span(step).first(weights));
    Sum gs;
    for (std::size_t j = 0; j < w_.size(); ++j) gs.add(gradient_[j] * step[j]);
    const auto along = std::span<const double>(step).subspan(weights);
    double t = 1;
    int halvings = 0;
    for (; halvings < kMostHalvings && !preconditioned_; ++halvings, t /= 2) {
      poll_now();
      const double value = penalty(t) + loss_along(task_, z_, p_, offsets(), along, t, comm);
      if (value <= primal_ + 1e-4 * t * gs.value()) break;
    }
    if (preconditioned_) t = search_smoothly(penalty, gs.value(), comm);
    if (halvings == kMostHalvings || t == 0) {
      phase_ = Phase::kDone;
      return;
    }
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += t * step[j];
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += t * p_[i];
    const auto length = [&](const std::vector<double>& v) {
      return std::sqrt(squared_length(std::span<const double>(v).first(weights)));
    };
    drift_ += 2.1 * (task_.extent().most_values + 8) * task_.extent().longest * (length(w_) + t * length(step));
    if (!task_.settings().origin && offsets_matter()) {
      const auto now = offsets();
      // What is left of the imbalance takes less than the gap asked for from the bound by far.
      const double enough =
          preconditioned_ ? std::max(4 * kUnit, std::min(1e-9, 1e-6 * task_.settings().gap)) : 4 * kUnit;
      const std::vector<double> best =
          best_offsets(task_, z_, {now.begin(), now.end()}, comm, enough, preconditioned_ ? &offset_hessian_ : nullptr);
      std::copy(best.begin(), best.end(), w_.begin() + static_cast<std::ptrdiff_t>(weights));
    }
    begin_gradient();
  }

  SoftmaxTask task_;
  Deadline deadline_;
  const SolverChoice choice_;
  Phase phase_ = Phase::kLabels;
  RowBlocks blocks_;
  std::vector<SoftmaxSums> slot_;
  // By row and class: scores without offsets; probabilities, and after the last product the scores' change.
  std::vector<double> z_, p_;
  // By feature and class, then offsets.
  std::vector<double> w_, gradient_;
  SoftmaxDirection direction_{task_};
  // All rows of all workers are dense; what their blocks are scored with; the preconditioner, if it is used.
  bool dense_ = true, preconditioned_ = false;
  PackedWeights weights_;
  std::unique_ptr<GramPreconditioner> gram_ = std::make_unique<GramPreconditioner>();
  double slope_step_ = 1, curved_step_ = 1, product_step_ = 1;
  bool fresh_ = true;  // the next gradient is of fresh scores; else they are off by `drift_` (SoftmaxValue) at most
  double drift_ = 0;
  double length_ = 1;  // of the last step along its direction: where the next search begins
  double primal_ = 0;
  std::vector<double> offset_hessian_;  // of best_offsets, where one serves for several steps
};

std::string SoftmaxNewton::save_state() const {
  ByteWriter writer;
  writer.text("margin softmax 3");
  task_.save(writer);
  writer.number(static_cast<std::uint8_t>(dense_));
  writer.number(static_cast<std::uint8_t>(phase_));
  for (const auto* v : {&z_, &p_, &w_, &gradient_}) writer.numbers(*v);
  writer.number(primal_);
  writer.number(drift_);
  writer.number(length_);
  writer.numbers(offset_hessian_);
  direction_.save(writer);
  return writer.take();
}

void SoftmaxNewton::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin softmax 3");
  const std::size_t scores = task_.rows() * classes();
  task_.load(reader);
  dense_ = reader.flag();
  const auto phase = reader.number<std::uint8_t>();
  require_state(phase <= static_cast<std::uint8_t>(Phase::kDone));
  phase_ = static_cast<Phase>(phase);
  for (auto* v : {&z_, &p_, &w_, &gradient_}) *v = reader.numbers<double>();
  primal_ = reader.number<double>();
  drift_ = reader.at_least_zero();
  length_ = reader.at_least_zero();
  require_state(length_ > 0);
  offset_hessian_ = reader.numbers_or_none<double>(classes() * (classes() - 1) / 2);
  if (phase_ != Phase::kLabels) set_dense();
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

std::unique_ptr<Learner> make_softmax(const MarginSettings& settings, std::size_t classes, const SolverChoice& choice) {
  return std::make_unique<SoftmaxNewton>(settings, classes, choice);
}

}  // namespace linsep
