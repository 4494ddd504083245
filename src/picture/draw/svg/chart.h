// What the charts of an SVG have in common.
#pragma once

#include <string_view>
#include <vector>

#include "linsep/picture/document.h"
#include "picture/draw/svg/legend.h"
#include "picture/draw/svg/panel.h"
#include "picture/draw/svg/writer.h"

namespace linsep {

/// Pixels left of a chart (numbers and a name), right of it, and below it (numbers and a name).
inline constexpr double kLeft = 70, kRight = 22, kBelow = 50;

/// Each draws into `area`, around which there is room for its axes.
void svg_space(Svg& svg, const Picture& picture, const Box& area);
void svg_distances(Svg& svg, const Picture& picture, const Box& area);
void svg_progress(Svg& svg, const Picture& picture, const Box& area);
void svg_mistakes(Svg& svg, const Picture& picture, const Box& area);

std::vector<LegendEntry> space_legend(const Picture& picture);
std::vector<LegendEntry> distances_legend(const Picture& picture);
std::vector<LegendEntry> progress_legend(const Picture& picture);
std::vector<LegendEntry> mistakes_legend(const Picture& picture);

/// Rows of the document in a panel: crosses and circles in the classes' colours, or grey; with rings where the first
/// model's role of the row asks for them.
void draw_rows(Svg& svg, const Picture& picture, const Panel& panel);
/// The marks of the classes, as rows have them.
std::vector<LegendEntry> class_entries(const Picture& picture, bool grey);
/// How many rows have a role.
std::size_t rows_with_role(const Picture& picture, std::string_view role);

/// A short piece of a line.
LegendEntry line_entry(std::string_view words, std::string_view colour, std::string_view dashes, double width);
LegendEntry filled_entry(std::string_view words, std::string_view colour, double opacity);

}  // namespace linsep
