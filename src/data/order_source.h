// OrderSource serves the rows of another source in shuffled order or drawn at random, differently in each pass.
//
// The order is defined over logical pages of kPageRows consecutive rows, so that it is the same in memory, from disk
// and for any batch size. Page p holds the rows whose number, divided by kPageRows, is p. With key = keyed_hash(seed,
// pass), pages come in the order of keyed_hash(key, p). Within a page, a shuffled order has every row once, in the
// order of keyed_hash(key, row number). A drawn order makes as many draws with replacement as the page has rows. Each
// gives the page's first row number plus Random(key, p).below(its rows), draw after draw. If hashes are equal, the
// smaller number comes first. Data of up to kPageRows rows is thereby shuffled, or drawn from, as a whole.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/random.h"
#include "data/memory_source.h"
#include "linsep/choices.h"

namespace linsep {

inline constexpr std::int64_t kPageRows = 65536;

/// REQUIRES: `inner` outlives the result. Rows are copied into batches of 256, small enough to stay in cache
/// (kGiven hands the inner batches through). Batches carry `row_number`; their `first_row` counts rows of the pass.
std::unique_ptr<Source> order_rows(MemorySource& inner, RowOrder order, std::uint64_t seed);

/// Rows reached by number, wherever they lie.
class RowsByNumber {
 public:
  virtual ~RowsByNumber() = default;
  virtual std::int64_t first_row() const = 0;
  virtual std::int64_t end_row() const = 0;
  /// A batch with rows of the layout that all have.
  virtual Batch like() const = 0;
  /// Announces which rows will be asked for. They are those of the first range, then those of the second, and so on.
  virtual void plan(const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges) = 0;
  virtual void advance() = 0;
  /// The batch that holds a row of the present range, until the next call.
  virtual const Batch& batch_of(std::int64_t row) = 0;
  /// The batch that holds all rows, or null if there is none.
  virtual const Batch* all() const { return nullptr; }
};
/// The same for a source that isn't in memory. `reach` gets at the rows of `inner`.
std::unique_ptr<Source> order_rows(Source& inner, std::unique_ptr<RowsByNumber> reach, RowOrder order,
                                   std::uint64_t seed);

/// The random order behind passes, groups and folds. Sorts numbers by their hash under `key`. If hashes are equal, the
/// smaller number comes first.
inline void sort_by_hash(std::uint64_t key, std::vector<std::int64_t>& numbers) {
  using Hashed = std::pair<std::uint64_t, std::int64_t>;
  if (numbers.size() < 2) return;
  // Hashes are evenly spread, so their leading bits put each number close to its place, with about one number per
  // bucket.
  const int shift = 64 - std::bit_width(numbers.size() - 1);
  std::vector<std::size_t> end((std::size_t{1} << (64 - shift)) + 1);
  for (const std::int64_t n : numbers) ++end[(keyed_hash(key, static_cast<std::uint64_t>(n)) >> shift) + 1];
  for (std::size_t b = 1; b < end.size(); ++b) end[b] += end[b - 1];
  std::vector<Hashed> hashed(numbers.size());
  for (const std::int64_t n : numbers) {
    const std::uint64_t hash = keyed_hash(key, static_cast<std::uint64_t>(n));
    hashed[end[hash >> shift]++] = {hash, n};
  }
  std::size_t begin = 0;
  for (std::size_t b = 0; b + 1 < end.size(); ++b) {
    if (end[b] - begin > 1) {
      std::sort(hashed.begin() + static_cast<std::ptrdiff_t>(begin),
                hashed.begin() + static_cast<std::ptrdiff_t>(end[b]));
    }
    begin = end[b];
  }
  std::transform(hashed.begin(), hashed.end(), numbers.begin(), [](const Hashed& pair) { return pair.second; });
}

}  // namespace linsep
