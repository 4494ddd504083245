// geometry is what the playground's panes draw of a classifier, as paths within a window.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "call.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/picture/geometry.h"
#include "rows.h"

namespace linsep::wasm {
namespace {

Json point_json(PlanePoint point) { return Json::array({point.x, point.y}); }

Json path_json(std::span<const PlanePoint> points) {
  Json path = Json::array();
  for (const PlanePoint& point : points) path.push_back(point_json(point));
  return path;
}

Json paths_json(const std::vector<std::vector<PlanePoint>>& paths) {
  Json all = Json::array();
  for (const auto& path : paths) all.push_back(path_json(path));
  return all;
}

Json window_json(const Window& window) {
  return {{"x_low", window.x_low}, {"x_high", window.x_high}, {"y_low", window.y_low}, {"y_high", window.y_high}};
}

/// √(a² + b²), scaled so that it neither overflows nor vanishes.
double length_of(double a, double b) {
  const double most = std::max(std::abs(a), std::abs(b));
  return most == 0 ? 0 : most * std::sqrt((a / most) * (a / most) + (b / most) * (b / most));
}

/// z = θ·φ(x) + θ0 at a point of the plane, if φ has few features.
class ScoreFunction {
 public:
  /// REQUIRES: one or two raw features, and a θ for each mapped one.
  ScoreFunction(const FeatureMap& map, std::uint32_t features, std::span<const double> theta, double offset)
      : offset_(offset) {
    for (std::uint32_t j = 0; j < theta.size(); ++j) terms_.push_back({monomial(map, features, j), theta[j]});
  }

  double operator()(double x, double y) const {
    double z = offset_;
    for (const Term& term : terms_) {
      double product = term.weight;
      for (const std::uint32_t column : term.columns) product *= column == 0 ? x : y;
      z += product;
    }
    return z;
  }

 private:
  struct Term {
    std::vector<std::uint32_t> columns;
    double weight;
  };
  std::vector<Term> terms_;
  double offset_;
};

using Space = std::array<double, 3>;

/// The box around the rows, a twelfth wider on each side, seen as the cube [−1, 1]³.
struct Box {
  Space low{}, high{};

  explicit Box(const std::vector<Space>& points) {
    constexpr double kWider = 1.0 / 12;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [least, greatest] = std::ranges::minmax_element(points, {}, [k](const Space& p) { return p[k]; });
      low[k] = points.empty() ? -1 : (*least)[k];
      high[k] = points.empty() ? 1 : (*greatest)[k];
      if (!(low[k] < high[k])) {
        low[k] -= 1;
        high[k] += 1;
      }
      const double more = kWider * (high[k] - low[k]);
      low[k] -= more;
      high[k] += more;
    }
  }

  Space in_cube(const Space& p) const {
    Space cube;
    for (std::size_t k = 0; k < 3; ++k) cube[k] = 2 * (p[k] - low[k]) / (high[k] - low[k]) - 1;
    return cube;
  }
};

/// x1 to the right, x1·x2 upwards, x2 into the depth.
PlanePoint seen(const Space& cube) {
  constexpr double kRight = 0.45, kUp = 0.35;
  return {cube[0] + kRight * cube[1], cube[2] + kUp * cube[1]};
}

/// The corners of a·cube + c = 0 within the cube, around their middle.
std::vector<PlanePoint> plane_in_cube(const Space& a, double c) {
  std::vector<PlanePoint> corners;
  for (std::size_t k = 0; k < 3; ++k) {
    if (a[k] == 0) continue;
    for (const double p : {-1.0, 1.0}) {
      for (const double q : {-1.0, 1.0}) {
        Space at{};
        at[(k + 1) % 3] = p;
        at[(k + 2) % 3] = q;
        at[k] = -(a[(k + 1) % 3] * p + a[(k + 2) % 3] * q + c) / a[k];
        if (std::abs(at[k]) <= 1) corners.push_back(seen(at));
      }
    }
  }
  return convex_hull(corners);
}

/// Two features lifted to (x1, x2, x1·x2) in a fixed oblique view, with the plane that separates there. `points` has
/// [x1, x2, x1·x2] of each row, `screen` the place at which each is seen, and `feet` its place on the floor. `plane` is
/// the plane within the box as a closed path on the screen, and `axes` the three edges of the box from its nearest low
/// corner. The screen's unit is half of the box's width, with x to the right and y upwards.
Json lift_json(const PlainRows& rows, std::span<const double> theta, double offset) {
  std::vector<Space> points;
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    points.push_back({rows.at(i, 0), rows.at(i, 1), rows.at(i, 0) * rows.at(i, 1)});
  }
  const Box box(points);
  std::vector<PlanePoint> screen, feet;
  for (const Space& point : points) {
    Space cube = box.in_cube(point);
    screen.push_back(seen(cube));
    cube[2] = -1;
    feet.push_back(seen(cube));
  }
  Space slope{};
  double height = offset;
  for (std::size_t k = 0; k < 3; ++k) {
    slope[k] = theta[k] * (box.high[k] - box.low[k]) / 2;
    height += theta[k] * (box.high[k] + box.low[k]) / 2;
  }
  Json axes = Json::array();
  for (std::size_t k = 0; k < 3; ++k) {
    Space end{-1, -1, -1};
    end[k] = 1;
    axes.push_back(Json::array({point_json(seen({-1, -1, -1})), point_json(seen(end))}));
  }
  return {{"points", points},
          {"screen", path_json(screen)},
          {"feet", path_json(feet)},
          {"plane", path_json(plane_in_cube(slope, height))},
          {"axes", std::move(axes)}};
}

