#include <cmath>

#include "picture/json/writer.h"

namespace linsep {
namespace {

void write_axis(PictureWriter& out, std::string_view name, const Picture::Axis& axis, int digits) {
  out.key(name);
  out.open('{');
  out.field("name", axis.name);
  out.field("low", axis.low, digits);
  out.field("high", axis.high, digits);
  out.field("ticks", axis.ticks, digits);
  out.close('}');
}

void write_which(PictureWriter& out, const Picture::Plane& plane, const PlaneDigits& digits) {
  out.key("plane");
  out.open('{');
  out.field("kind", plane.kind);
  write_axis(out, "x", plane.x, digits.x);
  write_axis(out, "y", plane.y, digits.y);
  const bool two = plane.kind == "features";
  if (two || plane.kind == "feature") out.field("x_column", std::uint64_t{plane.x_column} + 1);
  if (two) out.field("y_column", std::uint64_t{plane.y_column} + 1);
  out.field("equal_scales", plane.equal_scales);
  out.close('}');
}

void write_points(PictureWriter& out, const Picture::Points& points, const PlaneDigits& digits) {
  using At = Picture::Points::At;
  out.key("points");
  out.open('{');
  out.field("total", points.total);
  out.field("shown", points.shown);
  out.field("how", points.how);
  out.field("seed", points.seed);
  out.column("row", points.at, [](const At& at) { return at.row + 1; });
  out.column("x", points.at, &At::x, digits.x);
  out.column("y", points.at, &At::y, digits.y);
  out.column("label", points.at, &At::label);
  out.column("margin", points.at,
             [](const At& at) { return std::isfinite(at.margin) ? std::optional(at.margin) : std::nullopt; });
  out.column("role", points.at, &At::role);
  out.column("id", points.at, [](const At& at) { return text_or_nothing(at.id); });
  out.column("together", points.at, &At::together);
  out.close('}');
}

void write_places(PictureWriter& out, const std::vector<PlanePoint>& points, const PlaneDigits& digits) {
  out.open('{');
  out.column("x", points, &PlanePoint::x, digits.x);
  out.column("y", points, &PlanePoint::y, digits.y);
  out.close('}');
}

void write_paths(PictureWriter& out, const std::vector<Picture::Path>& paths, const PlaneDigits& digits) {
  if (paths.empty()) return;
  out.key("paths");
  out.open('[');
  for (const Picture::Path& path : paths) {
    out.open('{');
    out.field("kind", path.kind);
    out.field("model", path.model);
    out.field("closed", path.closed);
    out.key("points");
    write_places(out, path.points, digits);
    out.close('}');
  }
  out.close(']');
}

}  // namespace

PlaneDigits plane_digits(const Picture& picture) {
  if (!picture.plane) return {};
  return {digits_between(picture.plane->x.low, picture.plane->x.high),
          digits_between(picture.plane->y.low, picture.plane->y.high)};
}

void write_point(PictureWriter& out, std::string_view name, const std::optional<PlanePoint>& point,
                 const PlaneDigits& digits) {
  if (!point) return;
  out.key(name);
  out.open('{');
  out.field("x", point->x, digits.x);
  out.field("y", point->y, digits.y);
  out.close('}');
}

void write_plane(PictureWriter& out, const Picture& picture) {
  const PlaneDigits digits = plane_digits(picture);
  if (picture.plane) write_which(out, *picture.plane, digits);
  if (picture.points) write_points(out, *picture.points, digits);
  if (picture.cells) {
    out.key("cells");
    out.open('{');
    out.field("x", picture.cells->x, digits.x);
    out.field("y", picture.cells->y, digits.y);
    out.field("negative", picture.cells->negative);
    out.field("positive", picture.cells->positive);
    out.close('}');
  }
  write_paths(out, picture.paths, digits);
  if (picture.half_spaces) {
    out.key("half_spaces");
    out.open('{');
    out.key("negative");
    write_places(out, picture.half_spaces->negative, digits);
    out.key("positive");
    write_places(out, picture.half_spaces->positive, digits);
    out.close('}');
  }
}

}  // namespace linsep
