// Builds files of arrays for tests, byte by byte.
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linsep::test {

/// A number in `bytes` bytes, little-endian.
inline std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int k = 0; k < bytes; ++k) text += static_cast<char>(number >> (8 * k) & 0xff);
  return text;
}

/// `written` replaces the quoted `descr`.
inline std::string npy(std::string_view descr, std::string_view shape, std::string_view bytes, bool fortran = false,
                       char version = '\1', std::string_view written = "") {
  std::string header =
      fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}",
                  written.empty() ? fmt::format("'{}'", descr) : written, fortran ? "True" : "False", shape);
  while ((header.size() + (version == '\1' ? 11 : 13)) % 64 != 0) header += ' ';
  header += '\n';
  return std::string("\x93NUMPY") + version + '\0' + little(header.size(), version == '\1' ? 2 : 4) + header +
         std::string(bytes);
}

/// A zip file whose members claim to be stored by `method`. If `wide`, all lengths are in 64-bit fields. `flags` are
/// each member's. Checksums are wrong by `off`.
inline std::string npz(const std::vector<std::pair<std::string, std::string>>& members, int method = 0,
                       bool wide = false, int flags = 0, int off = 0) {
  std::string file, list;
  for (const auto& [stem, bytes] : members) {
    const std::string name = stem + ".npy";
    const std::uint64_t place = file.size();
    const std::string size = wide ? little(0xffffffff, 4) : little(bytes.size(), 4);
    const std::string extra =
        wide ? little(1, 2) + little(24, 2) + little(bytes.size(), 8) + little(bytes.size(), 8) + little(place, 8) : "";
    const std::uint64_t checksum =
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) + static_cast<std::uint64_t>(off);
    const std::string common = little(45, 2) + little(static_cast<std::uint64_t>(flags), 2) +
                               little(static_cast<std::uint64_t>(method), 2) + little(0, 4) + little(checksum, 4) +
                               size + size + little(name.size(), 2) + little(extra.size(), 2);
    file += "PK\3\4" + common + name + extra + bytes;
    list += "PK\1\2" + little(45, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) +
            (wide ? little(0xffffffff, 4) : little(place, 4)) + name + extra;
  }
  const std::uint64_t place = file.size();
  file += list;
  const std::uint64_t count = members.size();
  if (wide) {
    const std::uint64_t end = file.size();
    file += "PK\6\6" + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 4) + little(0, 4) + little(count, 8) +
            little(count, 8) + little(list.size(), 8) + little(place, 8);
    file += "PK\6\7" + little(0, 4) + little(end, 8) + little(1, 4);
  }
  return file + "PK\5\6" + little(0, 4) + little(wide ? 0xffff : count, 2) + little(wide ? 0xffff : count, 2) +
         little(list.size(), 4) + (wide ? little(0xffffffff, 4) : little(place, 4)) + little(0, 2);
}

inline std::string safetensors(std::string_view header, std::string_view bytes) {
  return little(header.size(), 8) + std::string(header) + std::string(bytes);
}

}  // namespace linsep::test
