#include "proof/linear_form.h"

#include <algorithm>
#include <array>

#include "core/deadline.h"
#include "proof/exact_text.h"

namespace linsep {
namespace {

constexpr int kMostPlaces = 18;
/// A table of weights is kept where it has at most this many places per weight, and some to spare.
constexpr std::size_t kTablePerWeight = 16, kSmallTable = 4096;

constexpr std::array<std::int64_t, kMostPlaces + 1> kTen = [] {
  std::array<std::int64_t, kMostPlaces + 1> power{1};
  for (std::size_t i = 1; i < power.size(); ++i) power[i] = 10 * power[i - 1];
  return power;
}();

bool add_product(WideInteger& sum, std::int64_t a, std::int64_t b) {
  return !__builtin_add_overflow(sum, static_cast<WideInteger>(a) * b, &sum);
}

Integer integer_of_wide(WideInteger value) {
  const bool negative = value < 0;
  __extension__ using Unsigned = unsigned __int128;
  const Unsigned size = negative ? -static_cast<Unsigned>(value) : static_cast<Unsigned>(value);
  constexpr std::uint64_t kHalf = 0xffffffff;
  Integer result = 0;
  for (int shift = 96; shift >= 0; shift -= 32) {
    result <<= 32;
    result += static_cast<std::int64_t>(static_cast<std::uint64_t>(size >> shift) & kHalf);
  }
  return negative ? Integer(-result) : result;
}

}  // namespace

bool CheckedRow::read(std::string_view text) {
  is_mapped_ = false;
  small_.reset();
  return parse_leaf(text, leaf_) && leaf_.sign != 0 &&
         (leaf_.entries.empty() || leaf_.entries.back().column < columns_.features);
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

std::optional<std::span<const std::int64_t>> CheckedRow::integers() const {
  if (!small_) {
    integer_.clear();
    std::array<int, 4096> of;  // decimal places of the first entries; more entries are rare and go the long way
    small_ = leaf_.entries.size() <= of.size();
    places_ = 0;
    for (std::size_t k = 0; *small_ && k < leaf_.entries.size(); ++k) {
      std::int64_t mantissa = 0;
      small_ = small_decimal(leaf_.entries[k].value, mantissa, of[k]) && of[k] <= kMostPlaces;
      integer_.push_back(mantissa);
      places_ = std::max(places_, of[k]);
    }
    for (std::size_t k = 0; *small_ && k < integer_.size(); ++k) {
      small_ = !__builtin_mul_overflow(integer_[k], kTen[static_cast<std::size_t>(places_ - of[k])], &integer_[k]);
    }
  }
  if (!*small_) return std::nullopt;
  return integer_;
}

Rational CheckedRow::squared_norm() const {
  if (columns_.map.kind == FeatureMap::Kind::kNone) {
    if (const auto values = integers()) {
      WideInteger sum = 0;
      const bool fits = std::ranges::all_of(*values, [&sum](std::int64_t m) { return add_product(sum, m, m); });
      if (fits) return ratio(integer_of_wide(sum), power_of(10, static_cast<std::uint64_t>(2 * places_)));
    }
  }
  Rational sum = 0;
  for (const auto& [column, value] : mapped()) {
    poll(200);
    if (columns_.origin || column != columns_.offset()) sum += value * value;
  }
  return sum;
}

LinearForm::LinearForm(const Columns& columns, const std::vector<std::pair<std::uint32_t, Rational>>& weights) {
  for (const auto& [column, weight] : weights) grow_to_common_multiple(scale_, denominator(weight));
  is_small_ = columns.map.kind == FeatureMap::Kind::kNone;
  for (const auto& [column, weight] : weights) {
    poll(500);
    const Integer scaled = numerator(weight) * (scale_ / denominator(weight));
    is_small_ = is_small_ && fits_int64(scaled);
    const Integer square = scaled * scaled;
    squared_norm_with_offset_ += square;
    if (columns.origin || column != columns.offset()) squared_norm_ += square;
    weight_.emplace(column, scaled);
  }
  if (!is_small_) return;
  std::size_t last = 0;
  for (const auto& [column, weight] : weight_) {
    if (column != columns.features) last = std::max<std::size_t>(last, std::size_t{column} + 1);
  }
  if (last <= kSmallTable + kTablePerWeight * weight_.size()) small_.resize(last);
  for (const auto& [column, weight] : weight_) {
    if (column == columns.features) {
      small_offset_ = to_int64(weight);
    } else if (!small_.empty()) {
      small_[column] = to_int64(weight);
    } else {
      sparse_.emplace(column, to_int64(weight));
    }
  }
}

std::int64_t LinearForm::small_weight(std::uint32_t column) const {
  if (column < small_.size()) return small_[column];
  if (sparse_.empty()) return 0;
  const auto found = sparse_.find(column);
  return found == sparse_.end() ? 0 : found->second;
}

// Times 10^places of the row.
std::optional<WideInteger> LinearForm::quick_value(const CheckedRow& row) const {
  const auto values = row.integers();
  if (!values) return std::nullopt;
  WideInteger sum = 0;
  if (!add_product(sum, small_offset_, kTen[static_cast<std::size_t>(row.places())])) return std::nullopt;
  const std::vector<LeafEntry>& entries = row.leaf().entries;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (!add_product(sum, small_weight(entries[k].column), (*values)[k])) return std::nullopt;
  }
  return sum;
}

int LinearForm::sign(const CheckedRow& row) const {
  if (is_small_) {
    if (const auto quick = quick_value(row)) return *quick > 0 ? 1 : *quick < 0 ? -1 : 0;
  }
  return sign_of(value(row));
}

Rational LinearForm::value(const CheckedRow& row) const {
  if (is_small_) {
    if (const auto quick = quick_value(row)) {
      return ratio(integer_of_wide(*quick), power_of(10, static_cast<std::uint64_t>(row.places())));
    }
  }
  Rational sum;
  for (const auto& [column, x] : row.mapped()) {
    poll(200);
    const auto found = weight_.find(column);
    if (found != weight_.end()) sum += found->second * x;
  }
  return sum;
}

}  // namespace linsep
