#include "train/select/folds.h"

#include <fmt/format.h>

#include "core/hash_order.h"
#include "linsep/error.h"

namespace linsep {

std::vector<std::uint16_t> deal_folds(std::span<const std::uint8_t> positive, std::int64_t count, std::uint64_t seed) {
  constexpr std::uint64_t kFolds = 0x666f6c6473;  // another order than that in which the rows are visited
  if (static_cast<std::int64_t>(positive.size()) < count) {
    throw usage_error(fmt::format("{} folds need as many rows at least, and there are {}", count, positive.size()));
  }
  const std::uint64_t key = keyed_hash(seed, kFolds);
  std::vector<std::int64_t> order;
  std::vector<std::uint16_t> fold(positive.size());
  std::uint64_t dealt = 0;
  for (const std::uint8_t one : {std::uint8_t{0}, std::uint8_t{1}}) {
    order.clear();
    for (std::size_t row = 0; row < positive.size(); ++row) {
      if (positive[row] == one) order.push_back(static_cast<std::int64_t>(row));
    }
    sort_by_hash(key, order);
    for (const std::int64_t row : order) {
      fold[static_cast<std::size_t>(row)] = static_cast<std::uint16_t>(dealt++ % static_cast<std::uint64_t>(count));
    }
  }
  return fold;
}

}  // namespace linsep
