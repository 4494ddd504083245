// SignPeeler resolves rows by signs alone.
//
// If a column of z (the intercept's is one) is never negative on the live rows, or never positive, then a large weight
// satisfies every row where it isn't 0, and no witness can use such a row. Such rows are peeled off, and what is left
// is examined again. A round is one pass and two bits per column. If all rows are gone, they are separable, by one
// level of ±1 weights per round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "certify/conflicts.h"
#include "core/random.h"
#include "linsep/batch.h"
#include "linsep/comm.h"
#include "numeric/worst_rows.h"

namespace linsep {

class SignPeeler {
 public:
  static constexpr std::uint8_t kPositive = 1;
  static constexpr std::uint8_t kNegative = 2;
  static constexpr std::uint8_t kBoth = kPositive | kNegative;

  /// One level, with ascending columns and the sign of each column's weight.
  struct Level {
    std::vector<std::uint32_t> column;
    std::vector<std::int8_t> sign;
  };

  /// Makes room for columns 0 … count − 1.
  void grow(std::uint32_t count) {
    if (seen_.size() < count) seen_.resize(count, 0);
    if (chosen_.size() < count) chosen_.resize(count, 0);
  }
  std::uint32_t columns() const { return static_cast<std::uint32_t>(seen_.size()); }

  /// Takes in the entry z_ij of a live row. 0 changes nothing.
  void see(std::uint32_t column, double value) {
    const auto sign = static_cast<std::uint8_t>((value > 0 ? kPositive : 0) | (value < 0 ? kNegative : 0));
    if ((seen_[column] | sign) == kBoth && seen_[column] != kBoth) ++closed_;
    seen_[column] |= sign;
  }
  /// True if both signs were seen, so that this round can't learn anything more about the column.
  bool closed(std::uint32_t column) const { return seen_[column] == kBoth; }
  bool all_closed() const { return closed_ == seen_.size(); }
  std::size_t closed_columns() const { return closed_; }
  /// Whether the last level has a weight for the column.
  bool chosen(std::uint32_t column) const { return chosen_[column] != 0; }

  /// Combines what all workers saw.
  void synchronise(Comm& comm);
  /// Ends a round. If some columns have one sign only, makes a level of all such columns, begins the next round and
  /// returns true. Otherwise signs stay as they are.
  bool end_round();

  const std::vector<Level>& levels() const { return levels_; }
  /// Columns that have both signs on the live rows, once end_round has returned false.
  std::vector<std::uint32_t> active_columns() const;

 private:
  std::vector<std::uint8_t> seen_;
  std::size_t closed_ = 0;  ///< columns with both signs
  std::vector<std::uint8_t> chosen_;
  std::vector<Level> levels_;
};

// SignRound is one round of sign peeling on the live rows. It collects the signs in each column and a sample of the
// rows.

class SignRound {
 public:
  enum class Next {
    kNothing,  ///< no row is left
    kPeel,     ///< a level was made, so there is another round
    kCore,     ///< every column has both signs on the rows left, or only zeros
  };

  /// For rows of `columns` columns, the intercept's included. A core of more than `most_columns` needs no sample.
  void begin(std::size_t columns, std::size_t most_columns);
  /// Makes room for more columns.
  void grow(std::uint32_t columns) { peeler_.grow(columns); }

  /// Takes in a live row, `z` after the feature map and `x` before.
  template <class Z, class X>
  void see(const Z& z, const X& x, std::int64_t number, int sign) {
    ++(sign > 0 ? live_positive_ : live_negative_);
    if (!peeler_.all_closed()) {
      for_each_entry(z, [&](std::uint32_t column, double value) {
        if (!peeler_.closed(column)) peeler_.see(column, sign * value);
      });
    }
    if (peeler_.closed_columns() <= most_columns_) {
      sample(x, number, sign);
    } else if (sample_.size() > 0) {
      sample_.take();
    }
  }
  /// Whether the last level has a weight for the column.
  bool chosen(std::uint32_t column) const { return peeler_.chosen(column); }

  /// Ends the round. The intercept, if there is one, is column `columns` − 1.
  Next synchronise(Comm& comm, std::uint32_t columns, bool offset);

  std::int64_t live() const { return live_; }  ///< rows of all workers, as the last round saw them
  const std::vector<SignPeeler::Level>& levels() const { return peeler_.levels(); }
  /// After kCore: columns that have both signs on the live rows.
  std::vector<std::uint32_t> active_columns() const { return peeler_.active_columns(); }
  /// After kCore: raw rows, whose choice depends only on row numbers. Leaves none.
  std::vector<WorkRow> take_sample() { return sample_.take(); }

 private:
  static constexpr std::uint64_t kSampleSeed = 0x5a3;

  /// The rows with the smallest hashes of their numbers.
  template <class Row>
  void sample(const Row& x, std::int64_t number, int sign) {
    const auto score = static_cast<double>(keyed_hash(kSampleSeed, static_cast<std::uint64_t>(number)) >> 11);
    if (sample_.wants(score)) sample_.offer(score, hasher_(x) + (sign > 0 ? 1 : 0), number, sign, x);
  }

  SignPeeler peeler_;
  RowHasher hasher_;
  WorstRows sample_;
  std::size_t most_columns_ = 0;
  std::int64_t live_positive_ = 0, live_negative_ = 0;  ///< of this worker, in the round under way
  std::int64_t live_ = 0;
};

}  // namespace linsep
