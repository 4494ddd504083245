#include "picture/draw/svg/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "linsep/tools/shown_text.h"
#include "picture/draw/words.h"

namespace linsep {

namespace {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string pixel(double value) {
  if (!std::isfinite(value)) return "0";
  const auto tenths = std::llround(std::clamp(value, -1e6, 1e6) * 10);
  if (tenths % 10 == 0) return fmt::format("{}", tenths / 10);
  return fmt::format("{}{}.{}", tenths < 0 ? "-" : "", std::abs(tenths / 10), std::abs(tenths % 10));
}

std::string svg_text(std::string_view text) {
  std::string shown = shown_text(text);
  for (std::size_t at = shown.find('-'); at != std::string::npos; at = shown.find('-', at + 1)) {
    const bool first = at == 0 || shown[at - 1] == ' ' || shown[at - 1] == '(';
    const bool digit = at + 1 < shown.size() && shown[at + 1] >= '0' && shown[at + 1] <= '9';
    if (first && digit) shown.replace(at, 1, "−");
  }
  return escaped(shown);
}

double text_width(std::string_view text, double size) { return 0.58 * size * static_cast<double>(columns_of(text)); }

void Svg::element(std::string_view name, std::string_view attributes) {
  fmt::format_to(std::back_inserter(body_), "<{} {}/>\n", name, attributes);
}

void Svg::open(std::string_view name, std::string_view attributes) {
  fmt::format_to(std::back_inserter(body_), "<{} {}>\n", name, attributes);
}

void Svg::close(std::string_view name) { fmt::format_to(std::back_inserter(body_), "</{}>\n", name); }

void Svg::text(double x, double y, std::string_view words, std::string_view attributes) {
  fmt::format_to(std::back_inserter(body_), "<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", pixel(x), pixel(y),
                 attributes.empty() ? "" : " ", attributes, svg_text(words));
}

void Svg::line(double x0, double y0, double x1, double y1, std::string_view attributes) {
  element("line", fmt::format("x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}", pixel(x0), pixel(y0), pixel(x1), pixel(y1),
                              attributes));
}

void Svg::rect(const Box& box, std::string_view attributes) {
  element("rect", fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}", pixel(box.left), pixel(box.top),
                              pixel(box.width()), pixel(box.height()), attributes));
}

void Svg::path(std::string_view data, std::string_view attributes) {
  if (!data.empty()) element("path", fmt::format("d=\"{}\" {}", data, attributes));
}

void Svg::raw(std::string_view elements) {
  body_ += elements;
  body_ += '\n';
}

std::string Svg::file(int width, int height, std::string_view title, std::string_view description) const {
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img">
<title>{2}</title>
<desc>{3}</desc>
<style>
text{{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:{4}}}
text{{font-variant-numeric:tabular-nums}}
.m{{fill:{5}}}.h{{font-size:16px;font-weight:600}}.s{{font-size:11px}}.e{{text-anchor:end}}.c{{text-anchor:middle}}
.o{{paint-order:stroke;stroke:{6};stroke-width:4px;stroke-linejoin:round}}
</style>
<rect width="{0}" height="{1}" fill="{6}"/>
{7}</svg>
)",
      width, height, svg_text(title), svg_text(description), palette::kInk, palette::kMuted, palette::kGround, body_);
}

int draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, double left, double top, double right) {
  constexpr double kMark = 24, kGap = 20, kLine = 20;
  int line = 0;
  double at = 0;
  for (const LegendEntry& entry : entries) {
    const double size = kMark + text_width(entry.words, 13);
    if (at > 0 && at + size > right - left) {
      ++line;
      at = 0;
    }
    const double x = left + at, y = top + line * kLine;
    svg.open("g", fmt::format("transform=\"translate({} {})\"", pixel(x + 8), pixel(y)));
    svg.raw(entry.mark);
    svg.close("g");
    svg.text(x + kMark, y + 4.5, entry.words);
    at += size + kGap;
  }
  return entries.empty() ? 0 : line + 1;
}

