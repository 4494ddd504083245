#include "proof/exact_text.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/deadline.h"

namespace linsep {
namespace {

constexpr std::size_t kMostCharacters = 100'000;

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<Rational> parse_exact(std::string_view text) {
  if (text.size() > kMostCharacters) return std::nullopt;
  poll(200 + 20 * text.size());
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t mark = text.find_first_of("/.");
  const std::string_view first = text.substr(0, mark);
  if (!all_digits(first)) return std::nullopt;
  Rational value(integer_of(first));
  if (mark != std::string_view::npos) {
    const std::string_view second = text.substr(mark + 1);
    if (!all_digits(second)) return std::nullopt;
    if (text[mark] == '/') {
      const Integer q = integer_of(second);
      if (sign_of(q) == 0) return std::nullopt;
      value = ratio(integer_of(first), q);
    } else {
      value += ratio(integer_of(second), power_of(10, second.size()));
    }
  }
  return negative ? Rational(-value) : value;
}

Rational decimal_value(std::string_view canonical) {
  std::string digits(canonical);
  const std::size_t point = digits.find('.');
  if (point == std::string::npos) return Rational(integer_of(digits));
  digits.erase(point, 1);
  return ratio(integer_of(digits), power_of(10, digits.size() - point));
}

}  // namespace linsep
