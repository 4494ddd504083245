// SVG, element by element, with numbers to one decimal and escaped text. Also the palette of every picture.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linsep/picture/document.h"

namespace linsep {

namespace palette {
inline constexpr std::string_view kGround = "#ffffff", kPanel = "#f6f7f9", kGrid = "#d9dee6", kInk = "#1b2330",
                                  kMuted = "#566173", kPositive = "#0b62a8", kNegative = "#b6500b",
                                  kWitness = "#a0187a", kFeasible = "#0f766e";
/// Color and dashes of several classifiers.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kClassifiers = {
    {{"#0b62a8", ""}, {"#b6500b", "9 5"}, {"#0f766e", "3 4"}, {"#a0187a", "1 3"}}};
}  // namespace palette

/// A coordinate in pixels with at most one decimal: "12", "12.5".
std::string pixel(double value);
/// Text for SVG. What a terminal would obey and what XML can't hold is escaped, and "-" before a digit is a minus sign.
std::string svg_text(std::string_view text);

/// Roughly the most pixels that text of a size takes, since fonts differ.
double text_width(std::string_view text, double size);

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;

  [[nodiscard]] double width() const { return right - left; }
  [[nodiscard]] double height() const { return bottom - top; }
};

class Svg {
 public:
  /// Attributes follow as written, such as `fill="none"`.
  void element(std::string_view name, std::string_view attributes);
  void open(std::string_view name, std::string_view attributes);
  void close(std::string_view name);
  void text(double x, double y, std::string_view words, std::string_view attributes = "");
  void line(double x0, double y0, double x1, double y1, std::string_view attributes);
  void rect(const Box& box, std::string_view attributes);
  void path(std::string_view data, std::string_view attributes);
  /// Elements that are written already.
  void raw(std::string_view elements);

  /// The whole file.
  [[nodiscard]] std::string file(int width, int height, std::string_view title, std::string_view description) const;

 private:
  std::string body_;
};

// The line of marks under the title.

struct LegendEntry {
  std::string mark;  ///< elements drawn about (0, 0), 16 pixels wide
  std::string words;
};

/// From left to right, in as many lines as needed, the first with its middle at `top`. Returns the number of lines.
int draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, double left, double top, double right);

// An area with two axes.

struct Panel {
  Box box;
  Picture::Axis x, y;
  bool y_log = false;       ///< values of y are powers of ten, so −3 is written 10⁻³
  bool y_absolute = false;  ///< they grow from 0 both ways, so −3 is written 3

  [[nodiscard]] double px(double value) const { return box.left + (value - x.low) / (x.high - x.low) * box.width(); }
  [[nodiscard]] double py(double value) const { return box.bottom - (value - y.low) / (y.high - y.low) * box.height(); }

  /// "M… L…" through the points, closed if asked.
  [[nodiscard]] std::string through(const std::vector<PlanePoint>& points, bool closed) const;

  void draw_grid(Svg& svg) const;
  /// Ticks, numbers and names. Without `x_numbers` the panel below has them.
  void draw_axes(Svg& svg, bool x_numbers = true, bool y_numbers = true) const;
};

// Marks of rows as path data. One path holds all marks of a kind.

std::string cross_at(double x, double y, double half);
std::string circle_at(double x, double y, double radius);
std::string diamond_at(double x, double y, double half);
std::string square_at(double x, double y, double side);
/// A bar across a ring, for a row that is wrong.
std::string barred_ring_at(double x, double y, double radius);

// Common parts of the charts of an SVG.

/// Pixels to the left of a chart (for numbers and a name), to its right, and below it (for numbers and a name).
inline constexpr double kLeft = 70, kRight = 22, kBelow = 50;

/// Each draws into `area`, around which there is room for its axes.
void svg_space(Svg& svg, const Picture& picture, const Box& area);
void svg_distances(Svg& svg, const Picture& picture, const Box& area);
void svg_progress(Svg& svg, const Picture& picture, const Box& area);
void svg_mistakes(Svg& svg, const Picture& picture, const Box& area);

std::vector<LegendEntry> space_legend(const Picture& picture);
std::vector<LegendEntry> distances_legend(const Picture& picture);
std::vector<LegendEntry> progress_legend(const Picture& picture);
std::vector<LegendEntry> mistakes_legend(const Picture& picture);

/// Rows of the document in a panel, as crosses and circles in the classes' colors, or gray. Rings mark rows whose role
/// under the first model asks for them.
void draw_rows(Svg& svg, const Picture& picture, const Panel& panel);
/// The marks of the classes, as rows have them.
std::vector<LegendEntry> class_entries(const Picture& picture, bool grey);
/// How many rows have a role.
std::size_t rows_with_role(const Picture& picture, std::string_view role);

/// A short piece of a line.
LegendEntry line_entry(std::string_view words, std::string_view colour, std::string_view dashes, double width);
LegendEntry filled_entry(std::string_view words, std::string_view colour, double opacity);

}  // namespace linsep
