#include "table/vocabulary.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "core/bytes.h"
#include "core/deadline.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr int kFirstBits = 3;  ///< for the slots of a new table
constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::size_t kFirstBlock = 64;  ///< small for tables with many columns of few values (later blocks are larger)
constexpr std::size_t kUnit = 4;         ///< terms begin at multiples of it
constexpr int kUnitBits = 18;            ///< for a place within a block, in units
constexpr std::size_t kMostBlocks = std::size_t{1} << (32 - kUnitBits);

}  // namespace

TermTable::TermTable()
    : slots_(std::size_t{1} << kFirstBits), mask_(slots_.size() - 1), bits_(kFirstBits), keyed_(bits_) {}

void TermTable::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  mask_ = slots_.size() - 1;
  keyed_ = KeyedSlots(++bits_);
  for (const Slot& slot : old) {
    if (slot.count == 0) continue;
    std::size_t place = keyed_.slot_of(slot.key);
    while (slots_[place].count != 0) place = (place + 1) & mask_;
    slots_[place] = slot;
  }
}

std::string_view TermTable::term(const Slot& slot) const {
  const char* at = arena_[slot.bytes >> kUnitBits].get() + (slot.bytes & ((std::uint32_t{1} << kUnitBits) - 1)) * kUnit;
  std::uint32_t length = 0;
  std::memcpy(&length, at, sizeof length);
  return {at + sizeof length, length};
}

void TermTable::set_term(Slot& slot, std::string_view term) {
  if (term.size() > 0xffffffff) throw input_error("a value of more than 4 GB");
  const std::size_t needed = (sizeof(std::uint32_t) + term.size() + kUnit - 1) / kUnit * kUnit;
  if (needed > room_) {
    if (arena_.size() == kMostBlocks) throw input_error("the values of a column take more than 16 GB: hash it");
    block_ = std::max(needed, std::min(kBlock, std::max(kFirstBlock, 4 * block_)));
    arena_.push_back(std::make_unique_for_overwrite<char[]>(block_));
    arena_bytes_ += block_;
    room_ = block_;
  }
  // A long term gets a block to itself. Nothing else fits in, so places stay below those of a block.
  const std::size_t used = block_ - room_;
  char* const at = arena_.back().get() + used;
  const auto length = static_cast<std::uint32_t>(term.size());
  std::memcpy(at, &length, sizeof length);
  if (length > 0) std::memcpy(at + sizeof length, term.data(), length);
  slot.bytes = static_cast<std::uint32_t>(((arena_.size() - 1) << kUnitBits) + used / kUnit);
  room_ -= needed;
}

void TermTable::clear_stamps() {
  for (Slot& slot : slots_) slot.stamp = 0;
}

int folded_bits(std::int64_t most_terms) {
  constexpr int kLeast = 10, kMost = 28;
  const auto terms = static_cast<std::uint64_t>(std::max<std::int64_t>(most_terms, 1));
  return std::clamp(static_cast<int>(std::bit_width(terms - 1)), kLeast, kMost);
}

Vocabulary::Vocabulary(VocabularyLimits limits) : limits_(limits), bits_(limits.bits) {
  if (!hashed()) return;
  mask_ = (std::uint64_t{1} << bits_) - 1;
  buckets_.resize(mask_ + 1);
  naming_ = limits_.most_names > 0;
}

std::uint64_t Vocabulary::bytes() const {
  return table_.bytes() + buckets_.size() * sizeof(std::uint32_t) + places_.size() * sizeof(std::uint64_t);
}

void Vocabulary::begin_batch(std::uint64_t place) {
  backwards_ = place < latest_;
  latest_ = std::max(latest_, place);
  places_.push_back(place);
  ordinal_ = 0;
  if (!hashed()) return;
  naming_ = limits_.most_names > 0;
  const auto names = static_cast<std::int64_t>(table_.size());
  if (names > limits_.most_names) prune_names();
  // Once all names are there, a batch after the last of them can't add any.
  if (names >= limits_.most_names && !backwards_) naming_ = false;
}

void Vocabulary::restart_rows() {
  table_.clear_stamps();
  distinct_.clear();
  row_ = 1;
}

void Vocabulary::begin_distinct(std::size_t keys) {
  if (distinct_.size() >= 2 * keys && !distinct_.empty()) return;
  const int bits = std::max(6, static_cast<int>(std::bit_width(2 * keys)));
  distinct_.assign(std::size_t{1} << bits, Distinct{});
  distinct_slots_ = KeyedSlots(bits);
}

void Vocabulary::make_room() {
  if (!hashed()) return fold();
  prune_names();
  if (!backwards_) naming_ = false;
}