constexpr int kTintCells = 64;

/// The parameters of a call.
struct Request {
  Json json;
  std::vector<double> theta;
  double offset = 0;
  FeatureMap map;
  double aspect = 0;
  bool x0 = false;  ///< one feature: the plane (x0, x1), rows at x0 = 1
  const PlainRows* rows = nullptr;
};

Request request_of(Json json) {
  Request request;
  request.rows = &plain_rows();
  request.theta = numbers_of(json, "theta");
  request.offset = number_of(json, "offset", 0);
  request.map = parse_map(text_of(json, "map", "none"));
  request.aspect = number_of(json, "aspect", 0);
  request.x0 = flag_of(json, "x0") && request.rows->features == 1;
  const std::uint32_t features = mapped_features(request.map, request.rows->features);
  if (request.theta.size() != features) {
    throw usage_error(fmt::format("θ has {} numbers, but there are {} features", request.theta.size(), features));
  }
  request.json = std::move(json);
  return request;
}

Window window_of(const Request& request, std::span<const PlanePoint> around) {
  const auto given = request.json.find("window");
  if (given == request.json.end() || given->is_null()) return window_around(around, request.aspect);
  const Window window{number_of(*given, "x_low", 0), number_of(*given, "x_high", 1), number_of(*given, "y_low", 0),
                      number_of(*given, "y_high", 1)};
  const bool finite = std::isfinite(window.x_low) && std::isfinite(window.x_high) && std::isfinite(window.y_low) &&
                      std::isfinite(window.y_high);
  if (!finite || !(window.x_low < window.x_high) || !(window.y_low < window.y_high)) {
    throw usage_error("'window' must have low ends below its high ends");
  }
  return window;
}

std::vector<double> margins_of(const Request& request) {
  Model model;
  model.features = request.rows->features;
  model.map = request.map;
  model.theta = request.theta;
  model.offset = request.offset;
  std::vector<double> margins;
  predict(scored_rows(), model, {}, [&](const Batch& batch, std::span<const double> z) {
    for (std::int64_t i = 0; i < batch.rows; ++i) {
      const double score = z[static_cast<std::size_t>(i)];
      margins.push_back(rows().regression ? batch.label_of(i) - score : batch.label_of(i) * score);
    }
  });
  return margins;
}

/// Every part, empty.
Json frame(const Request& request, const Window& window) {
  Json answer;
  answer["window"] = window_json(window);
  answer["x_ticks"] = round_ticks(window.x_low, window.x_high);
  answer["y_ticks"] = round_ticks(window.y_low, window.y_high);
  for (const char* part : {"boundary", "margin_positive", "margin_negative", "positive", "negative"}) {
    answer[part] = Json::array();
  }
  answer["margins"] = margins_of(request);
  return answer;
}

/// A row's place in the data space. In a regression, its target stands above its first feature.
PlanePoint place_of(const Request& request, std::size_t row) {
  const PlainRows& rows = *request.rows;
  if (request.x0) return {1, rows.at(row, 0)};
  if (rows.features == 1 || rows.regression) return {rows.at(row, 0), rows.height(row)};
  return {rows.at(row, 0), rows.at(row, 1)};
}

