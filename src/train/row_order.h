// The rows of a source in the order that a learner wants.
#pragma once

#include <cstdint>
#include <memory>

#include "linsep/learner_info.h"
#include "linsep/source.h"

namespace linsep {

struct RowOrderOptions {
  std::uint64_t seed = 1;
  /// kPermuted: the rows of a memory source are taken instead of copied, so that `source` has none afterwards.
  bool take = false;
  bool copy = false;  ///< kPermuted: somebody else's arrays may be copied; else they are visited where they are
  int threads = 0;    ///< for copying; 0: one per core
};

/// `source` in that order, or nullptr where it is its own. kPermuted copies rows in memory, unless they are somebody
/// else's arrays. Throws a usage Error for a stream, which has its own order only. REQUIRES: `source` outlives the
/// result.
std::unique_ptr<Source> rows_in_order(Source& source, VisitOrder order, const RowOrderOptions& options);

}  // namespace linsep
