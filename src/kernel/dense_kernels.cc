// Written once, compiled for each CPU target by Highway, chosen at run time. Vectors run over outputs, of a single
// output over columns: so no sum is ever split.
#include "kernel/dense_kernels.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/dense_kernels.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef LINSEP_DENSE_TILES
#define LINSEP_DENSE_TILES
namespace linsep {
/// Rows that are scored together, and columns that are summed together.
inline constexpr std::size_t kTileRows = 8;
/// Outputs of a tile of weights; the last tile may have half as many.
inline constexpr std::size_t kTileOutputs = 2 * kOutputTile;
inline std::size_t tile_outputs(std::size_t outputs, std::size_t first) {
  return outputs - first > kOutputTile ? kTileOutputs : kOutputTile;
}
}  // namespace linsep
#endif

HWY_BEFORE_NAMESPACE();
namespace linsep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;

// As many sums as registers hold: of so many rows (or columns) and vectors of outputs at a time.
#undef LINSEP_TILE_HEIGHT
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
#define LINSEP_TILE_HEIGHT 8
#else
#define LINSEP_TILE_HEIGHT 4
#endif

template <class V>
HWY_INLINE hn::Vec<D> load_values(D d, const V* from) {
  if constexpr (sizeof(V) == sizeof(double)) {
    return hn::LoadU(d, from);
  } else {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<V, D>(), from));
  }
}

HWY_INLINE hn::Vec<D> without_ties(D d, hn::Vec<D> product) {
  return hn::Or(product, hn::BitCast(d, hn::Set(hn::Rebind<std::uint64_t, D>(), 1)));
}

/// The rows of a group, eight values of a column after another, the columns as in PackedWeights.
template <class V>
void pack_rows(const DenseBlock<V>& x, std::size_t first, double* to) {
  const std::size_t count = std::min(kTileRows, x.rows - first);
  if (count < kTileRows) std::fill(to, to + kTileRows * x.columns, 0.0);
  std::array<std::size_t, scalar::kLanes> begin;  // of each partial sum's columns
  std::size_t at = 0;
  for (std::size_t lane = 0; lane < scalar::kLanes; ++lane) {
    begin[lane] = at;
    at += (x.columns + scalar::kLanes - 1 - lane) / scalar::kLanes;
  }
  for (std::size_t j = 0; j < x.columns; ++j) {
    double* column = to + (begin[j % scalar::kLanes] + j / scalar::kLanes) * kTileRows;
    for (std::size_t i = 0; i < count; ++i) column[i] = static_cast<double>(x.value[(first + i) * x.stride + j]);
  }
}

/// One partial sum of LINSEP_TILE_HEIGHT rows and `Parts` vectors of outputs.
template <std::size_t Parts>
HWY_INLINE void lane_sums(const double* HWY_RESTRICT x, const double* HWY_RESTRICT w, std::size_t w_stride,
                          std::size_t columns, double* HWY_RESTRICT to) {
  constexpr std::size_t kHeight = LINSEP_TILE_HEIGHT;
  const D d;
  const std::size_t width = hn::Lanes(d);
  hn::Vec<D> sum[kHeight][Parts];
  for (auto& row : sum) {
    for (auto& part : row) part = hn::Zero(d);
  }
  for (std::size_t j = 0; j < columns; ++j, x += kTileRows, w += w_stride) {
    hn::Vec<D> weight[Parts];
    for (std::size_t p = 0; p < Parts; ++p) weight[p] = hn::LoadU(d, w + p * width);
    for (std::size_t i = 0; i < kHeight; ++i) {
      const auto value = hn::Set(d, x[i]);
      for (std::size_t p = 0; p < Parts; ++p) sum[i][p] = hn::Add(sum[i][p], hn::Mul(value, weight[p]));
    }
  }
  for (std::size_t i = 0; i < kHeight; ++i) {
    for (std::size_t p = 0; p < Parts; ++p) hn::StoreU(sum[i][p], d, to + i * kTileOutputs + p * width);
  }
}

