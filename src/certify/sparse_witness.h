// Makes a witness exact on a support of sparse rows.
//
// Independent rows among those with much slack are solved for over the integers (exact/lifting.h). The others keep
// their share, rounded. Every sign and every equation is checked, and nothing is concluded from floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "certify/exact/rows.h"
#include "certify/exact/witness.h"
#include "core/deadline.h"

namespace linsep {

/// z_i/‖z_i‖ of many rows in floating point, sparse, one after another. A plain value.
struct UnitRows {
  std::uint32_t columns = 0;  ///< every column is below this
  std::vector<std::size_t> begin = {0};
  std::vector<std::uint32_t> column;
  std::vector<double> value;
  std::vector<std::int64_t> number;  ///< of each row
  std::vector<double> norm;          ///< ‖z_i‖

  std::size_t size() const { return number.size(); }
  std::size_t entries() const { return column.size(); }
  std::span<const std::uint32_t> columns_of(std::size_t i) const {
    return std::span(column).subspan(begin[i], begin[i + 1] - begin[i]);
  }

  /// Ends the row whose entries were pushed last and brings it to length 1. A row of zeros, or one whose length leaves
  /// the range of doubles, isn't taken in.
  void end_row(std::int64_t row_number);
};

/// The rows chosen (indices), with the columns that they use renumbered in ascending order.
UnitRows restricted(const UnitRows& rows, std::span<const std::size_t> chosen);

/// Indices of the rows that sign peeling leaves (sign_peeling.h). A row with an entry in a column that has one sign on
/// all rows left can't be part of a witness.
std::vector<std::size_t> peeled(const UnitRows& rows, std::span<const std::size_t> chosen);

/// All rows, starting with those whose rarest column is most frequent. The first of them use few columns.
std::vector<std::size_t> by_rarest_column(const UnitRows& rows);

// The least squared hinge. If no w separates the rows, its slacks are nearly a witness.
//
// Problem: min_w Σ s_i², s_i = max(0, 1 − u_i·w), u_i of length 1, no penalty. It is 0 exactly if the rows are
// separable. At the minimum Σ s_i u_i = 0, so the slacks are a witness. They are also the limit of the dual descent
// (finder/descend.h) when it has no end: α_i/Σα → s_i/Σs.
// Method: Newton's on the rows with slack (Mangasarian 2002; Keerthi & DeCoste 2005), conjugate gradients with the
// diagonal as preconditioner, exact line search.
// Stops: Every row is on the right side, or ‖Σ s_i u_i‖ ≤ 10⁻¹²·Σ s_i, or patience runs out.
// Cost: Two products with the rows per conjugate gradient, always in the order of the rows.

struct LeastHinge {
  enum class End {
    kSeparated,  ///< the last w has u_i·w > 0 on all rows, as floats tell
    kMinimum,    ///< the slacks nearly are a witness
    kStalled,    ///< neither, and rounding or patience stands in the way
    kStopped,    ///< the deadline has expired
  };
  End end = End::kStalled;
  std::vector<double> slack;  ///< per row
  int conjugate = 0;          ///< conjugate gradients made
};

/// At most `most_conjugate` conjugate gradients are made. REQUIRES: there is a row.
LeastHinge least_squared_hinge(const UnitRows& rows, int most_conjugate, const Deadline& deadline);

// SupportSearch finds few rows that no w separates, among many sparse ones, with their weights in floating point.
//
// A witness in general position has one more row than its rows have columns, so rows that use few columns come first.
// Method: Rows are put in the order of their rarest column (by_rarest_column). Of the beginnings of this order that
// aren't separable it finds the shortest, to within a sixteenth, by doubling, then halving. Each beginning is tried by
// sign peeling and the least squared hinge.

/// Rows (ascending) with slack, and nearly Σ share_i·z_i = 0.
struct Support {
  std::vector<std::int64_t> row;
  std::vector<double> slack;  ///< share·‖z‖
  std::vector<double> share;
  std::size_t columns = 0;  ///< that the rows use
};

struct SupportSearch {
  bool stopped = false;
  std::vector<Support> found;  ///< supports of beginnings that aren't separable, the shortest first. If none, all may
                               ///< be separable
};
SupportSearch find_supports(const UnitRows& rows, const Deadline& deadline);

/// The support in all rows at once.
SupportSearch support_of_all(const UnitRows& rows, const Deadline& deadline);

struct SparseWitness {
  enum class End {
    kFound,
    kFailed,   ///< the shares can't be made exact
    kTooLong,  ///< its weights would take more memory than is spent on this
    kStopped,
  };
  End end = End::kFailed;
  Witness witness;
  /// Rows of the witness, ascending, that are independent and span all of its rows.
  std::vector<std::int64_t> basis;
};

/// `rows` are those of the support, read exactly.
SparseWitness sparse_witness(const std::vector<ExactRow>& rows, const Support& support, const Deadline& deadline);

}  // namespace linsep
