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

// What training asks of rows that lie in a page file (pages.cc). A build without files links no_files/ instead, where
// no source has pages.

/// The least room in bytes that the pages of `source` need to be gone through; 0 where it has no pages.
std::uint64_t least_page_room(Source& source);
/// Gives its pages this room. REQUIRES: least_page_room(source) > 0.
void set_page_room(Source& source, std::uint64_t bytes);

/// Its rows in that order; nullptr where it has no pages. REQUIRES: `source` outlives the result; not kGiven.
std::unique_ptr<Source> pages_in_order(Source& source, VisitOrder order, std::uint64_t seed);

}  // namespace linsep
