// Vocabulary counts the rows that contain each term of an encoder. Counts are exact up to a number of terms. Beyond
// that, or from the start, terms are folded into buckets. A bucket's count is the sum of its terms' counts, so it is
// the same whether terms are folded early, late or on another worker. Buckets are named after the terms that come
// first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/keyed_map.h"
#include "linsep/comm.h"
#include "linsep/table/map.h"

namespace linsep {

/// Terms by their 64-bit keys, each with its bytes, its count and its first occurrence. Open addressing with linear
/// probing.
class TermTable {
 public:
  struct alignas(32) Slot {  // aligned so that none straddles two cache lines
    std::uint64_t key = 0;
    std::uint64_t first = 0;  ///< owned by the caller: where it came first
    std::uint64_t count = 0;  ///< 0 for an empty slot
    std::uint32_t bytes = 0;  ///< where its bytes are
    std::uint32_t stamp = 0;  ///< owned by the caller: the last row that counted
  };

  TermTable();

  std::size_t size() const { return size_; }
  /// How many bytes the table takes, approximately.
  std::uint64_t bytes() const { return slots_.capacity() * sizeof(Slot) + arena_bytes_; }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[keyed_.slot_of(key)]); }

  /// Returns the slot of a key. A new slot has count 0, and the caller sets all but the key. Valid until the next call.
  Slot& at(std::uint64_t key) {
    if (2 * size_ >= slots_.size()) grow();
    std::size_t place = keyed_.slot_of(key);
    while (slots_[place].count != 0 && slots_[place].key != key) place = (place + 1) & mask_;
    if (slots_[place].count == 0) {
      slots_[place].key = key;
      ++size_;
    }
    return slots_[place];
  }

  std::string_view term(const Slot& slot) const;
  void set_term(Slot& slot, std::string_view term);

  /// Calls `f(slot)` for every term, in no meaningful order.
  template <class F>
  void each(F&& f) const {
    for (const Slot& slot : slots_) {
      if (slot.count != 0) f(slot);
    }
  }
  void clear_stamps();

 private:
  void grow();

  std::vector<Slot> slots_;
  std::size_t mask_ = 0, size_ = 0;
  int bits_ = 0;
  KeyedSlots keyed_;
  std::vector<std::unique_ptr<char[]>> arena_;  ///< blocks of bytes that hold the length and bytes of each term
  std::size_t block_ = 0, room_ = 0;            ///< bytes of the last block, and those left in it
  std::uint64_t arena_bytes_ = 0;
};

struct VocabularyLimits {
  int bits = 0;  ///< above 0 if hashed from the start
  std::int64_t most_terms = std::int64_t{1} << 22;
  std::int64_t most_names = std::int64_t{1} << 18;  ///< only this many of the first terms can name buckets
};

/// How many bits a vocabulary gets if it is folded for having more than `most_terms` terms.
int folded_bits(std::int64_t most_terms);

/// Where a term came first. Rows are ordered by the place of their batch, then by the order within it.
struct FirstSeen {
  std::uint64_t place = 0;
  std::uint32_t ordinal = 0;

  auto operator<=>(const FirstSeen&) const = default;
};

class Vocabulary {
 public:
  static constexpr std::uint32_t kMostCount = 0xffffffff;  ///< counts of buckets stop here

  explicit Vocabulary(VocabularyLimits limits);

  bool hashed() const { return bits_ > 0; }
  int bits() const { return bits_; }
  const VocabularyLimits& limits() const { return limits_; }
  /// If exact, all terms. If hashed, those that may name buckets, and their counts mean nothing.
  const TermTable& table() const { return table_; }
  /// If hashed, the sum for each bucket of the numbers of rows of its terms.
  const std::vector<std::uint32_t>& buckets() const { return buckets_; }
  FirstSeen first_seen(const TermTable::Slot& slot) const {
    return {places_[slot.first >> 32], static_cast<std::uint32_t>(slot.first)};
  }
  std::uint64_t bytes() const;

  /// Begins a batch at this place, to which all further rows belong. REQUIRES: fewer than 2³² terms in it.
  void begin_batch(std::uint64_t place);
  void prefetch(std::uint64_t key) const {
    if (hashed()) {
      __builtin_prefetch(&buckets_[key & mask_]);
    } else {
      table_.prefetch(key);
    }
  }

  /// Takes a row with this one term. `term()` returns its bytes, and is called only if they are needed.
  template <class Term>
  void take_one(std::uint64_t key, Term&& term) {
    next_row();
    if (hashed()) {
      count_bucket(key);
      if (naming_) take_name(key, term);
    } else {
      count_term(key, term);
    }
    ++ordinal_;
    if (over_full()) make_room();
  }

