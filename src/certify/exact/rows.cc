#include "certify/exact/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/deadline.h"
#include "linsep/error.h"
#include "map/feature_map.h"

namespace linsep {
namespace {

/// A decimal exponent beyond this can't be written out as an integer within reason.
constexpr std::int64_t kLargestExponent = 100000;

/// One raw entry as digits·2^two·10^ten.
struct Entry {
  std::uint32_t column = 0;
  Integer digits;
  std::int64_t two = 0;
  std::int64_t ten = 0;
};

Entry binary_entry(std::uint32_t column, double value) {
  Entry entry;
  entry.column = column;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  entry.digits = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  entry.two = exponent - 53;
  if (entry.digits != 0) {
    const std::uint64_t zeros = trailing_zero_bits(entry.digits);
    entry.digits >>= zeros;
    entry.two += static_cast<std::int64_t>(zeros);
  }
  return entry;
}

std::vector<Entry> raw_entries(const WrittenRow& written, std::uint32_t features) {
  std::vector<Entry> entries;
  entries.reserve(written.values.size());
  for (const WrittenValue& value : written.values) {
    poll(200);
    Entry entry;
    if (value.decimal.empty()) {
      if (!std::isfinite(value.binary)) throw input_error(fmt::format("row {}: a value isn't finite", written.row + 1));
      entry = binary_entry(value.column, value.binary);
    } else {
      entry.column = value.column;
      Decimal decimal = parse_decimal(value.decimal);
      entry.digits = std::move(decimal.digits);
      entry.ten = decimal.exponent;
    }
    if (entry.digits == 0) continue;
    if (entry.column >= features) {
      throw input_error(fmt::format("row {} has feature {}, but there are only {}", written.row + 1,
                                    static_cast<std::uint64_t>(entry.column) + 1, features));
    }
    entries.push_back(std::move(entry));
  }
  const auto by_column = [](const Entry& a, const Entry& b) { return a.column < b.column; };
  if (!std::is_sorted(entries.begin(), entries.end(), by_column)) {
    std::stable_sort(entries.begin(), entries.end(), by_column);
  }
  return entries;
}

/// Brings all entries to integers under one scale 2^two·10^ten (both at least 0).
struct CommonScale {
  std::int64_t two = 0;
  std::int64_t ten = 0;

  explicit CommonScale(const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) {
      two = std::max(two, -entry.two);
      ten = std::max(ten, -entry.ten);
    }
  }
  Integer value() const { return power_of(10, static_cast<std::uint64_t>(ten)) << static_cast<std::uint64_t>(two); }
  Integer scaled(const Entry& entry) const {
    Integer digits = entry.digits << static_cast<std::uint64_t>(entry.two + two);
    if (entry.ten + ten > 0) digits *= power_of(10, static_cast<std::uint64_t>(entry.ten + ten));
    return digits;
  }
};

/// φ over integers. Raw entries under the scale s become monomials of degree t under s^t, which are brought to
/// s^degree.
void map_entries(const std::vector<Entry>& entries, const CommonScale& scale, const RowSpace& space, ExactRow& row) {
  std::vector<std::uint32_t> raw_column;
  std::vector<double> ones(entries.size(), 1.0);
  std::vector<Integer> by_column;
  raw_column.reserve(entries.size());
  by_column.reserve(entries.size());
  for (const Entry& entry : entries) {
    raw_column.push_back(entry.column);
    by_column.push_back(scale.scaled(entry));
  }
  std::vector<double> unused;
  apply_map(space.map, space.features, {raw_column.data(), ones.data(), ones.size()}, row.column, unused);
  const std::size_t degree =
      space.map.kind == FeatureMap::Kind::kProducts ? 2 : static_cast<std::size_t>(std::max(1, space.map.degree));
  std::vector<Integer> power(degree + 1, Integer(1));
  for (std::size_t t = 1; t <= degree; ++t) power[t] = power[t - 1] * scale.value();
  row.value.reserve(row.column.size() + 1);
  for (const std::uint32_t column : row.column) {
    poll(500);
    const std::vector<std::uint32_t> factors = monomial(space.map, space.features, column);
    Integer product = power[degree - factors.size()];
    for (const std::uint32_t factor : factors) {
      const auto at = std::lower_bound(raw_column.begin(), raw_column.end(), factor) - raw_column.begin();
      product *= by_column[static_cast<std::size_t>(at)];
    }
    row.value.push_back(std::move(product));
  }
  row.scale = power[degree];
}

void divide_by_content(ExactRow& row) {
  Integer content = 0;
  for (const Integer& value : row.value) {
    poll(100);
    shrink_to_common_divisor(content, value);
    if (content == 1) return;
  }
  if (content == 0) return;
  for (Integer& value : row.value) divide_exactly(value, content);
  row.scale /= content;
}

}  // namespace

