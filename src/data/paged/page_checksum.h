// The checksum of page files: XXH3, 64 bits, seed 0.
#pragma once

#include <cstdint>
#include <string_view>

namespace linsep {

std::uint64_t page_checksum(std::string_view bytes);

}  // namespace linsep
