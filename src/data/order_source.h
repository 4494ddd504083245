// OrderSource: the rows of another source in shuffled order or drawn at random, anew in each pass.
//
// The order is defined over logical pages of kPageRows consecutive rows, so that it is the same in memory, from disk
// and for any batch size. Page p holds the rows whose number, divided by kPageRows, is p. With
// key = keyed_hash(seed, pass), pages come in the order of keyed_hash(key, p), and within a page either every row once
// in the order of keyed_hash(key, row number), or as many draws with replacement as it has rows: its first row number
// plus Random(key, p).below(its rows), draw after draw. Equal hashes: the smaller number first.
// Data of up to kPageRows rows is thereby shuffled, or drawn from, as a whole.
#pragma once

#include <cstdint>
#include <memory>

#include "data/memory_source.h"
#include "data/paged/paged_source.h"
#include "linsep/choices.h"

namespace linsep {

inline constexpr std::int64_t kPageRows = 65536;

/// REQUIRES: `inner` outlives the result. Rows are copied into batches of 256, small enough to stay in cache
/// (kGiven hands the inner batches through). Batches carry `row_number`; their `first_row` counts rows of the pass.
std::unique_ptr<Source> order_rows(MemorySource& inner, RowOrder order, std::uint64_t seed);
/// The same from pages on disk. Fast where a logical page fits into the room that `inner` has.
std::unique_ptr<Source> order_rows(PagedSource& inner, RowOrder order, std::uint64_t seed);

}  // namespace linsep
