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

// Updates `Rows` rows of h and `Parts` vectors of its columns from the same number of columns of `a` and `b`, which
// begin there. If `Exact`, products need no rounding, so a fused multiply-add has the same bits.
template <std::size_t Rows, std::size_t Parts, bool Exact = false>
HWY_INLINE void tile(const double* a, std::size_t a_stride, const double* b, std::size_t b_stride, std::size_t rows,
                     double sign, double* HWY_RESTRICT h, std::size_t h_stride) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  hn::Vec<D> sum[Rows][Parts];
  for (auto& row : sum) {
    for (auto& part : row) part = hn::Zero(d);
  }
  for (std::size_t r = 0; r < rows; ++r, a += a_stride, b += b_stride) {
    hn::Vec<D> right[Parts];
    for (std::size_t p = 0; p < Parts; ++p) right[p] = hn::LoadU(d, b + p * width);
    for (std::size_t k = 0; k < Rows; ++k) {
      const auto left = hn::Set(d, a[k]);
      for (std::size_t p = 0; p < Parts; ++p) {
        sum[k][p] = Exact ? hn::MulAdd(left, right[p], sum[k][p]) : hn::Add(sum[k][p], hn::Mul(left, right[p]));
      }
    }
  }
  const auto factor = hn::Set(d, sign);
  for (std::size_t k = 0; k < Rows; ++k) {
    for (std::size_t p = 0; p < Parts; ++p) {
      double* to = h + k * h_stride + p * width;
      hn::StoreU(hn::Add(hn::LoadU(d, to), hn::Mul(factor, sum[k][p])), d, to);
    }
  }
}

/// Packs columns begin … end − 1 of `a`, with each row `width` numbers after the one before.
inline void pack_columns(const double* a, std::size_t rows, std::size_t a_stride, std::size_t begin, std::size_t end,
                         std::size_t width, double* to) {
  for (std::size_t r = 0; r < rows; ++r, to += width) std::copy(a + r * a_stride + begin, a + r * a_stride + end, to);
}

template <bool Exact>
HWY_INLINE void update(const double* a, std::size_t rows, std::size_t a_stride, double sign, double* h,
                       std::size_t h_stride, std::size_t begin, std::size_t end, std::size_t size) {
  // A strip of rows of h meets one group of its columns after another. The parts of `a` for both are packed, since its
  // rows are far apart, each in its own page of memory.
  constexpr std::size_t kHeight = 4, kStrip = 64, kMostPacked = 128;
  HWY_ALIGN double packed_left[kMostPacked * kStrip], packed_right[kMostPacked * kRankTile];
  const bool packs = rows <= kMostPacked;
  const std::size_t wide = 2 * hn::Lanes(D());
  for (std::size_t strip = begin; strip < end; strip += kStrip) {
    const std::size_t last = std::min(end, strip + kStrip);
    const double* left = packs ? packed_left : a + strip;
    const std::size_t left_stride = packs ? kStrip : a_stride;
    if (packs) pack_columns(a, rows, a_stride, strip, last, kStrip, packed_left);
    for (std::size_t j = strip / kRankTile * kRankTile; j < size; j += wide) {
      const double* right = packs ? packed_right : a + j;
      const std::size_t right_stride = packs ? kRankTile : a_stride;
      if (packs) pack_columns(a, rows, a_stride, j, j + wide, kRankTile, packed_right);
      const std::size_t above = std::min(last, j + wide);  // rows from there on end to the left of these columns
      std::size_t i = strip;
      for (; i + kHeight <= above; i += kHeight) {
        tile<kHeight, 2, Exact>(left + (i - strip), left_stride, right, right_stride, rows, sign, h + i * h_stride + j,
                                h_stride);
      }
      for (; i < above; ++i) {
        tile<1, 2, Exact>(left + (i - strip), left_stride, right, right_stride, rows, sign, h + i * h_stride + j,
                          h_stride);
      }
    }
  }
}

void rank_update(const double* a, std::size_t rows, std::size_t a_stride, double sign, double* h, std::size_t h_stride,
                 std::size_t begin, std::size_t end, std::size_t size) {
  update<false>(a, rows, a_stride, sign, h, h_stride, begin, end, size);
}
void rank_update_of_floats(const double* a, std::size_t rows, std::size_t a_stride, double* h, std::size_t h_stride,
                           std::size_t begin, std::size_t end, std::size_t size) {
  update<true>(a, rows, a_stride, 1, h, h_stride, begin, end, size);
}

void add_products(const double* a, std::size_t a_stride, const double* b, std::size_t b_stride, std::size_t rows,
                  double* h, std::size_t h_stride, std::size_t height, std::size_t width) {
  constexpr std::size_t kHeight = 4;
  const std::size_t wide = 2 * hn::Lanes(D());
  for (std::size_t j = 0; j < width; j += wide) {
    std::size_t i = 0;
    for (; i + kHeight <= height; i += kHeight) {
      tile<kHeight, 2>(a + i, a_stride, b + j, b_stride, rows, 1, h + i * h_stride + j, h_stride);
    }
    for (; i < height; ++i) tile<1, 2>(a + i, a_stride, b + j, b_stride, rows, 1, h + i * h_stride + j, h_stride);
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

HWY_EXPORT(rank_update_of_floats);

void rank_update_of_floats(const double* a, std::size_t rows, std::size_t a_stride, double* h, std::size_t h_stride,
                           std::size_t begin, std::size_t end, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(rank_update_of_floats)(a, rows, a_stride, h, h_stride, begin, end, size);
}

HWY_EXPORT(add_products);

void add_products(const double* a, std::size_t a_stride, const double* b, std::size_t b_stride, std::size_t rows,
                  double* h, std::size_t h_stride, std::size_t height, std::size_t width) {
  HWY_DYNAMIC_DISPATCH(add_products)(a, a_stride, b, b_stride, rows, h, h_stride, height, width);
}

}  // namespace linsep
#endif
