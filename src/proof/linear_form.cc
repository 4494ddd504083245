#include "proof/linear_form.h"

#include <algorithm>
#include <array>

#include "core/deadline.h"
#include "exact/wide.h"
#include "proof/exact_text.h"

namespace linsep {
namespace {

constexpr std::size_t kDigits = 9;  ///< decimal ones of a digit of base 10⁹
/// The most base-10⁹ digits that a value may have. A sum of 2³² products of a weight and a digit, or of kMostWidth·2³²
/// products of two digits, is below 2¹²⁷.
constexpr std::size_t kMostWidth = 8;
/// A table of weights is kept if it has at most this many places per weight, with some to spare.
constexpr std::size_t kTablePerWeight = 16, kSmallTable = 4096;

/// Σ sum[k]·10^(9·(count − 1 − k)).
Integer joined(const WideInteger* sum, std::size_t count) {
  Integer result = 0;
  for (std::size_t k = 0; k < count; ++k) {
    result *= 1'000'000'000;
    result += integer_of_wide(sum[k]);
  }
  return result;
}

Rational over_ten_power(const Integer& value, std::size_t places) { return ratio(value, power_of(10, places)); }

std::size_t digits_for(std::size_t decimal) { return (decimal + kDigits - 1) / kDigits; }

/// A canonical decimal without its sign. It has the digits before the point, a single 0 not counted, and those after
/// it.
struct Parts {
  std::string_view whole, fraction;
  bool negative = false;

