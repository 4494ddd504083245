// The scalar oracle: the meaning of every kernel, in plain C++.
#pragma once

#include <array>
#include <cstddef>

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

}  // namespace linsep::scalar
