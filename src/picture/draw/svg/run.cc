#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "core/elementary.h"
#include "linsep/picture/geometry.h"
#include "picture/draw/svg/chart.h"
#include "picture/draw/words.h"

namespace linsep {
namespace {

using HistoryPass = Picture::History::Pass;
using ValueOf = std::function<std::optional<double>(const HistoryPass&)>;

std::vector<PlanePoint> points_of(const std::vector<HistoryPass>& passes, const ValueOf& value_of) {
  std::vector<PlanePoint> points;
  for (const HistoryPass& pass : passes) {
    if (const auto value = value_of(pass); value && std::isfinite(*value)) {
      points.push_back({static_cast<double>(pass.pass), *value});
    }
  }
  return points;
}

std::optional<double> log_gap(const HistoryPass& pass) {
  if (!pass.gap || !(*pass.gap > 0)) return std::nullopt;
  return elementary::log10(*pass.gap);
}
std::optional<double> objective_of(const HistoryPass& pass) { return pass.objective; }
std::optional<double> bound_of(const HistoryPass& pass) { return pass.lower_bound; }

Picture::Axis whole_ticks(std::string name, double low, double high, int most) {
  Picture::Axis axis{.name = std::move(name), .low = low, .high = high, .ticks = {}};
  for (const double tick : round_ticks(low, high, most)) {
    if (tick == std::round(tick)) axis.ticks.push_back(tick);
  }
  return axis;
}

Picture::Axis axis_around(std::string name, const std::vector<PlanePoint>& points) {
  const Window window = window_around(points);
  return {.name = std::move(name),
          .low = window.y_low,
          .high = window.y_high,
          .ticks = round_ticks(window.y_low, window.y_high, 6)};
}

void draw_gap(Svg& svg, const Picture::History& history, const Picture::Axis& x, const Box& box) {
  std::vector<PlanePoint> points = points_of(history.passes, log_gap);
  std::vector<PlanePoint> all = points;
  const bool asked = history.gap_asked && *history.gap_asked > 0;
  if (asked) all.push_back({1, elementary::log10(*history.gap_asked)});
  Panel panel{.box = box, .x = x, .y = axis_around("gap", all), .y_log = true};
  panel.y = whole_ticks("gap", panel.y.low, panel.y.high, 5);
  panel.draw_grid(svg);
  if (asked) {
    const double at = panel.py(elementary::log10(*history.gap_asked));
    svg.line(box.left, at, box.right, at, fmt::format("stroke=\"{}\" stroke-dasharray=\"5 3\"", palette::kMuted));
    svg.text(box.right - 4, at - 6, fmt::format("asked: {}", tick_text(*history.gap_asked)), "class=\"m e o\"");
  }
  svg.path(panel.through(points, false),
           fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\"", palette::kInk));
  panel.draw_axes(svg);
}

}  // namespace

void svg_progress(Svg& svg, const Picture& picture, const Box& area) {
  const Picture::History& history = *picture.history;
  const Picture::Axis x = whole_ticks("pass", 1, std::max(2.0, static_cast<double>(history.passes.back().pass)), 10);
  const std::vector<PlanePoint> objective = points_of(history.passes, objective_of);
  const std::vector<PlanePoint> bound = points_of(history.passes, bound_of);
  std::vector<PlanePoint> both = objective;
  both.insert(both.end(), bound.begin(), bound.end());
  const bool gap = !points_of(history.passes, log_gap).empty();
  Box box = area;
  if (gap) box.bottom = area.top + area.height() * 0.6;
  const Panel panel{.box = box, .x = x, .y = axis_around("objective", both)};
  panel.draw_grid(svg);
  std::vector<PlanePoint> between = points_of(
      history.passes, [](const HistoryPass& pass) { return pass.lower_bound ? pass.objective : std::nullopt; });
  between.insert(between.end(), bound.rbegin(), bound.rend());
  if (!bound.empty()) {
    svg.path(panel.through(between, true), fmt::format("fill=\"{}\" fill-opacity=\".08\"", palette::kPositive));
  }
  svg.path(panel.through(bound, false), fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" "
                                                    "stroke-dasharray=\"5 3\"",
                                                    palette::kMuted));
  svg.path(panel.through(objective, false), fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\" "
                                                        "stroke-linejoin=\"round\"",
                                                        palette::kPositive));
  panel.draw_axes(svg, !gap);
  if (gap) draw_gap(svg, history, x, {area.left, box.bottom + 22, area.right, area.bottom});
}