  explicit Parts(std::string_view canonical) : negative(canonical.front() == '-') {
    if (negative) canonical.remove_prefix(1);
    const std::size_t point = canonical.find('.');
    whole = canonical.substr(0, point);
    if (whole == "0") whole = {};
    if (point != std::string_view::npos) fraction = canonical.substr(point + 1);
  }
};

/// Cuts `text` into digits of base 10⁹ with the given sign. The first has `first` decimals, and the last is filled up
/// with zeros.
void cut(std::string_view text, std::size_t first, std::int32_t sign, std::int32_t* to) {
  std::size_t room = first;
  std::int32_t digit = 0;
  for (const char c : text) {
    digit = 10 * digit + (c - '0');
    if (--room > 0) continue;
    *to++ = sign * digit;
    digit = 0;
    room = kDigits;
  }
  if (room == kDigits) return;
  for (; room > 0; --room) digit *= 10;
  *to = sign * digit;
}

}  // namespace

bool CheckedRow::read(std::string_view text) {
  is_mapped_ = false;
  has_digits_.reset();
  return parse_leaf(text, leaf_, weights_) && (leaf_.sign == 0) == classes_ &&
         (leaf_.entries.empty() || leaf_.entries.back().column < columns_.features);
}

const RationalRow& CheckedRow::mapped() const {
  if (!is_mapped_) {
    RationalRow raw;
    for (const LeafEntry& entry : leaf_.entries) raw.emplace_back(entry.column, decimal_value(entry.value));
    mapped_ = map_row(columns_, raw);
    is_mapped_ = true;
  }
  return mapped_;
}

const CheckedRow::Digits* CheckedRow::digits() const {
  if (has_digits_) return *has_digits_ ? &digits_ : nullptr;
  poll(20 * leaf_.entries.size());
  std::int32_t any_whole = 0, any_fraction = 0;
  bool all_short = true;
  for (const LeafEntry& entry : leaf_.entries) {
    any_whole |= entry.whole;
    any_fraction |= entry.fraction;
    all_short = all_short && entry.is_short;
  }
  if (all_short) {
    digits_.fraction = any_fraction != 0 ? 1 : 0;
    digits_.width = digits_.fraction + (any_whole != 0 ? 1 : 0);
    digits_.digit.resize(digits_.width * leaf_.entries.size());
    std::int32_t* to = digits_.digit.data();
    for (const LeafEntry& entry : leaf_.entries) {
      if (any_whole != 0) *to++ = entry.whole;
      if (any_fraction != 0) *to++ = entry.fraction;
    }
    has_digits_ = true;
    return &digits_;
  }
  std::size_t whole = 0, places = 0;
  for (const LeafEntry& entry : leaf_.entries) {
    const Parts parts(entry.value);
    whole = std::max(whole, parts.whole.size());
    places = std::max(places, parts.fraction.size());
  }
  digits_.fraction = digits_for(places);
  digits_.width = digits_for(whole) + digits_.fraction;
  has_digits_ = digits_.width <= kMostWidth;
  if (!*has_digits_) return nullptr;
  digits_.digit.assign(digits_.width * leaf_.entries.size(), 0);
  std::int32_t* point = digits_.digit.data() + (digits_.width - digits_.fraction);
  for (const LeafEntry& entry : leaf_.entries) {
    const Parts parts(entry.value);
    const std::int32_t sign = parts.negative ? -1 : 1;
    const std::size_t before = digits_for(parts.whole.size());
    cut(parts.whole, parts.whole.size() + kDigits - kDigits * before, sign, point - before);
    cut(parts.fraction, kDigits, sign, point);
    point += digits_.width;
  }
  return &digits_;
}

Rational CheckedRow::squared_norm() const {
  const Digits* row = columns_.map.kind == FeatureMap::Kind::kNone ? digits() : nullptr;
  if (row != nullptr && row->width == 0) return 0;
  if (row != nullptr) {
    std::array<WideInteger, 2 * kMostWidth> sum{};
    for (const std::int32_t* x = row->digit.data(); x != row->digit.data() + row->digit.size(); x += row->width) {
      for (std::size_t i = 0; i < row->width; ++i) {
        for (std::size_t k = 0; k < row->width; ++k) sum[i + k] += std::int64_t{x[i]} * x[k];
      }
    }
    return over_ten_power(joined(sum.data(), 2 * row->width - 1), 2 * kDigits * row->fraction);
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

std::array<WideInteger, kMostWidth> LinearForm::place_sums(const CheckedRow& row) const {
  const CheckedRow::Digits& digits = *row.digits();
  std::array<WideInteger, kMostWidth> sum{};
  const std::int32_t* x = digits.digit.data();
  for (const LeafEntry& entry : row.leaf().entries) {
    const std::int64_t weight = small_weight(entry.column);
    for (std::size_t k = 0; k < digits.width; ++k) sum[k] += static_cast<WideInteger>(weight) * x[k];
    x += digits.width;
  }
  return sum;
}

std::optional<WideInteger> LinearForm::wide_value(const CheckedRow& row) const {
  constexpr WideInteger kMost = WideInteger{1} << 90;  // times 10⁹, and as much again, is below 2¹²¹
  const CheckedRow::Digits* digits = is_small_ && small_offset_ == 0 ? row.digits() : nullptr;
  if (digits == nullptr) return {};
  const auto sum = place_sums(row);
  WideInteger value = 0;
  for (std::size_t k = 0; k < digits->width; ++k) {
    if (value > kMost || value < -kMost) return {};
    value = value * 1'000'000'000 + sum[k];
  }
  if (value > kMost || value < -kMost) return {};
  return value;
}

Integer LinearForm::quick_value(const CheckedRow& row) const {
  const CheckedRow::Digits& digits = *row.digits();
  const auto sum = place_sums(row);
  const Integer offset = small_offset_ * power_of(10, kDigits * digits.fraction);
  return joined(sum.data(), digits.width) + offset;
}

int LinearForm::sign(const CheckedRow& row) const {
  if (is_small_ && row.digits() != nullptr) return sign_of(quick_value(row));
  return sign_of(value(row));
}

Rational LinearForm::value(const CheckedRow& row) const {
  if (is_small_ && row.digits() != nullptr) {
    return over_ten_power(quick_value(row), kDigits * row.digits()->fraction);
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
