#include "table/fit/counted_terms.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <tuple>

#include "core/bytes.h"

namespace linsep {
namespace {

/// A term of some worker.
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

/// What `slice_bytes` wrote, on whichever worker; terms stay where they are.
void read_entries(std::string_view rest, std::vector<Entry>& entries) {
  while (!rest.empty()) {
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

/// Of equal keys one is left, with the sum of counts and the bytes of the one that came first.
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

/// The entries of all workers; `all` holds their terms.
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
    return a.count != b.count ? a.count > b.count : a.term < b.term;
  });
}

/// Nothing where there are too many terms.
bool count_exact(const Vocabulary& vocabulary, Comm& comm, std::int64_t min_count, CountedTerms& counted) {
  const auto workers = static_cast<std::size_t>(comm.size());
  if (workers == 1) {
    vocabulary.table().each([&](const TermTable::Slot& slot) {
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

/// The first two different terms of each bucket that counts, of the terms that came first.
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