/// Scores of a packed group of rows and a tile of outputs, into rows of `to`.
void score_tile(const double* x, const double* w, std::size_t tile, std::size_t columns, double* part) {
  constexpr std::size_t kHeight = LINSEP_TILE_HEIGHT;
  const D d;
  const std::size_t width = hn::Lanes(d);
  for (std::size_t lane = 0; lane < scalar::kLanes; ++lane) {
    const std::size_t own = (columns + scalar::kLanes - 1 - lane) / scalar::kLanes;
    double* to = part + lane * kTileRows * kTileOutputs;
    for (std::size_t i = 0; i < kTileRows; i += kHeight) {
      std::size_t c = 0;
      for (; c + 2 * width <= tile; c += 2 * width) {
        lane_sums<2>(x + i, w + c, tile, own, to + i * kTileOutputs + c);
      }
      for (; c < tile; c += width) lane_sums<1>(x + i, w + c, tile, own, to + i * kTileOutputs + c);
    }
    x += own * kTileRows;
    w += own * tile;
  }
  // scalar::add_lanes.
  constexpr std::size_t kPart = kTileRows * kTileOutputs;
  for (std::size_t k = 0; k < kPart; k += width) {
    const auto at = [&](std::size_t lane) { return hn::LoadU(d, part + lane * kPart + k); };
    const auto even = hn::Add(hn::Add(at(0), at(4)), hn::Add(at(2), at(6)));
    const auto odd = hn::Add(hn::Add(at(1), at(5)), hn::Add(at(3), at(7)));
    hn::StoreU(hn::Add(even, odd), d, part + k);
  }
}

template <class V>
void scores(const DenseBlock<V>& x, const PackedWeights& w, double* out, std::size_t out_stride, double* scratch) {
  constexpr std::size_t kPart = kTileRows * kTileOutputs;
  HWY_ALIGN double part[scalar::kLanes * kPart] = {};
  for (std::size_t first = 0; first < x.rows; first += kTileRows) {
    pack_rows(x, first, scratch);
    const std::size_t count = std::min(kTileRows, x.rows - first);
    for (std::size_t c = 0; c < w.outputs();) {
      const std::size_t tile = tile_outputs(w.outputs(), c);
      score_tile(scratch, w.tile(c), tile, x.columns, part);
      for (std::size_t i = 0; i < count; ++i) {
        std::copy_n(part + i * kTileOutputs, tile, out + (first + i) * out_stride + c);
      }
      c += tile;
    }
  }
}

void scores32(const DenseBlock<float>& x, const PackedWeights& w, double* out, std::size_t out_stride,
              double* scratch) {
  scores(x, w, out, out_stride, scratch);
}
void scores64(const DenseBlock<double>& x, const PackedWeights& w, double* out, std::size_t out_stride,
              double* scratch) {
  scores(x, w, out, out_stride, scratch);
}

/// Of LINSEP_TILE_HEIGHT columns, whose values are packed row after row, and `Parts` vectors of outputs.
template <std::size_t Parts>
HWY_INLINE void sum_tile(const double* HWY_RESTRICT x, std::size_t rows, const double* HWY_RESTRICT a,
                         std::size_t a_stride, double* HWY_RESTRICT sum, std::size_t sum_stride) {
  constexpr std::size_t kHeight = LINSEP_TILE_HEIGHT;
  const D d;
  const std::size_t width = hn::Lanes(d);
  hn::Vec<D> total[kHeight][Parts];
  for (std::size_t j = 0; j < kHeight; ++j) {
    for (std::size_t p = 0; p < Parts; ++p) total[j][p] = hn::LoadU(d, sum + j * sum_stride + p * width);
  }
  for (std::size_t i = 0; i < rows; ++i, x += kTileRows, a += a_stride) {
    hn::Vec<D> factor[Parts];
    for (std::size_t p = 0; p < Parts; ++p) factor[p] = hn::LoadU(d, a + p * width);
    for (std::size_t j = 0; j < kHeight; ++j) {
      const auto value = hn::Set(d, x[j]);
      for (std::size_t p = 0; p < Parts; ++p) {
        total[j][p] = hn::Add(total[j][p], without_ties(d, hn::Mul(value, factor[p])));
      }
    }
  }
  for (std::size_t j = 0; j < kHeight; ++j) {
    for (std::size_t p = 0; p < Parts; ++p) hn::StoreU(total[j][p], d, sum + j * sum_stride + p * width);
  }
}

