// A picture as text for a terminal and as SVG.
#pragma once

#include <string>

#include "linsep/picture/document.h"

namespace linsep {

struct TextPlot {
  int width = 80, height = 24;  ///< of all lines, the finding and the scale included
  bool ascii = false;           ///< `.` and `-` instead of braille
  bool colour = false;
};
/// Lines of UTF-8, each ended by a newline, none wider than asked. Draws the data space. For a run alone it draws the
/// objective and gap, or the mistakes. For a model with data in more than two features it draws the distances.
std::string draw_text(const Picture& picture, const TextPlot& options = {});

/// Width/height of the data space within it, for PictureSpec::aspect. A terminal's cell is taken to be twice as high as
/// wide.
double data_space_aspect(const TextPlot& options);

struct SvgPlot {
  int width = 760, height = 560;
};
/// The same scene as a self-contained SVG with fixed light colors and text as text. Under 200 kB, and the same bytes
/// each time.
std::string draw_svg(const Picture& picture, const SvgPlot& options = {});
double data_space_aspect(const SvgPlot& options);

}  // namespace linsep