Decimal parse_decimal(std::string_view text) {
  const auto bad = [&] { return input_error(fmt::format("'{}' isn't a number", text.substr(0, 60))); };
  std::string digits;
  std::int64_t exponent = 0;
  std::size_t at = 0;
  bool any = false;
  bool point = false;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) {
    if (text[at] == '-') digits.push_back('-');
    ++at;
  }
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c >= '0' && c <= '9') {
      digits.push_back(c);
      any = true;
      if (point) --exponent;
    } else if (c == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (!any) throw bad();
  if (at < text.size()) {
    if ((text[at] != 'e' && text[at] != 'E') || at + 1 == text.size()) throw bad();
    ++at;
    const bool minus = text[at] == '-';
    if (text[at] == '-' || text[at] == '+') ++at;
    if (at == text.size()) throw bad();
    std::int64_t written = 0;
    for (; at < text.size(); ++at) {
      if (text[at] < '0' || text[at] > '9') throw bad();
      if (written <= 10 * kLargestExponent) written = written * 10 + (text[at] - '0');
    }
    exponent += minus ? -written : written;
  }
  Decimal decimal;
  decimal.digits = integer_of(digits);
  decimal.exponent = decimal.digits == 0 ? 0 : exponent;
  if (std::abs(decimal.exponent) > kLargestExponent) {
    throw input_error(fmt::format("the exponent of '{}' is too large for exact arithmetic", text.substr(0, 60)));
  }
  return decimal;
}

ExactRow exact_row(const WrittenRow& written, int sign, const RowSpace& space) {
  const std::vector<Entry> entries = raw_entries(written, space.features);
  const CommonScale scale(entries);
  ExactRow row;
  row.row = written.row;
  if (space.map.kind != FeatureMap::Kind::kNone) {
    map_entries(entries, scale, space, row);
  } else {
    row.column.reserve(entries.size() + 1);
    row.value.reserve(entries.size() + 1);
    for (const Entry& entry : entries) {
      row.column.push_back(entry.column);
      row.value.push_back(scale.scaled(entry));
    }
    row.scale = scale.value();
  }
  if (!space.origin) {
    row.column.push_back(space.mapped);
    row.value.push_back(numerator(row.scale));
  }
  if (sign < 0) {
    for (Integer& value : row.value) value = -value;
  }
  divide_by_content(row);
  return row;
}

Integer exact_dot(const ExactRow& z, const std::vector<Integer>& w) {
  Integer sum = 0;
  for (std::size_t k = 0; k < z.column.size(); ++k) add_product(sum, z.value[k], w[z.column[k]]);
  return sum;
}

std::vector<Integer> dense_entries(const ExactRow& z, const std::vector<std::int32_t>& place, std::size_t size) {
  std::vector<Integer> dense(size);
  for (std::size_t k = 0; k < z.column.size(); ++k) {
    const std::int32_t at = place[z.column[k]];
    if (at < 0) {
      throw input_error(
          fmt::format("row {} has a value in column {} that rounds to 0: use double values, or scale the column",
                      z.row + 1, static_cast<std::uint64_t>(z.column[k]) + 1));
    }
    dense[static_cast<std::size_t>(at)] = z.value[k];
  }
  return dense;
}

}  // namespace linsep
