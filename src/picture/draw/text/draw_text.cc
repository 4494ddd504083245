#include <algorithm>

#include "linsep/picture/draw.h"
#include "picture/draw/scene.h"
#include "picture/draw/text/chart.h"
#include "picture/draw/words.h"

namespace linsep {
namespace {

constexpr int kLeastWidth = 30, kLeastHeight = 8;

Lines chart_lines(const Picture& picture, Chart chart, const TextArea& area) {
  switch (chart) {
    case Chart::kSpace:
      return text_space(picture, area);
    case Chart::kDistances:
      return text_distances(picture, area);
    case Chart::kProgress:
      return text_progress(picture, area);
    case Chart::kMistakes:
      return text_mistakes(picture, area);
    case Chart::kNone:
      break;
  }
  return {};
}

std::string legend_of(const Picture& picture, Chart chart, bool ascii, bool colour) {
  if (chart == Chart::kSpace) return text_legend(picture, ascii, colour);
  if (chart == Chart::kDistances && has_two_classes(picture)) {
    return coloured("up:", Ink::kPositive, colour) + " " + class_words(picture, 1) + "   " +
           coloured("down:", Ink::kNegative, colour) + " " + class_words(picture, 0);
  }
  if (chart == Chart::kProgress) {
    const auto& passes = picture.history->passes;
    const bool bound = std::any_of(passes.begin(), passes.end(), [](const auto& pass) { return pass.lower_bound; });
    return std::string(ascii ? "..." : "⠤⠤⠤") + " objective" +
           (bound ? "   " + coloured(ascii ? "---" : "⠤ ⠤", Ink::kMuted, colour) + " at least" : "");
  }
  return {};
}

}  // namespace

double data_space_aspect(const TextPlot& options) {
  const int width = std::max(options.width, kLeastWidth), height = std::max(options.height, kLeastHeight);
  return 2.0 * (width - kMargin) / (4.0 * (height - 4));
}

std::string draw_text(const Picture& picture, const TextPlot& options) {
  const int width = std::max(options.width, kLeastWidth), height = std::max(options.height, kLeastHeight);
  const auto columns = static_cast<std::size_t>(width);
  const Chart chart = chart_of(picture);
  const auto plain = [&](const std::string& text) { return options.ascii ? in_ascii(text) : text; };
  std::string finding = finding_of(picture, chart);
  const std::string given = given_words(picture, false);
  if (!given.empty() && !finding.starts_with(given)) finding = given + ": " + finding;
  Lines lines = wrapped(plain(finding), columns, 2, options.ascii);
  const std::string legend = legend_of(picture, chart, options.ascii, false);
  if (!legend.empty() && columns_of(legend) <= columns) {
    lines.push_back(legend_of(picture, chart, options.ascii, options.colour));
  } else if (!legend.empty()) {
    lines.push_back(cut_to(plain(legend), columns, options.ascii));
  }
  TextArea area{.width = width,
                .rows = height - static_cast<int>(lines.size()),
                .ascii = options.ascii,
                .colour = options.colour};
  Lines notes;
  for (const std::string& note : notes_of(picture, chart, false)) {
    if (area.rows < 12) break;
    for (std::string& line : wrapped(plain(note), columns, 2, options.ascii)) {
      notes.push_back(std::move(line));
      --area.rows;
    }
  }
  lines.insert(lines.end(), notes.begin(), notes.end());
  for (std::string& line : chart_lines(picture, chart, area)) lines.push_back(std::move(line));
  std::string text;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace linsep
