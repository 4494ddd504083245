#include "learn/margin/softmax/offsets.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "learn/margin/softmax/row.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/symmetric_matrix.h"

namespace linsep {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr int kMostSteps = 100;
constexpr double kLongestStep = 10;  // of a logarithm of odds

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

void add_row(const SoftmaxTask& task, std::size_t i, const double* z, const double* b, double step, Partial& partial) {
  const std::size_t k = task.classes(), own = task.own()[i];
  const double cost = task.cost()[i];
  if (cost == 0) return;
  double* p = partial.p.data();
  partial.sum[0].add(cost * softmax_row(z, b, k, own, p));
  for (std::size_t c = 0; c < k; ++c) partial.sum[1 + c].add(cost * ((c == own ? 1.0 : 0.0) - p[c]));
  std::int64_t* cross = partial.cross.data();
  for (std::size_t c = 1; c < k; ++c) {
    const double weight = cost * step * p[c];
    for (std::size_t a = 0; a < c; ++a) add_units(*cross++, whole_units(weight * p[a]));
  }
}

OffsetSums sums_at(const SoftmaxTask& task, std::span<const double> z, const std::vector<double>& b, Comm& comm) {
  constexpr std::size_t kBlock = 4096;
  const std::size_t k = task.classes(), rows = task.rows();
  const double step = FixedColumns::step(task.costs());
  std::vector<Partial> part(static_cast<std::size_t>(std::max(task.threads(), 1)));
  for (Partial& own : part) own = {std::vector<ExactSum>(k + 1), std::vector<std::int64_t>(k * (k - 1) / 2), {}};
  for (Partial& own : part) own.p.resize(k);
  parallel_for((rows + kBlock - 1) / kBlock, task.threads(), [&](std::size_t block, std::size_t thread) {
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
    for (const std::size_t c : free) step[c] = std::log(costs[c] / std::max(costs[c] - at.balance[c], 1e-300));
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

}  // namespace

std::vector<double> best_offsets(const SoftmaxTask& task, std::span<const double> z, std::vector<double> near,
                                 Comm& comm, const StopPoint& stop) {
  std::vector<double> best = near, step;
  OffsetSums at = sums_at(task, z, near, comm);
  for (int made = 0; made < kMostSteps; ++made) {
    const double wrong = largest(at.balance);
    if (!(wrong > 4 * kUnit * task.costs())) break;
    step = newton_step(task, at);
    OffsetSums next;
    double t = 1;
    for (; t > 1e-9; t /= 2) {
      stop.look();
      for (std::size_t c = 0; c < near.size(); ++c) near[c] = best[c] + t * step[c];
      next = sums_at(task, z, near, comm);
      if (next.loss <= at.loss * (1 + 8 * kUnit)) break;
    }
    // Once rounding is all that is left, the imbalance no longer falls.
    if (!(t > 1e-9) || (largest(next.balance) > wrong / 2 && wrong < 1e-10 * task.costs())) break;
    best = near;
    at = std::move(next);
  }
  centre(task, best);
  return best;
}

double loss_along(const SoftmaxTask& task, std::span<const double> z, std::span<const double> dz,
                  std::span<const double> b, std::span<const double> db, double t, Comm& comm) {
  const std::size_t k = task.classes();
  std::vector<double> offset(k);
  for (std::size_t c = 0; c < k; ++c) offset[c] = b[c] + t * db[c];
  return exact_all_reduce_sums<1>(comm, task.rows(), task.threads(), [&](std::size_t i, std::array<ExactSum, 1>& sum) {
    thread_local std::vector<double> score, p;
    if (task.cost()[i] == 0) return;
    score.resize(k);
    p.resize(k);
    for (std::size_t c = 0; c < k; ++c) score[c] = z[i * k + c] + t * dz[i * k + c];
    sum[0].add(task.cost()[i] * softmax_row(score.data(), offset.data(), k, task.own()[i], p.data()));
  })[0];
}

}  // namespace linsep
