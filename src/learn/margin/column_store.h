// ColumnStore: a copy of the rows by columns, for solvers that go through one column at a time.
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
  /// The batch's first row is row number `first`. REQUIRES: each row comes once, and `values` was right.
  void add(const Batch& batch, std::size_t first) {
    for_each_row(batch, [&](const auto& row, std::int64_t i) {
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

}  // namespace linsep
