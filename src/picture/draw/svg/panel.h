// An area with two axes.
#pragma once

#include <string>
#include <vector>

#include "linsep/picture/document.h"
#include "picture/draw/svg/writer.h"

namespace linsep {

struct Panel {
  Box box;
  Picture::Axis x, y;
  bool y_log = false;       ///< values of y are powers of ten: −3 is written 10⁻³
  bool y_absolute = false;  ///< they grow from 0 both ways: −3 is written 3

  [[nodiscard]] double px(double value) const { return box.left + (value - x.low) / (x.high - x.low) * box.width(); }
  [[nodiscard]] double py(double value) const { return box.bottom - (value - y.low) / (y.high - y.low) * box.height(); }

  /// "M… L…" through the points, closed if asked.
  [[nodiscard]] std::string through(const std::vector<PlanePoint>& points, bool closed) const;

  void draw_grid(Svg& svg) const;
  /// Ticks, numbers and names. Without `x_numbers` the panel below has them.
  void draw_axes(Svg& svg, bool x_numbers = true, bool y_numbers = true) const;
};

}  // namespace linsep
