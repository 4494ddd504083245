#include "learn/margin/interior_rows.h"

#include <algorithm>
#include <cmath>

#include "linsep/error.h"
#include "numeric/compensated_sum.h"

namespace linsep {
namespace {

double sign_of(double cost) { return cost < 0 ? -1 : 1; }

}  // namespace

void InteriorRows::set_alphas(std::span<const double> cost, double positive, double negative, bool balanced) {
  const double least = std::min(positive, negative);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double mass = cost[i] > 0 ? positive : negative;
    rows_[i].alpha = 0.5 * std::abs(cost[i]) * (balanced ? least / mass : 1);
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
    rows_[i].xi = std::max(-t, 0.0) + away;
  }
}

double InteriorRows::mean_product() const {
  Sum sum;
  for (const InteriorRow& row : rows_) {
    sum.add(row.alpha * row.s);
    sum.add(row.room * row.xi);
  }
  return sum.value() / static_cast<double>(2 * rows_.size());
}

double InteriorRows::mean_product_after(double step) const {
  Sum sum;
  for (const InteriorRow& row : rows_) {
    sum.add((row.alpha + step * row.dalpha) * (row.s + step * row.ds));
    sum.add((row.room - step * row.dalpha) * (row.xi + step * row.dxi));
  }
  return sum.value() / static_cast<double>(2 * rows_.size());
}

double InteriorRows::longest_step() const {
  double step = 1;
  for (const InteriorRow& row : rows_) {
    if (row.dalpha < 0) step = std::min(step, -row.alpha / row.dalpha);
    if (row.dalpha > 0) step = std::min(step, row.room / row.dalpha);
    if (row.ds < 0) step = std::min(step, -row.s / row.ds);
    if (row.dxi < 0) step = std::min(step, -row.xi / row.dxi);
  }
  return step;
}

void InteriorRows::advance(double step, std::span<const double> cost) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    InteriorRow& row = rows_[i];
    row.alpha = std::min(row.alpha + step * row.dalpha, std::abs(cost[i]));
    row.room -= step * row.dalpha;
    row.s += step * row.ds;
    row.xi += step * row.dxi;
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

}  // namespace linsep
