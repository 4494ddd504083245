#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "linsep/picture/geometry.h"
#include "picture/draw/text/chart.h"
#include "picture/draw/words.h"

namespace linsep {
namespace {

constexpr std::array<std::string_view, 8> kEighths = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

/// A bar `width` columns wide that grows from the bottom of row `foot` by `height` rows, to an eighth of a row, or in
/// ASCII to a half.
void bar_up(Canvas& canvas, int column, int width, int foot, double height, Ink ink, bool ascii) {
  int eighths = static_cast<int>(std::lround(height * 8));
  if (height > 0) eighths = std::max(eighths, 1);  // what isn't 0 is seen
  for (int row = foot; eighths > 0; --row, eighths -= 8) {
    const std::string_view glyph =
        ascii ? (eighths >= 4 ? "#" : "_") : kEighths[static_cast<std::size_t>(std::min(eighths, 8) - 1)];
    for (int i = 0; i < width; ++i) canvas.glyph(column + i, row, glyph, ink);
  }
}

/// The same downwards from the top of row `head`, to a half of a row, because terminals have no finer blocks there.
void bar_down(Canvas& canvas, int column, int width, int head, double height, Ink ink, bool ascii) {
  int halves = static_cast<int>(std::lround(height * 2));
  if (height > 0) halves = std::max(halves, 1);
  for (int row = head; halves > 0; ++row, halves -= 2) {
    const std::string_view glyph = ascii ? (halves >= 2 ? "#" : "'") : halves >= 2 ? "█" : "▀";
    for (int i = 0; i < width; ++i) canvas.glyph(column + i, row, glyph, ink);
  }
}

using Bin = Picture::DistanceBins::Bin;

/// At most `most` bins. Neighbors are joined, and 0 stays an edge.
std::vector<Bin> joined_bins(const std::vector<Bin>& bins, int most) {
  const int count = static_cast<int>(bins.size());
  int zero = 0;  // bins below 0
  while (zero < count && bins[static_cast<std::size_t>(zero)].low < 0) ++zero;
  for (int together = 1;; ++together) {
    const int below = (zero + together - 1) / together;
    if (below + (count - zero + together - 1) / together > most && together < count) continue;
    std::vector<Bin> joined;
    int last = 0;
    for (int i = 0; i < count; ++i) {
      const int group = i < zero ? below - 1 - (zero - 1 - i) / together : below + (i - zero) / together;
      if (i == 0 || group != last)
        joined.push_back({.low = bins[static_cast<std::size_t>(i)].low, .high = 0, .negative = 0, .positive = 0});
      last = group;
      joined.back().high = bins[static_cast<std::size_t>(i)].high;
      joined.back().negative += bins[static_cast<std::size_t>(i)].negative;
      joined.back().positive += bins[static_cast<std::size_t>(i)].positive;
    }
    return joined;
  }
}

}  // namespace

Lines text_mistakes(const Picture& picture, const TextArea& area) {
  const Picture::History& history = *picture.history;
  const int columns = area.width - kMargin, rows = area.rows - 2;
  // At most as many groups as there are columns. Neighbors are added.
  const auto bars = static_cast<int>(history.bars.size());
  const int joined = (bars + columns - 1) / columns;
  std::vector<double> heights(static_cast<std::size_t>((bars + joined - 1) / joined), 0);
  for (int i = 0; i < bars; ++i) {
    heights[static_cast<std::size_t>(i / joined)] +=
        static_cast<double>(history.bars[static_cast<std::size_t>(i)].mistakes.value_or(0));
  }
  const int count = static_cast<int>(heights.size());
  const int pitch = std::clamp(columns / count, 1, 6);
  const double most = std::max(1.0, *std::max_element(heights.begin(), heights.end()));
  Canvas canvas(std::max(count * pitch, std::min(columns, 24)), rows);
  for (int i = 0; i < count; ++i) {
    bar_up(canvas, i * pitch, pitch > 2 ? pitch - 1 : pitch, rows - 1,
           heights[static_cast<std::size_t>(i)] / most * rows, Ink::kPlain, area.ascii);
  }
  const auto each = history.group * joined;
  Picture::Axis y{.name = "", .low = 0, .high = most, .ticks = {}};
  for (const double tick : round_ticks(0, most, 6)) {
    if (tick == std::floor(tick)) y.ticks.push_back(tick);
  }
  const double passes = static_cast<double>(each) * canvas.columns() / pitch;
  Picture::Axis x{
      .name = each > 1 ? fmt::format("pass ({} a bar)", each) : "pass", .low = 0.5, .high = 0.5 + passes, .ticks = {}};
  for (const double tick : round_ticks(1, static_cast<double>(history.passes_made), std::max(2, columns / 8))) {
    if (tick == std::floor(tick)) x.ticks.push_back(tick);
  }
  return framed(canvas, left_margin(y, rows, area.ascii), below(x, canvas.columns(), area.ascii), area);
}

Lines text_distances(const Picture& picture, const TextArea& area) {
  const int columns = area.width - kMargin, rows = area.rows - 3;
  const std::vector<Bin> bins = joined_bins(picture.distances->bins, columns);
  double up = 0, down = 0;
  for (const auto& bin : bins) {
    up = std::max(up, static_cast<double>(bin.positive));
    down = std::max(down, static_cast<double>(bin.negative));
  }
  // One scale for both, so rows are shared by the highest bars. Bars that exist get a row.
  const double most = std::max(1.0, up + down);
  int above = std::clamp(static_cast<int>(std::lround(rows * up / most)), up > 0 ? 1 : 0, rows - (down > 0 ? 1 : 0));
  if (rows <= 1) above = rows;
  const double per_row = std::max(above > 0 ? up / above : 0, rows > above ? down / (rows - above) : 0);
  const int pitch = std::clamp(columns / static_cast<int>(bins.size()), 1, 6);
  Canvas canvas(std::max(static_cast<int>(bins.size()) * pitch, std::min(columns, 24)), rows + 1);
  for (int column = 0; column < canvas.columns(); ++column) {
    canvas.glyph(column, above, area.ascii ? "-" : "─", Ink::kMuted);
  }
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const int column = static_cast<int>(i) * pitch, width = pitch > 2 ? pitch - 1 : pitch;
    bar_up(canvas, column, width, above - 1, static_cast<double>(bins[i].positive) / per_row, Ink::kPositive,
           area.ascii);
    bar_down(canvas, column, width, above + 1, static_cast<double>(bins[i].negative) / per_row, Ink::kNegative,
             area.ascii);
    if (bins[i].low == 0) canvas.glyph(column, above, area.ascii ? "0" : "┼", Ink::kPlain);
  }
  Lines margin(static_cast<std::size_t>(rows + 1), std::string(kMargin - 1, ' ') + (area.ascii ? "|" : "│"));
  const auto number = [&](int row, double value) {
    margin[static_cast<std::size_t>(row)] =
        fmt::format("{:>{}} {}", tick_text(value), kMargin - 2, area.ascii ? "+" : "┤");
  };
  if (up > 0) number(0, std::round(per_row * above));
  if (down > 0) number(rows, std::round(per_row * (rows - above)));
  number(above, 0);
  // Bins at the ends may be narrower, so what is right of 0 is drawn from 0 on.
  double width = 0, low = bins.front().low;
  for (const Bin& bin : bins) width = std::max(width, bin.high - bin.low);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i].low == 0) low = -width * static_cast<double>(i);
  }
  Picture::Axis x{.name = "distance", .low = low, .high = low + width * canvas.columns() / pitch, .ticks = {}};
  x.ticks = round_ticks(x.low, x.high, std::max(2, columns / 10));
  return framed(canvas, margin, below(x, canvas.columns(), area.ascii), area);
}

}  // namespace linsep
