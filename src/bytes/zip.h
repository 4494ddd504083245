// Zip files in memory, as bundles of proofs are: their directory, and what their members hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linsep::zip {

/// What is wrong with a file; whoever reads it adds its name.
struct BadFile {
  std::string message;
};

struct Member {
  std::string name;
  bool compressed = false;
  std::uint64_t stored = 0, size = 0;  ///< bytes in the file, and those that they stand for
  std::uint64_t place = 0;
  std::uint32_t checksum = 0;
};

/// Throws BadFile.
std::vector<Member> members(std::string_view file);
/// The bytes of a member as they stand in the file. Throws BadFile.
std::string_view stored_bytes(std::string_view file, const Member& member);
/// And what they stand for, with its length and checksum as the directory says. Throws BadFile, also for more than
/// `most` bytes.
std::string unzipped(std::string_view file, const Member& member, std::uint64_t most);

}  // namespace linsep::zip
