#include "picture/draw/svg/legend.h"

#include <fmt/format.h>

namespace linsep {
namespace {

constexpr double kMark = 24, kGap = 20, kLine = 20;

template <class Place>
int lay_out(const std::vector<LegendEntry>& entries, double width, const Place& place) {
  int line = 0;
  double at = 0;
  for (const LegendEntry& entry : entries) {
    const double size = kMark + text_width(entry.words, 13);
    if (at > 0 && at + size > width) {
      ++line;
      at = 0;
    }
    place(entry, at, line);
    at += size + kGap;
  }
  return entries.empty() ? 0 : line + 1;
}

}  // namespace

int legend_lines(const std::vector<LegendEntry>& entries, double width) {
  return lay_out(entries, width, [](const LegendEntry&, double, int) {});
}

int draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, double left, double top, double right) {
  return lay_out(entries, right - left, [&](const LegendEntry& entry, double at, int line) {
    const double x = left + at, y = top + line * kLine;
    svg.open("g", fmt::format("transform=\"translate({} {})\"", pixel(x + 8), pixel(y)));
    svg.raw(entry.mark);
    svg.close("g");
    svg.text(x + kMark, y + 4.5, entry.words);
  });
}

}  // namespace linsep
