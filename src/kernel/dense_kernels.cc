// Written once, compiled for each CPU target by Highway, chosen at run time. Vectors run over outputs, or over columns
// if there is a single output, so no sum is ever split.
#include "kernel/dense_kernels.h"

#include <algorithm>
#include <array>
#include <cfenv>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/dense_kernels.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef LINSEP_DENSE_TILES
#define LINSEP_DENSE_TILES
namespace linsep {
/// How many rows are scored together, and how many columns are summed together.
inline constexpr std::size_t kTileRows = 8;
/// The number of outputs in a tile of weights. The last tile may have half as many.
inline constexpr std::size_t kTileOutputs = 2 * kOutputTile;
inline std::size_t tile_outputs(std::size_t outputs, std::size_t first) {
  return outputs - first > kOutputTile ? kTileOutputs : kOutputTile;
}
inline constexpr std::size_t kTilePart = kTileRows * kTileOutputs;
/// The count of numbers that block_scores needs for the packed rows and their partial sums.
inline std::size_t scratch_size(std::size_t rows, std::size_t columns) {
  return (rows + kTileRows - 1) / kTileRows * (kTileRows * columns + scalar::kLanes * kTilePart);
}

/// Makes this thread's arithmetic round down while it lives.
class RoundingDown {
 public:
  RoundingDown() { std::fesetround(FE_DOWNWARD); }
  RoundingDown(const RoundingDown&) = delete;
  RoundingDown& operator=(const RoundingDown&) = delete;
  ~RoundingDown() { std::fesetround(before_); }

 private:
  int before_ = std::fegetround();
};
}  // namespace linsep
#endif

HWY_BEFORE_NAMESPACE();
namespace linsep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;

// How many rows (or columns) a tile takes: with the vectors of outputs, as many sums as registers hold.
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

/// Packs a group of rows, eight values of one column after another, with the columns in the order of PackedWeights.
template <class V>
void pack_rows(const DenseBlock<V>& x, std::size_t first, double* to) {
  constexpr std::size_t kLanes = scalar::kLanes;
  const std::size_t count = std::min(kTileRows, x.rows - first), whole = x.columns / kLanes;
  if (count < kTileRows) std::fill(to, to + kTileRows * x.columns, 0.0);
  std::array<double*, kLanes> lane_to;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    lane_to[lane] = to;
    to += (x.columns + kLanes - 1 - lane) / kLanes * kTileRows;
  }
  const V* value = x.value + first * x.stride;
  if (count == kTileRows) {
    for (std::size_t m = 0; m < whole; ++m) {
      HWY_ALIGN double square[kTileRows * kLanes];
      for (std::size_t i = 0; i < kTileRows; ++i) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          square[i * kLanes + lane] = static_cast<double>(value[i * x.stride + m * kLanes + lane]);
        }
      }
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        for (std::size_t i = 0; i < kTileRows; ++i) lane_to[lane][m * kTileRows + i] = square[i * kLanes + lane];
      }
    }
  }
  for (std::size_t j = count == kTileRows ? whole * kLanes : 0; j < x.columns; ++j) {
    double* column = lane_to[j % kLanes] + j / kLanes * kTileRows;
    for (std::size_t i = 0; i < count; ++i) column[i] = static_cast<double>(value[i * x.stride + j]);
  }
}

/// One partial sum for LINSEP_TILE_HEIGHT rows and `Parts` vectors of outputs. If `Short`, products need no rounding.
template <std::size_t Parts, bool Short>
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
      for (std::size_t p = 0; p < Parts; ++p) {
        sum[i][p] = Short ? hn::MulAdd(value, weight[p], sum[i][p]) : hn::Add(sum[i][p], hn::Mul(value, weight[p]));
      }
    }
  }
  for (std::size_t i = 0; i < kHeight; ++i) {
    for (std::size_t p = 0; p < Parts; ++p) hn::StoreU(sum[i][p], d, to + i * kTileOutputs + p * width);
  }
}

