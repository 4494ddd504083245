// Plane geometry for pictures: lines clipped to a window, hulls, feasible regions, curved boundaries.
//
// Doubles in, doubles out. The order of operations is fixed, so the same input gives the same bits on every machine.
// The hull decides turns by exact signs.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "linsep/picture/document.h"

namespace linsep {

/// The part of a plane that is shown. REQUIRES: low < high, all finite.
struct Window {
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
};

/// A window around the points: their range, widened by a twelfth on each side, to round numbers. If `aspect`
/// (width/height in pixels) is above 0, scales are equal, and the narrower range is widened about its middle. Points
/// that aren't finite are left out. Without points the window is [−1, 1]².
Window window_around(std::span<const PlanePoint> points, double aspect = 0);

/// Ticks at round numbers (1, 2, 5 × a power of ten) within [low, high], at most `most`.
std::vector<double> round_ticks(double low, double high, int most = 7);

/// The line a·x + b·y + c = 0 within the window, as its two ends by ascending x (by y if x is equal). None if it misses
/// the window or a = b = 0.
std::vector<PlanePoint> clipped_line(double a, double b, double c, const Window& window);

/// The part of the window with a·x + b·y + c ≥ 0, counter-clockwise. The whole window or nothing if a = b = 0.
std::vector<PlanePoint> clipped_half_plane(double a, double b, double c, const Window& window);

/// The part of a convex polygon (counter-clockwise) with a·x + b·y + c ≥ 0.
std::vector<PlanePoint> clip_polygon(std::span<const PlanePoint> polygon, double a, double b, double c);

/// The convex hull, counter-clockwise from its leftmost point (the lowest of several), without points on edges. One or
/// two points if all coincide or lie on a line.
std::vector<PlanePoint> convex_hull(std::span<const PlanePoint> points);

/// The paths within the window on which f = level, by marching squares on a grid of `steps` × `steps` cells, joined end
/// to end. A closed path ends at its beginning.
std::vector<std::vector<PlanePoint>> level_paths(const std::function<double(double x, double y)>& f, double level,
                                                 const Window& window, int steps = 96);

/// A row seen from weight space, as the line a·θ1 + b·θ2 + c = 0. On its good side that is above 0.
struct WeightLine {
  std::int64_t row = 0;
  double a = 0, b = 0, c = 0;
  std::vector<PlanePoint> ends;   ///< clipped to the window, none if it misses it
  bool good_everywhere = false;   ///< a = b = 0 and c > 0, so no weights of this slice get the row wrong
  bool wrong_everywhere = false;  ///< a = b = 0 and c ≤ 0
};

/// Which plane of weights is shown.
enum class WeightSlice {
  kOffsetAndWeight,  ///< one feature: (θ0, θ1)
  kThroughOrigin,    ///< two features, θ0 = 0: (θ1, θ2)
  kAtOffset,         ///< two features at a given θ0: (θ1, θ2)
};

struct WeightSpace {
  std::vector<WeightLine> lines;     ///< one per row, in order
  std::vector<PlanePoint> feasible;  ///< where every row is right (its closure within the window). May be empty
};
/// REQUIRES: `x` holds one or two features per row according to the slice, `y` is −1 or +1.
WeightSpace weight_space(std::span<const double> x, std::span<const int> y, WeightSlice slice, double offset,
                         const Window& window);

}  // namespace linsep
