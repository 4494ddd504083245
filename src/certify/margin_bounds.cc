#include "certify/margin_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/poll.h"
#include "exact/decimal.h"

namespace linsep {
namespace {

constexpr std::int64_t kBoundBits = 60;

}  // namespace

bool is_binary(Source& source) {
  source.rewind(0);
  const auto batch = source.next();
  if (!batch || batch->rows == 0) return true;
  const std::int64_t first = batch->number_of(0);
  for (const WrittenRow& row : source.written(std::span(&first, 1))) {
    for (const WrittenValue& value : row.values) {
      if (!value.decimal.empty()) return false;
    }
    // A sparse row without entries shows nothing; to call a source written costs time, never truth.
    if (row.values.empty()) return false;
  }
  return true;
}

Rational short_bound(const Rational& value, bool up) {
  Integer top = numerator(value);
  Integer bottom = denominator(value);
  const auto top_bits = static_cast<std::int64_t>(bit_length(top));
  const auto bottom_bits = static_cast<std::int64_t>(bit_length(bottom));
  if (top_bits + bottom_bits <= kBoundBits) return value;
  const std::int64_t shift = kBoundBits - (top_bits - bottom_bits);
  (shift >= 0 ? top : bottom) <<= static_cast<std::uint64_t>(std::abs(shift));
  return times_power_of_two(Rational(up ? ceiling_quotient(top, bottom) : floor_quotient(top, bottom)), -shift);
}

std::optional<double> double_bound(const Rational& value, bool up) {
  double bound = approximate(value);
  if (!std::isfinite(bound)) return std::nullopt;
  if (up && Rational(bound) < value) bound = std::nextafter(bound, std::numeric_limits<double>::infinity());
  if (!(bound >= std::numeric_limits<double>::min()) || !std::isfinite(bound)) return std::nullopt;
  return bound;
}

std::optional<double> root_bound(const Rational& value, bool up) {
  const auto top = static_cast<std::int64_t>(bit_length(numerator(value)));
  const std::int64_t half = (top - static_cast<std::int64_t>(bit_length(denominator(value)))) / 2;
  const Rational near_one = times_power_of_two(value, -2 * half);
  double root = std::sqrt(approximate(near_one));
  const auto beyond = [&] {
    const Rational square = Rational(root) * Rational(root);
    return up ? square < near_one : square > near_one;
  };
  while (beyond()) root = std::nextafter(root, up ? 4.0 : 0.0);
  if (half < -1000 || half > 1000) return std::nullopt;
  return std::ldexp(root, static_cast<int>(half));
}

bool bound_from_hulls(const std::vector<std::pair<std::int64_t, double>>& support, const std::vector<ExactRow>& rows,
                      const RowSpace& space, int bits, MarginBounds& margin) {
  double greatest = 0;
  for (const auto& [row, weight] : support) greatest = std::max(greatest, weight);
  std::vector<Rational> alpha;
  Rational positive = 0;
  Rational negative = 0;
  const auto is_positive = [](const ExactRow& z) { return z.value.back() > 0; };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    alpha.push_back(rational_of_double(std::ceil(std::ldexp(support[k].second / greatest, bits))));
    if (!space.origin) (is_positive(rows[k]) ? positive : negative) += alpha.back();
  }
  if (!space.origin) {
    if (positive == 0 || negative == 0) return false;
    for (std::size_t k = 0; k < rows.size(); ++k) alpha[k] *= is_positive(rows[k]) ? negative : positive;
  }
  std::map<std::uint32_t, Rational> sum;
  Rational total = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    total += alpha[k];
    for (std::size_t e = 0; e < rows[k].column.size(); ++e) {
      poll(1000);
      if (rows[k].column[e] != space.mapped) sum[rows[k].column[e]] += alpha[k] * rows[k].value[e] / rows[k].scale;
    }
  }
  if (total == 0) return false;
  Rational squared = 0;
  for (const auto& [column, value] : sum) {
    poll(1000 + bit_length(denominator(squared)) / 8);
    squared += value * value;
  }
  margin.at_most_squared = exact_text(short_bound(squared / (total * total), true));
  for (std::size_t k = 0; k < rows.size(); ++k) margin.alpha.push_back({rows[k].row, exact_text(alpha[k])});
  return true;
}

}  // namespace linsep