std::vector<LegendEntry> progress_legend(const Picture& picture) {
  std::vector<LegendEntry> entries = {line_entry("objective", palette::kPositive, "", 2)};
  if (!points_of(picture.history->passes, bound_of).empty()) {
    entries.push_back(line_entry("lower bound", palette::kMuted, "5 3", 1.5));
  }
  return entries;
}

void svg_mistakes(Svg& svg, const Picture& picture, const Box& area) {
  const Picture::History& history = *picture.history;
  double most = 1, last = 1;
  for (const HistoryPass& pass : history.bars) most = std::max(most, static_cast<double>(pass.mistakes.value_or(0)));
  last = std::max(last, static_cast<double>(history.passes_made));
  const Picture::Axis x = whole_ticks("pass", 0.5, last + 0.5, 12);
  const std::string name = history.group > 1 ? fmt::format("mistakes in {} passes", history.group) : "mistakes a pass";
  Box box = area;
  const auto sum = points_of(history.passes, [](const HistoryPass& pass) -> std::optional<double> {
    if (!pass.mistakes_so_far) return std::nullopt;
    return static_cast<double>(*pass.mistakes_so_far);
  });
  if (!sum.empty()) box.bottom = area.top + area.height() * 0.56;
  const Panel panel{.box = box, .x = x, .y = whole_ticks(name, 0, most * 1.06, 6)};
  panel.draw_grid(svg);
  std::string bars;
  const auto group = static_cast<double>(history.group);
  for (std::size_t i = 0; i < history.bars.size(); ++i) {
    const double from = 0.5 + group * static_cast<double>(i), to = std::min(from + group, last + 0.5);
    const double height = static_cast<double>(history.bars[i].mistakes.value_or(0));
    const double gap = panel.px(to) - panel.px(from) > 5 ? 1 : 0.2;
    if (height > 0) {
      bars += fmt::format("M{} {}V{}H{}V{}Z", pixel(panel.px(from) + gap), pixel(box.bottom), pixel(panel.py(height)),
                          pixel(panel.px(to) - gap), pixel(box.bottom));
    }
  }
  svg.path(bars, fmt::format("fill=\"{}\"", palette::kMuted));
  panel.draw_axes(svg, sum.empty());
  if (sum.empty()) return;
  const double total = std::max(1.0, sum.back().y);
  const bool bound = picture.bound && picture.bound->mistakes <= 3 * total;
  Panel below{.box = {area.left, box.bottom + 22, area.right, area.bottom}, .x = x, .y = {}};
  below.y = whole_ticks("in all", 0, 1.08 * (bound ? std::max(picture.bound->mistakes, total) : total), 5);
  below.draw_grid(svg);
  std::string steps = fmt::format("M{} {}", pixel(below.px(0.5)), pixel(below.py(0)));
  for (const PlanePoint& point : sum)
    steps += fmt::format("V{}H{}", pixel(below.py(point.y)), pixel(below.px(point.x + 0.5)));
  svg.path(steps, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"", palette::kInk));
  if (bound) {
    const double at = below.py(picture.bound->mistakes);
    svg.line(area.left, at, area.right, at, fmt::format("stroke=\"{}\" stroke-dasharray=\"5 3\"", palette::kMuted));
    svg.text(area.right - 4, at + 16, fmt::format("at most {}: (R/γ)²", picture.bound->mistakes_text),
             "class=\"m e o\"");
  }
  below.draw_axes(svg);
}

std::vector<LegendEntry> mistakes_legend(const Picture&) { return {}; }

}  // namespace linsep
