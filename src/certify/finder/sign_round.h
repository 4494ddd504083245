// SignRound: what one round of sign peeling sees of the live rows: the signs in each column, and a sample of the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "certify/conflicts.h"
#include "certify/sign_peeling.h"
#include "core/random.h"
#include "linsep/batch.h"
#include "linsep/comm.h"
#include "numeric/worst_rows.h"

namespace linsep {

class SignRound {
 public:
  enum class Next {
    kNothing,  ///< no row is left
    kPeel,     ///< a level was made: another round
    kCore,     ///< every column has both signs on the rows left, or only zeros
  };

  /// For rows of `columns` columns, the offset's included.
  void begin(std::size_t columns);
  /// Makes room for more columns.
  void grow(std::uint32_t columns) { peeler_.grow(columns); }

  /// A live row: `z` after the feature map, `x` before.
  template <class Z, class X>
  void see(const Z& z, const X& x, std::int64_t number, int sign) {
    ++(sign > 0 ? live_positive_ : live_negative_);
    if (!peeler_.all_closed()) {
      for_each_entry(z, [&](std::uint32_t column, double value) {
        if (!peeler_.closed(column)) peeler_.see(column, sign * value);
      });
    }
    sample(x, number, sign);
  }
  /// Whether the last level has a weight for the column.
  bool chosen(std::uint32_t column) const { return peeler_.chosen(column); }

  /// Ends the round. The offset, where there is one, is column `columns` − 1.
  Next synchronise(Comm& comm, std::uint32_t columns, bool offset);

  std::int64_t live() const { return live_; }  ///< rows of all workers, as the last round saw them
  const std::vector<SignPeeler::Level>& levels() const { return peeler_.levels(); }
  /// After kCore: columns that have both signs on the live rows.
  std::vector<std::uint32_t> active_columns() const { return peeler_.active_columns(); }
  /// After kCore: raw rows that depend on row numbers alone. Leaves none.
  std::vector<WorkRow> take_sample() { return sample_.take(); }

 private:
  static constexpr std::uint64_t kSampleSeed = 0x5a3;

  /// The rows with the least hashes of their numbers.
  template <class Row>
  void sample(const Row& x, std::int64_t number, int sign) {
    const auto score = static_cast<double>(keyed_hash(kSampleSeed, static_cast<std::uint64_t>(number)) >> 11);
    if (sample_.wants(score)) sample_.offer(score, hasher_(x) + (sign > 0 ? 1 : 0), number, sign, x);
  }

  SignPeeler peeler_;
  RowHasher hasher_;
  WorstRows sample_;
  std::int64_t live_positive_ = 0, live_negative_ = 0;  ///< of this worker, in the round under way
  std::int64_t live_ = 0;
};

}  // namespace linsep
