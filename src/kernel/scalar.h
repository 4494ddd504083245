// The scalar oracle: the meaning of every kernel, in plain C++.
#pragma once

#include <array>
#include <cstddef>

#include "kernel/units.h"
#include "linsep/batch.h"

namespace linsep::scalar {

inline constexpr std::size_t kLanes = 8;

/// The eight partial sums in their fixed order.
inline double add_lanes(const std::array<double, kLanes>& s) {
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

template <class V>
double dot(const SparseRow<V>& x, const double* w) {
  std::array<double, kLanes> sum{};
  for (std::size_t k = 0; k < x.size; ++k) sum[k % kLanes] += static_cast<double>(x.value[k]) * w[x.column[k]];
  return add_lanes(sum);
}

template <class V>
double dot(const DenseRow<V>& x, const double* w) {
  std::array<double, kLanes> sum{};
  for (std::size_t k = 0; k < x.size; ++k) sum[k % kLanes] += static_cast<double>(x.value[k]) * w[k];
  return add_lanes(sum);
}

template <class V>
void axpy(double a, const SparseRow<V>& x, double* w) {
  for (std::size_t k = 0; k < x.size; ++k) w[x.column[k]] += a * static_cast<double>(x.value[k]);
}

template <class V>
void axpy(double a, const DenseRow<V>& x, double* w) {
  for (std::size_t k = 0; k < x.size; ++k) w[k] += a * static_cast<double>(x.value[k]);
}

template <class Row>
double squared_norm(const Row& x) {
  std::array<double, kLanes> sum{};
  for (std::size_t k = 0; k < x.size; ++k) {
    const double value = static_cast<double>(x.value[k]);
    sum[k % kLanes] += value * value;
  }
  return add_lanes(sum);
}

// Each row of add_in_units and of add_in_units_with_squares.
template <class Row>
void add_row(const Row& row, double first, std::int64_t* sum) {
  for_each_entry(row, [&](std::uint32_t j, double x) { add_units(sum[j], whole_units(first * x)); });
}

template <class Row>
void add_row(const Row& row, double first, double second, double square, std::int64_t* sum) {
  for_each_entry(row, [&](std::uint32_t j, double x) {
    std::int64_t* to = sum + std::size_t{3} * j;
    const double term = second * x;
    add_units(to[0], whole_units(first * x));
    add_units(to[1], whole_units(term));
    add_units(to[2], whole_units(term * (x * square)));
  });
}

/// Calls add(row, …) for rows with a factor other than 0.
template <class Add>
void add_in_units(const Batch& rows, const UnitFactors& by, Add add) {
  for_each_row(rows, [&](const auto& row, std::int64_t i) {
    const double f = by.factor[static_cast<std::size_t>(i) * by.stride];
    if (f != 0) add(row, f * by.first * by.column);
  });
}
template <class Add>
void add_in_units_with_squares(const Batch& rows, const UnitFactors& by, Add add) {
  for_each_row(rows, [&](const auto& row, std::int64_t i) {
    const double *f = by.factor + static_cast<std::size_t>(i) * by.stride, *g = f + 1;
    if (*f != 0 || *g != 0) add(row, *f * by.first * by.column, *g * by.second * by.column, by.square);
  });
}

}  // namespace linsep::scalar
