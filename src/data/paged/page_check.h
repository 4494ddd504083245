// What must hold of a page file before anything of it is used. Checksums tell damage from what was written; whoever
// forges a file makes them right as well, so that what was written makes sense is checked besides: no file whatever can
// lead a reader or a learner out of its arrays, or to numbers that no text can hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/paged/page_file.h"

namespace linsep {

/// The header and index of a page file. Throws an input Error without a place where the bytes end too early, are too
/// many or hold a number that can't be; never takes more memory than a few times the bytes.
struct PageIndex {
  PageHeader header;
  std::vector<PageEntry> entries;
};
PageIndex parse_index(std::string_view bytes);

/// Whether pages and header fit together: pages lie one behind another from the first block up to `end`, their rows
/// follow one another, each is as long as its rows and values make it, and no sum or product goes beyond 64 bits.
bool fits_together(const PageIndex& index, std::uint64_t end);

/// What is wrong with the arrays of a page, behind "page 17"; "" for nothing: rows begin in order, the columns of a row
/// ascend strictly and lie below the page's features, values, labels and weights are finite, weights aren't negative.
/// REQUIRES: the arrays have the sizes that `entry` says.
std::string page_fault(const PageEntry& entry, const Batch& batch);

}  // namespace linsep
