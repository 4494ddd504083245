// The line of marks under the title.
#pragma once

#include <string>
#include <vector>

#include "picture/draw/svg/writer.h"

namespace linsep {

struct LegendEntry {
  std::string mark;  ///< elements drawn about (0, 0), 16 pixels wide
  std::string words;
};

/// From left to right, in as many lines as needed, the first with its middle at `top`. Gives back the lines' number.
int draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, double left, double top, double right);
int legend_lines(const std::vector<LegendEntry>& entries, double width);

}  // namespace linsep
