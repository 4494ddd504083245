// What training asks of rows that lie in a page file. A build without files links `no_files/pages.cc` instead, where no
// source has pages.
#pragma once

#include <cstdint>
#include <memory>

#include "linsep/learner_info.h"
#include "linsep/source.h"

namespace linsep {

/// The least room in bytes that the pages of `source` need to be gone through; 0 where it has no pages.
std::uint64_t least_page_room(Source& source);
/// Gives its pages this room. REQUIRES: least_page_room(source) > 0.
void set_page_room(Source& source, std::uint64_t bytes);

/// Its rows in that order; nullptr where it has no pages. REQUIRES: `source` outlives the result; not kGiven.
std::unique_ptr<Source> pages_in_order(Source& source, VisitOrder order, std::uint64_t seed);

}  // namespace linsep
