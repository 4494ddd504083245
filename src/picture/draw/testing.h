// Pictures made by hand, to test the code that draws them.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "linsep/picture/document.h"
#include "linsep/picture/geometry.h"

namespace linsep {

struct SampleRow {
  double x, y;
  std::int64_t label;  ///< 0 negative, 1 positive
};

/// The data space of rows with two features.
inline Picture sample_space(const std::string& title, const std::vector<SampleRow>& rows, double aspect) {
  Picture picture;
  picture.about.title = title;
  picture.about.kinds = {"data"};
  picture.about.task = kTwoClasses;
  picture.about.rows = static_cast<std::int64_t>(rows.size());
  picture.about.features = 2;
  picture.about.classes = picture.about.class_names = {"-1", "1"};
  picture.about.class_rows = {0, 0};
  std::vector<PlanePoint> all;
  std::vector<PlanePoint> of_class[2];
  Picture::Points points;
  for (const SampleRow& row : rows) {
    ++picture.about.class_rows[static_cast<std::size_t>(row.label)];
    all.push_back({row.x, row.y});
    of_class[row.label].push_back({row.x, row.y});
    points.at.push_back({.row = static_cast<std::int64_t>(points.at.size()),
                         .x = row.x,
                         .y = row.y,
                         .label = row.label,
                         .margin = 0,
                         .role = "row",
                         .id = "",
                         .together = 1});
  }
  points.total = points.shown = picture.about.rows;
  points.how = "all";
  const Window window = window_around(all, aspect);
  picture.plane = Picture::Plane{.kind = "features",
                                 .x = {"x1", window.x_low, window.x_high, round_ticks(window.x_low, window.x_high)},
                                 .y = {"x2", window.y_low, window.y_high, round_ticks(window.y_low, window.y_high)},
                                 .x_column = 0,
                                 .y_column = 1,
                                 .equal_scales = true};
  picture.points = points;
  for (const int label : {0, 1}) {
    picture.paths.push_back({.kind = label == 1 ? "hull-positive" : "hull-negative",
                             .model = -1,
                             .closed = true,
                             .points = convex_hull(of_class[label])});
  }
  return picture;
}

/// The line a·x + b·y + c = 0 of one classifier, with z = ±1, half-spaces and a name.
inline void add_classifier(Picture& picture, const std::string& name, double a, double b, double c, bool margins) {
  const Window window{picture.plane->x.low, picture.plane->x.high, picture.plane->y.low, picture.plane->y.high};
  const auto index = static_cast<std::int64_t>(picture.models.size());
  Picture::Classifier model;
  model.name = name;
  const auto ends = clipped_line(a, b, c, window);
  picture.paths.push_back({.kind = "boundary", .model = index, .closed = false, .points = ends});
  if (!ends.empty()) model.label_at = ends.back();
  if (margins) {
    picture.paths.push_back(
        {.kind = "margin-positive", .model = index, .closed = false, .points = clipped_line(a, b, c - 1, window)});
    picture.paths.push_back(
        {.kind = "margin-negative", .model = index, .closed = false, .points = clipped_line(a, b, c + 1, window)});
  }
  if (index == 0) {
    picture.half_spaces = {.negative = clipped_half_plane(-a, -b, -c, window),
                           .positive = clipped_half_plane(a, b, c, window)};
  }
  picture.models.push_back(model);
}

/// AND with the separator of the widest margin.
inline Picture sample_and(double aspect) {
  Picture picture = sample_space("and.svm", {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}}, aspect);
  add_classifier(picture, "and", 2, 2, -3, true);
  for (std::size_t i = 0; i < 4; ++i) picture.points->at[i].role = i == 0 ? "right" : "support";
  picture.sentences = {
      {"distances", "headline", "A linear classifier separates these rows; the classes are 0.707107 apart."}};
  return picture;
}