/// One partial sum for a packed group of rows and a tile of outputs.
template <bool Short>
void lane_tile(const double* x, const double* w, std::size_t tile, std::size_t columns, double* to) {
  const std::size_t width = hn::Lanes(D());
  for (std::size_t i = 0; i < kTileRows; i += LINSEP_TILE_HEIGHT) {
    std::size_t c = 0;
    for (; c + 2 * width <= tile; c += 2 * width) {
      lane_sums<2, Short>(x + i, w + c, tile, columns, to + i * kTileOutputs + c);
    }
    for (; c < tile; c += width) lane_sums<1, Short>(x + i, w + c, tile, columns, to + i * kTileOutputs + c);
  }
}

/// Applies scalar::add_lanes to a group's partial sums and stores the result in the first of them.
void add_lanes(double* part) {
  const D d;
  for (std::size_t k = 0; k < kTilePart; k += hn::Lanes(d)) {
    const auto at = [&](std::size_t lane) { return hn::LoadU(d, part + lane * kTilePart + k); };
    const auto even = hn::Add(hn::Add(at(0), at(4)), hn::Add(at(2), at(6)));
    const auto odd = hn::Add(hn::Add(at(1), at(5)), hn::Add(at(3), at(7)));
    hn::StoreU(hn::Add(even, odd), d, part + k);
  }
}

/// The rows and weights of one partial sum stay in the nearest cache while all groups of rows use them.
template <class V>
void scores(const DenseBlock<V>& x, const PackedWeights& w, double* out, std::size_t out_stride, double* scratch) {
  constexpr std::size_t kLanes = scalar::kLanes;
  const std::size_t groups = (x.rows + kTileRows - 1) / kTileRows, group_size = kTileRows * x.columns;
  double* part = scratch + groups * group_size;
  for (std::size_t g = 0; g < groups; ++g) pack_rows(x, g * kTileRows, scratch + g * group_size);
  for (std::size_t c = 0; c < w.outputs();) {
    const std::size_t tile = tile_outputs(w.outputs(), c);
    const double *weight = w.tile(c), *value = scratch;
    const bool products_fit = sizeof(V) == sizeof(float) && w.is_short(c);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t own = (x.columns + kLanes - 1 - lane) / kLanes;
      for (std::size_t g = 0; g < groups; ++g) {
        double* to = part + (g * kLanes + lane) * kTilePart;
        if (products_fit) {
          lane_tile<true>(value + g * group_size, weight, tile, own, to);
        } else {
          lane_tile<false>(value + g * group_size, weight, tile, own, to);
        }
      }
      value += own * kTileRows;
      weight += own * tile;
    }
    for (std::size_t g = 0; g < groups; ++g) {
      double* sums = part + g * kLanes * kTilePart;
      add_lanes(sums);
      for (std::size_t i = g * kTileRows; i < std::min(x.rows, (g + 1) * kTileRows); ++i) {
        std::copy_n(sums + i % kTileRows * kTileOutputs, tile, out + i * out_stride + c);
      }
    }
    c += tile;
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

#if HWY_NATIVE_FMA

/// Sums LINSEP_TILE_HEIGHT columns, whose values are packed row after row, for `Parts` vectors of outputs.
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
      for (std::size_t p = 0; p < Parts; ++p) total[j][p] = hn::MulAdd(value, factor[p], total[j][p]);
    }
  }
  for (std::size_t j = 0; j < kHeight; ++j) {
    for (std::size_t p = 0; p < Parts; ++p) hn::StoreU(total[j][p], d, sum + j * sum_stride + p * width);
  }
}

