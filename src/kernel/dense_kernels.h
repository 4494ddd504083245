// Blocks of dense rows against many weight vectors at once: their scores, and sums of rows by column.
//
// Both have the same bits with every version, for any blocking and any number of outputs. Scores add up as in `dot`
// (kernel.h), so one output is one dot product. Sums of rows don't depend on the order of the rows at all. They are
// kept on a grid (see add_rows), so that threads and workers may split the rows as they like.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernel/scalar.h"
#include "linsep/batch.h"

namespace linsep {

/// Dense rows, of which row i begins at value + i·stride.
template <class V>
struct DenseBlock {
  const V* value = nullptr;
  std::size_t stride = 0, rows = 0, columns = 0;

  DenseRow<V> row(std::size_t i) const { return {value + i * stride, columns}; }
};

inline constexpr std::size_t kDenseBlockRows = 64;

/// Calls `f(block, first)` for blocks of at most kDenseBlockRows rows that fit in a cache. `first` is the number of a
/// block's first row in the batch. No result depends on the blocks. REQUIRES: batch.dense.
template <class F>
void for_each_block(const Batch& batch, F&& f) {
  constexpr std::size_t kBytes = std::size_t{1} << 18, kLeastRows = 8;
  const auto blocks = [&](const auto* value) {
    using V = std::remove_cvref_t<decltype(*value)>;
    const std::size_t row = std::max<std::size_t>(batch.features, 1) * sizeof(V);
    const auto rows = static_cast<std::size_t>(batch.rows),
               size = std::clamp(kBytes / row / kLeastRows * kLeastRows, kLeastRows, kDenseBlockRows);
    for (std::size_t first = 0; first < rows; first += size) {
      const std::size_t count = std::min(size, rows - first);
      f(DenseBlock<V>{value + first * batch.stride, batch.stride, count, batch.features}, first);
    }
  };
  if (batch.is_float) {
    blocks(batch.value32.data());
  } else {
    blocks(batch.value64.data());
  }
}

/// Arrays with one number per output are padded to a multiple of this, and hold finite numbers there.
inline constexpr std::size_t kOutputTile = 8;
inline constexpr std::size_t padded_outputs(std::size_t outputs) {
  return (outputs + kOutputTile - 1) / kOutputTile * kOutputTile;
}

/// A weight of at most 29 bits times a float is a double without rounding, so a fused multiply-add has the bits of a
/// multiplication and an addition. Numbers whose products might leave the range of a double don't count as short.
inline constexpr int kShortBits = 29;
inline bool is_short(double weight) {
  constexpr std::uint64_t kRest = (std::uint64_t{1} << (53 - kShortBits)) - 1;
  const double size = std::abs(weight);
  return weight == 0 || ((std::bit_cast<std::uint64_t>(weight) & kRest) == 0 && size > 0x1p-800 && size < 0x1p800);
}
/// The short number nearest to `weight`, if that is of an ordinary size.
inline double shortened(double weight) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << (52 - kShortBits), kRest = 2 * kHalf - 1;
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(weight) + kHalf) & ~kRest);
}

/// Weight vectors in the order in which block_scores reads them: by tile of outputs, then by dot's eight partial sums,
/// then the columns of each of them.
class PackedWeights {
 public:
  /// Weight j of output c is weight[j·column_stride + c·output_stride]. Floats are scored twice as fast if all weights
  /// of a tile are short.
  void set(const double* weight, std::size_t columns, std::size_t column_stride, std::size_t outputs,
           std::size_t output_stride);

  std::size_t columns() const { return columns_; }
  std::size_t outputs() const { return outputs_; }
  bool all_short() const { return std::ranges::find(short_, false) == short_.end(); }
  bool is_short(std::size_t first_output) const { return short_[first_output / kOutputTile]; }
  const double* tile(std::size_t first_output) const { return packed_.data() + first_output * columns_; }

