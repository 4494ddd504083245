// SHA-256 (FIPS 180-4), with the processor's own instructions if it has them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace linsep {

using Hash = std::array<std::uint8_t, 32>;

/// The hash of `prefix` followed by `bytes`. The prefix keeps leaves, nodes and roots apart.
Hash sha256(std::string_view prefix, std::string_view bytes);
/// The same by the plain version, whatever the processor supports. It is the oracle of the tests.
Hash sha256_plain(std::string_view prefix, std::string_view bytes);

/// 64 hexadecimal digits, and back. False if `text` isn't that.
std::string to_hex(const Hash& hash);
bool from_hex(std::string_view text, Hash& hash);

}  // namespace linsep
