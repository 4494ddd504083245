// Points and paths of a plane as JSON, [x, y].
#pragma once

#include <span>
#include <vector>

#include "call.h"
#include "linsep/picture/geometry.h"

namespace linsep::wasm {

inline Json point_json(PlanePoint point) { return Json::array({point.x, point.y}); }

inline Json path_json(std::span<const PlanePoint> points) {
  Json path = Json::array();
  for (const PlanePoint& point : points) path.push_back(point_json(point));
  return path;
}

inline Json paths_json(const std::vector<std::vector<PlanePoint>>& paths) {
  Json all = Json::array();
  for (const auto& path : paths) all.push_back(path_json(path));
  return all;
}

inline Json window_json(const Window& window) {
  return {{"x_low", window.x_low}, {"x_high", window.x_high}, {"y_low", window.y_low}, {"y_high", window.y_high}};
}

}  // namespace linsep::wasm
