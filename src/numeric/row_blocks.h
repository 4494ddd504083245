// RowBlocks: goes through the rows of a pass in blocks of fixed size, several at a time, with the same bits for any
// number of threads and any split of the rows into batches.
//
// Block b holds rows b·size … (b+1)·size − 1 of the pass, as they come. A block is processed by one thread
// in row order into one of `slots()` partial results; partial results are folded in the order of the blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bytes.h"
#include "core/deadline.h"
#include "core/parallel.h"
#include "core/slice.h"
#include "linsep/batch.h"

namespace linsep {

/// Where a batch's rows begin among `rows` rows that are numbered from `first_row` on. Throws an input Error if they
/// aren't among them.
inline std::size_t place_of(const Batch& batch, std::int64_t first_row, std::size_t rows) {
  const std::int64_t place = batch.first_row - first_row;
  require_state(place >= 0 && batch.rows <= static_cast<std::int64_t>(rows) - place,
                "the rows aren't those that it was made of");
  return static_cast<std::size_t>(place);
}

class RowBlocks {
 public:
  /// About kBlocks blocks for this many rows. `effort`: how often each value is multiplied and added.
  void begin(std::int64_t rows, int threads, double effort = 1) {
    constexpr std::int64_t kLeast = 1024;
    size_ = std::max(kLeast, (rows + kBlocks - 1) / kBlocks);
    queue_.assign(static_cast<std::size_t>(std::max(threads, 1)), {});
    effort_ = effort;
    at_ = 0;
    filled_ = 0;
  }

  std::size_t slots() const { return queue_.size(); }
  /// The most rows that one partial result adds up, and the most partial results.
  double additions() const { return static_cast<double>(size_) + kBlocks; }

  /// `process(rows, slot)` for the rows of this batch, at once or (pinned batches, several slots) when enough have
  /// come, polling, then `fold(slot)` for every block that is complete: it takes the partial result and clears it.
  /// REQUIRES: all batches of a pass are pinned, or none is.
  template <class Process, class Fold>
  void add(const Batch& batch, const Process& process, const Fold& fold) {
    const bool queued = batch.pinned && slots() > 1;
    for (std::int64_t first = 0; first < batch.rows;) {
      const std::int64_t count = std::min(batch.rows - first, size_ - filled_);
      const Batch piece = count == batch.rows ? batch : slice(batch, first, count);
      if (queued) {
        queue_[at_].push_back(piece);
      } else {
        process(piece, at_);
      }
      first += count;
      filled_ += count;
      if (filled_ < size_) continue;
      filled_ = 0;
      ++at_;
      if (!queued || at_ == slots()) run(process, fold);
    }
  }

  /// The same without blocks to fold: partial results stay in their slots, for the caller to put together in any order.
  /// So a batch that isn't pinned can be processed by several threads at once, each of which takes a part of its rows.
  template <class Process>
  void add(const Batch& batch, const Process& process) {
    if (batch.pinned || slots() == 1) return add(batch, process, [](std::size_t) {});
    const auto parts = static_cast<std::int64_t>(slots());
    const double work = effort_ * pass_nanoseconds(batch.rows, values_in(batch));
    parallel_for(slots(), static_cast<int>(slots()), work, [&](std::size_t slot, std::size_t) {
      const auto part = static_cast<std::int64_t>(slot);
      const std::int64_t first = batch.rows * part / parts, last = batch.rows * (part + 1) / parts;
      if (first == last) return;
      const Batch piece = slice(batch, first, last - first);
      process(piece, slot);
      poll(values_in(piece));
    });
  }

  /// Ends the pass: what has been kept back, and the last block.
  template <class Process, class Fold>
  void finish(const Process& process, const Fold& fold) {
    if (filled_ > 0) ++at_;
    filled_ = 0;
    run(process, fold);
  }
  template <class Process>
  void finish(const Process& process) {
    finish(process, [](std::size_t) {});
  }

 private:
  static constexpr std::int64_t kBlocks = 32;

  template <class Process, class Fold>
  void run(const Process& process, const Fold& fold) {
    double rows = 0, values = 0;
    for (const std::vector<Batch>& queue : queue_) {
      for (const Batch& piece : queue) {
        rows += static_cast<double>(piece.rows);
        values += static_cast<double>(values_in(piece));
      }
    }
    parallel_for(at_, static_cast<int>(slots()), effort_ * pass_nanoseconds(rows, values),
                 [&](std::size_t slot, std::size_t) {
                   for (const Batch& piece : queue_[slot]) {
                     process(piece, slot);
                     poll(values_in(piece));
                   }
                   queue_[slot].clear();
                 });
    for (std::size_t slot = 0; slot < at_; ++slot) fold(slot);
    at_ = 0;
  }

  std::vector<std::vector<Batch>> queue_;  // of each slot
  std::size_t at_ = 0;                     // the slot being filled
  std::int64_t size_ = 1;
  std::int64_t filled_ = 0;
  double effort_ = 1;
};

}  // namespace linsep
