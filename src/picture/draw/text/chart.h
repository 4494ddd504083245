// A grid of cells for a terminal, each with 2 × 4 dots or one glyph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/picture/document.h"
#include "linsep/picture/draw.h"

namespace linsep {

enum class Ink : std::uint8_t { kPlain, kMuted, kPositive, kNegative, kWitness };

/// Dots of a line that are on and off, in turn. off = 0 is a solid line.
struct Dash {
  int on = 1, off = 0;
};

class Canvas {
 public:
  Canvas(int columns, int rows);

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  /// Dots across and down. A dot is about as wide as high.
  int dots_across() const { return 2 * columns_; }
  int dots_down() const { return 4 * rows_; }

  /// A line between two points given in dots from the upper left. `walked` carries the dashes on from line to line.
  void line(double x0, double y0, double x1, double y1, Dash dash, Ink ink, int* walked);
  /// A glyph, one column wide, over any dots. Outside the grid nothing happens.
  void glyph(int column, int row, std::string_view glyph, Ink ink);
  /// Glyphs in a row, from `column` on.
  void words(int column, int row, std::string_view text, Ink ink);

  /// One row as text without the blanks at its end. ASCII: "." for dots, "-" for those of dashed lines.
  std::string row_text(int row, bool ascii, bool colour) const;

 private:
  struct Cell {
    std::uint8_t dots = 0;
    bool dashed = true;  ///< all of its dots are of dashed lines
    std::string glyph;
    Ink ink = Ink::kPlain;
  };
  std::size_t index_of(int column, int row) const;
  Cell* cell(int column, int row);

  int columns_, rows_;
  std::vector<Cell> cells_;
};

/// The text in a terminal's color.
std::string coloured(std::string_view text, Ink ink, bool colour);

// Common parts of the charts of a terminal.

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

/// The meaning of the marks, as in "+ 1 (100)   o -1 (50)", or "" if there is nothing to explain.
std::string text_legend(const Picture& picture, bool ascii, bool colour);

/// The columns left of a data space, for numbers and the axis.
inline constexpr int kMargin = 8;

// Numbers left of a chart and below it.

/// The index of a value among `dots` dots, each a step wide, with low at the first and high at the last.
double dot_of(double value, double low, double high, int dots);

/// Left of each row of a chart. The name stands next to the first, a number at the row of each tick, then the axis.
/// Texts are cut to kMargin columns.
Lines left_margin(const Picture::Axis& axis, int rows, bool ascii);

/// The axis below a chart and the line of its numbers, which ends with the axis's name.
Lines below(const Picture::Axis& axis, int columns, bool ascii);

/// Margin and canvas side by side, then `below`. All in one chart's area.
Lines framed(const Canvas& canvas, const Lines& margin, const Lines& under, const TextArea& area);

}  // namespace linsep
