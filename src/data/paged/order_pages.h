// order_rows for pages on disk: the same order as in memory (data/order_source.h).
#pragma once

#include <cstdint>
#include <memory>

#include "data/order_source.h"
#include "data/paged/paged_source.h"

namespace linsep {

/// REQUIRES: `inner` outlives the result. Fast where a logical page fits into the room that `inner` has.
std::unique_ptr<Source> order_rows(PagedSource& inner, RowOrder order, std::uint64_t seed);

}  // namespace linsep
