// The digest of a data set, which is the level above the Merkle tree of its rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/certificate.h"
#include "proof/leaves.h"
#include "proof/sha256.h"

namespace linsep {

/// The root over the tree of the rows, in hexadecimal digits. In version 1 it is SHA-256(0x02 ‖ "<rows> <features> " ‖
/// tree), in version 2 SHA-256(0x03 ‖ data_json ‖ tree).
std::string data_root(const Hash& tree, const DataDigest& data, int version);

/// digest_rows of this worker's rows (comm: nullptr) or of those of all, in the order of the ranks. `judge`, if there
/// is one, sees the leaf of each of this worker's rows.
DataDigest digest_rows(Source& data, Comm* comm, const ProofOptions& options, const Observer& observe,
                       const LeafJudge& judge);

/// The number of this worker's first row, of which it has so many. Collective.
std::int64_t first_of_rows(Comm& comm, std::int64_t rows);
/// Every worker's bytes, by rank. Collective.
std::vector<std::string> gathered(Comm& comm, const std::string& mine);

}  // namespace linsep
