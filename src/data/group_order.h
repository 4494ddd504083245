// GroupOrder: the order in which a pass visits groups of rows, such that only a window of the rows needs to be at hand.
//
// The groups are cut into sheets of kSheetGroups. A pass puts the sheets into random order, takes them kWindowSheets at
// a time (a window), and visits all groups of a window in random order. All by Fisher–Yates shuffles that draw from
// Random(seed, pass + 1): first the sheets (not where they are one window), then the groups of each window, whose
// order before the shuffle is that of its sheets one after another.
//
// Why not fixed pages of the same size in shuffled order: rows that always come together make coordinate descent slow.
// On 400,000 sparse rows fixed pages of 65,536 rows took seven times as many passes; windows take as many as a shuffle
// of all groups.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/random.h"

namespace linsep {

inline constexpr std::size_t kGroupRows = 16;
inline constexpr std::size_t kSheetGroups = 64;
inline constexpr std::size_t kWindowSheets = 64;

class GroupOrder {
 public:
  GroupOrder(std::size_t rows, std::uint64_t seed)
      : groups_((rows + kGroupRows - 1) / kGroupRows),
        sheets_((groups_ + kSheetGroups - 1) / kSheetGroups),
        seed_(seed),
        random_(seed) {
    rewind(0);
  }

  void rewind(std::uint64_t pass) {
    random_ = Random(seed_, pass + 1);
    std::iota(sheets_.begin(), sheets_.end(), std::uint32_t{0});
    if (sheets_.size() > kWindowSheets) shuffle(sheets_);
    at_sheet_ = at_ = 0;
    order_.clear();
  }
  bool at_end() const { return at_ == order_.size() && at_sheet_ == sheets_.size(); }
  /// REQUIRES: !at_end().
  std::size_t next() {
    if (at_ == order_.size()) begin_window();
    return order_[at_++];
  }
  void end() {
    at_sheet_ = sheets_.size();
    at_ = order_.size();
  }
  /// The groups of the present window that are still to come.
  std::span<const std::uint32_t> ahead() const { return std::span(order_).subspan(at_); }
  /// The sheets of the pass in their order, and how many of them have been taken into windows.
  std::span<const std::uint32_t> sheets() const { return sheets_; }
  std::size_t sheets_taken() const { return at_sheet_; }

 private:
  void begin_window() {
    order_.clear();
    const std::size_t end = std::min(at_sheet_ + kWindowSheets, sheets_.size());
    for (; at_sheet_ < end; ++at_sheet_) {
      const std::size_t first = sheets_[at_sheet_] * kSheetGroups;
      for (std::size_t g = first; g < std::min(first + kSheetGroups, groups_); ++g) {
        order_.push_back(static_cast<std::uint32_t>(g));
      }
    }
    shuffle(order_);
    at_ = 0;
  }
  void shuffle(std::vector<std::uint32_t>& order) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
  }

  std::size_t groups_;
  std::vector<std::uint32_t> sheets_;
  std::uint64_t seed_;
  Random random_;
  std::size_t at_sheet_ = 0;
  std::vector<std::uint32_t> order_;  // groups of the present window
  std::size_t at_ = 0;
};

}  // namespace linsep
