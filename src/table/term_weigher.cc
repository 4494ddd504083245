#include "table/term_weigher.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace linsep {
namespace {

constexpr std::size_t kAhead = 32;  ///< terms ahead whose places are prefetched

std::vector<std::uint64_t> keys_of(const TextEncoder& encoder) {
  std::vector<std::uint64_t> keys;
  keys.reserve(encoder.terms.size());
  for (const std::string& term : encoder.terms) keys.push_back(term_key(term, !encoder.chars.none()));
  return keys;
}

std::uint64_t features_of(const TextEncoder& encoder) {
  return encoder.bits == 0 ? encoder.terms.size() : std::uint64_t{1} << encoder.bits;
}

double weight_of(double count, TermWeight weight) {
  if (weight == TermWeight::kCount) return count;
  return std::copysign(weight == TermWeight::kSqrt ? std::sqrt(std::abs(count)) : 1, count);
}

void divide_by_length(std::vector<EncodedValue>& values, std::size_t begin) {
  double squares = 0;
  for (std::size_t i = begin; i < values.size(); ++i) squares += values[i].value * values[i].value;
  const double length = std::sqrt(squares);
  if (!(length > 0)) return;
  for (std::size_t i = begin; i < values.size(); ++i) values[i].value /= length;
}

}  // namespace

RankedSet::RankedSet(const std::vector<std::uint32_t>& members, std::uint64_t end) : blocks_((end + 63) / 64) {
  for (const std::uint32_t member : members) blocks_[member / 64].members |= std::uint64_t{1} << (member % 64);
  std::uint32_t before = 0;
  for (Block& block : blocks_) {
    block.before = before;
    before += static_cast<std::uint32_t>(std::popcount(block.members));
  }
}

TextIndex::TextIndex(const TextEncoder& encoder) : encoder_(encoder) {
  if (encoder.bits == 0) {
    table_ = KeyTable(keys_of(encoder));
  } else if (!encoder.every_bucket || !encoder.idf.empty()) {
    buckets_ = RankedSet(encoder.buckets, std::uint64_t{1} << encoder.bits);
  }
}

TermWeigher::TermWeigher(const TextIndex& index)
    : index_(index),
      reader_(index.encoder().words, index.encoder().chars),
      counts_(features_of(index.encoder()), index.encoder().has_signs) {}

bool TermWeigher::encode(std::string_view text, std::vector<EncodedValue>& out) {
  const TextEncoder& encoder = index_.encoder();
  bool known = false;
  const std::span<const std::uint64_t> keys = reader_.read(text);
  for (std::size_t i = 0; i < std::min(kAhead, keys.size()); ++i) index_.prefetch(keys[i]);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i + kAhead < keys.size()) index_.prefetch(keys[i + kAhead]);
    const std::uint64_t key = keys[i];
    double sign = 1;
    const std::uint32_t feature = index_.feature_of(key, sign);
    if (feature == KeyTable::kNone) continue;
    known = true;
    index_.prefetch_idf(feature);
    counts_.add(feature, sign < 0);
  }
  const std::size_t begin = out.size();
  counts_.drain([&](std::uint32_t feature, std::int32_t count) {
    if (count == 0) return;
    const double value = weight_of(count, encoder.weight) * index_.idf_of(feature);
    if (value != 0) out.push_back({feature, value});
  });
  if (encoder.norm) divide_by_length(out, begin);
  return known;
}

}  // namespace linsep
