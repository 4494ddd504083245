#include "picture/page/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "picture/page/html.h"
#include "picture/page/tables.h"

namespace linsep {
namespace {

bool has_sentence(const Picture& picture, std::string_view section) {
  return std::ranges::any_of(picture.sentences, [&](const auto& one) { return one.section == section; });
}

bool has_plane(const Picture& picture) {
  return (picture.points && !picture.points->at.empty()) || (picture.cells && picture.cells->x.size() > 1);
}

/// "4 rows × 2 features", "2 files", as far as it is known.
std::string given(const Picture& picture) {
  std::string out;
  for (const auto& file : picture.about.files) out += (out.empty() ? "" : ", ") + html_name(file);
  if (picture.about.rows >= 0) {
    if (!out.empty()) out += " · ";
    out += fmt::format("{} row{} × {} feature{}", html_count(picture.about.rows), picture.about.rows == 1 ? "" : "s",
                       html_count(picture.about.features), picture.about.features == 1 ? "" : "s");
  }
  return out;
}

std::string classes(const Picture& picture) {
  const auto& about = picture.about;
  if (about.classes.size() != 2) return "";
  std::string out = "<p class=\"classes\">";
  for (const std::size_t i : {std::size_t{1}, std::size_t{0}}) {
    out += fmt::format(R"(<span class="class {}"><span class="mark" aria-hidden="true">{}</span> class {})",
                       i == 1 ? "pos" : "neg", i == 1 ? "+" : "○", class_name(picture, static_cast<std::int64_t>(i)));
    if (i < about.class_rows.size())
      out += fmt::format(": {} row{}", html_count(about.class_rows[i]), about.class_rows[i] == 1 ? "" : "s");
    out += "</span> ";
  }
  return out + "</p>\n";
}

}  // namespace

std::string said(const Picture& picture, std::string_view section, std::string_view role) {
  for (const auto& one : picture.sentences) {
    if (one.section == section && one.role == role) return html_sentence(one.text);
  }
  return "";
}

std::string paragraphs(const Picture& picture, std::string_view section, std::string_view role,
                       std::string_view css_class) {
  std::string out;
  for (const auto& one : picture.sentences) {
    if (one.section == section && one.role == role) {
      out += fmt::format("<p class=\"{}\">{}</p>\n", css_class, html_sentence(one.text));
    }
  }
  return out;
}

std::string report_title(const Picture& picture) {
  if (!picture.about.title.empty()) return picture.about.title;
  return picture.about.files.empty() ? "Report" : picture.about.files.front();
}

std::string summary_html(const Picture& picture) {
  std::string out = "<section id=\"summary\" class=\"summary\" aria-labelledby=\"title\">\n";
  out += fmt::format("<h1 id=\"title\">{}</h1>\n", html_name(report_title(picture)));
  std::string line;
  if (picture.proof && !picture.proof->verdict.empty()) {
    line = fmt::format(R"(<span class="verdict {0}"><span aria-hidden="true">{1}</span> {0}</span> )",
                       html_text(picture.proof->verdict), picture.proof->verdict == "undecided" ? "□" : "■");
  }
  out += fmt::format("<p class=\"given\">{}{}</p>\n", line, given(picture));
  if (const std::string headline = said(picture, "summary", "headline"); !headline.empty()) {
    out += fmt::format("<p class=\"sentence\" id=\"sentence\">{}</p>\n", headline);
  }
  out += paragraphs(picture, "summary", "meaning", "meaning");
  out += paragraphs(picture, "summary", "caption", "caption");
  out += paragraphs(picture, "summary", "note", "note");
  out += classes(picture);
  return out + "</section>\n";
}

std::vector<ReportSection> report_sections(const Picture& picture) {
  std::vector<ReportSection> all;
  const auto add = [&](std::string_view id, std::string_view name, std::string shown, std::string numbers, bool chart) {
    const bool there = !shown.empty() || !numbers.empty() || has_sentence(picture, id);
    if (there) all.push_back({id, name, chart, std::move(shown), std::move(numbers)});
  };
  const std::string progress = progress_table(picture), mistakes = mistakes_table(picture),
                    alpha = alpha_table(picture);
  const bool several = picture.models.size() > 1;
  add("comparison", "Comparison", comparison_table(picture), "", several && has_plane(picture));
  if (!several) add("space", "Data space", "", space_table(picture), has_plane(picture));
  add("proof", "Verdict and witness", witness_table(picture), means_table(picture),
      picture.proof && !picture.proof->means.empty());
  add("least", "Least mistakes", "", least_table(picture) + packing_list(picture), !least_table(picture).empty());
  if (several) add("space", "Data space", "", space_table(picture), has_plane(picture));
  add("distances", "Distances", "", distances_table(picture), picture.distances.has_value());
  add("threshold", "Threshold", "", thresholds_table(picture), picture.thresholds.has_value());
  add("calibration", "Calibration", "", calibration_table(picture), picture.calibration.has_value());
  add("confusion", "Confusion", "", confusion_table(picture), picture.confusion.has_value());
  add("residuals", "Residuals", "", residuals_table(picture), picture.residuals.has_value());
  add("progress", "Progress", "", progress, !progress.empty());
  add("mistakes", "Mistakes", "", mistakes, !mistakes.empty());
  add("rows", "Mistakes by row", "", alpha, !alpha.empty());
  add("weights", "Weights", "", weights_table(picture), picture.weights && !picture.weights->heaviest.empty());
  add("made", "How it was made", made_table(picture), "", false);
  return all;
}

}  // namespace linsep
