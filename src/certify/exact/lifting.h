// Sparse systems over the integers, solved by lifting.
//
// Problem: x with Σ x_b·row_b = right in the pivot columns of a SparseFactor, over its pivot rows. The x_b are
// rationals with one denominator.
// Method: Dixon's (1982) takes x modulo p, then what is missing divided by p, and so on. Each digit costs a solution
// modulo p and a product with the sparse rows. Fractions are recovered from the digits by Euclid's algorithm (Wang
// 1981), the first with its denominator, the others nearly always with the same one. Recovery is tried from time to
// time, so short solutions are found early. A wrong recovery has a chance below 2⁻⁶⁴, and whoever uses the solution
// checks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <vector>

#include "certify/exact/solve.h"
#include "core/deadline.h"

namespace linsep {

/// Arithmetic modulo p = 2³¹ − 1. Numbers lie from 0 to p − 1.
constexpr std::uint32_t kFieldPrime = (std::uint32_t{1} << 31) - 1;

/// a modulo p, for any a.
inline std::uint32_t fold(std::uint64_t a) {
  a = (a & kFieldPrime) + (a >> 31);
  a = (a & kFieldPrime) + (a >> 31);
  return static_cast<std::uint32_t>(a >= kFieldPrime ? a - kFieldPrime : a);
}
inline std::uint32_t field_times(std::uint32_t a, std::uint32_t b) { return fold(std::uint64_t{a} * b); }
inline std::uint32_t field_minus(std::uint32_t a) { return a == 0 ? 0 : kFieldPrime - a; }
/// REQUIRES: a ≠ 0.
inline std::uint32_t field_inverse(std::uint32_t a) {
  std::uint32_t result = 1;
  for (std::uint32_t e = kFieldPrime - 2; e > 0; e >>= 1) {
    if ((e & 1) != 0) result = field_times(result, a);
    a = field_times(a, a);
  }
  return result;
}

// DenseFactor takes what sparse elimination leaves, as a dense matrix modulo kFieldPrime, and eliminates it in place.
//
// It is Gauss's elimination by panels of a few columns, so that the rows of a panel stay in the cache while all others
// lose their multiples. Rows and columns are exchanged so that pivot k is in row k and column k.

class DenseFactor {
 public:
  /// A matrix of zeros. `row` and `column` are the caller's names.
  void begin(std::vector<std::uint32_t> row, std::vector<std::uint32_t> column);
  std::uint32_t& at(std::size_t r, std::size_t c) { return value_[r * column_.size() + c]; }

  /// False if the deadline has expired.
  bool factor(const Deadline& deadline);

  std::size_t entries() const { return value_.size(); }
  std::size_t rank() const { return inverse_.size(); }
  /// The row and column of pivot k, by the caller's names.
  std::uint32_t row(std::size_t k) const { return row_[k]; }
  std::uint32_t column(std::size_t k) const { return column_[k]; }

  /// Puts into `x` (by the caller's rows) the numbers with Σ x_i·row_i = right in the pivot columns. `right` is by the
  /// caller's columns.
  void combination(const std::vector<std::uint32_t>& right, std::vector<std::uint32_t>& x) const;

 private:
  const std::uint32_t* line(std::size_t r) const { return value_.data() + r * column_.size(); }
  std::uint32_t* line(std::size_t r) { return value_.data() + r * column_.size(); }
  bool factor_panel(std::size_t& end);
  bool find_pivot(std::size_t first, std::size_t& end);
  void clear_below(std::size_t first, std::size_t end);

  std::vector<std::uint32_t> row_, column_, value_;
  std::vector<std::uint32_t> inverse_;  ///< of pivot k. Below it are the multiples of its row that others lost
};

// SparseFactor picks independent rows among sparse rows modulo a prime, factored so that systems with them are solved
// quickly.
//
// Method: Gauss's elimination. The column with the fewest entries comes next, with its shortest row as the pivot
// (Markowitz 1957, simplified). The rest goes to a dense matrix once an eighth of it is filled. Rows that become 0
// depend on the others modulo the prime. Nothing here is a proof. What is solved with it is checked over the integers.

struct FieldEntry {
  std::uint32_t index = 0;  ///< of a column, or of a row
  std::uint32_t value = 0;  ///< modulo kFieldPrime, not 0
};
using FieldRow = std::vector<FieldEntry>;  ///< ascending

class SparseFactor {
 public:
  enum class End {
    kDone,
    kStopped,   ///< the deadline has expired
    kTooLarge,  ///< it would take more memory than is spent on this
  };

