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
#include <string_view>
#include <vector>

#include "exact/number.h"
#include "exact/wide.h"
#include "linsep/comm.h"
#include "proof/linear_form.h"
#include "proof/loss_bounds.h"
#include "proof/read_optimality.h"

namespace linsep {

class ByteReader;
class ByteWriter;

/// digits/10^decimals
struct WeightOfRow {
  Integer digits = 1;
  std::uint64_t decimals = 0;

  /// REQUIRES: canonical, or "" for 1.
  static WeightOfRow of(std::string_view text);
  bool is_one() const { return decimals == 0 && digits == 1; }
  /// Too long for a sum by places.
  bool is_long() const { return decimals > 9 * 20 || bit_length(digits) > 1024; }
  Rational value() const { return ratio(digits, power_of(10, decimals)); }
};

/// Σ w·n of whole numbers n, exactly.
class WeighedSum {
 public:
  void add(const WeightOfRow& weight, const Integer& n);
  void add(const WeighedSum& other);
  Rational value() const;
  void save(ByteWriter& writer) const;
  static WeighedSum load(ByteReader& reader);

 private:
  std::vector<Integer> sum_;  ///< by the decimals of w
};

/// Sums of products of whole numbers and values of rows, by column and exactly: for each place of base 10⁹ one machine
/// integer. Memory is taken for places that occur.
class ColumnSums {
 public:
  explicit ColumnSums(std::uint32_t features) : features_(features) {}

  /// Adds w·share·x. REQUIRES: 0 ≤ share ≤ kMostShare.
  void add(const CheckedRow& row, const WeightOfRow& weight, std::int64_t share);
  /// Adds w·x².
  void add_squares(const CheckedRow& row, const WeightOfRow& weight);
  void add(const ColumnSums& other);
  /// Adds those of all other workers. Collective.
  void add_others(Comm& comm);

  /// How many digits the values have behind the point, at most.
  std::uint64_t decimals() const;
  /// In units of 10^−decimals. REQUIRES: `decimals` is at least those of these sums, and a multiple of 9.
  Rational value(std::uint32_t column, std::uint64_t decimals) const;

 private:
  static constexpr std::size_t kPlaces = 64;  ///< 10⁹ to the −32nd … 31st; a row's digits take 8 of them

  /// The place of a number's first digit, if it has so many digits and so many of them behind the point. Nothing if
  /// they don't all have a place.
  static std::optional<std::size_t> first_place(std::size_t width, std::size_t fraction);
  void add_long(const CheckedRow& row, const Rational& times, bool squared);
  WideInteger* place(std::size_t k);

  std::uint32_t features_;
  std::array<std::vector<WideInteger>, kPlaces> place_;  ///< those of large places first
  std::map<std::uint32_t, Rational> long_;
};

/// What is added up of the rows of one class.
struct SideTotals {
  WeighedSum weight = {};  ///< Σ w
  /// Σ w·ℓ in units of 2^−loss_bits: of the model from above and below, of the reference from above.
  WeighedSum loss = {}, least_loss = {}, reference_loss = {};
  WeighedSum shares = {}, squares = {};  ///< Σ w·a and Σ w·a², in units of 2⁻⁴⁰ and 2⁻⁸⁰
  WeighedSum entropy = {};               ///< Σ w·h(a) from below, in units of 2⁻⁵⁶
  ColumnSums columns;                    ///< Σ w·a·x in units of 2⁻⁴⁰
  /// For what follows, rows by their shares: of rows of the weight 2^k, or less than twice that, those at k. The weight
  /// is the row's, times that of its class if classes have weights.
  std::map<int, std::vector<std::int64_t>> shares_in = {};
  std::optional<ColumnSums> squares_of = {};  ///< Σ w·x² by column, for zeros

  void add(const SideTotals& other);
  /// All but the columns' sums. `add_saved` adds them.
  void save(ByteWriter& writer) const;
  void add_saved(ByteReader& reader);
};

/// The negative class's, and the positive one's.
using ObjectiveSums = std::array<SideTotals, 2>;
void add(ObjectiveSums& sums, const ObjectiveSums& others);
/// Those of all workers' rows. Collective. REQUIRES: all workers' sums are of one proof.
ObjectiveSums sums_of_all(const ObjectiveSums& mine, Comm& comm);

/// Of shares_in: rows of less weight aren't in it, and rows of more weight are at the last.
constexpr int kLeastPower = -32, kMostPower = 31;
constexpr std::size_t kShareBuckets =
    (std::size_t{1} << 16) + 1;  ///< of shares; the last has what is beyond the others
/// Shares of a bucket differ in this many bits.
int bucket_bits(Loss loss);

/// ‖θ‖² and ‖θ‖₁.
struct Norms {
  Rational squared, absolute;
};

/// A number between two whole numbers of 2⁻⁵⁶. Throws a Refusal for one that is too large.
MarginRange margin_of(const Rational& value);

/// θ·x + θ0 of rows, the weights rounded to 61 bits.
class Scores {
 public:
  Scores(const Columns& columns, const ExactClassifier& classifier);

  /// Without θ0. Throws a Refusal for values that are too large.
  MarginRange without_offset(const CheckedRow& row) const;
  const MarginRange& offset() const { return offset_; }
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
  MarginRange offset_;
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
  /// 1 or −1.
  int label_of(const CheckedRow& row) const;
  WeightOfRow weight_of(const CheckedRow& row) const;
  std::int64_t share_of(const CheckedRow& row, const MarginRange& margin) const;
  void add_share(const CheckedRow& row, const WeightOfRow& weight, std::int64_t share, SideTotals& sums) const;
  void count_share(const WeightOfRow& weight, std::int64_t share, SideTotals& sums) const;

  const ReadOptimality& read_;
  Loss loss_;
  bool follow_;
  Scores model_;
  std::optional<Scores> reference_;
  MarginRange witness_offset_;
};

}  // namespace linsep
