// The order of data/permute.h for rows on disk. They are put into their random order once, in a page file without a
// name, and visited window by window (GroupOrder).
#pragma once

#include <cstdint>
#include <memory>

#include "data/order_source.h"
#include "data/paged/paged_source.h"

namespace linsep {

/// The batches are those of permute_rows, but don't last. Goes through `inner` once now, within the memory that `inner`
/// has room for. Throws a system Error if the disk is full, a usage Error if there is too little room to do it at all.
/// REQUIRES: `inner` outlives the result, which asks it for schema and written rows.
std::unique_ptr<Source> permute_pages(PagedSource& inner, std::uint64_t seed);

/// The same order as order_rows makes in memory (data/order_source.h). It is fast if a logical page fits into the room
/// that `inner` has. REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> order_rows(PagedSource& inner, RowOrder order, std::uint64_t seed);

}  // namespace linsep
