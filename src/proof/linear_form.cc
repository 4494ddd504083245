#include "proof/linear_form.h"

#include <algorithm>
#include <array>

#include "proof/exact_text.h"

namespace linsep {
namespace {

__extension__ using Wide = __int128;

constexpr int kMostPlaces = 18;
constexpr std::uint32_t kMostSmall = 1U << 26;  // columns up to which a table of weights is kept

constexpr std::array<std::int64_t, kMostPlaces + 1> kTen = [] {
  std::array<std::int64_t, kMostPlaces + 1> power{1};
  for (std::size_t i = 1; i < power.size(); ++i) power[i] = 10 * power[i - 1];
  return power;
}();

// sum += a·b; false on overflow.
bool add_product(Wide& sum, std::int64_t a, std::int64_t b) {
  return !__builtin_add_overflow(sum, static_cast<Wide>(a) * b, &sum);
}

}  // namespace

bool CheckedRow::read(std::string_view text) {
  is_mapped_ = false;
  return parse_leaf(text, leaf_) && (leaf_.entries.empty() || leaf_.entries.back().column < columns_.features);
}

const ExactRow& CheckedRow::mapped() const {
  if (!is_mapped_) {
    ExactRow raw;
    for (const LeafEntry& entry : leaf_.entries) raw.emplace_back(entry.column, decimal_value(entry.value));
    mapped_ = map_row(columns_, raw);
    is_mapped_ = true;
  }
  return mapped_;
}

LinearForm::LinearForm(const Columns& columns, const std::vector<std::pair<std::uint32_t, Rational>>& weights) {
  Integer scale = 1;
  for (const auto& [column, weight] : weights) grow_to_common_multiple(scale, denominator(weight));
  bool small = columns.map.kind == FeatureMap::Kind::kNone && columns.features <= kMostSmall;
  for (const auto& [column, weight] : weights) {
    const Integer scaled = numerator(weight) * (scale / denominator(weight));
    small = small && fits_int64(scaled);
    if (columns.origin || column != columns.offset()) squared_norm_ += scaled * scaled;
    weight_.emplace(column, scaled);
  }
  if (!small) return;
  small_.resize(columns.features);
  for (const auto& [column, weight] : weight_) {
    (column == columns.features ? small_offset_ : small_[column]) = to_int64(weight);
  }
}

std::optional<int> LinearForm::quick_sign(const Leaf& leaf) const {
  // One sum for each number of decimal places, put together at the end.
  std::array<Wide, kMostPlaces + 1> sums{};
  sums[0] = small_offset_;
  int most = 0;
  for (const LeafEntry& entry : leaf.entries) {
    const std::int64_t weight = small_[entry.column];
    if (weight == 0) continue;
    std::int64_t mantissa = 0;
    int places = 0;
    if (!small_decimal(entry.value, mantissa, places) || places > kMostPlaces ||
        !add_product(sums[static_cast<std::size_t>(places)], weight, mantissa)) {
      return std::nullopt;
    }
    most = std::max(most, places);
  }
  Wide total = 0;
  for (int places = 0; places <= most; ++places) {
    Wide part = sums[static_cast<std::size_t>(places)];
    if (part == 0) continue;
    if (__builtin_mul_overflow(part, static_cast<Wide>(kTen[static_cast<std::size_t>(most - places)]), &part) ||
        __builtin_add_overflow(total, part, &total)) {
      return std::nullopt;
    }
  }
  return total > 0 ? 1 : total < 0 ? -1 : 0;
}

int LinearForm::sign(const CheckedRow& row) const {
  if (!small_.empty()) {
    if (const auto quick = quick_sign(row.leaf())) return *quick;
  }
  return sign_of(value(row));
}

Rational LinearForm::value(const CheckedRow& row) const {
  Rational sum;
  for (const auto& [column, x] : row.mapped()) {
    const auto found = weight_.find(column);
    if (found != weight_.end()) sum += found->second * x;
  }
  return sum;
}

}  // namespace linsep
