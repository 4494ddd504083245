#include <utility>

#include "linsep/picture/geometry.h"

namespace linsep {
namespace {

WeightLine line_of(std::span<const double> x, std::size_t row, int y, WeightSlice slice, double offset) {
  WeightLine line;
  line.row = static_cast<std::int64_t>(row);
  if (slice == WeightSlice::kOffsetAndWeight) {
    line.a = y;
    line.b = y * x[row];
  } else {
    line.a = y * x[2 * row];
    line.b = y * x[2 * row + 1];
    if (slice == WeightSlice::kAtOffset) line.c = y * offset;
  }
  if (line.a == 0 && line.b == 0) (line.c > 0 ? line.good_everywhere : line.wrong_everywhere) = true;
  return line;
}

double area_of(std::span<const PlanePoint> polygon) {
  double twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const PlanePoint &o = polygon[0], &p = polygon[i - 1], &q = polygon[i];
    twice += (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
  }
  return twice / 2;
}

}  // namespace

WeightSpace weight_space(std::span<const double> x, std::span<const int> y, WeightSlice slice, double offset,
                         const Window& window) {
  WeightSpace space;
  space.feasible = clipped_half_plane(0, 0, 1, window);
  const double whole = area_of(space.feasible);
  for (std::size_t row = 0; row < y.size(); ++row) {
    WeightLine line = line_of(x, row, y[row], slice, offset);
    line.ends = clipped_line(line.a, line.b, line.c, window);
    if (line.wrong_everywhere) {
      space.feasible.clear();
    } else if (!line.good_everywhere) {
      space.feasible = clip_polygon(space.feasible, line.a, line.b, line.c);
    }
    space.lines.push_back(std::move(line));
  }
  // A region without an inside is what rounding leaves, and counts as none.
  if (area_of(space.feasible) <= 1e-12 * whole) space.feasible.clear();
  return space;
}

}  // namespace linsep
