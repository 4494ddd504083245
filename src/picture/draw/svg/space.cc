#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "linsep/tools/shown_text.h"
#include "picture/draw/scene.h"
#include "picture/draw/svg/chart.h"
#include "picture/draw/words.h"
#include "report/words.h"

namespace linsep {
namespace {

/// The area, or as much of it as keeps scales equal.
Box box_for(const Picture::Plane& plane, const Box& area) {
  Box box = area;
  if (plane.kind == "feature") {
    const double middle = (area.top + area.bottom) / 2;
    return {area.left, middle - 60, area.right, middle + 60};
  }
  if (!plane.equal_scales) return box;
  const double aspect = (plane.x.high - plane.x.low) / (plane.y.high - plane.y.low);
  if (box.width() > box.height() * aspect) {
    const double spare = box.width() - box.height() * aspect;
    box = {area.left + spare / 2, area.top, area.right - spare / 2, area.bottom};
  } else {
    box.bottom = box.top + box.width() / aspect;
  }
  return box;
}

bool overlaps(const Picture& picture) { return picture.proof && picture.proof->common_point.has_value(); }
bool shows_hulls(const Picture& picture) {
  return !compares(picture) && (overlaps(picture) || path_of(picture, "boundary") == nullptr);
}

void draw_grounds(Svg& svg, const Picture& picture, const Panel& panel) {
  const auto fill = [&](const std::vector<PlanePoint>& polygon, std::string_view colour, std::string_view more) {
    svg.path(panel.through(polygon, true), fmt::format("fill=\"{}\" {}", colour, more));
  };
  if (picture.half_spaces && !compares(picture)) {
    fill(picture.half_spaces->negative, palette::kNegative, "fill-opacity=\".08\"");
    fill(picture.half_spaces->positive, palette::kPositive, "fill-opacity=\".08\"");
  }
  for (const Picture::Path& path : picture.paths) {
    const bool negative = path.kind == "hull-negative", positive = path.kind == "hull-positive";
    if ((negative || positive) && shows_hulls(picture)) {
      const std::string_view colour = positive ? palette::kPositive : palette::kNegative;
      fill(path.points, colour, fmt::format("fill-opacity=\".1\" stroke=\"{}\" stroke-linejoin=\"round\"", colour));
    }
    if (path.kind == "feasible") {
      fill(path.points, "url(#hatch)", fmt::format("stroke=\"{}\"", palette::kFeasible));
    }
  }
}

void draw_lines(Svg& svg, const Picture& picture, const Panel& panel) {
  for (const Picture::Path& path : picture.paths) {
    const std::string data = panel.through(path.points, path.closed);
    const auto index = static_cast<std::size_t>(std::max<std::int64_t>(path.model, 0)) % palette::kClassifiers.size();
    const auto& [colour, dashes] = palette::kClassifiers[index];
    if (path.kind == "boundary" && compares(picture)) {
      svg.path(data, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2.2\"{}", colour,
                                 dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes)));
    } else if (path.kind == "boundary") {
      svg.path(data, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"", palette::kInk));
    } else if ((path.kind == "margin-positive" || path.kind == "margin-negative") && !compares(picture)) {
      svg.path(data, fmt::format("fill=\"none\" stroke=\"{}\" stroke-dasharray=\"5 3\"", palette::kMuted));
    } else if (path.kind == "theta" && path.points.size() > 1 && !compares(picture)) {
      svg.path(data,
               fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\" marker-end=\"url(#head)\"", palette::kInk));
    }
  }
}

/// Spokes from the witness's rows to the common point, as wide as the rows' shares.
void draw_witness(Svg& svg, const Picture& picture, const Panel& panel) {
  if (!overlaps(picture) || compares(picture)) return;
  const PlanePoint& common = *picture.proof->common_point;
  for (const Picture::Proof::Witness& row : picture.proof->witness) {
    if (!row.x || !row.y) continue;
    svg.line(panel.px(*row.x), panel.py(*row.y), panel.px(common.x), panel.py(common.y),
             fmt::format("stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\".75\"", palette::kWitness,
                         pixel(1 + 4 * row.share)));
  }
}

