#include "picture/draw/text/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "linsep/tools/shown_text.h"
#include "picture/draw/words.h"

namespace linsep {

namespace {

constexpr std::array<std::array<std::uint8_t, 2>, 4> kDots = {{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};

std::string braille(std::uint8_t dots) {
  const unsigned point = 0x2800U + dots;
  return {static_cast<char>(0xe0 | (point >> 12)), static_cast<char>(0x80 | ((point >> 6) & 0x3f)),
          static_cast<char>(0x80 | (point & 0x3f))};
}

/// Those of the 256 colors that can be read on light and dark grounds and can be distinguished in every kind of sight.
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

namespace {

/// To the right of a margin of `columns` columns.
std::string right_aligned(const std::string& text, std::size_t columns, bool ascii) {
  const std::string cut = cut_to(text, columns, ascii);
  return std::string(columns - std::min(columns, columns_of(cut)), ' ') + cut;
}

std::string axis_name(const Picture::Axis& axis, bool ascii) {
  const std::string name = shown_text(axis.name);
  return ascii ? in_ascii(name) : name;
}

}  // namespace

double dot_of(double value, double low, double high, int dots) {
  const double t = (value - low) / (high - low);
  if (!std::isfinite(t)) return 0;
  const double dot = t * dots - 0.5;
  constexpr double kFarOutside = 1e6;  // still an int
  return t < 0 || t > 1 ? std::clamp(dot, -kFarOutside, kFarOutside) : std::clamp(dot, 0.0, dots - 1.0);
}

Lines left_margin(const Picture::Axis& axis, int rows, bool ascii) {
  constexpr std::size_t kNumber = kMargin - 2;
  Lines margin(static_cast<std::size_t>(rows), std::string(kNumber, ' ') + (ascii ? " |" : " │"));
  int last = -2;  // numbers on neighboring rows are hard to read
  for (auto tick = axis.ticks.rbegin(); tick != axis.ticks.rend(); ++tick) {
    const int row = rows - 1 - static_cast<int>(std::floor((dot_of(*tick, axis.low, axis.high, 4 * rows) + 0.5) / 4));
    if (row < 0 || row >= rows || row < last + 2 || (row == 0 && !axis.name.empty())) continue;
    last = row;
    margin[static_cast<std::size_t>(row)] = right_aligned(tick_text(*tick), kNumber, ascii) + (ascii ? " +" : " ┤");
  }
  if (!axis.name.empty()) {
    margin.front() = right_aligned(axis_name(axis, ascii), kNumber, ascii) + (ascii ? " |" : " │");
  }
  return margin;
}

Lines below(const Picture::Axis& axis, int columns, bool ascii) {
  std::vector<std::string> rule(static_cast<std::size_t>(columns), ascii ? "-" : "─");
  std::string numbers(static_cast<std::size_t>(columns), ' ');
  const std::string name = cut_to(axis_name(axis, ascii), static_cast<std::size_t>(columns) / 2, ascii);
  const int room = columns - static_cast<int>(columns_of(name)) - 2;
  int free_from = 0;
  for (const double tick : axis.ticks) {
    const int column = static_cast<int>(std::floor((dot_of(tick, axis.low, axis.high, 2 * columns) + 0.5) / 2));
    const std::string number = tick_text(tick);
    const int size = static_cast<int>(number.size());
    // The minus sign stands aside, so the number's middle is below the tick.
    const int from = std::max(0, column - (size - (tick < 0 ? 0 : 1)) / 2);
    if (column < 0 || column >= columns || from < free_from || from + size > room) continue;
    rule[static_cast<std::size_t>(column)] = ascii ? "+" : "┬";
    numbers.replace(static_cast<std::size_t>(from), number.size(), number);
    free_from = from + size + 2;
  }
  const std::string indent(kMargin - 1, ' ');
  Lines lines = {indent + (ascii ? "+" : "└"),
                 indent + " " + numbers.substr(0, static_cast<std::size_t>(room + 2)) + name};
  for (const std::string& piece : rule) lines.front() += piece;
  return lines;
}

Lines framed(const Canvas& canvas, const Lines& margin, const Lines& under, const TextArea& area) {
  Lines lines;
  for (int row = 0; row < canvas.rows(); ++row) {
    const std::string left = coloured(margin[static_cast<std::size_t>(row)], Ink::kMuted, area.colour);
    lines.push_back(left + canvas.row_text(row, area.ascii, area.colour));
  }
  for (const std::string& line : under) lines.push_back(coloured(line, Ink::kMuted, area.colour));
  return lines;
}

}  // namespace linsep
