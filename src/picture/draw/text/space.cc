#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "linsep/tools/shown_text.h"
#include "picture/draw/scene.h"
#include "picture/draw/text/chart.h"
#include "picture/draw/words.h"

namespace linsep {
namespace {

/// Lines of several classifiers: solid, long dashes, short dashes, dots.
constexpr std::array<Dash, 4> kPatterns = {Dash{1, 0}, Dash{6, 4}, Dash{2, 3}, Dash{1, 3}};
constexpr Dash kMarginDash{4, 4};

/// The data space on a canvas.
class Space {
 public:
  Space(const Picture& picture, const TextArea& area);
  Lines lines() const;

 private:
  void draw_path(const Picture::Path& path, Dash dash, Ink ink);
  void draw_paths();
  void draw_rows();
  void draw_witness();
  void draw_names();
  double across(double x) const { return dot_of(x, plane_.x.low, plane_.x.high, canvas_.dots_across()); }
  double down(double y) const {
    return canvas_.dots_down() - 1 - dot_of(y, plane_.y.low, plane_.y.high, canvas_.dots_down());
  }
  std::pair<int, int> cell_of(double x, double y) const {
    return {static_cast<int>(std::floor((across(x) + 0.5) / 2)), static_cast<int>(std::floor((down(y) + 0.5) / 4))};
  }

