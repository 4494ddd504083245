// RowScaling shows a row to a scan through the feature map and with columns scaled, and bounds how far wrong that can
// be.
//
// Columns are scaled by powers of two so that their values are near 1 (through a map at most 1, so that no product
// leaves the range of doubles). Without a map the rows stay as they are and the weights take the scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "certify/exact/rows.h"
#include "core/deadline.h"
#include "linsep/batch.h"
#include "map/feature_map.h"

namespace linsep {

/// Weights in the form in which a scan multiplies with them, and what bounds the error of z·w. For a row z of `size`
/// stored entries and a scaled norm below 2^e the error is less than (size·2⁻⁵³ + relative)·norm·2^e + absolute.
struct ScanWeights {
  std::vector<double> weight;
  double offset = 0;
  double norm = 0;
  double relative = 0;
  double absolute = 0;

  double bound(std::size_t size, double row_size) const {
    return (static_cast<double>(size + 16) * 0x1p-53 + relative) * norm * row_size + absolute;
  }
};

class RowScaling {
 public:
  RowSpace space;
  std::vector<double> column_scale;  ///< 2^−exponent of raw columns
  std::vector<int> exponent;         ///< of every column of z
  bool binary = false;               ///< batches show the exact values
  bool is_float = false;             ///< values come as float

  bool mapped() const { return space.map.kind != FeatureMap::Kind::kNone; }

  /// φ of a row with scaled columns, or of its signs alone. The signs of the latter are those of the products. Valid
  /// until the next call.
  template <class Row>
  SparseRow<double> map_row(const Row& x, bool signs_only);

  /// Calls f with φ of a row with scaled columns, or with the row itself if there is no map. Polls (core/deadline.h).
  template <class Row, class F>
  void show(const Row& x, F&& f) {
    poll(x.size + 20);
    if (mapped()) {
      f(map_row(x, false));
    } else {
      f(x);
    }
  }
  /// The same if only signs count.
  template <class Row, class F>
  void show_signs(const Row& x, F&& f) {
    poll(x.size + 20);
    if (mapped()) {
      f(map_row(x, true));
    } else {
      f(x);
    }
  }

  /// Σ over entries of the scaled row's squares, the intercept's included. `z` is a raw row, or one from map_row.
  template <class Row>
  double scaled_square(const Row& z) const;
  /// The smallest e with norm < 2^e, or kNoExponent beyond the range of doubles.
  static constexpr std::int16_t kNoExponent = INT16_MIN;
  static std::int16_t size_exponent(double squared);

  /// Weights given for scaled columns. `relative_error` is that of each compared with the exact weight.
  ScanWeights scan_weights(const std::vector<std::uint32_t>& column, const std::vector<double>& scaled,
                           double relative_error) const;

 private:
  std::vector<std::uint32_t> raw_column_, map_column_;
  std::vector<double> raw_value_, map_value_;
};

template <class Row>
SparseRow<double> RowScaling::map_row(const Row& x, bool signs_only) {
  raw_column_.clear();
  raw_value_.clear();
  for_each_entry(x, [&](std::uint32_t column, double value) {
    if (value == 0) return;
    raw_column_.push_back(column);
    raw_value_.push_back(signs_only ? (value > 0 ? 1.0 : -1.0) : value * column_scale[column]);
  });
  map_column_.clear();
  map_value_.clear();
  apply_map(space.map, space.features, {raw_column_.data(), raw_value_.data(), raw_column_.size()}, map_column_,
            map_value_);
  return {map_column_.data(), map_value_.data(), map_column_.size()};
}

template <class Row>
double RowScaling::scaled_square(const Row& z) const {
  const double offset = space.origin ? 0 : std::ldexp(1.0, -exponent[space.mapped]);
  double sum[4] = {offset * offset, 0, 0, 0};
  std::size_t k = 0;
  for_each_entry(z, [&](std::uint32_t column, double value) {
    const double v = mapped() ? value : value * column_scale[column];
    sum[k++ % 4] += v * v;
  });
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace linsep
