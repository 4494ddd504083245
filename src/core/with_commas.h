// with_commas: whole numbers as people read them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace linsep {

/// "1,234,567"
inline std::string with_commas(std::uint64_t number) {
  std::string digits;
  for (; number >= 1000; number /= 1000) digits = fmt::format(",{:03}{}", number % 1000, digits);
  return fmt::format("{}{}", number, digits);
}

}  // namespace linsep