  /// Takes a row with these terms, each of which counts once. `term(i)` returns the bytes of keys[i].
  template <class Term>
  void take_row(std::span<const std::uint64_t> keys, Term&& term) {
    next_row();
    for (const std::uint64_t key : keys) prefetch(key);
    if (hashed()) begin_distinct(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i, ++ordinal_) {
      const auto bytes = [&] { return term(i); };
      if (!hashed()) {
        count_term(keys[i], bytes);
      } else if (is_first_in_row(keys[i])) {
        count_bucket(keys[i]);
        if (naming_) take_name(keys[i], bytes);
      }
    }
    if (over_full()) make_room();
  }

  /// Folds terms into buckets, unless that has happened already.
  void fold();
  /// Takes over the counts of another vocabulary with the same limits, and leaves it empty.
  void merge(Vocabulary& other);

 private:
  void next_row() {
    if (++row_ == 0) restart_rows();
  }
  void restart_rows();

  std::uint64_t here() const { return (static_cast<std::uint64_t>(places_.size() - 1) << 32) | ordinal_; }

  template <class Term>
  void note_first(TermTable::Slot& slot, Term&& term) {
    slot.first = here();
    table_.set_term(slot, term());
  }

  template <class Term>
  void count_term(std::uint64_t key, Term&& term) {
    TermTable::Slot& slot = table_.at(key);
    if (slot.count == 0) {
      note_first(slot, term);
    } else if (slot.stamp == row_) {
      return;
    } else if (backwards_ && first_here() < first_seen(slot)) {
      note_first(slot, term);
    }
    slot.stamp = row_;
    ++slot.count;
  }

  template <class Term>
  void take_name(std::uint64_t key, Term&& term) {
    TermTable::Slot& slot = table_.at(key);
    if (slot.count == 0 || (backwards_ && first_here() < first_seen(slot))) note_first(slot, term);
    slot.count = 1;
  }

  FirstSeen first_here() const { return {places_.back(), ordinal_}; }

  void count_bucket(std::uint64_t key) {
    std::uint32_t& count = buckets_[key & mask_];
    if (count != kMostCount) ++count;
  }
  void add_to_bucket(std::size_t bucket, std::uint64_t count) {
    const std::uint64_t room = kMostCount - buckets_[bucket];
    buckets_[bucket] += static_cast<std::uint32_t>(count < room ? count : room);
  }

  /// Remembers the keys of the row so far, in a small separate table.
  void begin_distinct(std::size_t keys);
  bool is_first_in_row(std::uint64_t key) {
    std::size_t at = distinct_slots_.slot_of(key);
    while (distinct_[at].row == row_ && distinct_[at].key != key) at = (at + 1) & (distinct_.size() - 1);
    if (distinct_[at].row == row_) return false;
    distinct_[at] = {key, row_};
    return true;
  }

  bool over_full() const {
    return static_cast<std::int64_t>(table_.size()) > (hashed() ? 2 * limits_.most_names + 1024 : limits_.most_terms);
  }
  void make_room();
  /// Drops all but the names that came first.
  void prune_names();
  void merge_table(const Vocabulary& other);

  struct Distinct {
    std::uint64_t key = 0;
    std::uint32_t row = 0;
  };

  VocabularyLimits limits_;
  int bits_ = 0;
  std::uint64_t mask_ = 0;
  TermTable table_;
  std::vector<std::uint32_t> buckets_;
  std::vector<std::uint64_t> places_;  ///< of the batches
  std::uint64_t latest_ = 0;           ///< the largest of them
  bool backwards_ = false;             ///< the batch precedes one that was already taken
  bool naming_ = true;                 ///< the batch may have terms that name buckets
  std::uint32_t row_ = 0, ordinal_ = 0;
  std::vector<Distinct> distinct_;
  KeyedSlots distinct_slots_;
};

struct CountedTerm {
  std::string term;
  std::uint64_t count = 0;  ///< rows that it is in

  bool operator==(const CountedTerm&) const = default;
};

/// A vocabulary once all rows of all workers are counted.
struct CountedTerms {
  int bits = 0;                        ///< 0 if exact
  std::uint64_t distinct = 0;          ///< exact: the number of all terms
  std::vector<CountedTerm> terms;      ///< exact: those in `min_count` rows or more, by descending count, then by bytes
  std::vector<std::uint32_t> buckets;  ///< hashed: those whose count is `min_count` or more
  std::vector<std::uint64_t> counts;   ///< their counts, at most the number of rows
  std::vector<BucketName> names;       ///< names of those buckets
};

/// Adds what all workers have counted. The result is the same on all of them, and for any number of them. The
/// vocabulary may be folded by that, and is empty afterwards. Terms of an exact one go from worker to worker in slices
/// of the key space, so memory stays that of one table. A collective call.
CountedTerms count_terms(Vocabulary& vocabulary, Comm& comm, std::int64_t min_count, std::int64_t rows);

}  // namespace linsep
