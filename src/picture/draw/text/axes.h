// Numbers left of a chart and below it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linsep/picture/document.h"
#include "picture/draw/text/canvas.h"
#include "picture/draw/text/chart.h"

namespace linsep {

/// A value's place among so many dots, each a step wide: low is at the first, high at the last.
double dot_of(double value, double low, double high, int dots);

/// Left of each row of a chart: the name beside the first, a number at the row of each tick, then the axis. Texts are
/// cut to kMargin columns.
Lines left_margin(const Picture::Axis& axis, int rows, bool ascii);

/// The axis below a chart and the line of its numbers, which ends with the axis's name.
Lines below(const Picture::Axis& axis, int columns, bool ascii);

/// Margin and canvas side by side, then `below`. All in one chart's area.
Lines framed(const Canvas& canvas, const Lines& margin, const Lines& under, const TextArea& area);

}  // namespace linsep
