#include <algorithm>
#include <cmath>

#include "linsep/picture/geometry.h"
#include "picture/geometry/orientation.h"

namespace linsep {
namespace {

/// Adds the lower chain of points sorted by x, then y. Each turn is left, and the last point is left out. Andrew
/// (1979).
template <class Iterator>
void add_chain(const Iterator& begin, const Iterator& end, std::vector<PlanePoint>* hull) {
  const std::size_t first = hull->size();
  for (Iterator at = begin; at != end; ++at) {
    while (hull->size() >= first + 2 && turn_of((*hull)[hull->size() - 2], hull->back(), *at) <= 0) hull->pop_back();
    hull->push_back(*at);
  }
  hull->pop_back();
}

}  // namespace

std::vector<PlanePoint> convex_hull(std::span<const PlanePoint> points) {
  std::vector<PlanePoint> sorted;
  for (const PlanePoint& point : points) {
    if (std::isfinite(point.x) && std::isfinite(point.y)) sorted.push_back({point.x + 0.0, point.y + 0.0});
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const PlanePoint& p, const PlanePoint& q) { return p.x < q.x || (p.x == q.x && p.y < q.y); });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted.size() < 2) return sorted;
  std::vector<PlanePoint> hull;
  add_chain(sorted.begin(), sorted.end(), &hull);
  add_chain(sorted.rbegin(), sorted.rend(), &hull);
  return hull;
}

}  // namespace linsep