  End factor(std::vector<FieldRow> rows, std::uint32_t columns, const Deadline& deadline);

  std::size_t rank() const { return pivot_.size(); }
  /// The independent rows in the order of elimination, each with a column. These rows and columns form a regular
  /// matrix.
  struct Pivot {
    std::uint32_t row = 0, column = 0;
  };
  const std::vector<Pivot>& pivots() const { return pivot_; }
  /// How many numbers a solution goes through, which determines its cost.
  std::size_t entries() const { return saved_ + dense_.entries(); }

  /// x, one number for each row, with Σ x_i·row_i = right in every pivot column, and 0 on rows that aren't pivots.
  /// `right` has a number for each column and is used up.
  std::vector<std::uint32_t> combination(std::vector<std::uint32_t>& right) const;

 private:
  // A sparse step, with the rest of the pivot's row, and how often it was subtracted from others.
  struct Step {
    std::uint32_t inverse = 0;
    FieldRow row, taken;
  };
  struct PivotCandidate {
    std::size_t count = 0;
    std::uint32_t column = 0;
    bool operator>(const PivotCandidate& other) const {
      return count != other.count ? count > other.count : column > other.column;
    }
  };

  void begin(std::uint32_t columns);
  bool next_column(std::uint32_t& column);
  std::vector<std::uint32_t> rows_with(std::uint32_t column) const;
  void eliminate(std::uint32_t column);
  void subtract(std::uint32_t factor, const FieldRow& pivot, std::uint32_t from);
  void count_less(std::uint32_t column);
  bool is_dense_enough() const;
  bool end_densely(const Deadline& deadline);

  std::vector<FieldRow> rows_;  ///< what is left of each
  std::vector<bool> active_;
  std::vector<std::vector<std::uint32_t>> holders_;  ///< per column: rows that have it, and some that used to
  std::vector<std::size_t> count_;                   ///< per column: active rows that have it
  std::priority_queue<PivotCandidate, std::vector<PivotCandidate>, std::greater<>> waiting_;
  std::size_t left_ = 0, active_rows_ = 0, active_columns_ = 0;

  std::size_t row_count_ = 0, saved_ = 0;
  std::vector<Pivot> pivot_;
  std::vector<Step> step_;
  DenseFactor dense_;
};

__extension__ using WideInteger = __int128;

/// A row of machine integers. |value| < 2⁶².
struct MachineRow {
  std::vector<std::uint32_t> column;
  std::vector<std::int64_t> value;
};

struct Lifted {
  enum class End {
    kSolved,
    kTooLong,  ///< the solution has more digits than were asked for
    kStopped,
  };
  End end = End::kTooLong;
  IntegerVector numerator;  ///< one for each pivot, in their order
  Integer denominator = 1;  ///< above 0
};

/// `rows` are those that were factored. `right` has a number for each column, with |right| < 2¹²⁰. At most
/// `most_digits` digits modulo p of every number are computed.
Lifted solve_by_lifting(const SparseFactor& factor, const std::vector<MachineRow>& rows, std::vector<WideInteger> right,
                        std::size_t most_digits, const Deadline& deadline);

/// Recovers the numbers from their digits modulo p, the lowest first and as many of each. They are fractions over one
/// denominator, which is a multiple of the solution's own. False if there are too few digits. Polls (core/deadline.h).
bool recover_fractions(const std::vector<std::vector<std::uint32_t>>& digits, Lifted& solution,
                       const Deadline& deadline = {});

/// n/d with n ≡ d·residue modulo `modulus`, both short enough that none exists by chance. False if there is none.
/// REQUIRES: 0 ≤ residue < modulus.
bool recover_fraction(const Integer& residue, const Integer& modulus, Integer& numerator, Integer& denominator);

}  // namespace linsep
