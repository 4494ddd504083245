// FinderState is what the finder's phases hand on to each other. It is a plain value except for what its parts promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "certify/exact/witness.h"
#include "certify/finder/sign_peeling.h"
#include "certify/row_scaling.h"
#include "core/deadline.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/source.h"

namespace linsep {

/// The finder's result. A plain value.
struct Separability {
  bool complete = false;  ///< nothing is open: separable, or no w separates more rows than levels and weights do
  std::int64_t rows = 0;
  std::int64_t peeled = 0;        ///< rows resolved by signs
  std::int64_t left_at_zero = 0;  ///< rows that levels and weights leave at zero
  std::string ran_out;            ///< what ran out if the result isn't complete, unless it was time or the caller's
                                  ///< patience
  std::vector<SignPeeler::Level> levels;
  /// Weights that separate all rows that are neither peeled nor at zero. Empty if there is no such row, or none was
  /// found. Integers by ascending column.
  std::vector<std::pair<std::uint32_t, Integer>> weights;
  /// A lower bound on the smallest margin z_i·w of `weights` (not divided by a norm). 0 without weights.
  Rational least_margin = 0;
  /// Rows one of which has the largest ‖φ(x)‖. None if too many may.
  std::vector<std::int64_t> largest;
  Rational radius_squared = 0;  ///< no ‖φ(x)‖² is above this. 0 if not known
  Witness witness;
  std::vector<std::int64_t> basis;  ///< independent rows of the witness that span all rows at zero, if complete
  /// Columns that on the rows at zero are sums of the columns not listed, if complete.
  struct Dependent {
    std::uint32_t column = 0;
    std::vector<std::pair<std::uint32_t, Rational>> sum;
  };
  std::vector<Dependent> dependent;
  /// If undecided, rows and weights that carry the smallest norm reached.
  std::vector<std::pair<std::int64_t, double>> support;
  std::vector<std::pair<std::int64_t, double>> any_pair;  ///< the first row of each class, which bound every margin
};

/// One byte per row of this worker: its class, and whether it still takes part in the search.
class LiveRows {
 public:
  void reserve(std::size_t rows) { bits_.reserve(rows); }
  std::size_t size() const { return bits_.size(); }
  std::int64_t first() const { return first_; }
  bool has(std::int64_t number) const {
    return number >= first_ && number < first_ + static_cast<std::int64_t>(bits_.size());
  }

  /// Takes in the next row, which is live. Throws a usage Error unless rows come in order.
  void add(std::int64_t number, int sign) {
    if (bits_.empty()) first_ = number;
    if (number != first_ + static_cast<std::int64_t>(bits_.size())) {
      throw usage_error("a source to certify must give its rows in order");
    }
    bits_.push_back(static_cast<std::uint8_t>(kLive | (sign > 0 ? kPositive : 0)));
  }

  /// Throws a usage Error if `add` never saw the row.
  std::size_t index_of(std::int64_t number) const {
    if (!has(number)) throw usage_error("a source to certify must give the same rows in every pass");
    return static_cast<std::size_t>(number - first_);
  }

  /// The label, −1 or +1.
  int sign(std::size_t index) const { return (bits_[index] & kPositive) != 0 ? 1 : -1; }
  int sign_of(std::int64_t number) const { return sign(index_of(number)); }
  /// Not peeled off.
  bool live(std::size_t index) const { return (bits_[index] & kLive) != 0; }
  /// Neither peeled off nor known to be at zero under every w that counts.
  bool undecided(std::size_t index) const { return (bits_[index] & (kLive | kAtZero)) == kLive; }

  void peel(std::size_t index) { bits_[index] = static_cast<std::uint8_t>(bits_[index] & ~kLive); }
  void set_at_zero(std::size_t index) { bits_[index] |= kAtZero; }
  /// Rows that are known to be at zero, ascending.
  std::vector<std::uint64_t> at_zero() const {
    std::vector<std::uint64_t> rows;
    for (std::size_t index = 0; index < bits_.size(); ++index) {
      if ((bits_[index] & kAtZero) != 0) rows.push_back(index);
    }
    return rows;
  }

 private:
  enum Bit : std::uint8_t { kLive = 1, kPositive = 2, kAtZero = 4 };

  std::int64_t first_ = 0;
  std::vector<std::uint8_t> bits_;
};

struct FinderOptions {
  bool origin = false;
  FeatureMap map;
  /// Rows of this worker as they were written.
  std::function<std::vector<WrittenRow>(std::span<const std::int64_t>)> written;
  /// True if the source was binary, so that a batch's values are the exact values.
  bool binary = false;
  /// If the core has more columns than this, there is no working set and no dense exact arithmetic.
  std::size_t most_columns = 2048;
  /// Asked now and then between the steps of long work. All workers must get the same answer.
  Deadline deadline;
  /// Polled within steps. If it expires, the current work of a phase is lost, but what it had found before remains. It
  /// never expires if several workers must stay in step or a pass must be whole.
  Deadline polled;
};

struct FinderState {
  FinderOptions options;
  RowScaling scaling;  ///< its space from the beginning, its scales once the survey has ended
  LiveRows rows;       ///< of this worker
  SignRound signs;

  // Of all workers once the survey has ended, and of this worker's rows so far before that.
  std::int64_t first_of_class[2] = {-1, -1};
  std::int64_t zero_row = -1;  ///< the first row of zeros, through the origin

  // Of all workers, once the survey has ended.
  std::int64_t row_count = 0;
  /// Pairs of rows that conflict, not yet checked exactly.
  std::vector<std::pair<std::int64_t, std::int64_t>> conflicts;
};

}  // namespace linsep
