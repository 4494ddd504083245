#include "numeric/row_blocks.h"

#include <algorithm>

namespace linsep {

void RowBlocks::begin(std::int64_t rows, int threads) {
  constexpr std::int64_t kLeast = 1024;
  size_ = std::max(kLeast, (rows + kBlocks - 1) / kBlocks);
  queue_.assign(static_cast<std::size_t>(std::max(threads, 1)), {});
  at_ = 0;
  filled_ = 0;
}

}  // namespace linsep
