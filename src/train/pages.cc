#include "train/row_order.h"

#include <algorithm>

#include "data/paged/paged_source.h"
#include "data/paged/permute_pages.h"

namespace linsep {

std::uint64_t least_page_room(Source& source) {
  auto* pages = dynamic_cast<PagedSource*>(&source);
  if (pages == nullptr) return 0;
  return std::max<std::uint64_t>(1, PagedSource::kFewPages * pages->file()->largest_page());
}

void set_page_room(Source& source, std::uint64_t bytes) { dynamic_cast<PagedSource&>(source).set_room(bytes); }

std::unique_ptr<Source> pages_in_order(Source& source, VisitOrder order, std::uint64_t seed) {
  auto* pages = dynamic_cast<PagedSource*>(&source);
  if (pages == nullptr) return nullptr;
  if (order == VisitOrder::kPermuted) return permute_pages(*pages, seed);
  return order_rows(*pages, order == VisitOrder::kShuffled ? RowOrder::kShuffled : RowOrder::kDrawn, seed);
}

}  // namespace linsep