void Vocabulary::fold() {
  if (hashed()) return;
  bits_ = folded_bits(limits_.most_terms);
  mask_ = (std::uint64_t{1} << bits_) - 1;
  buckets_.assign(mask_ + 1, 0);
  table_.each([&](const TermTable::Slot& slot) { add_to_bucket(slot.key & mask_, slot.count); });
  prune_names();
  naming_ = limits_.most_names > 0;
}

void Vocabulary::prune_names() {
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(limits_.most_names, 0));
  std::vector<std::pair<FirstSeen, const TermTable::Slot*>> all;
  all.reserve(table_.size());
  table_.each([&](const TermTable::Slot& slot) { all.emplace_back(first_seen(slot), &slot); });
  if (all.size() > most) {
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most), all.end());
    all.resize(most);
  }
  TermTable kept;
  for (const auto& [first, slot] : all) {
    TermTable::Slot& mine = kept.at(slot->key);
    mine.first = slot->first;
    mine.count = 1;
    kept.set_term(mine, table_.term(*slot));
  }
  table_ = std::move(kept);
}

void Vocabulary::merge_table(const Vocabulary& other) {
  const std::uint64_t before = places_.size();
  places_.insert(places_.end(), other.places_.begin(), other.places_.end());
  other.table_.each([&](const TermTable::Slot& theirs) {
    TermTable::Slot& mine = table_.at(theirs.key);
    if (mine.count == 0 || other.first_seen(theirs) < first_seen(mine)) {
      mine.first = theirs.first + (before << 32);
      table_.set_term(mine, other.table_.term(theirs));
    }
    mine.stamp = 0;
    mine.count = hashed() ? 1 : mine.count + theirs.count;
  });
  latest_ = std::max(latest_, other.latest_);
}

void Vocabulary::merge(Vocabulary& other) {
  if (hashed() || other.hashed()) {
    fold();
    other.fold();
  }
  // Counts don't depend on which table takes the other in, so the smaller one is merged into the larger.
  if (other.table_.size() > table_.size()) std::swap(*this, other);
  merge_table(other);
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) add_to_bucket(bucket, other.buckets_[bucket]);
  other = Vocabulary(limits_);
  if (over_full()) make_room();
}

namespace {

/// A term from some worker.
struct Entry {
  std::uint64_t key = 0, count = 0;
  FirstSeen first;
  std::string_view term;
};

std::size_t slice_of(std::uint64_t key, std::size_t slices) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>(static_cast<Wide>(key) * slices >> 64);
}

/// The terms of one of `slices` parts of the key space, as bytes.
std::string slice_bytes(const Vocabulary& vocabulary, std::size_t slice, std::size_t slices) {
  ByteWriter writer;
  vocabulary.table().each([&](const TermTable::Slot& slot) {
    if (slice_of(slot.key, slices) != slice) return;
    const FirstSeen first = vocabulary.first_seen(slot);
    writer.number(slot.key);
    writer.number(slot.count);
    writer.number(first.place);
    writer.number(first.ordinal);
    writer.text(vocabulary.table().term(slot));
  });
  return writer.take();
}

template <class T>
T take_number(std::string_view& rest) {
  T value;
  std::memcpy(&value, rest.data(), sizeof value);
  rest.remove_prefix(sizeof value);
  return value;
}

/// Reads what `slice_bytes` wrote on any worker. The entries point into these bytes.
void read_entries(std::string_view rest, std::vector<Entry>& entries) {
  while (!rest.empty()) {
    poll(20);
    Entry entry;
    entry.key = take_number<std::uint64_t>(rest);
    entry.count = take_number<std::uint64_t>(rest);
    entry.first.place = take_number<std::uint64_t>(rest);
    entry.first.ordinal = take_number<std::uint32_t>(rest);
    const auto length = static_cast<std::size_t>(take_number<std::uint64_t>(rest));
    entry.term = rest.substr(0, length);
    rest.remove_prefix(length);
    entries.push_back(entry);
  }
}

/// Merges equal keys into one entry with the sum of counts and the bytes of the one that came first.
void add_equal_keys(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.key, a.first) < std::tie(b.key, b.first); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (kept > 0 && entries[kept - 1].key == entries[i].key) {
      entries[kept - 1].count += entries[i].count;
    } else {
      entries[kept++] = entries[i];
    }
  }
  entries.resize(kept);
}

