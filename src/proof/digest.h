// The digest of a data set: what stands above the Merkle tree of its rows.
#pragma once

#include <cstdint>
#include <string>

#include "linsep/certificate.h"
#include "proof/sha256.h"

namespace linsep {

/// The root over the tree of the rows, in hexadecimal digits. Version 1: SHA-256(0x02 ‖ "<rows> <features> " ‖ tree);
/// version 2: SHA-256(0x03 ‖ data_json ‖ tree).
std::string data_root(const Hash& tree, const DataDigest& data, int version);

}  // namespace linsep
