// PermutedSource puts the rows of a memory source once into a random order and hands them out in groups of a few rows,
// with the groups shuffled again in each pass. This is what coordinate descent wants: an order that is random in every
// pass, at nearly the speed of going straight through memory.
//
// Position k holds the row with the k-th smallest keyed_hash(seed, row number). If hashes are equal, the smaller number
// comes first. Group g holds the positions kGroupRows·g … kGroupRows·(g+1) − 1. A pass visits the groups in shuffled
// order, window by window (GroupOrder). So what a learner sees depends neither on the pages of the input, nor on the
// number of threads that permuted it, nor on whether the rows lie in memory or on disk.
//
// The groups are small because the rows of one group are always visited together. Groups of 16 rows converge like an
// order that is wholly new in each pass. With groups of 256 the gap after 20 passes is four times as wide, and with a
// fixed order twenty times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/random.h"
#include "data/memory_source.h"

namespace linsep {

// GroupOrder is the order in which a pass visits groups of rows. Only a window of the rows needs to be at hand.
//
// The groups are cut into sheets of kSheetGroups. A pass puts the sheets into random order, takes kWindowSheets of them
// at a time (a window), and visits all groups of a window in random order. All shuffles are by Fisher–Yates and draw
// from Random(seed, pass + 1). First the sheets are shuffled (not if they are one window), then the groups of each
// window, whose order before the shuffle is that of its sheets one after another.
//
// Fixed pages of the same size in shuffled order would not do, because rows that always come together make coordinate
// descent slow. On 400,000 sparse rows fixed pages of 65,536 rows took seven times as many passes. Windows take as many
// as a shuffle of all groups.

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

/// A batch is a group, and it lasts. Its `first_row` is the position of its first row, the same in every pass. Its
/// `row_number` lists which rows of `inner` it holds. Copies all rows, on `threads` threads (0: one per core).
/// REQUIRES: `inner` outlives the result, which asks it for schema and written rows.
std::unique_ptr<Source> permute_rows(MemorySource& inner, std::uint64_t seed, int threads = 0);

/// The same, but takes the pages of `inner` and frees each of them when its rows have been moved. So there is never
/// much more than one copy of the data. `inner` has no rows afterwards (see MemorySource::take_pages).
std::unique_ptr<Source> permute_and_take_rows(MemorySource& inner, std::uint64_t seed, int threads = 0);

/// The same order over rows that stay where they are, with one row per batch. Nothing is copied, and it takes eight
/// bytes per row. A pass takes longer if the rows don't fit the cache. A batch lasts as long as `inner`.
std::unique_ptr<Source> index_rows(MemorySource& inner, std::uint64_t seed);

}  // namespace linsep