/// a·x + b·y + c = 0 of a straight boundary.
struct Line {
  double a = 0, b = 0, c = 0;
};

Line line_of(const Request& request) {
  if (request.x0) return {request.offset, request.theta[0], 0};
  if (rows().regression) return {request.theta[0], -1, request.offset};
  if (request.rows->features == 1) return {request.theta[0], 0, request.offset};
  return {request.theta[0], request.theta[1], request.offset};
}

/// The arrow of θ. It starts from the origin in its own length if the line goes through the origin and the arrow can be
/// seen. Otherwise it has a fixed length and starts from the boundary's point nearest to the origin, or from the middle
/// of the visible part of the boundary.
void add_arrow(const Line& line, const Window& window, Json& answer) {
  constexpr double kShare = 0.2, kLeast = 0.05;
  const double length = length_of(line.a, line.b);
  if (!(length > 0) || !std::isfinite(length)) return;
  const auto inside = [&](PlanePoint p) {
    return p.x >= window.x_low && p.x <= window.x_high && p.y >= window.y_low && p.y <= window.y_high;
  };
  const double side = std::min(window.x_high - window.x_low, window.y_high - window.y_low);
  PlanePoint from{-line.c * line.a / (length * length), -line.c * line.b / (length * length)};
  double shown = kShare * side;
  if (line.c == 0 && inside({0, 0}) && inside({line.a, line.b}) && length >= kLeast * side) shown = length;
  if (!inside(from)) {
    const std::vector<PlanePoint> ends = clipped_line(line.a, line.b, line.c, window);
    if (ends.size() < 2) return;
    from = {(ends[0].x + ends[1].x) / 2, (ends[0].y + ends[1].y) / 2};
  }
  const PlanePoint to{from.x + shown * line.a / length, from.y + shown * line.b / length};
  answer["theta"] = {{"from", point_json(from)}, {"to", point_json(to)}};
}

void add_straight(const Request& request, const Window& window, Json& answer) {
  const Line line = line_of(request);
  const auto path = [&](double c) {
    const std::vector<PlanePoint> ends = clipped_line(line.a, line.b, c, window);
    return ends.empty() ? Json::array() : Json::array({path_json(ends)});
  };
  answer["boundary"] = path(line.c);
  if (rows().regression) return;
  if (flag_of(request.json, "margins") && !request.x0) {
    answer["margin_positive"] = path(line.c - 1);
    answer["margin_negative"] = path(line.c + 1);
  }
  answer["positive"] = path_json(clipped_half_plane(line.a, line.b, line.c, window));
  answer["negative"] = path_json(clipped_half_plane(-line.a, -line.b, -line.c, window));
  add_arrow(line, window, answer);
}

void add_curved(const Request& request, const Window& window, Json& answer) {
  const ScoreFunction score(request.map, request.rows->features, request.theta, request.offset);
  const auto z = [&](double x, double y) { return score(x, y); };
  const auto paths = [&](double level) { return paths_json(level_paths(z, level, window)); };
  answer["boundary"] = paths(0);
  if (flag_of(request.json, "margins")) {
    answer["margin_positive"] = paths(1);
    answer["margin_negative"] = paths(-1);
  }
  std::vector<int> positive;
  for (int row = 0; row < kTintCells; ++row) {
    const double y = window.y_low + (row + 0.5) * (window.y_high - window.y_low) / kTintCells;
    for (int column = 0; column < kTintCells; ++column) {
      const double x = window.x_low + (column + 0.5) * (window.x_high - window.x_low) / kTintCells;
      positive.push_back(z(x, y) >= 0 ? 1 : 0);
    }
  }
  answer["tint"] = {{"columns", kTintCells}, {"rows", kTintCells}, {"positive", positive}};
}

void add_hulls(const Request& request, Json& answer) {
  Json hulls;
  for (const double sign : {1.0, -1.0}) {
    std::vector<PlanePoint> points;
    for (std::size_t i = 0; i < request.rows->y.size(); ++i) {
      if (request.rows->y[i] == sign) points.push_back(place_of(request, i));
    }
    hulls[sign > 0 ? "positive" : "negative"] = path_json(convex_hull(points));
  }
  answer["hulls"] = std::move(hulls);
}