/// XOR with its witness.
inline Picture sample_xor(double aspect) {
  Picture picture = sample_space("xor.svm", {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}}, aspect);
  Picture::Proof proof;
  proof.verdict = "overlapping";
  for (const Picture::Points::At& at : picture.points->at) {
    proof.witness.push_back(
        {.row = at.row, .id = "", .label = at.label, .alpha = "1/2", .share = 0.5, .x = at.x, .y = at.y, .text = ""});
  }
  proof.witness_rows = 4;
  proof.common_point = PlanePoint{0.5, 0.5};
  picture.proof = proof;
  picture.sentences = {{"proof", "headline", "No linear classifier separates these rows: 4 of them prove it."}};
  return picture;
}

/// Two clouds that overlap a little, without a generator of numbers, as points of two spirals.
inline Picture sample_clouds(double aspect) {
  std::vector<SampleRow> rows;
  for (int i = 0; i < 60; ++i) {
    const double angle = i * 2.4, radius = 0.25 * std::sqrt(i);
    rows.push_back({1 + radius * std::cos(angle), 1 + radius * std::sin(angle), 0});
    rows.push_back({3.4 + radius * std::cos(angle + 1), 2.2 + 0.7 * radius * std::sin(angle + 1), 1});
  }
  return sample_space("clouds.csv", rows, aspect);
}

/// A run that counts mistakes.
inline Picture sample_mistakes(int passes) {
  Picture picture;
  picture.about.title = "run.jsonl";
  picture.about.kinds = {"run"};
  picture.history = Picture::History{};
  std::int64_t sum = 0;
  for (int i = 1; i <= passes; ++i) {
    const std::int64_t mistakes = (60 * (passes - i)) / (passes + 3 * i) + (i % 3 == 0 && i < passes ? 2 : 0);
    sum += mistakes;
    Picture::History::Pass pass;
    pass.pass = i;
    pass.mistakes = mistakes;
    pass.mistakes_so_far = sum;
    picture.history->passes.push_back(pass);
    picture.history->bars.push_back(pass);
  }
  picture.history->passes_made = passes;
  picture.sentences = {{"mistakes", "headline", std::to_string(sum) + " mistakes; the theory allows at most 2000."}};
  picture.bound =
      Picture::Bound{.radius = 1, .margin = 0.1, .mistakes = static_cast<double>(sum) * 1.5, .mistakes_text = "x"};
  return picture;
}

/// A run with an objective and a gap.
inline Picture sample_progress(int passes) {
  Picture picture;
  picture.about.title = "run.jsonl";
  picture.about.kinds = {"run"};
  picture.history = Picture::History{};
  picture.history->gap_asked = 1e-6;
  for (int i = 1; i <= passes; ++i) {
    Picture::History::Pass pass;
    pass.pass = i;
    pass.gap = 1.0 / (1 << std::min(i, 24));
    pass.objective = 0.3 + 0.4 / (i * i);
    pass.lower_bound = *pass.objective * (1 - *pass.gap);
    picture.history->passes.push_back(pass);
  }
  picture.history->passes_made = passes;
  picture.sentences = {{"progress", "headline", "margin stopped after 24 passes: the gap is below 1e-06."}};
  return picture;
}

/// Distances of a model's rows.
inline Picture sample_distances() {
  Picture picture;
  picture.about.title = "sonar.svm";
  picture.about.kinds = {"model", "data"};
  picture.about.rows = 208;
  picture.about.features = 60;
  picture.about.classes = picture.about.class_names = {"-1", "1"};
  picture.about.class_rows = {97, 111};
  picture.distances = Picture::DistanceBins{};
  for (int i = -12; i < 16; ++i) {
    const double middle = i + 0.5;
    picture.distances->bins.push_back({.low = i * 0.05,
                                       .high = (i + 1) * 0.05,
                                       .negative = std::lround(14 * std::exp(-(middle + 5) * (middle + 5) / 20)),
                                       .positive = std::lround(18 * std::exp(-(middle - 5) * (middle - 5) / 24))});
  }
  picture.distances->margin = 0.1;
  picture.sentences = {
      {"distances", "headline", "9 of 208 rows are wrong; the closest correct row is 0.00213 from the boundary."}};
  return picture;
}

}  // namespace linsep
