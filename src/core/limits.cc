#include "linsep/limits.h"

#include <fmt/format.h>

#include <cmath>

namespace linsep {

std::string size_words(std::uint64_t bytes) {
  constexpr double kMega = 1024.0 * 1024;
  const double megabytes = std::ceil(static_cast<double>(bytes) / kMega);
  if (megabytes < 2048) return fmt::format("{:.0f}M", megabytes);
  return fmt::format("{:.1f}G", std::ceil(megabytes / 102.4) / 10);
}

}  // namespace linsep
