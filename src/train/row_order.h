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
  bool copy = false;  ///< kPermuted: somebody else's arrays may be copied. If false, they are visited where they are
  int threads = 0;    ///< for copying. 0 for one per core
};

/// `source` in that order, or nullptr if it is its own. kPermuted copies rows in memory, unless they are somebody
/// else's arrays. Throws a usage Error for a stream, which has only its own order. REQUIRES: `source` outlives the
/// result.
std::unique_ptr<Source> rows_in_order(Source& source, VisitOrder order, const RowOrderOptions& options);

// What training needs of rows that are in a page file (pages.cc). A build without files links no_files/ instead, which
// has no source with pages.

/// The least room in bytes with which the pages of `source` can be read, or 0 if it has no pages.
std::uint64_t least_page_room(Source& source);
/// Gives its pages this room. REQUIRES: least_page_room(source) > 0.
void set_page_room(Source& source, std::uint64_t bytes);

/// Its rows in that order, or nullptr if it has no pages. REQUIRES: `source` outlives the result; not kGiven.
std::unique_ptr<Source> pages_in_order(Source& source, VisitOrder order, std::uint64_t seed);

}  // namespace linsep
