#include "numeric/score_table.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "core/bytes.h"

namespace linsep {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

std::uint64_t key_of_bits(std::uint64_t bits) { return (bits & kSign) != 0 ? ~bits : bits | kSign; }

std::uint64_t shifted(std::uint64_t key, int bits) { return bits >= 64 ? 0 : key >> bits; }

}  // namespace

std::uint64_t score_key(double score) { return key_of_bits(std::bit_cast<std::uint64_t>(score + 0.0)); }

double key_score(std::uint64_t key) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const std::uint64_t within = std::clamp(key, score_key(-kMost), score_key(kMost));
  return std::bit_cast<double>((within & kSign) != 0 ? within & ~kSign : ~within) + 0.0;
}

/// Neighbours of the same key become one.
void ScoreTable::join_equal(std::vector<Entry>& sorted) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (kept > 0 && sorted[kept - 1].key == sorted[i].key) {
      sorted[kept - 1].negative += sorted[i].negative;
      sorted[kept - 1].positive += sorted[i].positive;
    } else {
      sorted[kept++] = sorted[i];
    }
  }
  sorted.resize(kept);
}

void ScoreTable::drop_to(int bits) {
  if (bits <= dropped_) return;
  for (Entry& entry : entries_) entry.key = shifted(entry.key, bits - dropped_);
  dropped_ = bits;
  join_equal(entries_);
}

/// Two neighbours stay apart while fewer bits are dropped than reach up to the first in which they differ.
void ScoreTable::fit_capacity() {
  if (entries_.size() <= capacity_) return;
  std::array<std::size_t, 65> apart{};
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    ++apart[static_cast<std::size_t>(std::bit_width(entries_[i].key ^ entries_[i - 1].key))];
  }
  int bits = 0;
  for (std::size_t left = entries_.size(); left > capacity_;) left -= apart[static_cast<std::size_t>(++bits)];
  drop_to(dropped_ + bits);
}

/// In place, from the back.
void ScoreTable::merge(const std::vector<Entry>& sorted) {
  std::size_t ours = entries_.size(), theirs = sorted.size(), to = ours + theirs;
  if (to > entries_.capacity()) entries_.reserve(std::max(to, std::min(2 * to, capacity_ + most_waiting())));
  entries_.resize(to);
  while (theirs > 0) {
    const bool ours_next = ours > 0 && entries_[ours - 1].key > sorted[theirs - 1].key;
    entries_[--to] = ours_next ? entries_[--ours] : sorted[--theirs];
  }
  join_equal(entries_);
  fit_capacity();
}

void ScoreTable::settle() {
  if (waiting_[0].empty() && waiting_[1].empty()) return;
  for (auto& keys : waiting_) std::sort(keys.begin(), keys.end());
  std::vector<Entry> sorted;
  sorted.reserve(waiting_[0].size() + waiting_[1].size());
  const auto take = [&](std::size_t side, std::size_t at) {
    sorted.push_back({shifted(waiting_[side][at], dropped_), side == 0 ? 1 : 0, side == 0 ? 0 : 1});
  };
  std::size_t negative = 0, positive = 0;
  while (negative < waiting_[0].size() || positive < waiting_[1].size()) {
    const bool from_negative = positive == waiting_[1].size() ||
                               (negative < waiting_[0].size() && waiting_[0][negative] < waiting_[1][positive]);
    from_negative ? take(0, negative++) : take(1, positive++);
  }
  for (auto& keys : waiting_) keys.clear();
  join_equal(sorted);
  merge(sorted);
}

void ScoreTable::all_reduce(Comm& comm) {
  settle();
  const int bits = static_cast<int>(all_reduce_max(comm, std::int64_t{dropped_}));
  drop_to(bits);
  const auto most = static_cast<std::size_t>(all_reduce_max(comm, static_cast<std::int64_t>(entries_.size())));
  const std::size_t part = capacity_ / static_cast<std::size_t>(comm.size()) + 1;
  ScoreTable all(capacity_);
  all.dropped_ = bits;
  for (std::size_t first = 0; first < most; first += part) {
    ByteWriter writer;
    for (std::size_t i = first; i < std::min(first + part, entries_.size()); ++i) {
      writer.number(entries_[i].key);
      writer.number(entries_[i].negative);
      writer.number(entries_[i].positive);
    }
    std::vector<Entry> theirs;
    for (const std::string& bytes : gather_text(comm, writer.bytes())) {
      for (ByteReader reader(bytes); !reader.at_end();) {
        Entry& entry = theirs.emplace_back();
        entry.key = shifted(reader.number<std::uint64_t>(), all.dropped_ - bits);
        entry.negative = reader.number<std::int64_t>();
        entry.positive = reader.number<std::int64_t>();
      }
    }
    std::sort(theirs.begin(), theirs.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
    all.merge(theirs);
  }
  *this = std::move(all);
}

ScoreCounts ScoreTable::counts() {
  settle();
  ScoreCounts counts;
  counts.dropped_bits = dropped_;
  counts.places.reserve(entries_.size());
  for (std::size_t i = entries_.size(); i-- > 0;) {
    const Entry& entry = entries_[i];
    const std::uint64_t key = dropped_ >= 64 ? 0 : entry.key << dropped_;
    counts.places.push_back({key_score(key), entry.negative, entry.positive});
  }
  return counts;
}

std::uint64_t ScoreTable::room_for(std::size_t rows) const {
  const std::size_t waiting = waiting_[0].size() + waiting_[1].size() + rows;
  const std::size_t entries = std::min(entries_.size() + waiting, capacity_ + most_waiting());
  return waiting < most_waiting() ? rows * sizeof(std::uint64_t) : entries * sizeof(Entry);
}

}  // namespace linsep
