#include "picture/words.h"

#include <fmt/format.h>

#include <cmath>

#include "core/with_commas.h"

namespace linsep {

std::string figure_text(double number) {
  const std::string text = fmt::format("{:.6g}", std::fabs(number));
  return number < 0 ? "−" + text : text;
}

std::string weight_text(double weight, double error) {
  if (!(error > 0) || weight == 0) return figure_text(weight);
  const double size = std::fabs(weight);
  const std::string sign = weight < 0 ? "−" : "";
  const int last = static_cast<int>(std::ceil(std::log10(error)));  // the power of ten of the last digit that is known
  const double unit = std::pow(10.0, last);
  if (unit > size) return fmt::format("~{}{:.1g}", sign, size);
  if (std::floor(std::log10(size)) - last + 1 >= 6) return figure_text(weight);
  if (last >= 0) return fmt::format("{}{:.0f}", sign, std::round(size / unit) * unit);
  return fmt::format("{}{:.{}f}", sign, size, -last);
}

std::string count_text(std::int64_t number) {
  if (number < 0) return "−" + with_commas(static_cast<std::uint64_t>(-number));
  return with_commas(static_cast<std::uint64_t>(number));
}

std::string counted_text(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", count_text(number), noun, number == 1 ? "" : "s");
}

}  // namespace linsep