/// Sums kTileRows columns, or fewer at the end. It is never inlined, so that no addition moves out of the region that
/// rounds down.
HWY_NOINLINE void sum_columns(const double* packed, std::size_t columns, std::size_t rows, const double* a,
                              std::size_t a_stride, std::size_t padded, double* sum, std::size_t sum_stride) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  if (columns < kTileRows) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < columns; ++k) {
        const auto one = hn::Set(d, packed[i * kTileRows + k]);
        for (std::size_t c = 0; c < padded; c += width) {
          double* to = sum + k * sum_stride + c;
          hn::StoreU(hn::MulAdd(one, hn::LoadU(d, a + i * a_stride + c), hn::LoadU(d, to)), d, to);
        }
      }
    }
    return;
  }
  for (std::size_t k = 0; k < kTileRows; k += LINSEP_TILE_HEIGHT) {
    double* to = sum + k * sum_stride;
    std::size_t c = 0;
    for (; c + 2 * width <= padded; c += 2 * width) {
      sum_tile<2>(packed + k, rows, a + c, a_stride, to + c, sum_stride);
    }
    for (; c < padded; c += width) sum_tile<1>(packed + k, rows, a + c, a_stride, to + c, sum_stride);
  }
}

template <class V>
void sum_many(const DenseBlock<V>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
              double* sum, std::size_t sum_stride) {
  constexpr std::size_t kMostRows = kDenseBlockRows, kPacked = kMostRows * kTileRows;
  // Takes two groups of columns at a time, because they share cache lines.
  HWY_ALIGN double packed[2 * kPacked];
  for (std::size_t first = 0; first < x.rows; first += kMostRows) {
    const std::size_t rows = std::min(kMostRows, x.rows - first);
    for (std::size_t j = 0; j < x.columns; j += 2 * kTileRows) {
      const std::size_t columns = std::min(2 * kTileRows, x.columns - j);
      for (std::size_t i = 0; i < rows; ++i) {
        const V* value = x.value + (first + i) * x.stride + j;
        double* to = packed + i * kTileRows;
        hwy::Prefetch(value + 2 * kTileRows);  // no processor predicts a walk through this many rows
        if (columns == 2 * kTileRows) {
          for (std::size_t k = 0; k < kTileRows; ++k) to[k] = static_cast<double>(value[k]);
          for (std::size_t k = 0; k < kTileRows; ++k) to[kPacked + k] = static_cast<double>(value[kTileRows + k]);
        } else {
          for (std::size_t k = 0; k < columns; ++k) {
            to[k / kTileRows * kPacked + k % kTileRows] = static_cast<double>(value[k]);
          }
        }
        if (power == Power::kTwo) {
          for (std::size_t k = 0; k < columns; ++k) {
            double& one = to[k / kTileRows * kPacked + k % kTileRows];
            one *= one;
          }
        }
      }
      const RoundingDown down;
      for (std::size_t k = 0; k < columns; k += kTileRows) {
        sum_columns(packed + k / kTileRows * kPacked, std::min(kTileRows, columns - k), rows, a + first * a_stride,
                    a_stride, padded_outputs(outputs), sum + (j + k) * sum_stride, sum_stride);
      }
    }
  }
}

/// For a single output, sums `Rows` rows through all columns. `ahead` is how far the next block's values lie beyond
/// these. They are fetched meanwhile, so that sums wait for no memory.
template <std::size_t Rows, class V>
HWY_INLINE void sum_rows(const V* value, std::size_t stride, std::size_t columns, const double* a, std::size_t a_stride,
                         double* HWY_RESTRICT sum, std::size_t ahead) {
  const D d;
  const hn::CappedTag<double, 1> one;
  const std::size_t width = hn::Lanes(d);
  hn::Vec<D> factor[Rows];
  for (std::size_t i = 0; i < Rows; ++i) factor[i] = hn::Set(d, a[i * a_stride]);
  std::size_t j = 0;
  for (; j + width <= columns; j += width) {
    auto total = hn::LoadU(d, sum + j);
    for (std::size_t i = 0; i < Rows; ++i) {
      hwy::Prefetch(value + i * stride + j + ahead);
      total = hn::MulAdd(factor[i], load_values(d, value + i * stride + j), total);
    }
    hn::StoreU(total, d, sum + j);
  }
  for (; j < columns; ++j) {
    auto total = hn::LoadU(one, sum + j);
    for (std::size_t i = 0; i < Rows; ++i) {
      const auto x = hn::Set(one, static_cast<double>(value[i * stride + j]));
      total = hn::MulAdd(hn::Set(one, a[i * a_stride]), x, total);
    }
    hn::StoreU(total, one, sum + j);
  }
}

