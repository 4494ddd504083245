// The floating-point half of CoreSearch: the working set as points, what is left of them off the span, and their
// min-norm point.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "certify/core_search.h"
#include "core/poll.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

/// A point whose part outside the span is below this share of it counts as inside, for the search.
constexpr double kInSpan = 1e-9;

double norm_of(std::span<const double> v) { return std::sqrt(dot(DenseRow<double>{v.data(), v.size()}, v.data())); }

}  // namespace

// The entries are fraction·2^exponent, over active columns. The point kept has a norm in [1/2, 1).
void CoreSearch::add_point(Point point, const std::vector<double>& fraction, std::vector<std::int64_t> exponent) {
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
  for (std::size_t j = 0; j < fraction.size(); ++j) {
    if (fraction[j] != 0) greatest = std::max(greatest, exponent[j]);
  }
  known_.insert(point.row);
  if (greatest == std::numeric_limits<std::int64_t>::min()) return;  // a row of zeros carries nothing
  std::vector<double> value(fraction.size());
  for (std::size_t j = 0; j < fraction.size(); ++j) {
    const std::int64_t shift = std::max<std::int64_t>(exponent[j] - greatest, -2000);
    value[j] = std::ldexp(fraction[j], static_cast<int>(shift));
  }
  int extra = 0;
  std::frexp(norm_of(value), &extra);
  for (double& v : value) v = std::ldexp(v, -extra);
  point.exponent = greatest + extra;
  if (!project(value, float_basis_)) return;
  point.norm = norm_of(value);
  point_.push_back(point);
  value_.insert(value_.end(), value.begin(), value.end());
}

bool CoreSearch::project(std::span<double> point, const std::vector<double>& axes) const {
  if (axes.empty()) return true;
  const std::size_t size = active_.size();
  const double before = norm_of(point);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t b = 0; b < axes.size(); b += size) {
      poll(size / 2);
      const DenseRow<double> axis{axes.data() + b, size};
      axpy(-dot(axis, point.data()), axis, point.data());
    }
  }
  return norm_of(point) > kInSpan * before;
}

void CoreSearch::project_points(const std::vector<double>& axes) {
  if (axes.empty()) return;
  const std::size_t size = active_.size();
  std::set<std::int64_t> inside;
  for (std::size_t i = 0; i < point_.size(); ++i) {
    const std::span<double> point(value_.data() + i * size, size);
    if (!project(point, axes)) inside.insert(point_[i].row);
    point_[i].norm = norm_of(point);
  }
  if (!inside.empty()) forget(inside);
}

void CoreSearch::refill_solver() {
  const std::size_t size = active_.size();
  if (!solver_) {
    solver_ = std::make_unique<MinNormPoint>(size);
    taken_ = 0;
  }
  std::vector<double> point(size);
  for (; taken_ < point_.size(); ++taken_) {
    const double factor = float_basis_.empty() ? 1 : 1 / point_[taken_].norm;
    for (std::size_t j = 0; j < size; ++j) point[j] = value_[taken_ * size + j] * factor;
    if (float_basis_.empty()) point_[taken_].norm = 1;
    solver_->add(point, static_cast<std::int64_t>(taken_));
  }
}

void CoreSearch::forget(const std::set<std::int64_t>& rows) {
  const std::size_t size = active_.size();
  std::vector<Point> kept;
  std::vector<double> kept_value;
  for (std::size_t i = 0; i < point_.size(); ++i) {
    if (rows.contains(point_[i].row)) continue;
    kept.push_back(point_[i]);
    const auto from = value_.begin() + static_cast<std::ptrdiff_t>(i * size);
    kept_value.insert(kept_value.end(), from, from + static_cast<std::ptrdiff_t>(size));
  }
  point_ = std::move(kept);
  value_ = std::move(kept_value);
  solver_.reset();
}

std::vector<std::pair<std::int64_t, double>> CoreSearch::support() const {
  std::vector<std::pair<std::int64_t, double>> support;
  if (!solver_ || rank() > 0) return support;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const std::size_t c : solver_->corral()) {
    least = std::min(least, point_[static_cast<std::size_t>(solver_->name(c))].exponent);
  }
  for (std::size_t k = 0; k < solver_->corral().size(); ++k) {
    const Point& point = point_[static_cast<std::size_t>(solver_->name(solver_->corral()[k]))];
    const std::int64_t shift = std::max<std::int64_t>(least - point.exponent, -900);
    support.emplace_back(point.row, std::ldexp(solver_->weights()[k], static_cast<int>(shift)));
  }
  std::sort(support.begin(), support.end());
  return support;
}

}  // namespace linsep
