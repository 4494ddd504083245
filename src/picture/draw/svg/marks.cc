#include "picture/draw/svg/marks.h"

#include <fmt/format.h>

#include "picture/draw/svg/writer.h"

namespace linsep {

std::string cross_at(double x, double y, double half) {
  return fmt::format("M{} {}h{}M{} {}v{}", pixel(x - half), pixel(y), pixel(2 * half), pixel(x), pixel(y - half),
                     pixel(2 * half));
}

std::string circle_at(double x, double y, double radius) {
  const std::string r = pixel(radius), across = pixel(2 * radius);
  return fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0-{3} 0", pixel(x - radius), pixel(y), r, across);
}

std::string diamond_at(double x, double y, double half) {
  const std::string h = pixel(half);
  return fmt::format("M{} {}l{} {}l-{} {}l-{}-{}Z", pixel(x), pixel(y - half), h, h, h, h, h, h);
}

std::string square_at(double x, double y, double side) {
  const std::string s = pixel(side);
  return fmt::format("M{} {}h{}v{}h-{}Z", pixel(x), pixel(y), s, s, s);
}

std::string barred_ring_at(double x, double y, double radius) {
  const double half = 0.7 * radius;
  const std::string across = pixel(2 * half);
  return circle_at(x, y, radius) + fmt::format("M{} {}l{}-{}", pixel(x - half), pixel(y + half), across, across);
}

}  // namespace linsep
