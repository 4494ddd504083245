// What the charts of a terminal have in common.
#pragma once

#include <string>
#include <vector>

#include "linsep/picture/document.h"
#include "linsep/picture/draw.h"

namespace linsep {

using Lines = std::vector<std::string>;

/// Each chart is `rows` lines of at most `width` columns, its axis and its scale among them.
struct TextArea {
  int width = 80, rows = 22;
  bool ascii = false, colour = false;
};

Lines text_space(const Picture& picture, const TextArea& area);
Lines text_progress(const Picture& picture, const TextArea& area);
Lines text_mistakes(const Picture& picture, const TextArea& area);
Lines text_distances(const Picture& picture, const TextArea& area);

/// What the marks mean: "+ 1 (100)   o -1 (50)"; "" where there is nothing to say.
std::string text_legend(const Picture& picture, bool ascii, bool colour);

/// The columns left of a data space: numbers and the axis.
inline constexpr int kMargin = 8;

}  // namespace linsep
