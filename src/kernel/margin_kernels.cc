// Written once, compiled for each CPU target by Highway. A tile of h, 4 rows by 16 columns, stays in registers while
// the rows of `a` stream past.
#include "kernel/margin_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/margin_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace linsep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;

// `Rows` rows of h from row i, `Parts` vectors of columns from column j. `a` and `b` may be the same.
template <std::size_t Rows, std::size_t Parts>
HWY_INLINE void tile(const double* a, std::size_t a_stride, const double* b, std::size_t b_stride, std::size_t rows,
                     double sign, double* HWY_RESTRICT h, std::size_t h_stride, std::size_t i, std::size_t j) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  hn::Vec<D> sum[Rows][Parts];
  for (auto& row : sum) {
    for (auto& part : row) part = hn::Zero(d);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const double* at = a + r * a_stride;
    hn::Vec<D> right[Parts];
    for (std::size_t p = 0; p < Parts; ++p) right[p] = hn::LoadU(d, b + r * b_stride + j + p * width);
    for (std::size_t k = 0; k < Rows; ++k) {
      const auto left = hn::Set(d, at[i + k]);
      for (std::size_t p = 0; p < Parts; ++p) sum[k][p] = hn::Add(sum[k][p], hn::Mul(left, right[p]));
    }
  }
  const auto factor = hn::Set(d, sign);
  for (std::size_t k = 0; k < Rows; ++k) {
    for (std::size_t p = 0; p < Parts; ++p) {
      double* to = h + (i + k) * h_stride + j + p * width;
      hn::StoreU(hn::Add(hn::LoadU(d, to), hn::Mul(factor, sum[k][p])), d, to);
    }
  }
}

void rank_update(const double* a, std::size_t rows, std::size_t a_stride, double sign, double* h, std::size_t h_stride,
                 std::size_t begin, std::size_t end, std::size_t size) {
  // Rows of h for which the columns of `a` at j are used, while a first-level cache holds them.
  constexpr std::size_t kHeight = 4, kStrip = 64;
  const std::size_t wide = 2 * hn::Lanes(D());
  for (std::size_t strip = begin; strip < end; strip += kStrip) {
    const std::size_t last = std::min(end, strip + kStrip);
    for (std::size_t j = strip / kRankTile * kRankTile; j < size; j += wide) {
      const std::size_t above = std::min(last, j + wide);  // rows from there on end left of these columns
      std::size_t i = strip;
      for (; i + kHeight <= above; i += kHeight) {
        tile<kHeight, 2>(a, a_stride, a, a_stride, rows, sign, h, h_stride, i, j);
      }
      for (; i < above; ++i) tile<1, 2>(a, a_stride, a, a_stride, rows, sign, h, h_stride, i, j);
    }
  }
}

void add_products(const double* a, std::size_t a_stride, const double* b, std::size_t b_stride, std::size_t rows,
                  double* h, std::size_t h_stride, std::size_t height, std::size_t width) {
  constexpr std::size_t kHeight = 4;
  const std::size_t wide = 2 * hn::Lanes(D());
  for (std::size_t j = 0; j < width; j += wide) {
    std::size_t i = 0;
    for (; i + kHeight <= height; i += kHeight) tile<kHeight, 2>(a, a_stride, b, b_stride, rows, 1, h, h_stride, i, j);
    for (; i < height; ++i) tile<1, 2>(a, a_stride, b, b_stride, rows, 1, h, h_stride, i, j);
  }
}

}  // namespace linsep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linsep {

HWY_EXPORT(rank_update);

void rank_update(const double* a, std::size_t rows, std::size_t a_stride, double sign, double* h, std::size_t h_stride,
                 std::size_t begin, std::size_t end, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(rank_update)(a, rows, a_stride, sign, h, h_stride, begin, end, size);
}

HWY_EXPORT(add_products);

void add_products(const double* a, std::size_t a_stride, const double* b, std::size_t b_stride, std::size_t rows,
                  double* h, std::size_t h_stride, std::size_t height, std::size_t width) {
  HWY_DYNAMIC_DISPATCH(add_products)(a, a_stride, b, b_stride, rows, h, h_stride, height, width);
}

}  // namespace linsep
#endif
