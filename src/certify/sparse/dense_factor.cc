#include "certify/sparse/dense_factor.h"

#include <algorithm>
#include <utility>

#include "certify/sparse/prime_field.h"
#include "core/poll.h"

namespace linsep {
namespace {

constexpr std::size_t kPanel = 48;
constexpr std::size_t kAtOnce = 3;  ///< products below 2⁶² whose sum, with one number more, stays below 2⁶⁴

// to[j] += a·x[j] + b·y[j] + c·z[j].
void add_three(std::uint32_t* to, std::size_t size, std::uint64_t a, const std::uint32_t* x, std::uint64_t b,
               const std::uint32_t* y, std::uint64_t c, const std::uint32_t* z) {
  for (std::size_t j = 0; j < size; ++j) to[j] = fold(to[j] + a * x[j] + b * y[j] + c * z[j]);
}

}  // namespace

void DenseFactor::begin(std::vector<std::uint32_t> row, std::vector<std::uint32_t> column) {
  row_ = std::move(row);
  column_ = std::move(column);
  value_.assign(row_.size() * column_.size(), 0);
  inverse_.clear();
}

// A pivot for the next column that has one; the rows from the rank on know the panel's pivots, `first` and after, only
// in the columns before. A column without a pivot goes to the end.
bool DenseFactor::find_pivot(std::size_t first, std::size_t& end) {
  const std::size_t k = rank();
  while (k < end) {
    poll(2 * (row_.size() - k) * (k - first + 1));
    std::size_t found = row_.size();
    for (std::size_t r = k; r < row_.size(); ++r) {
      std::uint32_t value = line(r)[k];
      for (std::size_t p = first; p < k; ++p) value = fold(value + std::uint64_t{field_minus(line(r)[p])} * line(p)[k]);
      line(r)[k] = value;
      if (value != 0 && found == row_.size()) found = r;
    }
    if (found < row_.size()) {
      if (found != k) {
        std::swap_ranges(line(found), line(found) + column_.size(), line(k));
        std::swap(row_[found], row_[k]);
      }
      return true;
    }
    --end;
    for (std::size_t r = 0; r < row_.size(); ++r) std::swap(line(r)[k], line(r)[end]);
    std::swap(column_[k], column_[end]);
  }
  return false;
}

// False: no pivot is left.
bool DenseFactor::factor_panel(std::size_t& end) {
  const std::size_t first = rank();
  while (rank() < first + kPanel) {
    if (rank() == row_.size() || !find_pivot(first, end)) return false;
    const std::size_t k = rank();
    for (std::size_t p = first; p < k; ++p) {
      const std::uint64_t minus = field_minus(line(k)[p]);
      for (std::size_t j = k + 1; j < end; ++j) line(k)[j] = fold(line(k)[j] + minus * line(p)[j]);
    }
    inverse_.push_back(field_inverse(line(k)[k]));
    for (std::size_t r = k + 1; r < row_.size(); ++r) line(r)[k] = field_times(line(r)[k], inverse_[k]);
  }
  return true;
}

// The rows below a whole panel lose the multiples of its rows.
void DenseFactor::clear_below(std::size_t first, std::size_t end) {
  const std::size_t from = rank();
  for (std::size_t r = from; r < row_.size(); ++r) {
    std::uint32_t* value = line(r);
    poll(kPanel * (end - from));
    for (std::size_t p = first; p < from; p += kAtOnce) {
      add_three(value + from, end - from, field_minus(value[p]), line(p) + from, field_minus(value[p + 1]),
                line(p + 1) + from, field_minus(value[p + 2]), line(p + 2) + from);
    }
  }
}

bool DenseFactor::factor(const std::function<bool()>& stop) {
  static_assert(kPanel % kAtOnce == 0);
  std::size_t end = column_.size();
  while (true) {
    if (stop && stop()) return false;
    const std::size_t first = rank();
    if (!factor_panel(end)) return true;
    clear_below(first, end);
  }
}

void DenseFactor::combination(const std::vector<std::uint32_t>& right, std::vector<std::uint32_t>& x) const {
  std::vector<std::uint32_t> y(rank());
  for (std::size_t k = 0; k < rank(); ++k) y[k] = right[column_[k]];
  for (std::size_t k = 0; k < rank(); ++k) {
    y[k] = field_times(y[k], inverse_[k]);
    const std::uint64_t minus = field_minus(y[k]);
    for (std::size_t j = k + 1; j < rank(); ++j) y[j] = fold(y[j] + minus * line(k)[j]);
  }
  // Rows lost multiples of the rows above: so much less of those is in the sum.
  for (std::size_t k = rank(); k-- > 0;) {
    const std::uint64_t minus = field_minus(y[k]);
    for (std::size_t j = 0; j < k; ++j) y[j] = fold(y[j] + minus * line(k)[j]);
    x[row_[k]] = y[k];
  }
}

}  // namespace linsep