/// The point in both hulls, if the rows were proven not to be separable.
void add_common_point(const Request& request, Json& answer) {
  if (!certified() || certified()->certificate.map.kind != FeatureMap::Kind::kNone) return;
  const std::vector<double>& point = certified()->common_point;
  if (point.size() == 1) answer["witness_point"] = request.x0 ? Json{1, point[0]} : Json{point[0], 0};
  if (point.size() == 2) answer["witness_point"] = point;
}

Json data_pane(const Request& request) {
  const PlainRows& rows_now = *request.rows;
  if (rows_now.features == 0 || rows_now.features > 2) {
    Json answer = frame(request, {-1, 1, -1, 1});
    answer["text"] = fmt::format("Rows with {} features can't be drawn in a plane.", rows_now.features);
    return answer;
  }
  std::vector<PlanePoint> points;
  for (std::size_t i = 0; i < rows_now.y.size(); ++i) points.push_back(place_of(request, i));
  if (request.x0) points.push_back({0, 0});
  const Window window = window_of(request, points);
  Json answer = frame(request, window);
  if (rows().regression && rows_now.features == 2) return answer;  // z depends on x2 as well, so this plane has no line
  if (request.map.kind == FeatureMap::Kind::kNone) {
    add_straight(request, window, answer);
  } else {
    add_curved(request, window, answer);
    if (request.map.kind == FeatureMap::Kind::kProducts && rows_now.features == 2) {
      answer["lift"] = lift_json(rows_now, request.theta, request.offset);
    }
  }
  if (rows().regression) return answer;
  if (flag_of(request.json, "hulls")) add_hulls(request, answer);
  if (flag_of(request.json, "witness")) add_common_point(request, answer);
  return answer;
}

Json lines_json(const std::vector<WeightLine>& lines) {
  Json all = Json::array();
  for (const WeightLine& line : lines) {
    const double length = length_of(line.a, line.b);
    const PlanePoint good = length > 0 ? PlanePoint{line.a / length, line.b / length} : PlanePoint{};
    all.push_back({{"row", line.row + 1},
                   {"ends", path_json(line.ends)},
                   {"good", point_json(good)},
                   {"good_everywhere", line.good_everywhere},
                   {"wrong_everywhere", line.wrong_everywhere}});
  }
  return all;
}

Json weights_pane(const Request& request) {
  const std::string asked = text_of(request.json, "slice", "at");
  const WeightSlice slice = request.rows->features == 1 ? WeightSlice::kOffsetAndWeight
                            : asked == "origin"         ? WeightSlice::kThroughOrigin
                                                        : WeightSlice::kAtOffset;
  const bool plane = request.map.kind == FeatureMap::Kind::kNone && !rows().regression &&
                     (request.rows->features == 1 || request.rows->features == 2);
  const bool scaled = slice == WeightSlice::kAtOffset && flag_of(request.json, "scale_offset");
  if (!plane || (scaled && request.offset == 0)) {
    Json answer = frame(request, {-1, 1, -1, 1});
    answer["text"] = plane ? "θ0 is 0: the slice at θ0 = ±1 doesn't hold this classifier."
                           : fmt::format("{} weights can't be drawn in a plane.", request.theta.size() + 1);
    return answer;
  }
  const double scale = scaled ? std::abs(request.offset) : 1;
  const PlanePoint point = slice == WeightSlice::kOffsetAndWeight
                               ? PlanePoint{request.offset, request.theta[0]}
                               : PlanePoint{request.theta[0] / scale, request.theta[1] / scale};
  const PlanePoint around[] = {{-1, -1}, {1, 1}, point, {-point.x, -point.y}};
  const Window window = window_of(request, around);
  std::vector<int> sign;
  for (const double y : request.rows->y) sign.push_back(y > 0 ? 1 : -1);
  const double offset = slice == WeightSlice::kAtOffset ? request.offset / scale : 0;
  const WeightSpace space = weight_space(request.rows->x, sign, slice, offset, window);
  Json answer = frame(request, window);
  answer["lines"] = lines_json(space.lines);
  answer["feasible"] = path_json(space.feasible);
  answer["point"] = point_json(point);
  return answer;
}

}  // namespace

LINSEP_EXPORT(geometry) std::int32_t geometry_export(const char* text, std::uint32_t size) {
  return answer_with([&] {
    const Request request = request_of(parsed(text, size));
    return text_of(request.json, "pane", "data") == "weights" ? weights_pane(request) : data_pane(request);
  });
}

}  // namespace linsep::wasm
