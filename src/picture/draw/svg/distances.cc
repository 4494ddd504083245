#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linsep/picture/geometry.h"
#include "picture/draw/scene.h"
#include "picture/draw/svg/chart.h"
#include "picture/draw/words.h"

namespace linsep {
namespace {

using Bin = Picture::DistanceBins::Bin;

std::string bar(const Panel& panel, const Bin& bin, double height) {
  const double left = panel.px(bin.low) + 0.5, right = panel.px(bin.high) - 0.5;
  return fmt::format("M{} {}V{}H{}V{}Z", pixel(left), pixel(panel.py(0)), pixel(panel.py(height)), pixel(right),
                     pixel(panel.py(0)));
}

void draw_bars(Svg& svg, const Picture& picture, const Panel& panel) {
  std::string up, down, wrong_up, wrong_down;
  for (const Bin& bin : picture.distances->bins) {
    if (bin.positive > 0) (bin.high <= 0 ? wrong_up : up) += bar(panel, bin, static_cast<double>(bin.positive));
    if (bin.negative > 0) (bin.low >= 0 ? wrong_down : down) += bar(panel, bin, -static_cast<double>(bin.negative));
  }
  svg.path(up, fmt::format("fill=\"{}\"", palette::kPositive));
  svg.path(down, fmt::format("fill=\"{}\"", palette::kNegative));
  svg.path(wrong_up, fmt::format("fill=\"url(#up)\" stroke=\"{}\"", palette::kPositive));
  svg.path(wrong_down, fmt::format("fill=\"url(#down)\" stroke=\"{}\"", palette::kNegative));
}

/// The boundary, and z = ±1 if that means something.
void draw_rules(Svg& svg, const Picture& picture, const Panel& panel) {
  svg.line(panel.px(0), panel.box.top, panel.px(0), panel.box.bottom,
           fmt::format("stroke=\"{}\" stroke-width=\"2\"", palette::kInk));
  if (!picture.distances->margin) return;
  for (const double at : {-*picture.distances->margin, *picture.distances->margin}) {
    if (at <= panel.x.low || at >= panel.x.high) continue;
    svg.line(panel.px(at), panel.box.top, panel.px(at), panel.box.bottom,
             fmt::format("stroke=\"{}\" stroke-dasharray=\"5 3\"", palette::kMuted));
  }
}

Picture::Axis across(const Picture& picture) {
  const std::vector<Bin>& bins = picture.distances->bins;
  Picture::Axis x{
      .name = "signed distance from the boundary", .low = bins.front().low, .high = bins.back().high, .ticks = {}};
  const double bin = (x.high - x.low) / static_cast<double>(bins.size());
  x.low -= bin;
  x.high += bin;
  x.ticks = round_ticks(x.low, x.high, 9);
  return x;
}

}  // namespace

void svg_distances(Svg& svg, const Picture& picture, const Box& area) {
  const bool rows = picture.plane && picture.plane->kind == "boundary" &&
                    ((picture.points && !picture.points->at.empty()) || picture.cells);
  double up = 0, down = 0;
  for (const Bin& bin : picture.distances->bins) {
    up = std::max(up, static_cast<double>(bin.positive));
    down = std::max(down, static_cast<double>(bin.negative));
  }
  const double slack = 0.06 * std::max(1.0, up + down);
  Picture::Axis y{.name = "rows", .low = -down - slack, .high = up + slack, .ticks = {}};
  for (const double tick : round_ticks(y.low, y.high, 7)) {
    if (tick == std::round(tick)) y.ticks.push_back(tick);
  }
  Panel bars{.box = area, .x = across(picture), .y = y, .y_log = false, .y_absolute = true};
  if (rows) {
    bars.box.top = area.top + area.height() * 0.58;
    Panel scatter{.box = area, .x = bars.x, .y = picture.plane->y};
    scatter.box.bottom = bars.box.top - 16;
    scatter.y.name = "first component of the rest";
    scatter.draw_grid(svg);
    draw_rules(svg, picture, scatter);
    draw_rows(svg, picture, scatter);
    scatter.draw_axes(svg, false);
  }
  bars.draw_grid(svg);
  draw_bars(svg, picture, bars);
  draw_rules(svg, picture, bars);
  svg.line(bars.box.left, bars.py(0), bars.box.right, bars.py(0), fmt::format("stroke=\"{}\"", palette::kMuted));
  bars.draw_axes(svg);
}

std::vector<LegendEntry> distances_legend(const Picture& picture) {
  std::vector<LegendEntry> entries = class_entries(picture, compares(picture));
  entries.push_back(line_entry("boundary", palette::kInk, "", 2));
  if (picture.distances->margin) entries.push_back(line_entry("z = ±1", palette::kMuted, "5 3", 1));
  if (has_two_classes(picture)) {
    entries.push_back(
        {R"(<rect x="-7" y="-6" width="14" height="12" fill='url(#ink)' stroke="#1b2330"/>)", "wrong side"});
  }
  return entries;
}

}  // namespace linsep
