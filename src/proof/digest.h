// The digest of a data set: what stands above the Merkle tree of its rows.
#pragma once

#include <cstdint>
#include <string>

#include "proof/sha256.h"

namespace linsep {

/// SHA-256(0x02 ‖ "<rows> <features> " ‖ tree) in hexadecimal digits: the tree with the shape of the data bound to it.
std::string data_root(const Hash& tree, std::int64_t rows, std::uint32_t features);

}  // namespace linsep
