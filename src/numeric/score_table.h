// ScoreTable: rows of two classes counted by score in bounded memory, to the same counts in any order.
//
// A score becomes a 64-bit key of the same order. Once there are more than `capacity` different keys their low bits
// are dropped, the fewest that suffice. A set of scores that needs s bits dropped needs as many once others join it,
// and what is dropped by then is never more than the whole set needs: so the bits, and with them the table, depend on
// the scores alone. Counts are integers: tables of several workers add up. Keys wait unsorted, a quarter of the
// capacity; then they are sorted and merged into the table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linsep/comm.h"
#include "linsep/tools/ranking.h"

namespace linsep {

/// Numbers in the order of finite scores; of −0 that of 0.
std::uint64_t score_key(double score);
/// The score of a key; of keys beyond those of finite scores the greatest or the least finite one.
double key_score(std::uint64_t key);

class ScoreTable {
 public:
  static constexpr std::size_t kCapacity = std::size_t{1} << 20;

  /// REQUIRES: capacity > 0.
  explicit ScoreTable(std::size_t capacity = kCapacity) : capacity_(capacity) {}

  /// REQUIRES: the score is finite.
  void add(double score, bool positive) {
    waiting_[positive ? 1 : 0].push_back(score_key(score));
    if (waiting_[0].size() + waiting_[1].size() >= most_waiting()) settle();
  }

  /// Adds up the tables of all workers, of the same capacity; a part of each at a time, so that memory doesn't grow
  /// with their number.
  void all_reduce(Comm& comm);

  ScoreCounts counts();

  /// About how many bytes more will be taken for a moment when `rows` rows are added; 0: nothing to speak of.
  std::uint64_t room_for(std::size_t rows) const;

 private:
  struct Entry {
    std::uint64_t key = 0;  ///< without the dropped bits
    std::int64_t negative = 0, positive = 0;
  };

  std::size_t most_waiting() const { return capacity_ / 4 + 1; }
  void settle();
  void merge(const std::vector<Entry>& sorted);
  void drop_to(int bits);
  void fit_capacity();
  static void join_equal(std::vector<Entry>& sorted);

  std::size_t capacity_;
  int dropped_ = 0;
  std::vector<Entry> entries_;                         ///< by ascending key
  std::array<std::vector<std::uint64_t>, 2> waiting_;  ///< whole keys of negative and positive rows
};

}  // namespace linsep
