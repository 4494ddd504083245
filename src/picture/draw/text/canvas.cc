#include "picture/draw/text/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace linsep {
namespace {

constexpr std::array<std::array<std::uint8_t, 2>, 4> kDots = {{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};

std::string braille(std::uint8_t dots) {
  const unsigned point = 0x2800U + dots;
  return {static_cast<char>(0xe0 | (point >> 12)), static_cast<char>(0x80 | ((point >> 6) & 0x3f)),
          static_cast<char>(0x80 | (point & 0x3f))};
}

/// Of the 256 colours those that can be read on light and dark grounds and are told apart in every kind of sight.
std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::kPositive:
      return "38;5;32";
    case Ink::kNegative:
      return "38;5;166";
    case Ink::kWitness:
      return "38;5;162";
    case Ink::kMuted:
      return "38;5;244";
    case Ink::kPlain:
      break;
  }
  return "";
}

}  // namespace

std::string coloured(std::string_view text, Ink ink, bool colour) {
  if (!colour || ink == Ink::kPlain || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(ink), text);
}

Canvas::Canvas(int columns, int rows)
    : columns_(columns), rows_(rows), cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

std::size_t Canvas::index_of(int column, int row) const {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
}

Canvas::Cell* Canvas::cell(int column, int row) {
  if (column < 0 || column >= columns_ || row < 0 || row >= rows_) return nullptr;
  return &cells_[index_of(column, row)];
}

void Canvas::line(double x0, double y0, double x1, double y1, Dash dash, Ink ink, int* walked) {
  const double length = std::max(std::abs(x1 - x0), std::abs(y1 - y0));
  if (!(length < 1e6)) return;
  const int steps = std::max(1, static_cast<int>(std::ceil(length)));
  for (int i = 0; i <= steps; ++i) {
    const bool on = dash.off == 0 || (*walked + i) % (dash.on + dash.off) < dash.on;
    const double t = static_cast<double>(i) / steps;
    const int x = static_cast<int>(std::lround(x0 + t * (x1 - x0))),
              y = static_cast<int>(std::lround(y0 + t * (y1 - y0)));
    if (!on || x < 0 || y < 0) continue;
    Cell* const at = cell(x / 2, y / 4);
    if (at == nullptr) continue;
    at->dots |= kDots[static_cast<std::size_t>(y % 4)][static_cast<std::size_t>(x % 2)];
    at->dashed = at->dashed && dash.off != 0;
    at->ink = ink;
  }
  *walked += steps;
}

void Canvas::glyph(int column, int row, std::string_view glyph, Ink ink) {
  if (Cell* const at = cell(column, row)) {
    at->glyph = glyph;
    at->ink = ink;
  }
}

void Canvas::words(int column, int row, std::string_view text, Ink ink) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    glyph(column++, row, text.substr(at, end - at), ink);
    at = end;
  }
}

std::string Canvas::row_text(int row, bool ascii, bool colour) const {
  std::string line, run;
  Ink ink = Ink::kPlain;
  int blanks = 0;
  for (int column = 0; column < columns_; ++column) {
    const Cell& at = cells_[index_of(column, row)];
    if (at.glyph.empty() && at.dots == 0) {
      ++blanks;
      continue;
    }
    if (blanks > 0 || at.ink != ink) {
      line += coloured(run, ink, colour);
      line.append(static_cast<std::size_t>(blanks), ' ');
      run.clear();
      blanks = 0;
      ink = at.ink;
    }
    run += !at.glyph.empty() ? at.glyph : ascii ? (at.dashed ? "-" : ".") : braille(at.dots);
  }
  return line + coloured(run, ink, colour);
}

}  // namespace linsep
