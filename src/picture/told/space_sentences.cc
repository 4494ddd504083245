// The data space and the comparison of several classifiers, in sentences.
#include <fmt/format.h>

#include <algorithm>

#include "picture/told/sentences.h"
#include "picture/words.h"

namespace linsep {
namespace {

std::string class_marks(const Told& told) {
  const auto& names = told.picture.about.class_names;
  if (names.size() != 2) return "Each point is a row.";
  return fmt::format("Each point is a row: + class {}, ○ class {}.", names[1], names[0]);
}

bool has_path(const Told& told, const char* kind) {
  return std::ranges::any_of(told.picture.paths, [&](const Picture::Path& path) { return path.kind == kind; });
}

std::string lines_text(const Told& told) {
  if (!has_path(told, "boundary")) return "";
  const bool margin = has_path(told, "margin-positive");
  if (told.picture.plane->kind == "boundary") return margin ? " Dashed: z = ±1." : "";
  return margin ? " The line is the boundary z = 0; dashed, z = ±1." : " The line is the boundary z = 0.";
}

std::string plane_text(const Told& told) {
  const std::string& kind = told.picture.plane->kind;
  if (kind == "boundary") {
    return " Across: the signed distance from the boundary, which is the line at 0. Up: the first principal component "
           "of "
           "what is left of the rows.";
  }
  if (kind == "components") return " The axes are the rows' first two principal components.";
  if (kind == "feature") return " There is one feature, along the axis.";
  return "";
}

/// Why there is no line where one would be looked for.
std::string missing_line(const Told& told) {
  const Model* model = told.model();
  if (told.picture.plane->kind != "features" || model == nullptr || has_path(told, "boundary")) return "";
  if (told.gathered.features > 2) {
    return fmt::format("No boundary is drawn: it depends on {} and isn't a line in these two.",
                       counted_text(told.gathered.features, "feature"));
  }
  if (told.gathered.norm == 0 && model->form == Model::Form::kLinear) return "θ is 0: there is no boundary to draw.";
  return "";
}

/// How rows were chosen, and which are there in any case.
std::string drawn_text(const Told& told) {
  const auto& points = told.picture.points;
  if (!points || points->how == "all") return "";
  const auto& proof = told.picture.proof;
  std::string text;
  if (points->shown > 0) {
    text = fmt::format("{} of {}, drawn by a hash of the row number with seed {}", count_text(points->shown),
                       counted_text(points->total, "row"), points->seed);
    if (proof && proof->witness_rows > 0 && static_cast<std::int64_t>(proof->witness.size()) == proof->witness_rows) {
      text += fmt::format("; all {} of the proof are among them", counted_text(proof->witness_rows, "row"));
    }
    text += ".";
  }
  return text;
}

std::string cells_text(const Told& told) {
  const auto& cells = told.picture.cells;
  if (!cells) return "";
  std::int64_t most = 0;
  for (std::size_t k = 0; k < cells->negative.size(); ++k)
    most = std::max(most, cells->negative[k] + cells->positive[k]);
  return fmt::format("Every row counts; cells hold up to {}.", counted_text(most, "row"));
}

std::string space_headline(const Told& told) {
  const auto& proof = told.picture.proof;
  if (proof && proof->verdict == "separable" && proof->margin) {
    const std::string least = figure_text(2 * *proof->margin);
    const bool known = proof->margin_upper_bound && figure_text(2 * *proof->margin_upper_bound) == least;
    return fmt::format("The classes are {}{} apart.", known ? "" : "at least ", least);
  }
  if (proof && proof->verdict == "overlapping" && proof->common_point) {
    return proof->common_point->y == 0 && told.picture.plane->kind == "feature"
               ? fmt::format("Both classes' hulls contain {}.", figure_text(proof->common_point->x))
               : fmt::format("Both classes' hulls contain ({}, {}).", figure_text(proof->common_point->x),
                             figure_text(proof->common_point->y));
  }
  const std::string wrong = wrong_text(told);
  if (!wrong.empty() && told.picture.models.size() == 1) return wrong;
  return fmt::format("{} of {}.", counted_text(told.gathered.rows, "row"),
                     counted_text(told.gathered.features, "feature"));
}

void tell_plane(const Told& told) {
  if (!told.picture.plane) {
    if (told.spec.no_rows && told.gathered.rows > 0) told.note("space", "Single rows are left out.");
    return;
  }
  told.headline("space", space_headline(told));
  const bool points = told.picture.points && !told.picture.points->at.empty();
  std::string caption = points ? class_marks(told) : "";
  if (!points && told.picture.cells) caption = "Two squares in each cell, one a class; their areas count its rows.";
  told.caption("space", caption + plane_text(told) + lines_text(told));
  told.note("space", missing_line(told));
  told.note("space", drawn_text(told));
  told.note("space", cells_text(told));
  if (told.spec.no_rows) told.note("space", "Single rows are left out.");
}

void tell_comparison(const Told& told) {
  if (told.picture.models.size() < 2) return;
  told.headline("comparison", comparison_text(told));
  if (has_path(told, "boundary")) {
    told.caption("comparison", "Rows are grey by the shape of their class; each line is one classifier's boundary.");
  }
  if (told.picture.models.front().disagreements) {
    told.note("comparison",
              "Disagreements: rows that a classifier predicts otherwise than the first. A row on the "
              "boundary counts as a mistake.");
  }
}

}  // namespace

std::string comparison_text(const Told& told) {
  const auto& models = told.picture.models;
  if (models.size() < 2 || !std::ranges::all_of(models, [](const auto& one) { return one.mistakes.has_value(); })) {
    return "";
  }
  const auto [best, worst] = std::ranges::minmax_element(models, {}, [](const auto& one) { return *one.mistakes; });
  const auto& proof = told.picture.proof;
  std::string least;
  if (proof && proof->verdict != "separable" && proof->mistakes_at_least) {
    least = fmt::format("; every linear classifier makes at least {}", count_text(*proof->mistakes_at_least));
  }
  if (*best->mistakes == *worst->mistakes) {
    return fmt::format("All {} make {}{}.", models.size(), counted_text(*best->mistakes, "mistake"), least);
  }
  return fmt::format("{} makes {}, {} {}{}.", best->name, counted_text(*best->mistakes, "mistake"), worst->name,
                     count_text(*worst->mistakes), least);
}

void tell_space(const Told& told) {
  tell_plane(told);
  tell_comparison(told);
}

}  // namespace linsep
