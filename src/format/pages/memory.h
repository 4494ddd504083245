// PageMemory: where the pages of one parsing thread lie: exact sizes, one behind another, in large blocks.
//
// A page is reserved at its greatest possible size and then cut to what it needs, so parsers write straight into it.
// Blocks grow from small ones, for small inputs, to large ones on huge memory pages, whose first touch costs far less.
#pragma once

#include <cstddef>
#include <memory>

namespace linsep {

class PageMemory {
 public:
  /// Blocks double up to `largest_block`.
  explicit PageMemory(std::size_t largest_block) : largest_block_(largest_block) {}

  /// Room for `bytes` bytes, aligned to 64. Valid until the next call of `reserve`, or for good once kept.
  std::byte* reserve(std::size_t bytes);
  /// Keeps the first `bytes` bytes of what was reserved last. The result owns them.
  std::shared_ptr<void> keep(std::size_t bytes);

 private:
  std::shared_ptr<std::byte> block_;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
  std::size_t largest_block_;
};

}  // namespace linsep
