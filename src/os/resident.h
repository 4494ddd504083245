// How much memory this process holds.
#pragma once

#include <cstdint>
#include <string>

namespace linsep {

/// The resident set in bytes: everything the process holds in memory at this moment, program and libraries included. 0
/// where the system doesn't tell.
std::uint64_t resident_bytes();

/// "64M", "1.5G": bytes as --memory takes them, rounded up.
std::string size_words(std::uint64_t bytes);

}  // namespace linsep
