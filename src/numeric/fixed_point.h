// Sums Σ a_i·x_ij by column in fixed point: 64-bit integers in units that suit the column, so that they come out as the
// same bits however rows are spread over threads and workers (integers add up in any order).
//
// The units rest on what cannot be exceeded. With |a_i| ≤ c_i·2^f, n_j stored values in column j, none above m_j, and
// costs c_i ≥ 0 that sum to C, each at most c: Σ|a_i·x_ij| ≤ 2^f·min(C, n_j·c)·m_j ≤ 2^(f + e_j). The unit is
// 2^(f + e_j − 61); a term is cut off at a whole number of them, so a column's sum is wrong by n_j units at most,
// besides what its terms' own rounding (three multiplications) makes.
//
// If columns are alike, all can have the unit of the one with the largest e_j. Their sums then need no look-up of a
// unit for each entry, which is half of what they cost if there are many columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bytes.h"
#include "core/fields.h"
#include "kernel/kernel.h"
#include "kernel/units.h"
#include "linsep/batch.h"
#include "linsep/comm.h"

namespace linsep {

/// What the rounding bound needs to know of the data: the longest row by norm and by stored values.
struct RowExtent {
  double longest = 0;      ///< max ‖x_i‖
  double most_values = 0;  ///< max number of stored values

  void include(double squared_norm, std::size_t values) {
    longest = std::max(longest, std::sqrt(squared_norm));
    most_values = std::max(most_values, static_cast<double>(values));
  }
  void include(const RowExtent& other) {
    longest = std::max(longest, other.longest);
    most_values = std::max(most_values, other.most_values);
  }
};

/// What a first pass finds out: how many values a column has and how large they get, and the longest row.
struct ColumnSurvey {
  std::vector<double> greatest;      ///< max |x_ij| by column
  std::vector<std::int64_t> values;  ///< stored values that aren't 0, by column
  RowExtent extent;

  void clear(std::size_t features);
  void widen(std::size_t features);
  void add(const Batch& batch);
  void add(const ColumnSurvey& other);
  /// Over all workers. Throws an input Error where a value isn't finite.
  void synchronise(Comm& comm);
  /// No row's |θ·x| is above this.
  double farthest_score(std::span<const double> theta) const;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.numbers(self.greatest, self.greatest.size());
    archive.numbers(self.values, self.values.size());
    archive.at_least_zero(self.extent.longest);
    archive.at_least_zero(self.extent.most_values);
    archive.loaded(self, [](auto& survey) { survey.require_sound(); });
  }
  void save(ByteWriter& writer) const { write_fields(writer, *this); }
  /// REQUIRES: as wide as when it was saved.
  void load(ByteReader& reader) { read_fields(reader, *this); }

 private:
  void require_sound() const;
};

/// Which units columns have.
enum class ColumnUnits : std::uint8_t {
  kOwn,     ///< each its own
  kShared,  ///< one for all, if they are alike
  kBlocks,  ///< each its own, for C·m_j: those of sums by blocks of dense rows (dense_sums.h)
};

/// The units of every column.
class FixedColumns {
 public:
  /// `costs`: C; `cost`: c.
  void set(const ColumnSurvey& survey, double costs, double cost, ColumnUnits units = ColumnUnits::kOwn);

  /// 2^(61 − f) for coefficients |a_i| ≤ c_i·factor: what a coefficient is multiplied by. REQUIRES: factor > 0.
  static double step(double factor);
  /// The same for blocks of dense rows: less, so that the sum of kMostBlockRows rows stays below kMostUnits.
  double block_step(double factor) const { return block_share_ * step(factor); }
  static constexpr double kMostBlockRows = 256;

  std::size_t features() const { return scale_.size(); }
  /// 2^−e_j, and 2^−k with m_j ≤ 2^k: for sums of squares.
  struct Scale {
    double column = 1, square = 1;
  };
  const Scale& scale(std::size_t j) const { return scale_[j]; }
  /// Whether all columns have one scale. If so, there is a column.
  bool shared() const { return shared_; }

  /// Adds a·x, `scaled` being a·step; column j's sum is number Stride·j.
  template <std::size_t Stride = 1, class Row>
  void add(double scaled, const Row& row, std::int64_t* sum) const {
    if (shared_) {
      const double shared = scaled * column_scale_[0];
      return for_each_entry(row,
                            [&](std::uint32_t j, double x) { add_units(sum[Stride * j], whole_units(shared * x)); });
    }
    const double* scale = column_scale_.data();
    for_each_entry(
        row, [&](std::uint32_t j, double x) { add_units(sum[Stride * j], whole_units(scaled * (x * scale[j]))); });
  }
  /// A sum as a number.
  double value(std::size_t j, std::int64_t sum, double step) const {
    return static_cast<double>(sum) / scale_[j].column / step;
  }
  /// Bounds the length of the vector of the sums' errors by cutting off.
  double error(double step) const { return error_ / step; }
  /// Bounds the error of one column's sum. `survey` is what the units were set by.
  double error(std::size_t j, const ColumnSurvey& survey, double step) const {
    return static_cast<double>(survey.values[j]) / scale_[j].column / step;
  }

 private:
  std::vector<Scale> scale_;
  std::vector<double> column_scale_;  // those of columns alone: the more of them a cache holds, the faster `add`
  double error_ = 0, block_share_ = 0x1p-11;
  bool shared_ = false;
};

}  // namespace linsep