namespace {

std::string power_words(double power) {
  if (power == 0) return "1";
  if (power == 1) return "10";
  std::string words = "10";
  for (const char digit : fmt::format("{}", static_cast<int>(power))) {
    if (digit == '-') {
      words += "⁻";
    } else {
      constexpr std::string_view kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
      words += kDigits[digit - '0'];
    }
  }
  return words;
}

}  // namespace

std::string Panel::through(const std::vector<PlanePoint>& points, bool closed) const {
  std::string data;
  for (const PlanePoint& point : points) {
    data += fmt::format("{}{} {}", data.empty() ? "M" : "L", pixel(px(point.x)), pixel(py(point.y)));
  }
  return closed && !data.empty() ? data + "Z" : data;
}

void Panel::draw_grid(Svg& svg) const {
  std::string data;
  for (const double tick : x.ticks) {
    data += fmt::format("M{} {}V{}", pixel(px(tick)), pixel(box.top), pixel(box.bottom));
  }
  for (const double tick : y.ticks) {
    data += fmt::format("M{} {}H{}", pixel(box.left), pixel(py(tick)), pixel(box.right));
  }
  svg.path(data, fmt::format("stroke=\"{}\" stroke-width=\".7\"", palette::kGrid));
}

void Panel::draw_axes(Svg& svg, bool x_numbers, bool y_numbers) const {
  std::string data = fmt::format("M{} {}V{}H{}", pixel(box.left), pixel(box.top), pixel(box.bottom), pixel(box.right));
  if (!y_numbers) data = fmt::format("M{} {}H{}", pixel(box.left), pixel(box.bottom), pixel(box.right));
  for (const double tick : x.ticks) data += fmt::format("M{} {}v5", pixel(px(tick)), pixel(box.bottom));
  for (const double tick : y.ticks) {
    if (y_numbers) data += fmt::format("M{} {}h-5", pixel(box.left), pixel(py(tick)));
  }
  svg.path(data, fmt::format("fill=\"none\" stroke=\"{}\"", palette::kMuted));
  for (const double tick : x.ticks) {
    if (x_numbers) svg.text(px(tick), box.bottom + 19, tick_text(tick), "class=\"m c\"");
  }
  for (const double tick : y.ticks) {
    const std::string number = y_log ? power_words(tick) : tick_text(y_absolute ? std::abs(tick) : tick);
    if (y_numbers) svg.text(box.left - 9, py(tick) + 4.5, number, "class=\"m e\"");
  }
  if (x_numbers) svg.text((box.left + box.right) / 2, box.bottom + 38, cut_to(x.name, 60), "class=\"m c\"");
  if (y_numbers && !y.name.empty()) {
    const double middle = (box.top + box.bottom) / 2, at = box.left - 46;
    svg.text(at, middle, cut_to(y.name, static_cast<std::size_t>(std::max(8.0, box.height() / 7))),
             fmt::format("class=\"m c\" transform=\"rotate(-90 {} {})\"", pixel(at), pixel(middle)));
  }
}

std::string cross_at(double x, double y, double half) {
  return fmt::format("M{} {}h{}M{} {}v{}", pixel(x - half), pixel(y), pixel(2 * half), pixel(x), pixel(y - half),
                     pixel(2 * half));
}

std::string circle_at(double x, double y, double radius) {
  const std::string r = pixel(radius), across = pixel(2 * radius);
  return fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0-{3} 0", pixel(x - radius), pixel(y), r, across);
}

std::string diamond_at(double x, double y, double half) {
  const std::string h = pixel(half);
  return fmt::format("M{} {}l{} {}l-{} {}l-{}-{}Z", pixel(x), pixel(y - half), h, h, h, h, h, h);
}

std::string square_at(double x, double y, double side) {
  const std::string s = pixel(side);
  return fmt::format("M{} {}h{}v{}h-{}Z", pixel(x), pixel(y), s, s, s);
}

std::string barred_ring_at(double x, double y, double radius) {
  const double half = 0.7 * radius;
  const std::string across = pixel(2 * half);
  return circle_at(x, y, radius) + fmt::format("M{} {}l{}-{}", pixel(x - half), pixel(y + half), across, across);
}

}  // namespace linsep