 private:
  std::size_t columns_ = 0, outputs_ = 0;
  std::vector<bool> short_;  // by kOutputTile outputs
  std::vector<double> packed_;
};

/// Computes out[i·out_stride + c] = dot(row i, weights c). `scratch` is for the function alone. REQUIRES: out_stride
/// reaches to padded_outputs. What is written beyond the outputs means nothing.
void block_scores(const DenseBlock<float>& x, const PackedWeights& w, double* out, std::size_t out_stride,
                  std::vector<double>& scratch);
void block_scores(const DenseBlock<double>& x, const PackedWeights& w, double* out, std::size_t out_stride,
                  std::vector<double>& scratch);

/// What is summed: x or x².
enum class Power : std::uint8_t { kOne, kTwo };

/// Adds Σ_i a[i·a_stride + c]·x_ij^power to sum[j·sum_stride + c] for every column j and output c, on a grid.
///
/// A sum begins at grid_anchor(unit), around which doubles are whole multiples of `unit`. Additions round down, so each
/// exact product a·x counts as the largest whole number of units not above it, whatever the sum is. So the order of
/// rows doesn't matter. Squares are rounded to doubles first. REQUIRES: Σ_i |a_ic·x_ij^power| ≤ kMostUnits·unit_j for
/// all rows since the sum began. With one output, sum_stride is 1. With more, strides reach to padded_outputs.
void add_rows(const DenseBlock<float>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
              double* sum, std::size_t sum_stride);
void add_rows(const DenseBlock<double>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
              double* sum, std::size_t sum_stride);

inline constexpr double kMostUnits = 0x1p50;
inline double grid_anchor(double unit) { return 0x1.8p52 * unit; }
/// The sum as a whole number of units.
inline std::int64_t grid_units(double sum, double anchor) {
  return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(sum) - std::bit_cast<std::uint64_t>(anchor));
}

namespace scalar {

/// The exact a·x less `product`, its rounded value (Dekker, 1971).
inline double product_error(double a, double x, double product) {
  constexpr double kSplit = 0x1p27 + 1;
  const double a_part = kSplit * a, x_part = kSplit * x;
  const double a_high = a_part - (a_part - a), x_high = x_part - (x_part - x);
  const double a_low = a - a_high, x_low = x - x_high;
  return a_low * x_low - (((product - a_high * x_high) - a_low * x_high) - a_high * x_low);
}

/// Returns sum + a·x rounded down. `sum` is on a grid.
inline double add_down(double sum, double a, double x) {
  const double product = a * x, next = sum + product, step = next - sum;
  bool above = false;  // the step is more than a·x
  if (std::abs(product) > 0x1p-900) {
    above = step - product > product_error(a, x, product);
  } else {
    above = (a < 0 && x > 0) || (a > 0 && x < 0);
  }
  return above ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(next) - 1) : next;
}

/// The oracles. They write nothing beyond the outputs.
template <class V>
void block_scores(const DenseBlock<V>& x, const double* weight, std::size_t column_stride, std::size_t outputs,
                  double* out, std::size_t out_stride) {
  std::vector<double> one(x.columns);
  for (std::size_t c = 0; c < outputs; ++c) {
    for (std::size_t j = 0; j < x.columns; ++j) one[j] = weight[j * column_stride + c];
    for (std::size_t i = 0; i < x.rows; ++i) out[i * out_stride + c] = dot(x.row(i), one.data());
  }
}
template <class V>
void add_rows(const DenseBlock<V>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
              double* sum, std::size_t sum_stride) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < x.columns; ++j) {
      double value = static_cast<double>(x.row(i).value[j]);
      if (power == Power::kTwo) value *= value;
      for (std::size_t c = 0; c < outputs; ++c) {
        double& to = sum[j * sum_stride + c];
        to = add_down(to, a[i * a_stride + c], value);
      }
    }
  }
}

}  // namespace scalar
}  // namespace linsep
