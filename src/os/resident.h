// How much memory this process holds.
#pragma once

#include <cstdint>

namespace linsep {

/// The resident set in bytes: everything the process holds in memory at this moment, program and libraries included. 0
/// where the system doesn't tell.
std::uint64_t resident_bytes();

}  // namespace linsep
