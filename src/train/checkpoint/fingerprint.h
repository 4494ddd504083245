// A fingerprint of data: other rows, another order of them, another label or value give another one.
#pragma once

#include <cstdint>

#include "linsep/comm.h"
#include "linsep/source.h"

namespace linsep {

struct DataFingerprint {
  std::int64_t rows = 0;
  std::uint32_t features = 0;
  std::uint64_t hash = 0;
  std::uint64_t own = 0;  ///< the hash of this worker's rows alone
};

/// Of the rows of all workers, as they are stored: in one pass. How rows lie in batches, pages and shards plays no
/// part. The hash is the sum over rows of a hash of each (its number, label, weight, columns and values): it finds
/// what differs by chance or by mistake, not what somebody has forged. Collective.
DataFingerprint data_fingerprint(Source& source, Comm& comm);

}  // namespace linsep
