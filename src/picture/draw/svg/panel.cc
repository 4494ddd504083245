#include "picture/draw/svg/panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "picture/draw/words.h"

namespace linsep {
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
    if (x_numbers) svg.text(px(tick), box.bottom + 19, number_words(tick), "class=\"m c\"");
  }
  for (const double tick : y.ticks) {
    const std::string number = y_log ? power_words(tick) : number_words(y_absolute ? std::abs(tick) : tick);
    if (y_numbers) svg.text(box.left - 9, py(tick) + 4.5, number, "class=\"m e\"");
  }
  if (x_numbers) svg.text((box.left + box.right) / 2, box.bottom + 38, cut_to(x.name, 60), "class=\"m c\"");
  if (y_numbers && !y.name.empty()) {
    const double middle = (box.top + box.bottom) / 2, at = box.left - 46;
    svg.text(at, middle, cut_to(y.name, static_cast<std::size_t>(std::max(8.0, box.height() / 7))),
             fmt::format("class=\"m c\" transform=\"rotate(-90 {} {})\"", pixel(at), pixel(middle)));
  }
}

}  // namespace linsep
