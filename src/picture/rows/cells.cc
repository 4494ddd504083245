#include "picture/rows/cells.h"

#include <algorithm>
#include <cmath>

#include "linsep/picture/geometry.h"

namespace linsep {
namespace {

std::vector<double> edges(double low, double high, std::size_t count) {
  std::vector<double> result(count + 1);
  for (std::size_t k = 0; k <= count; ++k) {
    result[k] = low + (high - low) * (static_cast<double>(k) / static_cast<double>(count));
  }
  result.back() = high;
  return result;
}

/// The index of the part that a value lies in; the last part has its upper edge too.
std::size_t part_of(const std::vector<double>& edge, double value) {
  const auto above = std::upper_bound(edge.begin() + 1, edge.end() - 1, value);
  return static_cast<std::size_t>(above - edge.begin()) - 1;
}

/// Whether one scale serves both axes.
bool are_alike(std::span<const PlanePoint> points) {
  constexpr double kMost = 8;
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  for (const PlanePoint& point : points) {
    x_low = std::min(x_low, point.x);
    x_high = std::max(x_high, point.x);
    y_low = std::min(y_low, point.y);
    y_high = std::max(y_high, point.y);
  }
  const double x = x_high - x_low, y = y_high - y_low;
  if (!(x > 0) || !(y > 0)) return true;
  return x <= kMost * y && y <= kMost * x;
}

}  // namespace

std::vector<PlanePoint> corners_of(const Gathered& gathered) {
  const PlaneChoice& plane = gathered.plane;
  std::array<double, 2> x = plane.x_range;
  if (plane.kind == "boundary" && gathered.evaluation && !gathered.evaluation->scores.empty()) {
    const ScoreCounts& counts = gathered.evaluation->scores.front();
    if (!counts.places.empty()) {
      x = {counts.places.back().least / gathered.norm, greatest_score(counts, 0) / gathered.norm};
    }
  }
  return {{x[0], plane.y_range[0]}, {x[1], plane.y_range[1]}};
}

Picture::Plane plane_around(const Gathered& gathered, const PictureSpec& spec, std::span<const PlanePoint> points) {
  const PlaneChoice& choice = gathered.plane;
  Picture::Plane plane;
  plane.kind = choice.kind;
  plane.x_column = choice.x_column;
  plane.y_column = choice.y_column;
  plane.equal_scales = choice.kind != "feature" && are_alike(points);
  Window window = window_around(points, plane.equal_scales ? spec.aspect : 0);
  if (choice.kind == "feature") {
    window.y_low = -1;
    window.y_high = 1;
  }
  plane.x = {choice.x_name, window.x_low, window.x_high, round_ticks(window.x_low, window.x_high)};
  plane.y = {choice.y_name, window.y_low, window.y_high, {}};
  if (choice.kind != "feature") plane.y.ticks = round_ticks(window.y_low, window.y_high);
  return plane;
}

CellCounts::CellCounts(const Picture::Plane& plane) {
  cells_.x = edges(plane.x.low, plane.x.high, kAcross);
  cells_.y = edges(plane.y.low, plane.y.high, kUp);
  cells_.negative.resize(kAcross * kUp);
  cells_.positive.resize(kAcross * kUp);
}

void CellCounts::add(const PlanePoint& point, bool positive) {
  const std::size_t at = part_of(cells_.y, point.y) * kAcross + part_of(cells_.x, point.x);
  ++(positive ? cells_.positive : cells_.negative)[at];
}

}  // namespace linsep
