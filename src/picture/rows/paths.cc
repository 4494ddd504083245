// Lines, curves, hulls and half-spaces in the plane of rows.
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "linsep/picture/geometry.h"
#include "numeric/compensated_sum.h"
#include "picture/parts.h"

namespace linsep {
namespace {

struct Line {
  double a = 0, b = 0, c = 0;  ///< z = a·x + b·y + c
};

Window window_of(const Picture::Plane& plane) { return {plane.x.low, plane.x.high, plane.y.low, plane.y.high}; }

/// z in the plane, if it is a line there.
std::optional<Line> line_of(const Model& model, const Gathered& gathered, bool first) {
  if (!is_two_class(model)) return std::nullopt;
  const PlaneChoice& plane = gathered.plane;
  if (plane.kind == "boundary") return first ? std::optional(Line{gathered.norm, 0, 0}) : std::nullopt;
  const bool straight = model.form == Model::Form::kLinear && model.map.kind == FeatureMap::Kind::kNone;
  if (!plane.whole || !straight) return std::nullopt;
  const auto weight = [&](std::uint32_t j) { return j < model.theta.size() ? model.theta[j] : 0; };
  return Line{weight(plane.x_column), plane.kind == "features" ? weight(plane.y_column) : 0, model.offset};
}

void add_path(Picture& picture, const std::string& kind, std::int64_t model, std::vector<PlanePoint> points,
              bool closed = false) {
  if (!points.empty()) picture.paths.push_back({kind, model, closed, std::move(points)});
}

/// θ as an arrow from the boundary, starting at the point nearest to the middle of the window.
std::vector<PlanePoint> arrow(const Line& line, const Window& window) {
  const double length = length_of(std::array{line.a, line.b});
  const PlanePoint middle{(window.x_low + window.x_high) / 2, (window.y_low + window.y_high) / 2};
  const double size = std::min(window.x_high - window.x_low, window.y_high - window.y_low) / 8;
  const double away = (line.a * middle.x + line.b * middle.y + line.c) / length;
  const PlanePoint foot{middle.x - away * line.a / length, middle.y - away * line.b / length};
  const PlanePoint tip{foot.x + size * line.a / length, foot.y + size * line.b / length};
  const auto inside = [&](const PlanePoint& p) {
    return p.x >= window.x_low && p.x <= window.x_high && p.y >= window.y_low && p.y <= window.y_high;
  };
  return inside(foot) && inside(tip) ? std::vector<PlanePoint>{foot, tip} : std::vector<PlanePoint>{};
}

void add_line(Picture& picture, const Line& line, std::size_t model, bool margins, const Window& window) {
  const auto index = static_cast<std::int64_t>(model);
  add_path(picture, "boundary", index, clipped_line(line.a, line.b, line.c, window));
  if (margins) {
    add_path(picture, "margin-positive", index, clipped_line(line.a, line.b, line.c - 1, window));
    add_path(picture, "margin-negative", index, clipped_line(line.a, line.b, line.c + 1, window));
  }
  if (model != 0) return;
  if (picture.plane->equal_scales && (line.a != 0 || line.b != 0)) {
    add_path(picture, "theta", index, arrow(line, window));
  }
  picture.half_spaces.emplace();
  picture.half_spaces->positive = clipped_half_plane(line.a, line.b, line.c, window);
  picture.half_spaces->negative = clipped_half_plane(-line.a, -line.b, -line.c, window);
}

/// Scores at points of the plane, each worked out once.
class ScoresAt {
 public:
  ScoresAt(const Model& model, const PlaneChoice& plane) : model_(model), plane_(plane) {
    row_.resize(std::max<std::size_t>(model.features, 2));
    z_.resize(scores_per_row(model));
  }

  const std::vector<double>& operator()(double x, double y) {
    if (plane_.kind == "feature") y = 0;
    const auto [at, is_new] = known_.try_emplace({std::bit_cast<std::uint64_t>(x), std::bit_cast<std::uint64_t>(y)});
    if (!is_new) return at->second;
    row_[plane_.x_column] = x;
    if (plane_.kind == "features") row_[plane_.y_column] = y;
    Batch batch;
    batch.rows = 1;
    batch.features = static_cast<std::uint32_t>(row_.size());
    batch.dense = true;
    batch.is_float = false;
    batch.stride = row_.size();
    batch.value64 = row_;
    score(model_, batch, z_);
    at->second = z_;
    return at->second;
  }

 private:
  const Model& model_;
  const PlaneChoice& plane_;
  std::vector<double> row_, z_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<double>> known_;
};

void add_levels(Picture& picture, const std::string& kind, std::size_t model,
                const std::function<double(double, double)>& f, double level, const Window& window) {
  for (std::vector<PlanePoint>& path : level_paths(f, level, window)) {
    const bool closed = path.size() > 2 && path.front() == path.back();
    add_path(picture, kind, static_cast<std::int64_t>(model), std::move(path), closed);
  }
}

/// Curved boundaries, and those between several classes.
void add_curves(Picture& picture, const Model& model, std::size_t index, const Gathered& gathered,
                const Window& window) {
  constexpr std::size_t kMostClasses = 10;
  const std::size_t parts = scores_per_row(model);
  if (!gathered.plane.whole || model.features > 2 || model.form == Model::Form::kLabels || parts > kMostClasses) return;
  ScoresAt scores(model, gathered.plane);
  if (is_two_class(model)) {
    const auto z = [&](double x, double y) { return scores(x, y)[0]; };
    add_levels(picture, "boundary", index, z, 0, window);
    if (!has_margin_planes(model)) return;
    add_levels(picture, "margin-positive", index, z, 1, window);
    add_levels(picture, "margin-negative", index, z, -1, window);
    return;
  }
  for (std::size_t c = 0; c < parts; ++c) {
    const auto ahead = [&](double x, double y) {
      const std::vector<double>& z = scores(x, y);
      double other = -INFINITY;
      for (std::size_t d = 0; d < z.size(); ++d) {
        if (d != c) other = std::max(other, z[d]);
      }
      return z[c] - other;
    };
    add_levels(picture, "boundary", index, ahead, 0, window);
  }
}

}  // namespace

void add_paths(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered) {
  if (!picture.plane) return;
  const Window window = window_of(*picture.plane);
  if (!spec.no_rows && gathered.schema.classes.size() == 2 && gathered.schema.labels.empty()) {
    add_path(picture, "hull-negative", -1, gathered.negative_hull, gathered.negative_hull.size() > 2);
    add_path(picture, "hull-positive", -1, gathered.positive_hull, gathered.positive_hull.size() > 2);
  }
  for (std::size_t m = 0; m < input.models.size(); ++m) {
    const Model& model = *input.models[m].model;
    if (const auto line = line_of(model, gathered, m == 0)) {
      add_line(picture, *line, m, has_margin_planes(model), window);
    } else {
      add_curves(picture, model, m, gathered, window);
    }
    for (const Picture::Path& path : picture.paths) {
      if (path.kind == "boundary" && path.model == static_cast<std::int64_t>(m)) {
        picture.models[m].label_at = path.points.back();
      }
    }
  }
}

}  // namespace linsep
