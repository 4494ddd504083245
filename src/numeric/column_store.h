// ColumnStore: a copy of the rows by columns, for solvers that go through one column at a time. ColumnExtract: what
// such a solver needs of it for a while.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linsep/batch.h"

namespace linsep {

class ColumnStore {
 public:
  bool empty() const { return begin_.empty(); }

  /// `values`: how many values other than 0 each column has.
  void begin(std::span<const std::int64_t> values) {
    begin_.assign(values.size() + 1, 0);
    for (std::size_t j = 0; j < values.size(); ++j) begin_[j + 1] = begin_[j] + static_cast<std::uint64_t>(values[j]);
    end_.assign(begin_.begin(), begin_.end() - 1);
    row_.resize(begin_.back());
    value_.resize(begin_.back());
  }
  /// The batch's first row is row number `first`. Rows number i without holds(i) are left out. REQUIRES: each row comes
  /// once, and `values` was right.
  template <class Holds>
  void add(const Batch& batch, std::size_t first, const Holds& holds) {
    for_each_row(batch, [&](const auto& row, std::int64_t i) {
      if (!holds(first + static_cast<std::size_t>(i))) return;
      for_each_entry(row, [&](std::uint32_t j, double x) {
        if (x == 0 || end_[j] == begin_[j + 1]) return;
        row_[end_[j]] = static_cast<std::uint32_t>(first + static_cast<std::size_t>(i));
        value_[end_[j]++] = x;
      });
    });
  }

  /// Column j as a sparse row of one value for each row of the data that has one.
  SparseRow<double> column(std::size_t j) const {
    return {row_.data() + begin_[j], value_.data() + begin_[j], end_[j] - begin_[j]};
  }

 private:
  std::vector<std::uint64_t> begin_, end_;  // by column
  std::vector<std::uint32_t> row_;
  std::vector<double> value_;
};

/// Some columns of a store without the rows that don't count now: what is left of them lies close together, and is gone
/// through many times.
class ColumnExtract {
 public:
  /// The rows that count are those whose curvature isn't 0.
  void take(const ColumnStore& store, std::span<const std::uint32_t> columns, std::span<const double> curvature) {
    curvature_.clear();
    place_.assign(curvature.size(), kLeftOut);
    for (std::size_t i = 0; i < curvature.size(); ++i) {
      if (curvature[i] == 0) continue;
      place_[i] = static_cast<std::uint32_t>(curvature_.size());
      curvature_.push_back(curvature[i]);
    }
    std::size_t most = 0;
    for (const std::uint32_t j : columns) most += store.column(j).size;
    begin_.assign(1, 0);
    row_.clear();
    value_.clear();
    row_.reserve(most);
    value_.reserve(most);
    for (const std::uint32_t j : columns) {
      for_each_entry(store.column(j), [&](std::uint32_t i, double x) {
        if (place_[i] == kLeftOut) return;
        row_.push_back(place_[i]);
        value_.push_back(x);
      });
      begin_.push_back(row_.size());
    }
  }

  /// Of the rows that count.
  std::span<const double> curvature() const { return curvature_; }
  /// Column number k of those taken.
  SparseRow<double> column(std::size_t k) const {
    return {row_.data() + begin_[k], value_.data() + begin_[k], begin_[k + 1] - begin_[k]};
  }

 private:
  static constexpr std::uint32_t kLeftOut = ~std::uint32_t{0};

  std::vector<std::uint32_t> place_;  // by row
  std::vector<double> curvature_;
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> row_;
  std::vector<double> value_;
};

}  // namespace linsep
