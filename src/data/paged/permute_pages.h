// The order of data/permute.h for rows on disk: they are put into their random order once, in a page file without a
// name, and visited window by window (data/group_order.h).
#pragma once

#include <cstdint>
#include <memory>

#include "data/paged/paged_source.h"

namespace linsep {

/// The batches are those of permute_rows, but don't last. Goes through `inner` once now, in the memory that it has room
/// for. Throws a system Error where the disk is full, a usage Error where there is too little room to do it at all.
/// REQUIRES: `inner` outlives the result, which asks it for schema and written rows.
std::unique_ptr<Source> permute_pages(PagedSource& inner, std::uint64_t seed);

/// How much room lets it read ahead: two windows of rows of this file.
std::uint64_t room_for_windows(const PageFile& file);

}  // namespace linsep
