#include "picture/page/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/elementary.h"
#include "picture/html.h"
#include "picture/report_chart.h"

namespace linsep {
namespace {

std::string count_or_dash(const std::optional<std::int64_t>& number) { return number ? html_count(*number) : "–"; }

std::string class_name(const Picture& picture, std::int64_t label) {
  const auto at = static_cast<std::size_t>(label);
  if (label >= 0 && at < picture.about.class_names.size()) return html_name(picture.about.class_names[at]);
  if (label >= 0 && at < picture.about.classes.size()) return html_name(picture.about.classes[at]);
  return "–";
}

std::string progress_table(const Picture& picture) {
  if (!picture.history) return "";
  const auto& passes = picture.history->passes;
  bool objective = false;
  for (const auto& pass : passes) objective = objective || pass.objective;
  if (!objective) return "";
  return html_table("Passes", {{"pass"}, {"seconds"}, {"objective"}, {"lower bound"}, {"gap"}}, passes.size(),
                    [&](std::size_t r, std::size_t c) {
                      const auto& pass = passes[r];
                      return c == 0   ? html_count(pass.pass)
                             : c == 1 ? html_number(pass.seconds)
                             : c == 2 ? html_number(pass.objective)
                             : c == 3 ? html_number(pass.lower_bound)
                                      : html_number(pass.gap);
                    });
}

std::string mistakes_table(const Picture& picture) {
  if (!picture.history) return "";
  const auto& passes = picture.history->passes;
  bool counted = false;
  for (const auto& pass : passes) counted = counted || pass.mistakes;
  if (!counted) return "";
  return html_table("Mistakes by pass", {{"pass"}, {"mistakes"}, {"so far"}}, passes.size(),
                    [&](std::size_t r, std::size_t c) {
                      const auto& pass = passes[r];
                      return c == 0   ? html_count(pass.pass)
                             : c == 1 ? count_or_dash(pass.mistakes)
                                      : count_or_dash(pass.mistakes_so_far);
                    });
}

std::string alpha_table(const Picture& picture) {
  if (!picture.alpha) return "";
  const auto& rows = picture.alpha->rows;
  return html_table("Mistakes by row", {{"row"}, {"id", false}, {"class", false}, {"mistakes"}}, rows.size(),
                    [&](std::size_t r, std::size_t c) {
                      const auto& row = rows[r];
                      return c == 0   ? html_count(row.row + 1)
                             : c == 1 ? html_name(row.id)
                             : c == 2 ? class_name(picture, row.label)
                                      : html_count(row.alpha);
                    });
}

std::string points_table(const Picture& picture) {
  const auto& at = picture.points->at;
  const std::string x = picture.plane ? picture.plane->x.name : "x";
  const std::string y = picture.plane ? picture.plane->y.name : "y";
  return html_table("Rows in the plane",
                    {{"row"}, {"id", false}, {"class", false}, {x}, {y}, {"y·z"}, {"is", false}, {"rows here"}},
                    at.size(), [&](std::size_t r, std::size_t c) {
                      const auto& point = at[r];
                      switch (c) {
                        case 0:
                          return html_count(point.row + 1);
                        case 1:
                          return html_name(point.id);
                        case 2:
                          return class_name(picture, point.label);
                        case 3:
                          return html_number(point.x);
                        case 4:
                          return html_number(point.y);
                        case 5:
                          return html_number(point.margin);
                        case 6:
                          return html_text(point.role);
                        default:
                          return html_count(point.together);
                      }
                    });
}

std::string cells_table(const Picture& picture) {
  const auto& cells = *picture.cells;
  std::vector<std::size_t> taken;
  for (std::size_t i = 0; i < cells.negative.size(); ++i) {
    if (cells.negative[i] + cells.positive[i] > 0) taken.push_back(i);
  }
  const std::size_t across = cells.x.size() - 1;
  const auto span = [](const std::vector<double>& edges, std::size_t i) {
    return fmt::format("{} to {}", html_number(edges[i]), html_number(edges[i + 1]));
  };
  return html_table("Cells that hold rows",
                    {{picture.plane ? picture.plane->x.name : "x"},
                     {picture.plane ? picture.plane->y.name : "y"},
                     {"rows of the negative class"},
                     {"rows of the positive class"}},
                    taken.size(), [&](std::size_t r, std::size_t c) {
                      const std::size_t i = taken[r];
                      return c == 0   ? span(cells.x, i % across)
                             : c == 1 ? span(cells.y, i / across)
                             : c == 2 ? html_count(cells.negative[i])
                                      : html_count(cells.positive[i]);
                    });
}

std::string space_table(const Picture& picture) {
  if (picture.points && !picture.points->at.empty()) return points_table(picture);
  if (picture.cells && picture.cells->x.size() > 1) return cells_table(picture);
  return "";
}

std::string witness_table(const Picture& picture) {
  if (!picture.proof || picture.proof->witness.empty()) return "";
  const auto& witness = picture.proof->witness;
  return html_table(
      "Rows of the proof",
      {{"row"}, {"id", false}, {"class", false}, {"exact weight", false}, {"share of its class"}, {"values", false}},
      witness.size(), [&](std::size_t r, std::size_t c) {
        const auto& one = witness[r];
        switch (c) {
          case 0:
            return html_count(one.row + 1);
          case 1:
            return html_name(one.id);
          case 2:
            return class_name(picture, one.label);
          case 3:
            return html_name(one.alpha);
          case 4:
            return html_number(one.share);
          default:
            return html_name(one.text);
        }
      });
}

std::string means_table(const Picture& picture) {
  if (!picture.proof || picture.proof->means.empty()) return "";
  const auto& means = picture.proof->means;
  return html_table("Weighted means of the classes", {{"feature", false}, {"negative class"}, {"positive class"}},
                    means.size(), [&](std::size_t r, std::size_t c) {
                      return c == 0   ? html_name(means[r].name)
                             : c == 1 ? html_number(means[r].negative)
                                      : html_number(means[r].positive);
                    });
}

std::string least_table(const Picture& picture) {
  if (!picture.proof || (!picture.proof->mistakes_at_least && !picture.proof->mistakes_at_most)) return "";
  std::vector<std::pair<std::string, std::int64_t>> lines;
  if (const auto& low = picture.proof->mistakes_at_least) {
    lines.emplace_back(fmt::format("every {}, at least", classifier_words(picture.proof->statement)), *low);
  }
  if (const auto& high = picture.proof->mistakes_at_most) lines.emplace_back("the best found, at most", *high);
  for (const auto& model : picture.models) {
    if (model.mistakes) lines.emplace_back(model.name, *model.mistakes);
  }
  return html_table("Mistakes", {{"of", false}, {"rows wrong"}}, lines.size(), [&](std::size_t r, std::size_t c) {
    return c == 0 ? html_name(lines[r].first) : html_count(lines[r].second);
  });
}

std::string packing_list(const Picture& picture) {
  if (!picture.proof || picture.proof->packing.empty()) return "";
  const auto& packing = picture.proof->packing;
  return html_table("Disjoint sets of rows that can't be separated", {{"set"}, {"rows", false}}, packing.size(),
                    [&](std::size_t r, std::size_t c) {
                      if (c == 0) return html_count(static_cast<std::int64_t>(r) + 1);
                      std::string rows;
                      for (const std::int64_t row : packing[r])
                        rows += (rows.empty() ? "" : ", ") + html_count(row + 1);
                      return rows;
                    });
}

std::string comparison_table(const Picture& picture) {
  if (picture.models.size() < 2) return "";
  const auto& models = picture.models;
  const auto count = [](const std::optional<std::int64_t>& number) { return number ? html_count(*number) : "–"; };
  return html_table("Classifiers",
                    {{"name", false},
                     {"learner", false},
                     {"rows wrong"},
                     {"error"},
                     {"margin"},
                     {"‖θ‖"},
                     {"seconds"},
                     {"disagreements"}},
                    models.size(), [&](std::size_t r, std::size_t c) {
                      const auto& model = models[r];
                      switch (c) {
                        case 0:
                          return html_name(model.name);
                        case 1:
                          return html_name(model.description.empty() ? model.learner : model.description);
                        case 2:
                          return count(model.mistakes);
                        case 3:
                          return html_number(model.error);
                        case 4:
                          return html_number(model.margin);
                        case 5:
                          return html_number(model.norm);
                        case 6:
                          return html_number(model.seconds);
                        default:
                          return count(model.disagreements);
                      }
                    });
}

/// Odds ratios with their intervals on a logarithmic axis, one below the other. A missing end is an arrow.
std::string forest_plot(const Picture::Coefficients& part) {
  constexpr double kLeft = 150, kWidth = 430, kRow = 30, kTop = 10;
  if (part.ratios.empty()) return "";
  const auto place = [&](double ratio) {
    if (!(ratio > 0)) return kLeft;
    const double share = elementary::log(ratio / part.low) / elementary::log(part.high / part.low);
    return kLeft + kWidth * std::clamp(share, 0.0, 1.0);
  };
  const double bottom = kTop + kRow * static_cast<double>(part.ratios.size());
  std::string out = fmt::format(
      "<figure class=\"chart\"><svg role=\"img\" aria-label=\"Odds ratios with their intervals\" viewBox=\"0 0 {0} "
      "{1:.0f}\" width=\"{0}\" height=\"{1:.0f}\" font-size=\"13\" fill=\"currentColor\" stroke-width=\"1.6\">\n",
      kLeft + kWidth + 20, bottom + 44);
  for (const double tick : part.ticks) {
    out += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2:.0f}\" stroke=\"currentColor\" "
        "stroke-opacity=\"{3}\"/><text x=\"{0:.1f}\" y=\"{4:.0f}\" text-anchor=\"middle\">{5}</text>\n",
        place(tick), kTop, bottom, tick == 1 ? "1" : "0.15", bottom + 16, html_number(tick));
  }
  double y = kTop - 0.5 * kRow;
  for (const Picture::Coefficients::Ratio& one : part.ratios) {
    y += kRow;
    const double low = place(one.low), high = std::isinf(one.high) ? place(part.high) : place(one.high);
    out += fmt::format("<text x=\"{}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>\n", kLeft - 12, y + 4,
                       html_text(one.name));
    out += fmt::format("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.0f}\" y2=\"{:.0f}\" stroke=\"currentColor\"/>\n", low,
                       high, y, y);
    const auto arrow = [&](double x, int side) {
      out += fmt::format("<path d=\"M{:.1f} {:.0f}l{} -5v10z\"/>\n", x, y, -8 * side);
    };
    if (one.low == 0) arrow(low, -1);
    if (std::isinf(one.high)) arrow(high, 1);
    const bool finite = one.ratio > 0 && !std::isinf(one.ratio);
    const double x = std::isinf(one.ratio) ? high - 16 : one.ratio == 0 ? low + 16 : place(one.ratio);
    if (finite) out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.0f}\" width=\"8\" height=\"8\"/>\n", x - 4, y - 4);
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n", x, y - 7,
                       html_text(one.text));
  }
  return out + fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">odds ratio</text></svg></figure>\n",
                           kLeft + 0.5 * kWidth, bottom + 36);
}