template <class V>
HWY_NOINLINE void sum_one(const DenseBlock<V>& x, const double* a, std::size_t a_stride, double* sum) {
  constexpr std::size_t kRows = 8;
  const std::size_t ahead = x.rows * x.stride;
  std::size_t i = 0;
  for (; i + kRows <= x.rows; i += kRows) {
    sum_rows<kRows>(x.value + i * x.stride, x.stride, x.columns, a + i * a_stride, a_stride, sum, ahead);
  }
  for (; i < x.rows; ++i) {
    sum_rows<1>(x.value + i * x.stride, x.stride, x.columns, a + i * a_stride, a_stride, sum, ahead);
  }
}

/// Sums squares for a single output. They are rounded to nearest before anything is rounded down.
template <class V>
void sum_squares(const DenseBlock<V>& x, const double* a, std::size_t a_stride, double* sum) {
  constexpr std::size_t kColumns = 512;
  double square[kColumns];
  for (std::size_t j = 0; j < x.columns; j += kColumns) {
    const std::size_t columns = std::min(kColumns, x.columns - j);
    for (std::size_t i = 0; i < x.rows; ++i) {
      for (std::size_t k = 0; k < columns; ++k) {
        const double value = static_cast<double>(x.row(i).value[j + k]);
        square[k] = value * value;
      }
      const RoundingDown down;
      sum_one(DenseBlock<double>{square, 0, 1, columns}, a + i * a_stride, a_stride, sum + j);
    }
  }
}

template <class V>
HWY_INLINE void sums(const DenseBlock<V>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
                     double* sum, std::size_t sum_stride) {
  if (outputs > 1) return sum_many(x, power, a, a_stride, outputs, sum, sum_stride);
  if (power == Power::kTwo) return sum_squares(x, a, a_stride, sum);
  const RoundingDown down;
  sum_one(x, a, a_stride, sum);
}

#else  // A processor without fused multiply-add

template <class V>
void sums(const DenseBlock<V>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs, double* sum,
          std::size_t sum_stride) {
  scalar::add_rows(x, power, a, a_stride, outputs, sum, sum_stride);
}

#endif

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
  short_.assign(padded_outputs(outputs) / kOutputTile, true);
  double* to = packed_.data();
  for (std::size_t first = 0; first < outputs;) {
    const std::size_t tile = tile_outputs(outputs, first), count = std::min(tile, outputs - first);
    bool all_short = true;
    for (std::size_t lane = 0; lane < scalar::kLanes; ++lane) {
      for (std::size_t j = lane; j < columns; j += scalar::kLanes, to += tile) {
        for (std::size_t c = 0; c < count; ++c) {
          to[c] = weight[j * column_stride + (first + c) * output_stride];
          all_short = all_short && linsep::is_short(to[c]);
        }
      }
    }
    for (std::size_t k = first; k < first + tile; k += kOutputTile) short_[k / kOutputTile] = all_short;
    first += tile;
  }
}

void block_scores(const DenseBlock<float>& x, const PackedWeights& w, double* out, std::size_t out_stride,
                  std::vector<double>& scratch) {
  scratch.resize(std::max(scratch.size(), scratch_size(x.rows, x.columns)));
  HWY_DYNAMIC_DISPATCH(scores32)(x, w, out, out_stride, scratch.data());
}
void block_scores(const DenseBlock<double>& x, const PackedWeights& w, double* out, std::size_t out_stride,
                  std::vector<double>& scratch) {
  scratch.resize(std::max(scratch.size(), scratch_size(x.rows, x.columns)));
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
