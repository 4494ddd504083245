// GroupOrder: the order in which a pass visits groups of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/random.h"

namespace linsep {

/// A Fisher–Yates shuffle of the numbers of the groups by Random(seed, pass + 1).
class GroupOrder {
 public:
  GroupOrder(std::size_t groups, std::uint64_t seed) : order_(groups), seed_(seed) { rewind(0); }

  void rewind(std::uint64_t pass) {
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    Random random(seed_, pass + 1);
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random.below(i)]);
    at_ = 0;
  }
  bool at_end() const { return at_ == order_.size(); }
  /// REQUIRES: !at_end().
  std::size_t next() { return order_[at_++]; }
  void end() { at_ = order_.size(); }

 private:
  std::vector<std::uint32_t> order_;
  std::uint64_t seed_;
  std::size_t at_ = 0;
};

}  // namespace linsep
