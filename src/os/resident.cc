#include "os/resident.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "linsep/limits.h"

namespace linsep {

std::uint64_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long long size = 0, resident = 0;
  const bool read = std::fscanf(file, "%llu %llu", &size, &resident) == 2;
  std::fclose(file);
  return read ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

std::string size_words(std::uint64_t bytes) {
  constexpr double kMega = 1024.0 * 1024;
  const double megabytes = std::ceil(static_cast<double>(bytes) / kMega);
  if (megabytes < 2048) return fmt::format("{:.0f}M", megabytes);
  return fmt::format("{:.1f}G", std::ceil(megabytes / 102.4) / 10);
}

}  // namespace linsep
