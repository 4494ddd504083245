#include "table/fit/vocabulary.h"

#include <algorithm>
#include <utility>

namespace linsep {

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
  // With all names there, a batch behind the last of them can't have any.
  if (names >= limits_.most_names && !backwards_) naming_ = false;
}

void Vocabulary::restart_rows() {
  table_.clear_stamps();
  distinct_.clear();
  row_ = 1;
}

void Vocabulary::begin_distinct(std::size_t keys) {
  if (distinct_.size() >= 2 * keys && !distinct_.empty()) return;
  distinct_.assign(std::max<std::size_t>(64, std::bit_ceil(2 * keys)), Distinct{});
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
  // Counts don't care which table takes the other in: the smaller one is gone through.
  if (other.table_.size() > table_.size()) std::swap(*this, other);
  merge_table(other);
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) add_to_bucket(bucket, other.buckets_[bucket]);
  other = Vocabulary(limits_);
  if (over_full()) make_room();
}

}  // namespace linsep
