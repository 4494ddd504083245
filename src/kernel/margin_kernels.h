// rank_update: the dense kernel with which the interior-point method assembles its matrix and factors it.
#pragma once

#include <cstddef>

namespace linsep {

/// h[i][j] += sign·Σ_r a[r][i]·a[r][j] for begin ≤ i < end and i ≤ j < size: a symmetric update, upper triangle, of the
/// rows begin … end − 1 of h, each of which is `h_stride` long; rows of `a` are `a_stride` long, and the sum runs over
/// r from 0 upwards. Entries left of the diagonal may be changed too and mean nothing.
/// Every version gives the same bits: products are rounded, and added in the order of r. `sign` is 1 or −1.
/// REQUIRES: begin is a multiple of kRankTile; strides reach to the next multiple of kRankTile past `size`, where `a`
/// holds numbers.
void rank_update(const double* a, std::size_t rows, std::size_t a_stride, double sign, double* h, std::size_t h_stride,
                 std::size_t begin, std::size_t end, std::size_t size);

inline constexpr std::size_t kRankTile = 16;

namespace scalar {
/// The oracle of every version.
inline void rank_update(const double* a, std::size_t rows, std::size_t a_stride, double sign, double* h,
                        std::size_t h_stride, std::size_t begin, std::size_t end, std::size_t size) {
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t j = i; j < size; ++j) {
      double sum = 0;
      for (std::size_t r = 0; r < rows; ++r) sum += a[r * a_stride + i] * a[r * a_stride + j];
      h[i * h_stride + j] += sign * sum;
    }
  }
}
}  // namespace scalar

}  // namespace linsep
