// A symmetric positive definite matrix: assembled from weighted rows, factored, solved with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "kernel/margin_kernels.h"
#include "linsep/batch.h"

namespace linsep {

/// The length of rows of `columns` numbers padded to whole tiles; never a multiple of 1,024 bytes, at which many rows
/// would compete for the same lines of a cache.
constexpr std::size_t padded_stride(std::size_t columns) {
  const std::size_t tiles = (columns + kRankTile - 1) / kRankTile;
  return (tiles % 8 == 0 ? tiles + 1 : tiles) * kRankTile;
}

/// Upper triangle, row-major, rows padded.
class SymmetricMatrix {
 public:
  void resize(std::size_t size);
  void clear();
  std::size_t size() const { return size_; }
  std::size_t stride() const { return stride_; }
  double* data() { return entry_.data(); }
  const std::vector<double>& entries() const { return entry_; }
  double& at(std::size_t i, std::size_t j) { return entry_[i * stride_ + j]; }

  void add(const SymmetricMatrix& other);

  /// Replaces the matrix by U with UᵀU = the matrix. False where it isn't positive definite, in the arithmetic at
  /// hand; it holds nothing of use then. The same bits for any number of threads. Polls on
  /// the way.
  bool factor(int threads);
  /// x ← (UᵀU)⁻¹x. REQUIRES: factored.
  void solve(std::span<double> x) const;

  /// Fills the lower triangle, for solve_many. REQUIRES: factored.
  void mirror();
  /// The same as solve for `width` vectors at once: x[j·width + c] is entry j of vector c. REQUIRES: mirrored; width is
  /// a multiple of kRankTile.
  void solve_many(double* x, std::size_t width) const;

 private:
  std::size_t size_ = 0, stride_ = 0;
  std::vector<double> entry_;
};

/// Adds weight·x·xᵀ row after row. Short sparse rows go straight into the matrix; others wait in a panel until there
/// are enough for the dense kernel.
class RowAssembler {
 public:
  /// With an offset every row is followed by a 1 in the last column. `size` counts it.
  void resize(std::size_t size, bool offset);

  template <class V>
  void add(const SparseRow<V>& row, double weight, SymmetricMatrix& matrix) {
    const std::size_t dense = size_ * size_ / 16;  // work of the dense kernel, in units of the sparse loop's
    if (row.size * row.size >= dense) return add_dense(row, weight, matrix);
    const std::size_t last = size_ - 1;
    for (std::size_t k = 0; k < row.size; ++k) {
      const double left = weight * static_cast<double>(row.value[k]);
      double* to = matrix.data() + row.column[k] * matrix.stride();
      for (std::size_t l = k; l < row.size; ++l) to[row.column[l]] += left * static_cast<double>(row.value[l]);
      if (offset_) to[last] += left;
    }
    if (offset_) matrix.at(last, last) += weight;
  }
  template <class V>
  void add(const DenseRow<V>& row, double weight, SymmetricMatrix& matrix) {
    add_dense(row, weight, matrix);
  }
  /// Empties the panel into the matrix.
  void flush(SymmetricMatrix& matrix);

 private:
  static constexpr std::size_t kPanelRows = 64;

  template <class Row>
  void add_dense(const Row& row, double weight, SymmetricMatrix& matrix);

  bool offset_ = false;
  std::size_t size_ = 0, stride_ = 0, filled_ = 0;
  std::vector<double> panel_;
};

template <class Row>
void RowAssembler::add_dense(const Row& row, double weight, SymmetricMatrix& matrix) {
  if (panel_.empty()) panel_.resize(kPanelRows * stride_);
  double* to = panel_.data() + filled_ * stride_;
  std::fill(to, to + stride_, 0.0);
  const double root = std::sqrt(weight);
  for_each_entry(row, [&](std::uint32_t j, double x) { to[j] = root * x; });
  if (offset_) to[size_ - 1] = root;
  if (++filled_ == kPanelRows) flush(matrix);
}

}  // namespace linsep
