#include "report/bounds.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "report/words.h"

namespace linsep::app {
namespace {

/// mantissa·10^exponent, the mantissa exactly or to about 15 figures.
struct Scaled {
  double mantissa = 1;
  double exponent = 0;
  bool exact = true;
};

/// Of "123", "0.00123" or "123.4".
Scaled scaled_decimal(const std::string& text) {
  constexpr std::size_t kFigures = 15;
  std::string digits;
  Scaled value;
  bool point = false;
  for (const char c : text) {
    if (c == '.') {
      point = true;
      continue;
    }
    if (point) --value.exponent;
    if (c == '0' && digits.empty()) continue;
    if (digits.size() < kFigures) {
      digits += c;
    } else {
      ++value.exponent;
      value.exact = value.exact && c == '0';
    }
  }
  value.mantissa = std::strtod(digits.c_str(), nullptr);
  return value;
}

Scaled scaled(const std::string& exact) {
  const std::size_t slash = exact.find('/');
  const Scaled top = scaled_decimal(exact.substr(0, slash));
  if (slash == std::string::npos) return top;
  const Scaled bottom = scaled_decimal(exact.substr(slash + 1));
  const double quotient = top.mantissa / bottom.mantissa;
  const bool divides = std::fma(quotient, bottom.mantissa, -top.mantissa) == 0;
  return {quotient, top.exponent - bottom.exponent, top.exact && bottom.exact && divides};
}

std::string figure_of(const Scaled& value, bool at_least) {
  constexpr double kDoubles = 290;
  if (!(value.mantissa > 0)) return "0";
  const double slack = value.exact ? 1 : (at_least ? 1 + 1e-13 : 1 - 1e-13);
  const auto round = [&](double number) { return at_least ? figure_at_least(number) : figure_at_most(number); };
  const auto power = static_cast<std::int64_t>(value.exponent);
  if (std::fabs(value.exponent) < kDoubles) {
    return round(std::strtod(fmt::format("{:.17g}e{}", value.mantissa, power).c_str(), nullptr) * slack);
  }
  const auto shift = static_cast<std::int64_t>(std::floor(std::log10(value.mantissa)));
  const double leading = std::strtod(fmt::format("{:.17g}e{}", value.mantissa, -shift).c_str(), nullptr);
  return fmt::format("{}e{}", round(leading * slack), power + shift);
}

}  // namespace

std::string figure_at_most(double number) {
  const std::string text = figure(number);
  return std::strtod(text.c_str(), nullptr) <= number ? text : figure(number * (1 - 1e-5));
}

std::string figure_at_least(double number) {
  const std::string text = figure(number);
  return std::strtod(text.c_str(), nullptr) >= number ? text : figure(number * (1 + 1e-5));
}

std::string exact_figure(const std::string& exact, bool at_least) { return figure_of(scaled(exact), at_least); }

std::string root_figure(const std::string& exact, bool at_least) {
  Scaled value = scaled(exact);
  if (std::fmod(value.exponent, 2) != 0) value = {value.mantissa * 10, value.exponent - 1, value.exact};
  const double root = std::sqrt(value.mantissa);
  const bool square = std::fma(root, root, -value.mantissa) == 0;
  return figure_of({root, value.exponent / 2, value.exact && square}, at_least);
}

}  // namespace linsep::app
