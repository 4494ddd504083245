#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "linsep/picture/geometry.h"

namespace linsep {
namespace {

/// a·x + b·y + c, its coefficients brought near 1 by a power of two, so that values neither overflow nor vanish.
struct Form {
  double a, b, c;

  Form(double a_in, double b_in, double c_in) : a(a_in), b(b_in), c(c_in) {
    int exponent = 0;
    std::frexp(std::max({std::abs(a), std::abs(b), std::abs(c)}), &exponent);
    a = std::ldexp(a, -exponent);
    b = std::ldexp(b, -exponent);
    c = std::ldexp(c, -exponent);
  }
  [[nodiscard]] double at(const PlanePoint& point) const { return a * point.x + b * point.y + c; }
};

bool usable(double a, double b, double c) { return std::isfinite(a) && std::isfinite(b) && std::isfinite(c); }

std::array<PlanePoint, 4> corners(const Window& window) {
  return {PlanePoint{window.x_low, window.y_low}, PlanePoint{window.x_high, window.y_low},
          PlanePoint{window.x_high, window.y_high}, PlanePoint{window.x_low, window.y_high}};
}

bool before(const PlanePoint& p, const PlanePoint& q) { return p.x < q.x || (p.x == q.x && p.y < q.y); }

/// The point between p and q at which the form is 0. One coordinate of p and q is the same. REQUIRES: opposite signs
/// there.
PlanePoint on_edge(const Form& form, const PlanePoint& p, const PlanePoint& q) {
  if (p.y == q.y) {
    const auto [low, high] = std::minmax(p.x, q.x);
    return {std::clamp(-(form.b * p.y + form.c) / form.a, low, high) + 0.0, p.y};
  }
  const auto [low, high] = std::minmax(p.y, q.y);
  return {p.x, std::clamp(-(form.a * p.x + form.c) / form.b, low, high) + 0.0};
}

}  // namespace

std::vector<PlanePoint> clipped_line(double a, double b, double c, const Window& window) {
  if ((a == 0 && b == 0) || !usable(a, b, c)) return {};
  const Form form(a, b, c);
  const auto corner = corners(window);
  std::vector<PlanePoint> met;
  for (std::size_t i = 0; i < corner.size(); ++i) {
    const PlanePoint &p = corner[i], &q = corner[(i + 1) % corner.size()];
    const double at_p = form.at(p), at_q = form.at(q);
    if (at_p == 0) met.push_back(p);
    if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) met.push_back(on_edge(form, p, q));
  }
  if (met.empty()) return {};
  const auto [first, last] = std::minmax_element(met.begin(), met.end(), before);
  if (*first == *last) return {};
  return {*first, *last};
}

std::vector<PlanePoint> clip_polygon(std::span<const PlanePoint> polygon, double a, double b, double c) {
  if (!usable(a, b, c)) return {};
  const Form form(a, b, c);
  std::vector<PlanePoint> kept;
  const auto keep = [&kept](const PlanePoint& point) {
    if (kept.empty() || !(kept.back() == point)) kept.push_back(point);
  };
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const PlanePoint &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double at_p = form.at(p), at_q = form.at(q);
    if (at_p >= 0) keep(p);
    if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) {
      const double t = at_p / (at_p - at_q);
      keep({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
    }
  }
  while (kept.size() > 1 && kept.back() == kept.front()) kept.pop_back();
  if (kept.size() < 3) kept.clear();
  return kept;
}

std::vector<PlanePoint> clipped_half_plane(double a, double b, double c, const Window& window) {
  return clip_polygon(corners(window), a, b, c);
}

}  // namespace linsep
