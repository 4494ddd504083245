// What both bounds on an objective need of the rows, as sums of whole numbers: they don't depend on the rows' order, so
// rows may be added on several threads and on several workers, and their sums be put together in any order.
//
// Scores are exact but for the rounding of the weights to 61 bits, of which the sum is kept as a bound. A row's share
// a_i is a whole number of 2⁻⁴⁰. Where shares come from is of no matter: those of smooth losses are made of scores by
// floating-point numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "exact/number.h"
#include "exact/wide.h"
#include "proof/linear_form.h"
#include "proof/loss_bounds.h"
#include "proof/read_optimality.h"

namespace linsep {

/// Sums of products of whole numbers and values of rows, by column and exactly: for each place of base 10⁹ one machine
/// integer. Memory is taken for places that occur.
class ColumnSums {
 public:
  explicit ColumnSums(std::uint32_t features) : features_(features) {}

  /// Adds share·x. REQUIRES: 0 ≤ share ≤ kMostShare.
  void add(const CheckedRow& row, std::int64_t share);
  /// Adds x².
  void add_squares(const CheckedRow& row);
  void add(const ColumnSums& other);

  /// How many digits the values have behind the point, at most.
  std::uint64_t decimals() const;
  /// In units of 10^−decimals. REQUIRES: `decimals` is at least those of these sums, and a multiple of 9.
  Rational value(std::uint32_t column, std::uint64_t decimals) const;
  bool empty() const { return features_ == 0; }

 private:
  static constexpr std::size_t kPlaces = 40;  ///< 10⁹ to the −20th … 19th; a row's digits take 8 of them

  std::vector<WideInteger>& place(std::size_t k);

  std::uint32_t features_;
  std::array<std::vector<WideInteger>, kPlaces> place_;  ///< those of large places first
  std::map<std::uint32_t, Rational> long_;
};

/// What is added up of the rows of one class.
struct ClassSums {
  std::int64_t rows = 0;
  /// In units of 2^−loss_bits: the model's loss from above and below, the reference's from above.
  Integer loss = 0, least_loss = 0, reference_loss = 0;
  Integer shares = 0, squares = 0;           ///< Σ a and Σ a², in units of 2⁻⁴⁰ and 2⁻⁸⁰
  Integer entropy = 0;                       ///< from below, in units of 2⁻⁵⁶
  ColumnSums columns;                        ///< Σ a·x in units of 2⁻⁴⁰
  std::vector<std::int64_t> shares_in = {};  ///< rows by their shares, for what follows
  std::optional<ColumnSums> squares_of = {};  ///< Σ x² by column, for zeros

  void add(const ClassSums& other);
};

/// The negative class's, and the positive one's.
using ObjectiveSums = std::array<ClassSums, 2>;
void add(ObjectiveSums& sums, const ObjectiveSums& others);

constexpr std::size_t kShareBuckets = (std::size_t{1} << 16) + 1;  ///< of shares; the last has what is beyond the others
/// Shares of a bucket differ in this many bits.
int bucket_bits(Loss loss);

/// ‖θ‖² and ‖θ‖₁.
struct Norms {
  Rational squared, absolute;
};

/// θ·x + θ0 of rows, the weights rounded to 61 bits.
class Scores {
 public:
  Scores(const Columns& columns, const ExactClassifier& classifier);

  /// Without θ0. Throws a Refusal for values that are too large.
  Margin without_offset(const CheckedRow& row) const;
  const Margin& offset() const { return offset_; }
  /// From above, and from below.
  Norms norms() const { return in_ones(most_); }
  Norms least_norms() const { return in_ones(least_); }

 private:
  struct Sums {
    Integer squares = 0, sizes = 0;

    void add(const Integer& size);
  };

  Norms in_ones(const Sums& sums) const;
  Vector rounded(const Vector& model);

  std::int64_t bits_ = 0;  ///< weights are whole numbers of 2^−bits
  bool exact_ = true;
  Sums most_, least_;
  LinearForm form_;
  Margin offset_;
};

/// How each row is judged. Threads may share one.
class ObjectiveRows {
 public:
  /// `follow`: what follows from the bounds is wanted too. REQUIRES: `read` outlives it.
  ObjectiveRows(const ReadOptimality& read, bool follow);

  /// Sums of no rows.
  ObjectiveSums none() const;
  /// Adds a row. Throws a Refusal for values that are too large.
  void add(const CheckedRow& row, ObjectiveSums& sums) const;

  const Scores& model() const { return model_; }
  const std::optional<Scores>& reference() const { return reference_; }

 private:
  std::int64_t share_of(const CheckedRow& row, const Margin& margin) const;
  void add_share(const CheckedRow& row, std::int64_t share, ClassSums& sums) const;

  const ReadOptimality& read_;
  Loss loss_;
  bool follow_;
  Scores model_;
  std::optional<Scores> reference_;
  Margin witness_offset_;
};

}  // namespace linsep
