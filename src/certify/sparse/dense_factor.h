// DenseFactor: what sparse elimination leaves, as a dense matrix modulo kFieldPrime, eliminated in place.
//
// Gauss's elimination by panels of a few columns, so that the rows of a panel stay in the cache while all others lose
// their multiples. Rows and columns are exchanged so that pivot k stands in row k and column k.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace linsep {

class DenseFactor {
 public:
  /// A matrix of zeros; `row` and `column` are the caller's names.
  void begin(std::vector<std::uint32_t> row, std::vector<std::uint32_t> column);
  std::uint32_t& at(std::size_t r, std::size_t c) { return value_[r * column_.size() + c]; }

  /// False: `stop` said so.
  bool factor(const std::function<bool()>& stop);

  std::size_t entries() const { return value_.size(); }
  std::size_t rank() const { return inverse_.size(); }
  /// Pivot k's, by the caller's names.
  std::uint32_t row(std::size_t k) const { return row_[k]; }
  std::uint32_t column(std::size_t k) const { return column_[k]; }

  /// Puts into `x` (by the caller's rows) what has Σ x_i·row_i = right in the pivot columns; `right` by the caller's.
  void combination(const std::vector<std::uint32_t>& right, std::vector<std::uint32_t>& x) const;

 private:
  const std::uint32_t* line(std::size_t r) const { return value_.data() + r * column_.size(); }
  std::uint32_t* line(std::size_t r) { return value_.data() + r * column_.size(); }
  bool factor_panel(std::size_t& end);
  bool find_pivot(std::size_t first, std::size_t& end);
  void clear_below(std::size_t first, std::size_t end);

  std::vector<std::uint32_t> row_, column_, value_;
  std::vector<std::uint32_t> inverse_;  ///< of pivot k; below it stand the multiples in which others lost its row
};

}  // namespace linsep
