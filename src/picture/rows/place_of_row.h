// The place of a row in the plane.
#pragma once

#include "picture/gathered.h"
#include "picture/rows/column_value.h"

namespace linsep {

template <class Row>
double place_along(const Direction& direction, const Row& row) {
  return direction.weight.empty() ? 0 : product(row, direction.weight) - direction.middle;
}

/// `z`: the row's score under the first model, whose ‖θ‖ is `norm`; both count in the plane of a boundary alone.
template <class Row>
PlanePoint place_of_row(const PlaneChoice& plane, double norm, const Row& row, double z) {
  if (plane.kind == "features") return {column_value(row, plane.x_column), column_value(row, plane.y_column)};
  if (plane.kind == "feature") return {column_value(row, plane.x_column), 0};
  if (plane.kind == "boundary") return {z / norm, place_along(plane.y, row)};
  return {place_along(plane.x, row), place_along(plane.y, row)};
}

}  // namespace linsep
