#include "picture/draw/svg/writer.h"

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

}  // namespace linsep