/// The entries of all workers. `all` holds their terms.
std::vector<Entry> gather_entries(Comm& comm, const std::string& mine, std::vector<std::vector<std::byte>>& all) {
  all = comm.all_gather(std::as_bytes(std::span(mine)));
  std::vector<Entry> entries;
  for (const auto& bytes : all) read_entries({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, entries);
  add_equal_keys(entries);
  return entries;
}

void keep_frequent(CountedTerms& counted, std::string_view term, std::uint64_t count, std::int64_t min_count) {
  ++counted.distinct;
  if (count >= static_cast<std::uint64_t>(min_count)) counted.terms.push_back({std::string(term), count});
}

void sort_terms(std::vector<CountedTerm>& terms) {
  std::sort(terms.begin(), terms.end(), [](const CountedTerm& a, const CountedTerm& b) {
    poll(20);
    return a.count != b.count ? a.count > b.count : a.term < b.term;
  });
}

/// Returns false if there are too many terms.
bool count_exact(const Vocabulary& vocabulary, Comm& comm, std::int64_t min_count, CountedTerms& counted) {
  const auto workers = static_cast<std::size_t>(comm.size());
  if (workers == 1) {
    vocabulary.table().each([&](const TermTable::Slot& slot) {
      poll(50);
      keep_frequent(counted, vocabulary.table().term(slot), slot.count, min_count);
    });
  }
  for (std::size_t slice = 0; workers > 1 && slice < workers; ++slice) {
    std::vector<std::vector<std::byte>> all;
    for (const Entry& entry : gather_entries(comm, slice_bytes(vocabulary, slice, workers), all)) {
      keep_frequent(counted, entry.term, entry.count, min_count);
    }
  }
  sort_terms(counted.terms);
  return static_cast<std::int64_t>(counted.distinct) <= vocabulary.limits().most_terms;
}

void count_buckets(const Vocabulary& vocabulary, Comm& comm, std::int64_t min_count, std::int64_t rows,
                   CountedTerms& counted) {
  constexpr std::size_t kTogether = std::size_t{1} << 20;
  const std::vector<std::uint32_t>& buckets = vocabulary.buckets();
  std::vector<std::int64_t> sums;
  for (std::size_t begin = 0; begin < buckets.size(); begin += kTogether) {
    const std::size_t end = std::min(begin + kTogether, buckets.size());
    sums.assign(buckets.begin() + static_cast<std::ptrdiff_t>(begin),
                buckets.begin() + static_cast<std::ptrdiff_t>(end));
    if (comm.size() > 1) comm.all_reduce(std::span(sums), Comm::Op::kSum);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::int64_t count = std::min({sums[i], std::int64_t{Vocabulary::kMostCount}, rows});
      if (count < std::max<std::int64_t>(min_count, 1)) continue;
      counted.buckets.push_back(static_cast<std::uint32_t>(begin + i));
      counted.counts.push_back(static_cast<std::uint64_t>(count));
    }
  }
}

/// Names each bucket that counts by its first two different terms, among the terms that came first.
void name_buckets(const Vocabulary& vocabulary, Comm& comm, CountedTerms& counted) {
  std::vector<std::vector<std::byte>> all;
  std::vector<Entry> entries = gather_entries(comm, slice_bytes(vocabulary, 0, 1), all);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.first, a.key) < std::tie(b.first, b.key); });
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(vocabulary.limits().most_names, 0));
  if (entries.size() > most) entries.resize(most);
  const std::uint64_t mask = (std::uint64_t{1} << counted.bits) - 1;
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry& a, const Entry& b) { return (a.key & mask) < (b.key & mask); });
  for (const Entry& entry : entries) {
    const auto bucket = static_cast<std::uint32_t>(entry.key & mask);
    if (!counted.names.empty() && counted.names.back().bucket == bucket) {
      if (counted.names.back().second.empty()) counted.names.back().second = entry.term;
    } else if (std::binary_search(counted.buckets.begin(), counted.buckets.end(), bucket)) {
      counted.names.push_back({bucket, std::string(entry.term), ""});
    }
  }
}

}  // namespace

CountedTerms count_terms(Vocabulary& vocabulary, Comm& comm, std::int64_t min_count, std::int64_t rows) {
  CountedTerms counted;
  const bool hashed = comm.size() == 1 ? vocabulary.hashed() : all_reduce_any(comm, vocabulary.hashed());
  if (hashed || !count_exact(vocabulary, comm, min_count, counted)) {
    counted = {};
    vocabulary.fold();
    counted.bits = vocabulary.bits();
    count_buckets(vocabulary, comm, min_count, rows, counted);
    name_buckets(vocabulary, comm, counted);
  }
  vocabulary = Vocabulary(vocabulary.limits());
  return counted;
}

}  // namespace linsep
