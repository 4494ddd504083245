#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "core/elementary.h"
#include "linsep/picture/geometry.h"
#include "picture/draw/text/chart.h"
#include "picture/draw/words.h"

namespace linsep {
namespace {

using HistoryPass = Picture::History::Pass;
using ValueOf = std::function<std::optional<double>(const HistoryPass&)>;

void draw_line(Canvas& canvas, const std::vector<HistoryPass>& passes, const ValueOf& value_of, const Picture::Axis& x,
               const Picture::Axis& y, Dash dash, Ink ink) {
  int walked = 0;
  std::optional<std::pair<double, double>> before;
  for (const HistoryPass& pass : passes) {
    const std::optional<double> value = value_of(pass);
    if (!value || !std::isfinite(*value)) continue;
    const double at_x = dot_of(static_cast<double>(pass.pass), x.low, x.high, canvas.dots_across());
    const double at_y = canvas.dots_down() - 1 - dot_of(*value, y.low, y.high, canvas.dots_down());
    if (!before) before = {at_x, at_y};
    canvas.line(before->first, before->second, at_x, at_y, dash, ink, &walked);
    before = {at_x, at_y};
  }
}

Picture::Axis range_of(const std::vector<HistoryPass>& passes, const std::vector<ValueOf>& values) {
  std::vector<PlanePoint> points;
  for (const HistoryPass& pass : passes) {
    for (const ValueOf& value_of : values) {
      if (const auto value = value_of(pass); value && std::isfinite(*value)) points.push_back({0, *value});
    }
  }
  const Window window = window_around(points);
  return {.name = "", .low = window.y_low, .high = window.y_high, .ticks = {}};
}

std::optional<double> log_gap(const HistoryPass& pass) {
  if (!pass.gap || !(*pass.gap > 0)) return std::nullopt;
  return elementary::log10(*pass.gap);
}

/// The gap on a log axis, whose numbers are powers of ten.
Lines gap_chart(const Picture::History& history, const Picture::Axis& x, int columns, const TextArea& area, int rows) {
  Picture::Axis y = range_of(history.passes, {log_gap});
  y.name = "gap";
  if (history.gap_asked && *history.gap_asked > 0) y.low = std::min(y.low, elementary::log10(*history.gap_asked) - 0.2);
  Canvas canvas(columns, rows);
  draw_line(canvas, history.passes, log_gap, x, y, {}, Ink::kPlain);
  if (history.gap_asked && *history.gap_asked > 0) {
    const auto asked = [&](const HistoryPass&) { return std::optional<double>(elementary::log10(*history.gap_asked)); };
    draw_line(canvas, history.passes, asked, x, y, {2, 3}, Ink::kMuted);
  }
  Lines margin = left_margin(y, rows, area.ascii);
  int last = -2;
  for (int power = static_cast<int>(std::floor(y.high)); power >= y.low; --power) {
    const int row = rows - 1 - static_cast<int>(std::floor((dot_of(power, y.low, y.high, 4 * rows) + 0.5) / 4));
    if (row <= 0 || row >= rows || row < last + 2) continue;
    last = row;
    const std::string number = power == 0 ? "1" : fmt::format("1e{}", power);
    margin[static_cast<std::size_t>(row)] = fmt::format("{:>{}} {}", number, kMargin - 2, area.ascii ? "+" : "┤");
  }
  return framed(canvas, margin, below(x, columns, area.ascii), area);
}

}  // namespace

Lines text_progress(const Picture& picture, const TextArea& area) {
  const Picture::History& history = *picture.history;
  const int columns = area.width - kMargin;
  const bool gaps =
      std::any_of(history.passes.begin(), history.passes.end(), [](const HistoryPass& p) { return log_gap(p); });
  const bool both = gaps && area.rows >= 14;
  const int under = both ? area.rows * 2 / 5 : 2;
  const int rows = area.rows - under;
  Picture::Axis x{
      .name = "pass", .low = 1, .high = std::max(2.0, static_cast<double>(history.passes.back().pass)), .ticks = {}};
  for (const double tick : round_ticks(x.low, x.high, std::max(2, columns / 9))) {
    if (tick == std::floor(tick)) x.ticks.push_back(tick);
  }
  const ValueOf objective = [](const HistoryPass& pass) { return pass.objective; };
  const ValueOf bound = [](const HistoryPass& pass) { return pass.lower_bound; };
  Picture::Axis y = range_of(history.passes, {objective, bound});
  y.ticks = round_ticks(y.low, y.high, std::max(2, rows / 2));
  Canvas canvas(columns, rows);
  draw_line(canvas, history.passes, bound, x, y, {2, 3}, Ink::kMuted);
  draw_line(canvas, history.passes, objective, x, y, {}, Ink::kPlain);
  Lines lines = framed(canvas, left_margin(y, rows, area.ascii), both ? Lines{} : below(x, columns, area.ascii), area);
  if (both) {
    const Lines second = gap_chart(history, x, columns, area, under - 2);
    lines.insert(lines.end(), second.begin(), second.end());
  }
  return lines;
}

}  // namespace linsep
