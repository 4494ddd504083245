#include "train/select/lambdas.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "linsep/error.h"

namespace linsep {
namespace {

constexpr int kUsual = 7;
constexpr double kMostValues = 1000;

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

double number(std::string_view word, std::string_view text, std::string_view option) {
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size() || !(value > 0) || !std::isfinite(value)) {
    throw option_error(
        std::string(option),
        fmt::format("{{}} takes numbers above 0 with commas between them, or FROM:TO:COUNT, not '{}'", text));
  }
  return value;
}

std::vector<double> ratios(double from, double to, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double part = count == 1 ? 0 : static_cast<double>(i) / (count - 1);
    values.push_back(i + 1 == count && count > 1 ? to : from * std::pow(to / from, part));
  }
  return values;
}

}  // namespace

std::vector<double> parse_lambdas(std::string_view text, std::string_view option) {
  std::vector<double> values;
  if (const auto parts = split(text, ':'); parts.size() == 3) {
    const double count = number(parts[2], text, option);
    if (count != std::floor(count) || count > kMostValues) {
      throw option_error(std::string(option),
                         fmt::format("{{}} FROM:TO:COUNT takes 1 to {} values, not {}", kMostValues, parts[2]));
    }
    values = ratios(number(parts[0], text, option), number(parts[1], text, option), static_cast<int>(count));
  } else {
    for (const std::string_view word : split(text, ',')) values.push_back(number(word, text, option));
  }
  std::sort(values.begin(), values.end(), std::greater<>());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<double> usual_lambdas(double square) {
  const double first =
      square > 0 && std::isfinite(square) ? std::clamp(std::round(std::log10(square)), -290.0, 290.0) - 1 : -1;
  std::vector<double> values;
  // By way of text: 10^−3 is the number that one gets by writing 1e-3.
  for (int i = 0; i < kUsual; ++i) values.push_back(number(fmt::format("1e{}", static_cast<int>(first) - i), "", ""));
  return values;
}

}  // namespace linsep