/// Numbers such as 8.78e-06 stay in one line.
std::string unbroken(const std::string& html) {
  std::string out;
  for (const char letter : html) out += letter == '-' ? "\u2011" : std::string(1, letter);
  return out;
}

std::string coefficients_table(const Picture& picture) {
  if (!picture.coefficients) return "";
  const Picture::Coefficients& part = *picture.coefficients;
  std::vector<HtmlColumn> columns;
  for (const std::string& name : part.header) columns.push_back({name, !columns.empty()});
  return html_table("Logistic regression", columns, part.rows.size(),
                    [&](std::size_t r, std::size_t c) {
                      return c == 0 ? html_name(part.rows[r][c]) : unbroken(html_text(part.rows[r][c]));
                    }) +
         forest_plot(part);
}

std::string made_table(const Picture& picture) {
  if (picture.made.empty()) return "";
  std::string out = "<dl class=\"made\">\n";
  for (const auto& line : picture.made) {
    const bool command = line.value.starts_with("linsep ");
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_text(line.name),
                       command ? "<code>" + html_text(line.value) + "</code>" : html_sentence(line.value));
  }
  for (const Picture::File& file : picture.files) {
    out += fmt::format("<div><dt>Proof to save</dt><dd>{}</dd></div>\n", html_download(file.name, file.text));
  }
  return out + "</dl>\n";
}

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
  add("coefficients", "Logistic regression", coefficients_table(picture), "", false);
  add("comparison", "Comparison", comparison_table(picture), "", several && has_plane(picture));
  if (!several) add("space", "Data space", "", space_table(picture), has_plane(picture));
  add("proof", "Verdict and witness", witness_table(picture), means_table(picture),
      picture.proof && !picture.proof->means.empty());
  add("least", "Least mistakes", "", least_table(picture) + packing_list(picture), !least_table(picture).empty());
  if (several) add("space", "Data space", "", space_table(picture), has_plane(picture));
  const auto add_chart = [&](const ReportChart& chart) {
    add(chart.section, chart.title, "", chart.table(picture), chart.drawn(picture));
  };
  for (const ReportChart* chart : kCharts) {
    if (chart != &kWeightsChart) add_chart(*chart);
  }
  add("progress", "Progress", "", progress, !progress.empty());
  add("mistakes", "Mistakes", "", mistakes, !mistakes.empty());
  add("rows", "Mistakes by row", "", alpha, !alpha.empty());
  add_chart(kWeightsChart);
  add("made", "How it was made", made_table(picture), "", false);
  return all;
}

}  // namespace linsep
