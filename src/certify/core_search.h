// CoreSearch goes from a working set of rows to the next weight vector worth a scan of all rows.
//
// Problem: At each moment some rows are known to be at zero under every w with all z·w ≥ 0. Find a w with z·w > 0 on
// all other rows and 0 on those. Or find a witness, whose span then joins what is at zero (facial reduction, Borwein &
// Wolkowicz 1981). The search ends when w passes a scan or when all rows lie in the span.
// Method: Wolfe's min-norm point in floating point on the working set, projected off the span. Its claims are made
// exact (weights rounded to few bits and lifted, witnesses solved over the integers). If a claim turns out false, the
// exact simplex method takes over until the next witness. Every worker of a run does the same work on the same rows, so
// all have the same result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "certify/exact/rows.h"
#include "certify/exact/solve.h"
#include "certify/exact/witness.h"
#include "core/deadline.h"
#include "numeric/min_norm_point.h"
#include "numeric/worst_rows.h"

namespace linsep {

/// Weights for a scan. A plain value.
struct Candidate {
  /// Weights over active columns, for rows whose columns are scaled by 2^−exponent.
  std::vector<double> scaled;
  /// The weights that proofs use. They are over active columns, unscaled, and integers up to a positive scale.
  IntegerVector exact;
  Rational exact_unit = 1;    ///< true weight = exact·exact_unit, which the doubles approximate
  double relative_error = 0;  ///< of each double compared with its exact weight
  double threshold = 0;       ///< rows with a score (z·w over the row's norm bound) below this are worth working on
};

/// Reads rows (ascending numbers) exactly. On a cluster every worker calls it with the same rows.
using ExactReader = std::function<std::vector<ExactRow>(const std::vector<std::int64_t>&)>;

class CoreSearch {
 public:
  enum class Next {
    kScan,       ///< `candidate()` is to be tried on all rows
    kAllAtZero,  ///< the span has full rank, so no w separates any row
    kWitness,    ///< there is a witness, and that is all that was wanted
    kStopped,
  };

  /// `active` are the columns that aren't 0 on all live rows, ascending; `exponent[column]` scales them.
  CoreSearch(const RowSpace& space, std::vector<std::uint32_t> active, const std::vector<int>& exponent,
             bool rows_are_scaled, ExactReader read);

  std::size_t size() const { return active_.size(); }
  const std::vector<std::uint32_t>& active() const { return active_; }
  /// By column: its index among the active ones, or −1.
  const std::vector<std::int32_t>& places() const { return place_; }

  /// Adds rows to the working set, leaving out those already known. Returns how many were new.
  std::size_t add(const std::vector<WorkRow>& rows);
  bool knows(std::int64_t row, std::uint64_t hash) const { return known_.contains(row) || hashes_.contains(hash); }
  /// Adds rows that violate the last candidate exactly, whatever the floats show.
  void add_violated(const std::vector<std::int64_t>& rows);
  /// Adds rows to the working set, read exactly instead of from floats.
  void add_exactly(const std::vector<std::int64_t>& rows);
  /// Adds a row with z = 0, which is a witness by itself. It is checked exactly.
  void add_zero_row(const ExactRow& z);
  /// Adds pairs of rows with z_i = −z_j, which are witnesses by themselves. They are checked exactly, and those that
  /// bring nothing new are left out. REQUIRES: `next` wasn't called yet.
  void add_conflicts(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs);

  /// Lets the first witness end the search.
  void end_at_witness() { end_at_witness_ = true; }

  Next next(const Deadline& deadline);
  const Candidate& candidate() const { return candidate_; }
  /// The side on which the exact candidate leaves a row.
  RowSide side(const ExactRow& z) const;
  /// The same with the value, which is z·w of the candidate in its own unit, times the row's scale.
  Integer exact_score(const ExactRow& z) const;

  bool has_witness() const { return !support_.empty(); }
  std::size_t rank() const { return span_.rank(); }
  const ExactSpan& span() const { return span_; }
  /// The witness, with rows and weights for z itself. Weights are integers without a common divisor, by ascending row.
  Witness witness() const;
  /// Rows of the witness that form a basis of its span.
  std::vector<std::int64_t> basis_rows() const;
  /// Rows and weights that carry the smallest norm reached, for a bound on the margin. Only before a witness was found.
  std::vector<std::pair<std::int64_t, double>> support() const;

 private:
  struct Point {
    std::int64_t row = 0;
    std::int64_t exponent = 0;  ///< the row's entries, scaled by column, are the point's times 2^exponent
    bool of_integers = false;   ///< the same for the entries of its ExactRow
    double norm = 1;            ///< of the point off the span
  };

  IntegerVector dense(const ExactRow& z) const { return dense_entries(z, place_, active_.size()); }
  const ExactRow& exact(std::int64_t row) const { return exact_.at(row); }
  void read_rows(std::vector<std::int64_t> rows);
  void add_point(Point point, const std::vector<double>& fraction, std::vector<std::int64_t> exponent);
  void add_exact_point(const ExactRow& z);
  void refill_solver();
  std::vector<double> scaled_floats(const IntegerVector& z) const;
  /// Removes the part along the axes. False if next to nothing is left.
  bool project(std::span<double> point, const std::vector<double>& axes) const;
  void project_points(const std::vector<double>& axes);
  /// Forgets points of the working set that lie in the span exactly.
  void forget(const std::set<std::int64_t>& rows);
  enum class Finish { kExtended, kForgot, kFailed };
  Finish witness_from_corral();
  void begin_exact();
  void add_to_simplex(const ExactRow& z);
  std::optional<Next> next_exact(const Deadline& deadline);
  bool repair_within_working_set();
  bool extend(const std::vector<const ExactRow*>& rows, const IntegerVector& beta);
  void set_span();
  void set_exact_weights(IntegerVector weights);
  bool candidate_from_floats();
  bool round_weights(const std::vector<double>& p, int bits);
  double scaled_norm() const;
  void explore();

  RowSpace space_;
  std::vector<std::uint32_t> active_;
  std::vector<std::int32_t> place_;
  std::vector<int> exponent_;  ///< of active columns
  bool rows_are_scaled_;
  bool end_at_witness_ = false;
  ExactReader read_;

  std::vector<Point> point_;
  std::vector<double> value_;  ///< one point after the other, off the span
  std::unordered_set<std::int64_t> known_;
  std::unordered_set<std::uint64_t> hashes_;
  std::unordered_map<std::int64_t, ExactRow> exact_;  ///< rows read so far

  std::unique_ptr<MinNormPoint> solver_;

  std::size_t taken_ = 0;            ///< points given to the solver so far
  std::vector<double> float_basis_;  ///< orthonormal, spans the span
  std::size_t axes_ = 0;             ///< basis rows that float_basis_ has taken in

  bool exact_mode_ = false;
  std::unique_ptr<ExactSimplex> simplex_;
  std::vector<std::int64_t> simplex_row_;
  IntegerVector simplex_content_;  ///< each point of the simplex is the rest of its row over this
  std::set<std::int64_t> in_simplex_;
  std::vector<std::int64_t> violated_;
  int explored_ = 0;

  Candidate candidate_;
  std::vector<ExactRow> support_;
  IntegerVector alpha_;  ///< for support_'s integer rows
  std::vector<std::size_t> basis_;
  ExactSpan span_;
};

}  // namespace linsep
