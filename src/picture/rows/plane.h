// Which plane rows are shown in, and the place of a row in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "linsep/batch.h"
#include "picture/gathered.h"

namespace linsep {

// Principal components of some rows, by power iterations.

struct SampledRow {
  std::int64_t row = 0;
  std::vector<std::uint32_t> column;
  std::vector<double> value;
};

/// The unit direction of the largest variance among those across every vector of `across` (unit vectors over
/// `features`, across one another). Its heaviest entry is positive. Empty if the rows don't vary there. The same bits
/// on every machine.
Direction principal_component(std::span<const SampledRow> rows, std::uint32_t features,
                              std::span<const std::vector<double>> across);

// Which plane rows are shown in.

/// The columns that the spec names, or the first two. Throws a usage Error for a name that doesn't exist.
struct AskedColumns {
  std::uint32_t x = 0, y = 1;
  bool named = false, one = false;  ///< by the spec, x alone
};
AskedColumns asked_columns(const PictureSpec& spec, const Model* model, const Schema& schema, std::uint32_t features);

/// The name of raw feature j.
std::string raw_feature_name(const Model* model, const Schema& schema, std::uint32_t j);

/// Everything but the ranges. REQUIRES: `gathered` has features, task and norm.
PlaneChoice choose_plane(const AskedColumns& asked, const Model* model, const Gathered& gathered,
                         std::span<const SampledRow> sample);

// Values and products of single rows.

template <class V>
double column_value(const SparseRow<V>& row, std::uint32_t column) {
  const std::uint32_t* const end = row.column + row.size;
  const std::uint32_t* const at = std::lower_bound(row.column, end, column);
  return at != end && *at == column ? static_cast<double>(row.value[at - row.column]) : 0;
}
template <class V>
double column_value(const DenseRow<V>& row, std::uint32_t column) {
  return column < row.size ? static_cast<double>(row.value[column]) : 0;
}

/// Σ weight·value. Columns beyond the weights count nothing.
template <class Row>
double product(const Row& row, std::span<const double> weight) {
  double sum = 0;
  for_each_entry(row, [&](std::uint32_t column, double value) {
    if (column < weight.size()) sum += weight[column] * value;
  });
  return sum;
}

// The place of a row in the plane.

template <class Row>
double place_along(const Direction& direction, const Row& row) {
  return direction.weight.empty() ? 0 : product(row, direction.weight) - direction.middle;
}

/// `z` is the row's score under the first model, whose ‖θ‖ is `norm`. Both count only in the plane of a boundary.
template <class Row>
PlanePoint place_of_row(const PlaneChoice& plane, double norm, const Row& row, double z) {
  if (plane.kind == "features") return {column_value(row, plane.x_column), column_value(row, plane.y_column)};
  if (plane.kind == "feature") return {column_value(row, plane.x_column), 0};
  if (plane.kind == "boundary") return {z / norm, place_along(plane.y, row)};
  return {place_along(plane.x, row), place_along(plane.y, row)};
}

}  // namespace linsep