void draw_common_point(Svg& svg, const Picture& picture, const Panel& panel) {
  if (!overlaps(picture) || compares(picture)) return;
  const PlanePoint& common = *picture.proof->common_point;
  svg.path(diamond_at(panel.px(common.x), panel.py(common.y), 8),
           fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"", palette::kWitness, palette::kGround));
}

/// Names of several classifiers at their lines' ends, apart from one another.
void draw_names(Svg& svg, const Picture& picture, const Panel& panel) {
  std::vector<Box> used;
  for (std::size_t i = 0; i < picture.models.size(); ++i) {
    const Picture::Classifier& model = picture.models[i];
    if (!model.label_at) continue;
    const std::string name = cut_to(shown_text(model.name), 24);
    const double width = text_width(name, 13) + 6;
    // Next to the line's end, to its right if there is room, otherwise to its left.
    const double end = panel.px(model.label_at->x);
    const bool right = end + 10 + width < panel.box.right;
    const double x = std::max(right ? end + 10 : end - width - 10, panel.box.left + 4);
    double y = std::clamp(panel.py(model.label_at->y) + 4, panel.box.top + 18, panel.box.bottom - 10);
    const auto hits = [&](const Box& other) {
      return x < other.right && x + width > other.left && y - 14 < other.bottom && y + 4 > other.top;
    };
    while (std::any_of(used.begin(), used.end(), hits) && y > panel.box.top + 16) y -= 6;
    used.push_back({x, y - 14, x + width, y + 4});
    svg.text(x + 3, y, name,
             fmt::format("class=\"o\" style=\"fill:{};font-weight:600\"",
                         palette::kClassifiers[i % palette::kClassifiers.size()].first));
  }
}

}  // namespace

void svg_space(Svg& svg, const Picture& picture, const Box& area) {
  const Picture::Plane& plane = *picture.plane;
  const bool flat = plane.kind == "feature";
  const Panel panel{.box = box_for(plane, area), .x = plane.x, .y = plane.y};
  Panel grid = panel;
  if (flat) grid.y.ticks.clear();
  grid.draw_grid(svg);
  draw_grounds(svg, picture, panel);
  draw_lines(svg, picture, panel);
  draw_witness(svg, picture, panel);
  draw_rows(svg, picture, panel);
  draw_common_point(svg, picture, panel);
  if (compares(picture)) draw_names(svg, picture, panel);
  panel.draw_axes(svg, true, !flat);
}

std::vector<LegendEntry> space_legend(const Picture& picture) {
  const bool several = compares(picture);
  std::vector<LegendEntry> entries = class_entries(picture, several);
  if (several) return entries;
  if (path_of(picture, "boundary") != nullptr) entries.push_back(line_entry("z = 0", palette::kInk, "", 2));
  if (path_of(picture, "margin-positive") != nullptr || path_of(picture, "margin-negative") != nullptr) {
    entries.push_back(line_entry("z = ±1", palette::kMuted, "5 3", 1));
  }
  if (path_of(picture, "theta") != nullptr) {
    entries.push_back({fmt::format(R"(<path d="M-8 0h12" stroke="{0}" stroke-width="2"/><path d="M3-4l8 4l-8 4Z" )"
                                   R"(fill="{0}"/>)",
                                   palette::kInk),
                       "θ"});
  }
  const auto ring = [&](std::string_view role, std::string_view words, const std::string& data,
                        std::string_view width) {
    if (const std::size_t rows = rows_with_role(picture, role); rows > 0) {
      entries.push_back(
          {fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="{}"/>)", data, palette::kInk, width),
           fmt::format("{} ({})", words, with_commas(rows))});
    }
  };
  ring("support", "support vector", circle_at(0, 0, 7), "1");
  ring("wrong", "wrong", barred_ring_at(0, 0, 7), "1.5");
  if (overlaps(picture)) {
    entries.push_back(
        {fmt::format(R"(<path d="{}" fill="{}"/>)", diamond_at(0, 0, 7), palette::kWitness), "in both classes’ hulls"});
  }
  return entries;
}

}  // namespace linsep
