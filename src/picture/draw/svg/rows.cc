#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "picture/draw/scene.h"
#include "picture/draw/svg/chart.h"
#include "picture/draw/words.h"
#include "report/words.h"

namespace linsep {
namespace {

/// The shape and color of a class. Two are distinguished by the palette, more by four shapes and colors in turn.
struct Look {
  std::size_t shape = 0;  ///< circle, cross, diamond, square
  std::string_view colour = palette::kMuted;
};

Look look_of(const Picture& picture, std::int64_t label, bool grey) {
  if (label < 0) return {};
  const auto index = static_cast<std::size_t>(label);
  if (has_two_classes(picture)) {
    return {index % 2, grey ? palette::kMuted : index == 1 ? palette::kPositive : palette::kNegative};
  }
  constexpr std::array<std::size_t, 4> kColours = {1, 0, 2, 3};
  return {index % 4, grey ? palette::kMuted : palette::kClassifiers[kColours[index % 4]].first};
}

/// `half` is half of a cross's width, and other shapes look as large.
std::string shape_at(std::size_t shape, double x, double y, double half) {
  switch (shape) {
    case 1:
      return cross_at(x, y, half);
    case 2:
      return diamond_at(x, y, 1.2 * half);
    case 3:
      return square_at(x - 0.85 * half, y - 0.85 * half, 1.7 * half);
    default:
      return circle_at(x, y, half);
  }
}

double mark_size(const Picture& picture) {
  const std::size_t marks = picture.points ? picture.points->at.size() : 0;
  return marks <= 40 ? 5.5 : marks <= 500 ? 4.5 : 3.5;
}

std::string stroke_of(const Look& look) {
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"", look.colour, look.shape == 1 ? "2" : "1.8");
}

void draw_points(Svg& svg, const Picture& picture, const Panel& panel) {
  const bool grey = compares(picture);
  const auto classes = static_cast<std::int64_t>(picture.about.classes.size());
  for (std::int64_t label = -1; label < classes; ++label) {
    std::string data;
    const Look look = look_of(picture, label, grey);
    for (const Picture::Points::At& at : picture.points->at) {
      if (at.label == label) data += shape_at(look.shape, panel.px(at.x), panel.py(at.y), mark_size(picture));
    }
    svg.path(data, stroke_of(look));
  }
}

/// Rows that lie on one another are one mark, with their number next to it.
void draw_numbers(Svg& svg, const Picture& picture, const Panel& panel) {
  constexpr std::int64_t kMost = 60;
  const auto& at = picture.points->at;
  if (std::count_if(at.begin(), at.end(), [](const auto& row) { return row.together > 1; }) > kMost) return;
  for (const Picture::Points::At& row : at) {
    if (row.together < 2) continue;
    svg.text(panel.px(row.x) + 6, panel.py(row.y) - 6, with_commas(row.together), "class=\"m o s\"");
  }
}

void draw_rings(Svg& svg, const Picture& picture, const Panel& panel) {
  constexpr std::size_t kMany = 400;  // with more, only a bar marks a wrong row
  // The horizontal axis is the distance there, so rows between z = ±1 are seen without rings.
  const bool by_distance = picture.plane && picture.plane->kind == "boundary";
  const bool bars = rows_with_role(picture, "wrong") > kMany;
  std::string support, wrong;
  for (const Picture::Points::At& row : picture.points->at) {
    const double x = panel.px(row.x), y = panel.py(row.y);
    if (row.role == "support" && !by_distance) support += circle_at(x, y, mark_size(picture) + 4);
    if (row.role == "wrong")
      wrong += bars ? fmt::format("M{} {}l9-9", pixel(x - 4.5), pixel(y + 4.5))
                    : barred_ring_at(x, y, mark_size(picture) + 4);
  }
  svg.path(support, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1\"", palette::kInk));
  svg.path(wrong, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"", palette::kInk));
}

/// Two squares in a cell, with areas by their numbers of rows.
void draw_cells(Svg& svg, const Picture& picture, const Panel& panel) {
  const Picture::Cells& cells = *picture.cells;
  const std::size_t across = cells.x.size() - 1;
  std::int64_t most = 1;
  for (const auto* counts : {&cells.negative, &cells.positive}) {
    for (const std::int64_t count : *counts) most = std::max(most, count);
  }
  std::string negative, positive;
  for (std::size_t i = 0; i < cells.negative.size(); ++i) {
    const double left = panel.px(cells.x[i % across]), right = panel.px(cells.x[i % across + 1]);
    const double bottom = panel.py(cells.y[i / across]), top = panel.py(cells.y[i / across + 1]);
    const double full = std::min((right - left) / 2, bottom - top) - 0.5;
    const auto side = [&](std::int64_t count) {
      return std::max(1.0, full * std::sqrt(static_cast<double>(count) / static_cast<double>(most)));
    };
    const double middle = (left + right) / 2, height = (top + bottom) / 2;
    if (const auto count = cells.negative[i]; count > 0) {
      negative += square_at(middle - side(count), height - side(count) / 2, side(count));
    }
    if (const auto count = cells.positive[i]; count > 0) {
      positive += square_at(middle, height - side(count) / 2, side(count));
    }
  }
  svg.path(negative, fmt::format("fill=\"{}\"", palette::kNegative));
  svg.path(positive, fmt::format("fill=\"{}\"", palette::kPositive));
}

}  // namespace

std::size_t rows_with_role(const Picture& picture, std::string_view role) {
  if (!picture.points) return 0;
  std::size_t rows = 0;
  for (const Picture::Points::At& at : picture.points->at) {
    if (at.role == role) rows += static_cast<std::size_t>(at.together);
  }
  return rows;
}

void draw_rows(Svg& svg, const Picture& picture, const Panel& panel) {
  const bool binned = picture.cells && (!picture.points || picture.points->how == "binned");
  if (binned) return draw_cells(svg, picture, panel);
  if (!picture.points) return;
  draw_points(svg, picture, panel);
  if (!compares(picture)) draw_rings(svg, picture, panel);
  draw_numbers(svg, picture, panel);
}

std::vector<LegendEntry> class_entries(const Picture& picture, bool grey) {
  constexpr std::size_t kMost = 8;
  const bool binned = picture.cells && (!picture.points || picture.points->how == "binned");
  std::vector<LegendEntry> entries;
  const std::size_t classes = picture.about.classes.size();
  for (std::size_t i = 0; i < std::min(classes, kMost); ++i) {
    const std::size_t index = has_two_classes(picture) ? 1 - i : i;
    const Look look = look_of(picture, static_cast<std::int64_t>(index), grey);
    std::string mark = fmt::format(R"(<path d="{}" {}/>)", shape_at(look.shape, 0, 0, 4.5), stroke_of(look));
    if (binned) mark = fmt::format(R"(<path d="{}" fill="{}"/>)", square_at(-5, -5, 10), look.colour);
    entries.push_back({mark, class_words(picture, index)});
  }
  return entries;
}

LegendEntry line_entry(std::string_view words, std::string_view colour, std::string_view dashes, double width) {
  return {fmt::format(R"(<path d="M-9 0h18" stroke="{}" stroke-width="{}"{})", colour, pixel(width),
                      dashes.empty() ? "/>" : fmt::format(R"( stroke-dasharray="{}"/>)", dashes)),
          std::string(words)};
}

LegendEntry filled_entry(std::string_view words, std::string_view colour, double opacity) {
  return {fmt::format(R"(<rect x="-7" y="-6" width="14" height="12" fill="{0}" fill-opacity="{1}" stroke="{0}"/>)",
                      colour, opacity),
          std::string(words)};
}

}  // namespace linsep
