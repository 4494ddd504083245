// Batch is a borrowed view of rows, the unit in which data reaches a learner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace linsep {

/// One row of a sparse batch. `value[k]` stands in column `column[k]`, and columns ascend strictly.
template <class V>
struct SparseRow {
  using Value = V;
  const std::uint32_t* column = nullptr;
  const V* value = nullptr;
  std::size_t size = 0;
};

/// One row of a dense batch. `value[j]` stands in column j.
template <class V>
struct DenseRow {
  using Value = V;
  const V* value = nullptr;
  std::size_t size = 0;
};

/// Rows of one source, borrowed until the source's next call: sparse (CSR) or dense, of float or double values.
///
/// REQUIRES: exactly one of `value32`, `value64` is used (both may be empty when there is no nonzero). Sparse: `start`
/// has rows + 1 offsets into `column` and the values, and `start[0]` need not be 0.
/// Dense: `start` and `column` are empty, row i begins at `i * stride`.
struct Batch {
  std::int64_t first_row = 0;  ///< number, in the source, of the batch's first row (from 0)
  std::int64_t rows = 0;
  std::uint32_t features = 0;  ///< every column is below this, which may grow from batch to batch of a stream
  bool dense = false;
  bool is_float = true;      ///< values are float (`value32`), otherwise double (`value64`)
  bool pinned = false;       ///< the rows stay in place for as long as the source lives, beyond its next call
  std::uint64_t stride = 0;  ///< dense only: number of values from one row to the next
  std::span<const std::uint64_t> start = {};
  std::span<const std::uint32_t> column = {};
  std::span<const float> value32 = {};
  std::span<const double> value64 = {};
  /// −1 or +1 if there are two classes, the target in a regression, otherwise as in Schema.
  std::span<const double> label = {};
  std::span<const double> weight = {};            ///< empty if every row weighs 1
  std::span<const std::int64_t> row_number = {};  ///< empty if rows are consecutive from `first_row`
  /// Arrays in other people's types, instead of `column` and `label`: 64-bit columns, and labels in one byte that are
  /// −1, +1 or the index of a class. `view`, `check_rows` and `score` take them. Batches from a source never have them,
  /// because the source narrows the columns and widens the labels of a few rows at a time.
  std::span<const std::int64_t> column64 = {};
  std::span<const std::int8_t> label8 = {};

  std::int64_t number_of(std::int64_t i) const {
    return row_number.empty() ? first_row + i : row_number[static_cast<std::size_t>(i)];
  }
  /// Whether `column64` or `label8` is used.
  bool foreign() const { return !column64.empty() || !label8.empty(); }
  bool labelled() const { return !label.empty() || !label8.empty(); }
  /// REQUIRES: labelled().
  double label_of(std::int64_t i) const {
    return label8.empty() ? label[static_cast<std::size_t>(i)] : label8[static_cast<std::size_t>(i)];
  }
  double weight_of(std::int64_t i) const { return weight.empty() ? 1.0 : weight[static_cast<std::size_t>(i)]; }
};

/// Calls `f(row, i)` for every row in order, with the row type that fits the batch. The choice is made once per batch,
/// so `f` (a generic callable) is compiled four times and its loop has no branch on the layout.
/// REQUIRES: the batch isn't foreign().
template <class F>
void for_each_row(const Batch& batch, F&& f) {
  const auto sparse = [&](const auto* value) {
    using V = std::remove_cvref_t<decltype(*value)>;
    for (std::int64_t i = 0; i < batch.rows; ++i) {
      const std::uint64_t begin = batch.start[static_cast<std::size_t>(i)];
      const std::uint64_t end = batch.start[static_cast<std::size_t>(i) + 1];
      f(SparseRow<V>{batch.column.data() + begin, value + begin, end - begin}, i);
    }
  };
  const auto dense = [&](const auto* value) {
    using V = std::remove_cvref_t<decltype(*value)>;
    for (std::int64_t i = 0; i < batch.rows; ++i) {
      f(DenseRow<V>{value + static_cast<std::uint64_t>(i) * batch.stride, batch.features}, i);
    }
  };
  if (batch.dense) {
    if (batch.is_float) {
      dense(batch.value32.data());
    } else {
      dense(batch.value64.data());
    }
  } else if (batch.is_float) {
    sparse(batch.value32.data());
  } else {
    sparse(batch.value64.data());
  }
}

/// Calls `f(column, value)` for every stored entry of a row, in ascending column order. Zeros of a dense row are
/// included.
template <class V, class F>
void for_each_entry(const SparseRow<V>& row, F&& f) {
  for (std::size_t k = 0; k < row.size; ++k) f(row.column[k], static_cast<double>(row.value[k]));
}
template <class V, class F>
void for_each_entry(const DenseRow<V>& row, F&& f) {
  for (std::size_t j = 0; j < row.size; ++j) f(static_cast<std::uint32_t>(j), static_cast<double>(row.value[j]));
}

}  // namespace linsep
