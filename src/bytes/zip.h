// Zip files in memory, such as bundles of proofs and .npz files: their directory and the contents of their members. The
// bytes are untrusted, and whatever Python's zipfile refuses is refused here too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linsep {

/// What is wrong with a file. The caller adds the file's name.
struct BadFile {
  std::string message;
};

/// Returns part of a file. Throws BadFile if the file is too short.
std::string_view part_of(std::string_view file, std::uint64_t place, std::uint64_t size);

/// Reads a number in little-endian order. Throws BadFile if the file is too short.
template <class T>
T number_at(std::string_view file, std::uint64_t place) {
  const std::string_view bytes = part_of(file, place, sizeof(T));
  T number = 0;
  for (std::size_t k = sizeof(T); k > 0; --k) {
    number = static_cast<T>((sizeof(T) > 1 ? number << 8 : 0) | static_cast<unsigned char>(bytes[k - 1]));
  }
  return number;
}

namespace zip {

struct Member {
  std::string name;
  bool compressed = false;
  bool encrypted = false;
  std::uint32_t checksum = 0;          ///< CRC-32
  std::uint64_t stored = 0, size = 0;  ///< bytes in the file, and after decompression
  std::uint64_t place = 0, end = 0;    ///< where its header begins, and where the next one does
};

/// Throws BadFile, also if two members have the same name.
std::vector<Member> members(std::string_view file);
/// Returns the bytes of an uncompressed member, as they stand in the file. Throws BadFile if they differ from what the
/// directory promises. REQUIRES: the same file.
std::string_view stored_bytes(std::string_view file, const Member& member);
/// Returns the contents of any member. Throws BadFile, also for more than `most` bytes. REQUIRES: the same file.
std::string unzipped(std::string_view file, const Member& member, std::uint64_t most);

}  // namespace zip
}  // namespace linsep