template <class V>
void sum_many(const DenseBlock<V>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
              double* sum, std::size_t sum_stride) {
  constexpr std::size_t kMostRows = 64;
  const D d;
  const std::size_t width = hn::Lanes(d), padded = padded_outputs(outputs);
  HWY_ALIGN double packed[kMostRows * kTileRows];
  for (std::size_t first = 0; first < x.rows; first += kMostRows) {
    const std::size_t rows = std::min(kMostRows, x.rows - first);
    for (std::size_t j = 0; j < x.columns; j += kTileRows) {
      const std::size_t columns = std::min(kTileRows, x.columns - j);
      for (std::size_t i = 0; i < rows; ++i) {
        const V* value = x.value + (first + i) * x.stride + j;
        double* to = packed + i * kTileRows;
        for (std::size_t k = 0; k < kTileRows; ++k) to[k] = k < columns ? static_cast<double>(value[k]) : 0;
        if (power == Power::kTwo) {
          for (std::size_t k = 0; k < kTileRows; ++k) to[k] *= to[k];
        }
      }
      const double* factor = a + first * a_stride;
      if (columns < kTileRows) {
        // Of the last few columns: so many sums at a time would reach beyond them.
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t k = 0; k < columns; ++k) {
            const auto one = hn::Set(d, packed[i * kTileRows + k]);
            for (std::size_t c = 0; c < padded; c += width) {
              double* to = sum + (j + k) * sum_stride + c;
              const auto product = hn::Mul(one, hn::LoadU(d, factor + i * a_stride + c));
              hn::StoreU(hn::Add(hn::LoadU(d, to), without_ties(d, product)), d, to);
            }
          }
        }
        continue;
      }
      for (std::size_t k = 0; k < kTileRows; k += LINSEP_TILE_HEIGHT) {
        double* to = sum + (j + k) * sum_stride;
        std::size_t c = 0;
        for (; c + 2 * width <= padded; c += 2 * width) {
          sum_tile<2>(packed + k, rows, factor + c, a_stride, to + c, sum_stride);
        }
        for (; c < padded; c += width) sum_tile<1>(packed + k, rows, factor + c, a_stride, to + c, sum_stride);
      }
    }
  }
}

/// Of a single output: `Rows` rows through all columns.
/// `ahead`: how far the next block's values lie beyond these. They are fetched meanwhile, as sums wait for no memory.
template <std::size_t Rows, bool Squared, class V>
HWY_INLINE void sum_rows(const V* value, std::size_t stride, std::size_t columns, const double* a, std::size_t a_stride,
                         double* HWY_RESTRICT sum, std::size_t ahead) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  hn::Vec<D> factor[Rows];
  for (std::size_t i = 0; i < Rows; ++i) factor[i] = hn::Set(d, a[i * a_stride]);
  std::size_t j = 0;
  for (; j + width <= columns; j += width) {
    auto total = hn::LoadU(d, sum + j);
    for (std::size_t i = 0; i < Rows; ++i) {
      hwy::Prefetch(value + i * stride + j + ahead);
      auto x = load_values(d, value + i * stride + j);
      if constexpr (Squared) x = hn::Mul(x, x);
      total = hn::Add(total, without_ties(d, hn::Mul(factor[i], x)));
    }
    hn::StoreU(total, d, sum + j);
  }
  for (; j < columns; ++j) {
    for (std::size_t i = 0; i < Rows; ++i) {
      double x = static_cast<double>(value[i * stride + j]);
      if constexpr (Squared) x *= x;
      sum[j] += scalar::without_ties(a[i * a_stride] * x);
    }
  }
}

