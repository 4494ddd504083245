#include <fmt/format.h>

#include <vector>

#include "picture/page/html.h"
#include "picture/page/tables.h"

namespace linsep {
namespace {

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

}  // namespace

std::string space_table(const Picture& picture) {
  if (picture.points && !picture.points->at.empty()) return points_table(picture);
  if (picture.cells && picture.cells->x.size() > 1) return cells_table(picture);
  return "";
}

std::string distances_table(const Picture& picture) {
  if (!picture.distances) return "";
  const auto& bins = picture.distances->bins;
  return html_table("Rows by signed distance from the boundary",
                    {{"from"}, {"to"}, {"rows of the negative class"}, {"rows of the positive class"}}, bins.size(),
                    [&](std::size_t r, std::size_t c) {
                      return c == 0   ? html_number(bins[r].low)
                             : c == 1 ? html_number(bins[r].high)
                             : c == 2 ? html_count(bins[r].negative)
                                      : html_count(bins[r].positive);
                    });
}

std::string thresholds_table(const Picture& picture) {
  if (!picture.thresholds) return "";
  const auto& at = picture.thresholds->at;
  return html_table("What each threshold does",
                    {{"z at least"},
                     {"found"},
                     {"false alarms"},
                     {"correct rejections"},
                     {"missed"},
                     {"precision"},
                     {"recall"},
                     {"false-positive rate"},
                     {"error"}},
                    at.size(), [&](std::size_t r, std::size_t c) {
                      const auto& one = at[r];
                      switch (c) {
                        case 0:
                          return html_number(one.threshold);
                        case 1:
                          return html_count(one.tp);
                        case 2:
                          return html_count(one.fp);
                        case 3:
                          return html_count(one.tn);
                        case 4:
                          return html_count(one.fn);
                        case 5:
                          return html_number(one.precision);
                        case 6:
                          return html_number(one.recall);
                        case 7:
                          return html_number(one.false_positive_rate);
                        default:
                          return html_number(one.error);
                      }
                    });
}

std::string calibration_table(const Picture& picture) {
  if (!picture.calibration) return "";
  const auto& bins = picture.calibration->bins;
  return html_table("Predicted and observed",
                    {{"probability from"}, {"to"}, {"rows"}, {"predicted"}, {"observed"}, {"at least"}, {"at most"}},
                    bins.size(), [&](std::size_t r, std::size_t c) {
                      const auto& bin = bins[r];
                      switch (c) {
                        case 0:
                          return html_number(bin.from);
                        case 1:
                          return html_number(bin.to);
                        case 2:
                          return html_count(bin.rows);
                        case 3:
                          return html_number(bin.predicted);
                        case 4:
                          return html_number(bin.observed);
                        case 5:
                          return html_number(bin.low);
                        default:
                          return html_number(bin.high);
                      }
                    });
}

std::string weights_table(const Picture& picture) {
  if (!picture.weights) return "";
  const auto& heaviest = picture.weights->heaviest;
  return html_table("The heaviest weights", {{"feature", false}, {"column"}, {"weight"}}, heaviest.size(),
                    [&](std::size_t r, std::size_t c) {
                      const auto& one = heaviest[r];
                      return c == 0   ? html_name(one.name)
                             : c == 1 ? html_count(std::int64_t{one.column} + 1)
                                      : html_text(one.text.empty() ? html_number(one.weight) : one.text);
                    });
}

std::string confusion_table(const Picture& picture) {
  if (!picture.confusion) return "";
  const auto& confusion = *picture.confusion;
  const std::size_t k = confusion.classes.size();
  std::vector<HtmlColumn> columns = {{"true class, down; predicted, across", false}};
  for (const auto& name : confusion.classes) columns.push_back({name});
  return html_table("Rows by true and predicted class", columns, k, [&](std::size_t r, std::size_t c) {
    return c == 0 ? html_name(confusion.classes[r]) : html_count(confusion.counts[r * k + c - 1]);
  });
}

std::string residuals_table(const Picture& picture) {
  if (!picture.residuals) return "";
  const auto& bins = picture.residuals->bins;
  return html_table("Residuals y − z", {{"from"}, {"to"}, {"rows"}}, bins.size(), [&](std::size_t r, std::size_t c) {
    return c == 0 ? html_number(bins[r].low) : c == 1 ? html_number(bins[r].high) : html_count(bins[r].rows);
  });
}

}  // namespace linsep
