// Dense kernels: rank_update, with which the interior-point method assembles and factors its matrix, and add_products,
// with which a likelihood is evaluated at many points at once.
#pragma once

#include <cstddef>

namespace linsep {

/// Adds sign·Σ_r a[r][i]·a[r][j] to h[i][j] for begin ≤ i < end and i ≤ j < size. This is a symmetric update of the
/// upper triangle, in the rows begin … end − 1 of h. Rows of h are `h_stride` long and rows of `a` are `a_stride` long.
/// The sum runs over r from 0 upwards. Entries left of the diagonal may be changed too and mean nothing. Every version
/// gives the same bits, because products are rounded and added in the order of r. `sign` is 1 or −1. REQUIRES: begin is
/// a multiple of kRankTile. Strides reach to the next multiple of kRankTile past `size`, and `a` holds numbers up to
/// there.
void rank_update(const double* a, std::size_t rows, std::size_t a_stride, double sign, double* h, std::size_t h_stride,
                 std::size_t begin, std::size_t end, std::size_t size);

/// Like rank_update with a sign of 1, but faster. Every number of `a` must be one that a float holds, so that their
/// products are doubles without rounding.
void rank_update_of_floats(const double* a, std::size_t rows, std::size_t a_stride, double* h, std::size_t h_stride,
                           std::size_t begin, std::size_t end, std::size_t size);

inline constexpr std::size_t kRankTile = 16;

/// Adds Σ_r a[r][i]·b[r][j] to h[i][j] for i < height and j < width, the product of two matrices with a transposed. The
/// sum runs over r from 0 upwards, products are rounded before they are added, and every version gives the same bits.
/// Columns of h from `width` to the next multiple of kRankTile may be changed too and mean nothing. REQUIRES: strides
/// of b and h reach to that multiple, and b holds numbers up to there.
void add_products(const double* a, std::size_t a_stride, const double* b, std::size_t b_stride, std::size_t rows,
                  double* h, std::size_t h_stride, std::size_t height, std::size_t width);

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
inline void add_products(const double* a, std::size_t a_stride, const double* b, std::size_t b_stride, std::size_t rows,
                         double* h, std::size_t h_stride, std::size_t height, std::size_t width) {
  for (std::size_t i = 0; i < height; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      double sum = 0;
      for (std::size_t r = 0; r < rows; ++r) sum += a[r * a_stride + i] * b[r * b_stride + j];
      h[i * h_stride + j] += sum;
    }
  }
}
}  // namespace scalar

}  // namespace linsep
