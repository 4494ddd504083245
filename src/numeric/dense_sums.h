// Sums by column over blocks of dense rows, in the units of FixedColumns: the same bits in any order, at the speed of a
// plain product.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/dense_kernels.h"
#include "numeric/fixed_point.h"

namespace linsep {

/// Whether blocks suit columns of these sizes: units of sums, and what they are multiplied by, must be normal numbers.
inline bool suits_blocks(const ColumnSurvey& columns, double costs) {
  constexpr double kLeast = 0x1p-100, kMost = 0x1p100;
  return costs > kLeast && costs < kMost &&
         std::ranges::all_of(columns.greatest, [](double x) { return x == 0 || (x > kLeast && x < kMost); });
}

/// The sums of one thread, for some outputs, of x or of x².
class DenseSums {
 public:
  /// Of some outputs that all have the same units. `step` is FixedColumns::block_step of a bound on the coefficients.
  void begin(const FixedColumns& fixed, double step, std::size_t outputs, Power power = Power::kOne) {
    begin(fixed.features(), outputs, power);
    for (std::size_t c = 0; c < outputs; ++c) set_units(c, fixed, step);
  }
  /// Of outputs with units of their own: `set_units` of each must follow.
  void begin(std::size_t columns, std::size_t outputs, Power power = Power::kOne) {
    outputs_ = outputs;
    stride_ = outputs == 1 ? 1 : padded_outputs(outputs);
    power_ = power;
    rows_ = 0;
    anchor_.assign(columns * stride_, 1);
    sum_.assign(columns * stride_, 1);
  }
  void set_units(std::size_t output, const FixedColumns& fixed, double step) {
    for (std::size_t j = 0; j < fixed.features(); ++j) {
      const FixedColumns::Scale& scale = fixed.scale(j);
      const double unit = 1 / step / scale.column / (power_ == Power::kTwo ? scale.square : 1);
      // A column of zeros has units of next to nothing, and no sum.
      const double anchor = unit > 0x1p-900 ? grid_anchor(unit) : 1;
      anchor_[j * stride_ + output] = sum_[j * stride_ + output] = anchor;
    }
  }
  bool begun() const { return !sum_.empty(); }
  void clear() {
    anchor_.clear();
    sum_.clear();
  }

  /// Adds a_ic·x_i; of output c the units so far go to units[j·unit_stride + c] now and then.
  template <class V>
  void add(const DenseBlock<V>& x, const double* a, std::size_t a_stride, std::int64_t* units,
           std::size_t unit_stride) {
    if (static_cast<double>(rows_ + x.rows) > FixedColumns::kMostBlockRows) flush(units, unit_stride);
    add_rows(x, power_, a, a_stride, outputs_, sum_.data(), stride_);
    rows_ += x.rows;
  }

  /// What has been added since.
  void flush(std::int64_t* units, std::size_t unit_stride) {
    rows_ = 0;
    for (std::size_t j = 0; j * stride_ < anchor_.size(); ++j) {
      const double* anchor = anchor_.data() + j * stride_;
      double* sum = sum_.data() + j * stride_;
      for (std::size_t c = 0; c < outputs_; ++c) {
        add_units(units[j * unit_stride + c], grid_units(sum[c], anchor[c]));
        sum[c] = anchor[c];
      }
    }
  }

 private:
  std::size_t outputs_ = 0, stride_ = 0, rows_ = 0;
  Power power_ = Power::kOne;
  std::vector<double> anchor_, sum_;  // by column and output
};

}  // namespace linsep
