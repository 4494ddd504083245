#include "certify/sparse/unit_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace linsep {

void UnitRows::end_row(std::int64_t row_number) {
  double squared = 0;
  for (std::size_t k = begin.back(); k < value.size(); ++k) squared += value[k] * value[k];
  if (!(squared > 1e-280 && squared < 1e280)) {
    column.resize(begin.back());
    value.resize(begin.back());
    return;
  }
  const double length = std::sqrt(squared);
  for (std::size_t k = begin.back(); k < value.size(); ++k) value[k] /= length;
  begin.push_back(column.size());
  number.push_back(row_number);
  norm.push_back(length);
}

UnitRows restricted(const UnitRows& rows, std::span<const std::size_t> chosen) {
  constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place(rows.columns, kUnused);
  for (const std::size_t i : chosen) {
    for (const std::uint32_t j : rows.columns_of(i)) place[j] = 0;
  }
  UnitRows result;
  for (std::uint32_t& at : place) {
    if (at != kUnused) at = result.columns++;
  }
  for (const std::size_t i : chosen) {
    for (std::size_t k = rows.begin[i]; k < rows.begin[i + 1]; ++k) {
      result.column.push_back(place[rows.column[k]]);
      result.value.push_back(rows.value[k]);
    }
    result.begin.push_back(result.column.size());
    result.number.push_back(rows.number[i]);
    result.norm.push_back(rows.norm[i]);
  }
  return result;
}

std::vector<std::size_t> peeled(const UnitRows& rows, std::span<const std::size_t> chosen) {
  std::vector<std::size_t> left(chosen.begin(), chosen.end());
  std::vector<std::uint8_t> seen(rows.columns);
  while (true) {
    std::fill(seen.begin(), seen.end(), std::uint8_t{0});
    for (const std::size_t i : left) {
      for (std::size_t k = rows.begin[i]; k < rows.begin[i + 1]; ++k) {
        seen[rows.column[k]] |= static_cast<std::uint8_t>((rows.value[k] > 0 ? 1 : 0) | (rows.value[k] < 0 ? 2 : 0));
      }
    }
    const auto one_sided = [&](std::size_t i) {
      const auto used = rows.columns_of(i);
      return std::any_of(used.begin(), used.end(), [&](std::uint32_t j) { return seen[j] == 1 || seen[j] == 2; });
    };
    if (std::erase_if(left, one_sided) == 0) return left;
  }
}

std::vector<std::size_t> by_rarest_column(const UnitRows& rows) {
  std::vector<std::size_t> count(rows.columns), rarest(rows.size()), order(rows.size());
  for (const std::uint32_t j : rows.column) ++count[j];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rarest[i] = std::numeric_limits<std::size_t>::max();
    for (const std::uint32_t j : rows.columns_of(i)) rarest[i] = std::min(rarest[i], count[j]);
  }
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rarest[a] > rarest[b]; });
  return order;
}

}  // namespace linsep
