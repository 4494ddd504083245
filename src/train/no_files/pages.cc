#include "train/pages.h"

namespace linsep {

std::uint64_t least_page_room(Source& /*source*/) { return 0; }

void set_page_room(Source& /*source*/, std::uint64_t /*bytes*/) {}

std::unique_ptr<Source> pages_in_order(Source& /*source*/, VisitOrder /*order*/, std::uint64_t /*seed*/) {
  return nullptr;
}

}  // namespace linsep