template <bool Squared, class V>
void sum_one(const DenseBlock<V>& x, const double* a, std::size_t a_stride, double* sum) {
  constexpr std::size_t kRows = 4;
  const std::size_t ahead = x.rows * x.stride;
  std::size_t i = 0;
  for (; i + kRows <= x.rows; i += kRows) {
    sum_rows<kRows, Squared>(x.value + i * x.stride, x.stride, x.columns, a + i * a_stride, a_stride, sum, ahead);
  }
  for (; i < x.rows; ++i) {
    sum_rows<1, Squared>(x.value + i * x.stride, x.stride, x.columns, a + i * a_stride, a_stride, sum, ahead);
  }
}

template <class V>
HWY_INLINE void sums(const DenseBlock<V>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
                     double* sum, std::size_t sum_stride) {
  if (outputs > 1) return sum_many(x, power, a, a_stride, outputs, sum, sum_stride);
  if (power == Power::kTwo) return sum_one<true>(x, a, a_stride, sum);
  sum_one<false>(x, a, a_stride, sum);
}

void sums32(const DenseBlock<float>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
            double* sum, std::size_t sum_stride) {
  sums(x, power, a, a_stride, outputs, sum, sum_stride);
}
void sums64(const DenseBlock<double>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
            double* sum, std::size_t sum_stride) {
  sums(x, power, a, a_stride, outputs, sum, sum_stride);
}

}  // namespace linsep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linsep {

HWY_EXPORT(scores32);
HWY_EXPORT(scores64);
HWY_EXPORT(sums32);
HWY_EXPORT(sums64);

void PackedWeights::set(const double* weight, std::size_t columns, std::size_t column_stride, std::size_t outputs,
                        std::size_t output_stride) {
  columns_ = columns;
  outputs_ = outputs;
  packed_.assign(columns * padded_outputs(outputs), 0);
  double* to = packed_.data();
  for (std::size_t first = 0; first < outputs;) {
    const std::size_t tile = tile_outputs(outputs, first), count = std::min(tile, outputs - first);
    for (std::size_t lane = 0; lane < scalar::kLanes; ++lane) {
      for (std::size_t j = lane; j < columns; j += scalar::kLanes, to += tile) {
        for (std::size_t c = 0; c < count; ++c) to[c] = weight[j * column_stride + (first + c) * output_stride];
      }
    }
    first += tile;
  }
}

void block_scores(const DenseBlock<float>& x, const PackedWeights& w, double* out, std::size_t out_stride,
                  std::vector<double>& scratch) {
  scratch.resize(std::max(scratch.size(), kTileRows * x.columns));
  HWY_DYNAMIC_DISPATCH(scores32)(x, w, out, out_stride, scratch.data());
}
void block_scores(const DenseBlock<double>& x, const PackedWeights& w, double* out, std::size_t out_stride,
                  std::vector<double>& scratch) {
  scratch.resize(std::max(scratch.size(), kTileRows * x.columns));
  HWY_DYNAMIC_DISPATCH(scores64)(x, w, out, out_stride, scratch.data());
}
void add_rows(const DenseBlock<float>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
              double* sum, std::size_t sum_stride) {
  HWY_DYNAMIC_DISPATCH(sums32)(x, power, a, a_stride, outputs, sum, sum_stride);
}
void add_rows(const DenseBlock<double>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
              double* sum, std::size_t sum_stride) {
  HWY_DYNAMIC_DISPATCH(sums64)(x, power, a, a_stride, outputs, sum, sum_stride);
}

}  // namespace linsep
#endif
