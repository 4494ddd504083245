// SVG, element by element: numbers with one decimal, text escaped. And the palette of every picture.
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
/// Several classifiers: colour and dashes.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kClassifiers = {
    {{"#0b62a8", ""}, {"#b6500b", "9 5"}, {"#0f766e", "3 4"}, {"#a0187a", "1 3"}}};
}  // namespace palette

/// A coordinate in pixels with at most one decimal: "12", "12.5".
std::string pixel(double value);
/// Text for SVG: what a terminal would obey and what XML can't hold is escaped, "-" before a digit is a minus sign.
std::string svg_text(std::string_view text);

/// Pixels that text of a size takes at most, roughly: fonts differ.
double text_width(std::string_view text, double size);

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;

  [[nodiscard]] double width() const { return right - left; }
  [[nodiscard]] double height() const { return bottom - top; }
};

class Svg {
 public:
  /// Attributes follow as written: `fill="none"`.
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

}  // namespace linsep
