#define XXH_INLINE_ALL
#include "train/checkpoint/fingerprint.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>

#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

template <class V>
std::uint64_t hash_columns(const SparseRow<V>& row, std::uint64_t seed) {
  return XXH3_64bits_withSeed(row.column, row.size * sizeof(std::uint32_t), seed);
}
template <class V>
std::uint64_t hash_columns(const DenseRow<V>& row, std::uint64_t seed) {
  return XXH3_64bits_withSeed(&row.size, sizeof row.size, seed);
}

std::uint64_t hash_rows(const Batch& batch) {
  struct Head {
    std::int64_t number;
    double label, weight;
  };
  static_assert(std::has_unique_object_representations_v<std::int64_t> && sizeof(Head) == 24);
  std::uint64_t sum = 0;
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    using Value = typename std::remove_cvref_t<decltype(row)>::Value;
    const auto at = static_cast<std::size_t>(i);
    const Head head{batch.number_of(i), batch.label.empty() ? 0 : batch.label[at], batch.weight_of(i)};
    const std::uint64_t first = XXH3_64bits_withSeed(&head, sizeof head, sizeof(Value));
    const std::uint64_t second = hash_columns(row, first);
    sum += XXH3_64bits_withSeed(row.value, row.size * sizeof(Value), second);
  });
  return sum;
}

}  // namespace

DataFingerprint data_fingerprint(Source& source, Comm& comm) {
  DataFingerprint found;
  source.rewind(0);
  while (const auto batch = source.next()) {
    found.rows += batch->rows;
    found.own += hash_rows(*batch);
  }
  // Halves of 32 bits, so that the sum over workers can't overflow.
  constexpr int kHalf = 32;
  std::array<std::int64_t, 3> sums = {found.rows, static_cast<std::int64_t>(found.own & 0xffffffffU),
                                      static_cast<std::int64_t>(found.own >> kHalf)};
  comm.all_reduce(std::span<std::int64_t>(sums), Comm::Op::kSum);
  const std::int64_t features = all_reduce_max(comm, std::int64_t{source.shape().features});
  found.rows = sums[0];
  found.hash = static_cast<std::uint64_t>(sums[1]) + (static_cast<std::uint64_t>(sums[2]) << kHalf);
  found.features = static_cast<std::uint32_t>(features);
  return found;
}

}  // namespace linsep
