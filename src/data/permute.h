// PermutedSource: the rows of a memory source, put once into a random order and handed out in groups of a few rows,
// the groups shuffled anew in each pass. What coordinate descent wants: an order that is random in every pass, at
// nearly the speed of going straight through memory.
//
// Position k holds the row with the k-th smallest keyed_hash(seed, row number); equal hashes: the smaller number first.
// Group g holds the positions kGroupRows·g … kGroupRows·(g+1) − 1. A pass visits the groups in shuffled
// order, window by window (data/group_order.h). So neither the pages of the input nor the number of threads that
// permuted it change what a learner sees, nor whether the rows lie in memory or on disk.
//
// Why so small: rows of one group are always visited together. Groups of 16 rows converge like an order that is
// wholly new in each pass; with 256 the gap after 20 passes is four times as wide, with a fixed order twenty times.
#pragma once

#include <cstdint>
#include <memory>

#include "data/group_order.h"
#include "data/memory_source.h"

namespace linsep {

/// A batch is a group; it lasts, its `first_row` is the position of its first row (the same in every pass), and its
/// `row_number` says which rows of `inner` it holds. Copies all rows, on `threads` threads (0: one per core).
/// REQUIRES: `inner` outlives the result, which asks it for schema and written rows.
std::unique_ptr<Source> permute_rows(MemorySource& inner, std::uint64_t seed, int threads = 0);

/// The same, taking the pages of `inner` and freeing each of them when its rows have been moved: there is never much
/// more than one copy of the data. `inner` has no rows any more afterwards (see MemorySource::take_pages).
std::unique_ptr<Source> permute_and_take_rows(MemorySource& inner, std::uint64_t seed, int threads = 0);

/// The same order over rows that stay where they are: one row per batch, nothing copied, eight bytes per row. A pass
/// over rows in memory that doesn't fit the cache takes longer. A batch lasts as long as `inner`.
std::unique_ptr<Source> index_rows(MemorySource& inner, std::uint64_t seed);

}  // namespace linsep
