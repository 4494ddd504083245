#include "lift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "plane_json.h"

namespace linsep::wasm {
namespace {

using Space = std::array<double, 3>;

/// The box around the rows, a twelfth wider on each side, seen as the cube [−1, 1]³.
struct Box {
  Space low{}, high{};

  explicit Box(const std::vector<Space>& points) {
    constexpr double kWider = 1.0 / 12;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [least, greatest] = std::ranges::minmax_element(points, {}, [k](const Space& p) { return p[k]; });
      low[k] = points.empty() ? -1 : (*least)[k];
      high[k] = points.empty() ? 1 : (*greatest)[k];
      if (!(low[k] < high[k])) {
        low[k] -= 1;
        high[k] += 1;
      }
      const double more = kWider * (high[k] - low[k]);
      low[k] -= more;
      high[k] += more;
    }
  }

  Space in_cube(const Space& p) const {
    Space cube;
    for (std::size_t k = 0; k < 3; ++k) cube[k] = 2 * (p[k] - low[k]) / (high[k] - low[k]) - 1;
    return cube;
  }
};

/// x1 to the right, x1·x2 upwards, x2 into the depth.
PlanePoint seen(const Space& cube) {
  constexpr double kRight = 0.45, kUp = 0.35;
  return {cube[0] + kRight * cube[1], cube[2] + kUp * cube[1]};
}

/// The corners of a·cube + c = 0 within the cube, around their middle.
std::vector<PlanePoint> plane_in_cube(const Space& a, double c) {
  std::vector<PlanePoint> corners;
  for (std::size_t k = 0; k < 3; ++k) {
    if (a[k] == 0) continue;
    for (const double p : {-1.0, 1.0}) {
      for (const double q : {-1.0, 1.0}) {
        Space at{};
        at[(k + 1) % 3] = p;
        at[(k + 2) % 3] = q;
        at[k] = -(a[(k + 1) % 3] * p + a[(k + 2) % 3] * q + c) / a[k];
        if (std::abs(at[k]) <= 1) corners.push_back(seen(at));
      }
    }
  }
  return convex_hull(corners);
}

}  // namespace

Json lift_json(const PlainRows& rows, std::span<const double> theta, double offset) {
  std::vector<Space> points;
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    points.push_back({rows.at(i, 0), rows.at(i, 1), rows.at(i, 0) * rows.at(i, 1)});
  }
  const Box box(points);
  std::vector<PlanePoint> screen, feet;
  for (const Space& point : points) {
    Space cube = box.in_cube(point);
    screen.push_back(seen(cube));
    cube[2] = -1;
    feet.push_back(seen(cube));
  }
  Space slope{};
  double height = offset;
  for (std::size_t k = 0; k < 3; ++k) {
    slope[k] = theta[k] * (box.high[k] - box.low[k]) / 2;
    height += theta[k] * (box.high[k] + box.low[k]) / 2;
  }
  Json axes = Json::array();
  for (std::size_t k = 0; k < 3; ++k) {
    Space end{-1, -1, -1};
    end[k] = 1;
    axes.push_back(Json::array({point_json(seen({-1, -1, -1})), point_json(seen(end))}));
  }
  return {{"points", points},
          {"screen", path_json(screen)},
          {"feet", path_json(feet)},
          {"plane", path_json(plane_in_cube(slope, height))},
          {"axes", std::move(axes)}};
}

}  // namespace linsep::wasm
