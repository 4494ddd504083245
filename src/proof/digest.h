// The digest of a data set, which is the level above the Merkle tree of its rows.
#pragma once

#include <cstdint>
#include <string>

#include "linsep/certificate.h"
#include "proof/sha256.h"

namespace linsep {

/// The root over the tree of the rows, in hexadecimal digits. In version 1 it is SHA-256(0x02 ‖ "<rows> <features> " ‖
/// tree), in version 2 SHA-256(0x03 ‖ data_json ‖ tree).
std::string data_root(const Hash& tree, const DataDigest& data, int version);

}  // namespace linsep
