#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "linsep/picture/geometry.h"

namespace linsep {
namespace {

constexpr std::int32_t kNone = -1;

/// The grid's values and, for each of its edges, the point at which the level crosses it and the two crossings that
/// follow.
class Squares {
 public:
  Squares(const std::function<double(double, double)>& f, double level, const Window& window, int steps);
  std::vector<std::vector<PlanePoint>> paths();

 private:
  [[nodiscard]] double x_at(int i) const { return window_.x_low + (window_.x_high - window_.x_low) * i / steps_; }
  [[nodiscard]] double y_at(int j) const { return window_.y_low + (window_.y_high - window_.y_low) * j / steps_; }
  [[nodiscard]] double value(int i, int j) const { return values_[static_cast<std::size_t>(j * (steps_ + 1) + i)]; }
  /// Edges are numbered from node (i, j) to the right, then from each node upwards.
  [[nodiscard]] std::int32_t across(int i, int j) const { return j * (steps_ + 1) + i; }
  [[nodiscard]] std::int32_t up(int i, int j) const { return (steps_ + 1) * (steps_ + 1) + across(i, j); }
  void cross_cell(int i, int j);
  void join(std::int32_t one, std::int32_t other);
  [[nodiscard]] PlanePoint crossing(std::int32_t edge) const;
  std::vector<PlanePoint> walk(std::int32_t from);

  Window window_;
  int steps_;
  std::vector<double> values_;
  std::vector<std::array<std::int32_t, 2>> next_;  ///< of each edge
  std::vector<bool> seen_;
};

Squares::Squares(const std::function<double(double, double)>& f, double level, const Window& window, int steps)
    : window_(window), steps_(steps) {
  const auto nodes = static_cast<std::size_t>(steps + 1) * static_cast<std::size_t>(steps + 1);
  values_.reserve(nodes);
  for (int j = 0; j <= steps; ++j) {
    for (int i = 0; i <= steps; ++i) values_.push_back(f(x_at(i), y_at(j)) - level);
  }
  next_.assign(2 * nodes, {kNone, kNone});
  seen_.assign(2 * nodes, false);
  for (int j = 0; j < steps; ++j) {
    for (int i = 0; i < steps; ++i) cross_cell(i, j);
  }
}

void Squares::join(std::int32_t one, std::int32_t other) {
  for (const auto& [from, to] : {std::pair{one, other}, std::pair{other, one}}) {
    auto& next = next_[static_cast<std::size_t>(from)];
    (next[0] == kNone ? next[0] : next[1]) = to;
  }
}

void Squares::cross_cell(int i, int j) {
  const std::array<double, 4> value_of = {value(i, j), value(i + 1, j), value(i + 1, j + 1), value(i, j + 1)};
  for (const double v : value_of) {
    if (!std::isfinite(v)) return;
  }
  const std::array<std::int32_t, 4> edge = {across(i, j), up(i + 1, j), across(i, j + 1), up(i, j)};
  std::array<std::int32_t, 4> crossed{};
  std::size_t count = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if ((value_of[k] >= 0) != (value_of[(k + 1) % 4] >= 0)) crossed[count++] = edge[k];
  }
  if (count == 2) join(crossed[0], crossed[1]);
  if (count != 4) return;
  // At a saddle, the middle belongs to the side of the four's mean, and corners of the other side are cut off.
  const bool middle = value_of[0] + value_of[1] + value_of[2] + value_of[3] >= 0;
  const bool cut_first = (value_of[0] >= 0) != middle;  // corners 0 and 2, otherwise 1 and 3
  join(edge[cut_first ? 3 : 0], edge[cut_first ? 0 : 1]);
  join(edge[cut_first ? 1 : 2], edge[cut_first ? 2 : 3]);
}

PlanePoint Squares::crossing(std::int32_t edge) const {
  const std::int32_t nodes = (steps_ + 1) * (steps_ + 1);
  const bool upwards = edge >= nodes;
  const std::int32_t node = upwards ? edge - nodes : edge;
  const int i = node % (steps_ + 1), j = node / (steps_ + 1);
  const double from = value(i, j), to = upwards ? value(i, j + 1) : value(i + 1, j);
  const double t = from / (from - to);
  const double x = x_at(i), y = y_at(j);
  return upwards ? PlanePoint{x, y + t * (y_at(j + 1) - y)} : PlanePoint{x + t * (x_at(i + 1) - x), y};
}

std::vector<PlanePoint> Squares::walk(std::int32_t from) {
  std::vector<PlanePoint> path;
  std::int32_t at = from;
  while (at != kNone) {
    const auto edge = static_cast<std::size_t>(at);
    const PlanePoint point = crossing(at);
    if (path.empty() || !(path.back() == point)) path.push_back(point);
    if (seen_[edge]) break;  // closed, back at its beginning
    seen_[edge] = true;
    std::int32_t following = kNone;
    for (const std::int32_t candidate : next_[edge]) {
      if (candidate != kNone && following == kNone && !seen_[static_cast<std::size_t>(candidate)])
        following = candidate;
    }
    if (following == kNone && next_[edge][1] != kNone) following = from;
    at = following;
  }
  return path;
}

std::vector<std::vector<PlanePoint>> Squares::paths() {
  std::vector<std::vector<PlanePoint>> found;
  for (const bool open : {true, false}) {
    for (std::size_t edge = 0; edge < next_.size(); ++edge) {
      if (seen_[edge] || next_[edge][0] == kNone || (open && next_[edge][1] != kNone)) continue;
      std::vector<PlanePoint> path = walk(static_cast<std::int32_t>(edge));
      if (path.size() > 1) found.push_back(std::move(path));
    }
  }
  return found;
}

}  // namespace

std::vector<std::vector<PlanePoint>> level_paths(const std::function<double(double x, double y)>& f, double level,
                                                 const Window& window, int steps) {
  if (steps < 1) return {};
  return Squares(f, level, window, steps).paths();
}

}  // namespace linsep