  const Picture& picture_;
  const Picture::Plane& plane_;
  TextArea area_;
  Canvas canvas_;
};

/// As many columns and rows as there are, or fewer if scales are to be equal.
Canvas canvas_for(const Picture::Plane& plane, const TextArea& area) {
  int columns = area.width - kMargin, rows = area.rows - 2;
  if (plane.kind == "feature") {
    rows = std::min(rows, 7);
  } else if (plane.equal_scales) {
    const double aspect = (plane.x.high - plane.x.low) / (plane.y.high - plane.y.low);
    const double wanted = 2 * rows * aspect;  // a column has 2 dots, a row 4
    if (wanted < columns) columns = std::max(10, static_cast<int>(std::lround(wanted)));
    if (wanted > columns) rows = std::max(4, static_cast<int>(std::lround(columns / (2 * aspect))));
  }
  return {columns, std::min(rows, area.rows - 2)};
}

Space::Space(const Picture& picture, const TextArea& area)
    : picture_(picture), plane_(*picture.plane), area_(area), canvas_(canvas_for(*picture.plane, area)) {
  draw_paths();
  draw_witness();
  draw_rows();
  if (picture.proof && picture.proof->common_point) {
    const auto [column, row] = cell_of(picture.proof->common_point->x, picture.proof->common_point->y);
    canvas_.glyph(column, row, area.ascii ? "X" : "◆", Ink::kWitness);
  }
  if (compares(picture)) draw_names();
}

void Space::draw_path(const Picture::Path& path, Dash dash, Ink ink) {
  int walked = 0;
  const std::size_t count = path.points.size();
  for (std::size_t i = 0; i + 1 < count + (path.closed && count > 2 ? 1 : 0); ++i) {
    const PlanePoint &p = path.points[i], &q = path.points[(i + 1) % count];
    canvas_.line(across(p.x), down(p.y), across(q.x), down(q.y), dash, ink, &walked);
  }
}

void Space::draw_paths() {
  const bool boundary = path_of(picture_, "boundary") != nullptr;
  for (const Picture::Path& path : picture_.paths) {
    const bool margin = path.kind == "margin-positive" || path.kind == "margin-negative";
    if (path.kind == "boundary") {
      draw_path(path, kPatterns[static_cast<std::size_t>(std::max<std::int64_t>(path.model, 0)) % 4], Ink::kPlain);
    } else if (margin && path.model <= 0) {
      draw_path(path, kMarginDash, Ink::kMuted);
    } else if (!boundary && path.kind == "hull-negative") {
      draw_path(path, kMarginDash, Ink::kNegative);
    } else if (!boundary && path.kind == "hull-positive") {
      draw_path(path, kMarginDash, Ink::kPositive);
    } else if (path.kind == "feasible") {
      draw_path(path, {}, Ink::kMuted);
    }
  }
}

/// Lines from the rows of a small witness to the point that both classes have in common.
void Space::draw_witness() {
  constexpr std::size_t kFew = 8;
  if (!picture_.proof || !picture_.proof->common_point || picture_.proof->witness.size() > kFew) return;
  const PlanePoint& common = *picture_.proof->common_point;
  for (const Picture::Proof::Witness& row : picture_.proof->witness) {
    if (!row.x || !row.y) continue;
    int walked = 0;
    canvas_.line(across(*row.x), down(*row.y), across(common.x), down(common.y), {1, 2}, Ink::kWitness, &walked);
  }
}

/// Glyphs for a cell with 1, 2 to 3 or more rows, of the negative and of the positive class.
constexpr std::array<std::array<std::string_view, 3>, 2> kGlyphs = {{{"o", "O", "@"}, {"+", "*", "#"}}};

struct CellRows {
  std::map<std::int64_t, std::int64_t> rows;  ///< by class
};

std::pair<std::string, Ink> glyph_of(const CellRows& held, bool two_classes) {
  if (held.rows.size() > 1) return {"%", Ink::kPlain};
  const auto [label, rows] = *held.rows.begin();
  const std::size_t many = rows == 1 ? 0 : rows <= 3 ? 1 : 2;
  if (two_classes && (label == 0 || label == 1)) {
    return {std::string(kGlyphs[static_cast<std::size_t>(label)][many]), label == 1 ? Ink::kPositive : Ink::kNegative};
  }
  if (label < 0) return {std::string(kGlyphs[0][many]), Ink::kPlain};
  return {label < 26 ? std::string(1, static_cast<char>('a' + label)) : "?", Ink::kPlain};
}

void Space::draw_rows() {
  std::map<std::pair<int, int>, CellRows> held;
  const auto add = [&](double x, double y, std::int64_t label, std::int64_t rows) {
    if (rows > 0) held[cell_of(x, y)].rows[label] += rows;
  };
  if (picture_.points) {
    for (const Picture::Points::At& at : picture_.points->at) add(at.x, at.y, at.label, at.together);
  }
  if (picture_.cells && (!picture_.points || picture_.points->how == "binned")) {
    const Picture::Cells& cells = *picture_.cells;
    const std::size_t across = cells.x.size() - 1;
    for (std::size_t i = 0; i < cells.positive.size(); ++i) {
      const double x = (cells.x[i % across] + cells.x[i % across + 1]) / 2;
      const double y = (cells.y[i / across] + cells.y[i / across + 1]) / 2;
      add(x, y, 0, cells.negative[i]);
      add(x, y, 1, cells.positive[i]);
    }
  }
  for (const auto& [cell, rows] : held) {
    const auto [glyph, ink] = glyph_of(rows, has_two_classes(picture_));
    canvas_.glyph(cell.first, cell.second, glyph, ink);
  }
}

/// Names of several classifiers near their lines' ends, none over another.
void Space::draw_names() {
  std::vector<std::vector<bool>> used(static_cast<std::size_t>(canvas_.rows()),
                                      std::vector<bool>(static_cast<std::size_t>(canvas_.columns()), false));
  for (const Picture::Classifier& model : picture_.models) {
    if (!model.label_at) continue;
    const std::string shown = area_.ascii ? in_ascii(shown_text(model.name)) : shown_text(model.name);
    const std::string name = cut_to(shown, static_cast<std::size_t>(canvas_.columns()) / 3, area_.ascii);
    const int size = static_cast<int>(columns_of(name));
    const auto [at_column, at_row] = cell_of(model.label_at->x, model.label_at->y);
    const int column = std::clamp(at_column - size / 2, 0, std::max(0, canvas_.columns() - size));
    for (int away = 0; away < 2 * canvas_.rows(); ++away) {  // this row, then the nearest above and below
      const int row = std::clamp(at_row, 0, canvas_.rows() - 1) + (away % 2 == 0 ? away / 2 : -(away + 1) / 2);
      if (row < 0 || row >= canvas_.rows()) continue;
      auto& taken = used[static_cast<std::size_t>(row)];
      const auto from = taken.begin() + std::max(0, column - 1);
      const auto to = taken.begin() + std::min(canvas_.columns(), column + size + 1);
      if (std::find(from, to, true) != to) continue;
      std::fill(from, to, true);
      canvas_.words(column, row, name, Ink::kPlain);
      break;
    }
  }
}

Lines Space::lines() const {
  Picture::Axis y = plane_.y;
  if (plane_.kind == "feature") y = {.name = "", .low = y.low, .high = y.high, .ticks = {}};
  return framed(canvas_, left_margin(y, canvas_.rows(), area_.ascii), below(plane_.x, canvas_.columns(), area_.ascii),
                area_);
}

}  // namespace

Lines text_space(const Picture& picture, const TextArea& area) { return Space(picture, area).lines(); }

std::string text_legend(const Picture& picture, bool ascii, bool colour) {
  std::string legend;
  const auto add = [&](std::string_view mark, std::string_view words, Ink ink) {
    if (!legend.empty()) legend += "   ";
    legend += coloured(mark, ink, colour) + " " + (ascii ? in_ascii(words) : std::string(words));
  };
  if (has_two_classes(picture)) {
    add("+", class_words(picture, 1), Ink::kPositive);
    add("o", class_words(picture, 0), Ink::kNegative);
  } else {
    for (std::size_t i = 0; i < picture.about.classes.size() && i < 26; ++i) {
      add(std::string(1, static_cast<char>('a' + i)), class_words(picture, i), Ink::kPlain);
    }
  }
  if (!compares(picture)) {
    if (path_of(picture, "boundary") != nullptr) add(ascii ? "..." : "⠤⠤⠤", "z = 0", Ink::kPlain);
    if (path_of(picture, "margin-positive") != nullptr || path_of(picture, "margin-negative") != nullptr) {
      add(ascii ? "---" : "⠤ ⠤", "z = ±1", Ink::kMuted);
    }
  }
  if (picture.proof && picture.proof->common_point) {
    add(ascii ? "X" : "◆", "in both classes' hulls", Ink::kWitness);
  }
  return legend;
}

}  // namespace linsep
