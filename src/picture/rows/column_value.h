// Values and products of single rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "linsep/batch.h"

namespace linsep {

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

/// Σ weight·value; columns beyond the weights count nothing.
template <class Row>
double product(const Row& row, std::span<const double> weight) {
  double sum = 0;
  for_each_entry(row, [&](std::uint32_t column, double value) {
    if (column < weight.size()) sum += weight[column] * value;
  });
  return sum;
}

}  // namespace linsep
