#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "linsep/picture/draw.h"
#include "linsep/tools/shown_text.h"
#include "picture/draw/scene.h"
#include "picture/draw/svg/chart.h"
#include "picture/draw/words.h"

namespace linsep {
namespace {

constexpr int kLeastWidth = 320, kLeastHeight = 240;
constexpr double kEdge = 24, kTitle = 34, kTitleLine = 22, kLegend = 26, kLegendLine = 20, kAboveChart = 20, kNote = 18;

std::vector<LegendEntry> legend_of(const Picture& picture, Chart chart) {
  switch (chart) {
    case Chart::kSpace:
      return space_legend(picture);
    case Chart::kDistances:
      return distances_legend(picture);
    case Chart::kProgress:
      return progress_legend(picture);
    case Chart::kMistakes:
      return mistakes_legend(picture);
    case Chart::kNone:
      break;
  }
  return {};
}

void draw_chart(Svg& svg, const Picture& picture, Chart chart, const Box& area) {
  switch (chart) {
    case Chart::kSpace:
      return svg_space(svg, picture, area);
    case Chart::kDistances:
      return svg_distances(svg, picture, area);
    case Chart::kProgress:
      return svg_progress(svg, picture, area);
    case Chart::kMistakes:
      return svg_mistakes(svg, picture, area);
    case Chart::kNone:
      break;
  }
}

std::string description_of(const Picture& picture, Chart chart) {
  std::string words;
  if (chart == Chart::kSpace || chart == Chart::kDistances) {
    for (std::size_t i = 0; i < std::min<std::size_t>(picture.about.classes.size(), 8); ++i) {
      words += (words.empty() ? "Classes: " : ", ") + class_words(picture, i);
    }
    if (!words.empty()) words += ". ";
  }
  if (chart == Chart::kSpace) {
    const Picture::Plane& plane = *picture.plane;
    words += fmt::format("Across: {} from {} to {}. ", shown_text(plane.x.name), tick_text(plane.x.low),
                         tick_text(plane.x.high));
    if (plane.kind != "feature") {
      words += fmt::format("Up: {} from {} to {}. ", shown_text(plane.y.name), tick_text(plane.y.low),
                           tick_text(plane.y.high));
    }
  }
  for (const std::string& note : notes_of(picture, chart, true)) words += note + " ";
  return words.empty() ? "Drawn by linsep." : words;
}

/// A stroke at 45 degrees, repeated.
std::string hatch(std::string_view id, std::string_view colour) {
  return fmt::format(
      R"(<pattern id="{}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform='rotate(45)'>)"
      R"(<rect width="6" height="6" fill="#fff"/><path d="M0 0v6" stroke="{}" stroke-width="2.4"/></pattern>)",
      id, colour);
}

void define_patterns(Svg& svg, const Picture& picture, Chart chart) {
  std::string defined;
  if (chart == Chart::kDistances) {
    defined = hatch("up", palette::kPositive) + hatch("down", palette::kNegative) + hatch("ink", palette::kInk);
  }
  if (path_of(picture, "feasible") != nullptr) defined += hatch("hatch", palette::kFeasible);
  if (path_of(picture, "theta") != nullptr) {
    defined += fmt::format(
        R"(<marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="6" markerHeight="6" orient="auto">)"
        R"(<path d="M0 0L10 5L0 10Z" fill="{}"/></marker>)",
        palette::kInk);
  }
  if (!defined.empty()) svg.raw("<defs>" + defined + "</defs>");
}

/// What was given, as far as it fits to the right of the horizontal axis's name.
std::string corner_words(const Picture& picture, Chart chart, const Box& area) {
  const double name = chart == Chart::kDistances                ? 230
                      : chart == Chart::kSpace && picture.plane ? text_width(cut_to(picture.plane->x.name, 60), 13)
                                                                : 40;
  const double room = (area.width() - name) / 2 - 16;
  const std::string whole = given_words(picture, true);
  if (text_width(whole, 13) <= room) return whole;
  return cut_to(given_words(picture, false), static_cast<std::size_t>(std::max(0.0, room / 7.6)));
}

/// One line, or two of about the same length.
std::vector<std::string> title_lines(const std::string& finding, double width) {
  auto columns = static_cast<std::size_t>(width / 9.4);
  std::vector<std::string> lines = wrapped(finding, columns, 2);
  while (lines.size() == 2 && columns > columns_of(finding) / 2) {
    std::vector<std::string> narrower = wrapped(finding, --columns, 3);
    if (narrower.size() > 2) break;
    lines = std::move(narrower);
  }
  return lines;
}

}  // namespace

double data_space_aspect(const SvgPlot& options) {
  const int width = std::max(options.width, kLeastWidth), height = std::max(options.height, kLeastHeight);
  return (width - kLeft - kRight) / (height - kTitle - kLegend - kAboveChart - kBelow);
}

std::string draw_svg(const Picture& picture, const SvgPlot& options) {
  const int width = std::max(options.width, kLeastWidth), height = std::max(options.height, kLeastHeight);
  const Chart chart = chart_of(picture);
  const std::string finding = finding_of(picture, chart);
  Svg svg;
  define_patterns(svg, picture, chart);
  const double inner = width - 2 * kEdge;
  double top = kTitle;
  const std::vector<std::string> title = title_lines(finding, inner);
  for (std::size_t i = 0; i < title.size(); ++i) {
    svg.text(kEdge, kTitle + kTitleLine * static_cast<double>(i), title[i], "class=\"h\"");
    if (i > 0) top += kTitleLine;
  }
  const std::vector<LegendEntry> legend = legend_of(picture, chart);
  if (const int lines = draw_legend(svg, legend, kEdge, top + kLegend, width - kEdge); lines > 0) {
    top += kLegend + kLegendLine * (lines - 1);
  }
  double bottom = height - kBelow;
  std::vector<std::string> notes;
  for (const std::string& note : notes_of(picture, chart, true)) {
    for (std::string& line : wrapped(note, static_cast<std::size_t>(inner / 7), 2)) notes.push_back(std::move(line));
  }
  bottom -= kNote * static_cast<double>(notes.size());
  for (std::size_t i = 0; i < notes.size(); ++i) {
    svg.text(kEdge, bottom + kBelow + kNote * static_cast<double>(i) + 4, notes[i], "class=\"m\"");
  }
  const Box area{kLeft, top + kAboveChart, width - kRight, std::max(bottom, top + kAboveChart + 40)};
  draw_chart(svg, picture, chart, area);
  if (const std::string given = corner_words(picture, chart, area); given != finding) {
    svg.text(width - kRight, bottom + 38, given, "class=\"m e\"");
  }
  return svg.file(width, height, finding, description_of(picture, chart));
}

}  // namespace linsep
