#include "train/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/paged/paged_source.h"
#include "linsep/error.h"
#include "os/resident.h"

namespace linsep {
namespace {

/// What allocation wastes, stacks of threads, text being read again, reports.
constexpr std::uint64_t kSlack = std::uint64_t{12} << 20;
/// Few columns are worked with in dense matrices of this order at most.
constexpr std::uint64_t kFewColumns = 2000;

}  // namespace

std::uint64_t bytes_needed(const MemoryRates& rates, const Shape& shape, std::size_t parts) {
  const auto rows = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.rows, 0));
  const std::uint64_t columns = std::uint64_t{shape.features} + 1, several = std::max<std::uint64_t>(parts, 1);
  return several * (rates.row * rows + rates.column * columns + rates.square * columns * columns) + rates.more;
}

// The survey keeps ten bytes per row and up to four to look for conflicting duplicates, with some room for those that
// it finds; later passes three, and of many columns a multiplier and a norm. Of few columns there is a working set.
std::uint64_t certify_bytes(const Shape& shape) {
  const auto rows = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.rows, 0));
  const std::uint64_t columns = shape.features + 1;
  const std::uint64_t set = columns <= kFewColumns ? 8 * 40 * columns * columns : 0;
  return 24 * rows + 8 * 24 * columns + set;
}

void share_memory(Source& source, std::uint64_t need, std::uint64_t memory) {
  auto* pages = dynamic_cast<PagedSource*>(&source);
  if (memory == 0 || pages == nullptr) return;
  const std::uint64_t least = PagedSource::kFewPages * pages->file()->largest_page();
  const std::uint64_t taken = resident_bytes() + kSlack + need;
  if (taken + least > memory) {
    throw option_error("memory",
                       fmt::format("besides its rows this run needs {} of memory, and may use {}: give {{}} {}",
                                   size_words(need), size_words(memory), size_words(taken + 2 * least)));
  }
  pages->set_room(memory - taken);
}

}  // namespace linsep
