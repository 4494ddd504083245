#include "picture/draw/text/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linsep/tools/shown_text.h"
#include "picture/draw/words.h"

namespace linsep {
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
  return t < 0 || t > 1 ? dot : std::clamp(dot, 0.0, dots - 1.0);
}

Lines left_margin(const Picture::Axis& axis, int rows, bool ascii) {
  constexpr std::size_t kNumber = kMargin - 2;
  Lines margin(static_cast<std::size_t>(rows), std::string(kNumber, ' ') + (ascii ? " |" : " │"));
  int last = -2;  // numbers on neighbouring rows are hard to read
  for (auto tick = axis.ticks.rbegin(); tick != axis.ticks.rend(); ++tick) {
    const int row = rows - 1 - static_cast<int>(std::floor((dot_of(*tick, axis.low, axis.high, 4 * rows) + 0.5) / 4));
    if (row < 0 || row >= rows || row < last + 2 || (row == 0 && !axis.name.empty())) continue;
    last = row;
    margin[static_cast<std::size_t>(row)] = right_aligned(number_words(*tick), kNumber, ascii) + (ascii ? " +" : " ┤");
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
    const std::string number = number_words(tick);
    const int size = static_cast<int>(number.size());
    // The minus sign stands aside: the number's middle is below the tick.
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
