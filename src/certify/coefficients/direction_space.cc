#include "certify/coefficients/direction_space.h"

#include <algorithm>
#include <map>

#include "core/poll.h"

namespace linsep {
namespace {

/// The same entries without a common divisor, the scale adjusted.
void divide_by_content(ExactRow& row) {
  Integer content = 0;
  for (const Integer& value : row.value) shrink_to_common_divisor(content, value);
  if (content == 0) return;
  for (Integer& value : row.value) divide_exactly(value, content);
  row.scale /= content;
}

}  // namespace

DirectionSpace::DirectionSpace(std::uint32_t columns, bool rows_at_zero,
                               const std::vector<Separability::Dependent>& dependent)
    : whole_(!rows_at_zero), place_(columns, -1) {
  if (whole_) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      place_[column] = static_cast<std::int32_t>(column);
      free_.push_back(column);
    }
    return;
  }
  relation_.resize(columns);
  for (const Separability::Dependent& entry : dependent) {
    for (const auto& [column, weight] : entry.sum) grow_to_common_multiple(denominator_, denominator(weight));
  }
  for (const Separability::Dependent& entry : dependent) {
    const auto index = static_cast<std::uint32_t>(free_.size());
    place_[entry.column] = static_cast<std::int32_t>(index);
    free_.push_back(entry.column);
    for (const auto& [column, weight] : entry.sum) {
      const Rational scaled = -weight * denominator_;
      relation_[column].emplace_back(index, numerator(scaled));
    }
  }
}

IntegerVector DirectionSpace::lift(const IntegerVector& f) const {
  IntegerVector w(place_.size());
  for (std::size_t k = 0; k < free_.size(); ++k) w[free_[k]] = f[k] * denominator_;
  for (std::size_t column = 0; column < relation_.size(); ++column) {
    for (const auto& [index, value] : relation_[column]) {
      poll(100);
      add_product(w[column], value, f[index]);
    }
  }
  reduce_content(w);
  return w;
}

ExactRow DirectionSpace::rest(const ExactRow& z) const {
  if (whole_) return z;
  std::map<std::uint32_t, Integer> sum;
  for (std::size_t k = 0; k < z.column.size(); ++k) {
    const std::int32_t at = place_[z.column[k]];
    if (at >= 0) add_product(sum[static_cast<std::uint32_t>(at)], z.value[k], denominator_);
    for (const auto& [index, value] : relation_[z.column[k]]) {
      poll(100);
      add_product(sum[index], z.value[k], value);
    }
  }
  ExactRow rest;
  rest.row = z.row;
  rest.scale = z.scale * denominator_;
  for (auto& [index, value] : sum) {
    if (value == 0) continue;
    rest.column.push_back(index);
    rest.value.push_back(std::move(value));
  }
  divide_by_content(rest);
  return rest;
}

ExactRow DirectionSpace::weight_at(std::uint32_t column, int sign, std::int64_t row) const {
  ExactRow weight;
  weight.row = row;
  if (place_[column] >= 0) {
    weight.column.push_back(static_cast<std::uint32_t>(place_[column]));
    weight.value.emplace_back(sign);
    return weight;
  }
  for (const auto& [index, value] : relation_[column]) {
    weight.column.push_back(index);
    weight.value.emplace_back(sign * value);
  }
  divide_by_content(weight);
  weight.scale = 1;
  return weight;
}

std::vector<std::pair<std::uint32_t, double>> DirectionSpace::lift_row(std::uint32_t column) const {
  std::vector<std::pair<std::uint32_t, double>> row;
  if (place_[column] >= 0) {
    row.emplace_back(static_cast<std::uint32_t>(place_[column]), 1.0);
    return row;
  }
  for (const auto& [index, value] : relation_[column]) row.emplace_back(index, approximate(ratio(value, denominator_)));
  return row;
}

}  // namespace linsep
