// EstimateSearch finds which coefficients of a logistic regression separation sends to +∞ or −∞, and which it leaves
// open.
//
// Problem: For each column j that has no sign yet, is there a direction (z·w ≥ 0 on all rows, > 0 on all that can be
// separated) with w_j < 0, and one with w_j > 0? In f (directions.h) this asks whether the rests of the separated rows
// and one more row, that of ±w_j, can be separated. If so, w_j may have that sign. If not, the witness shows that
// Σ α_i z_i = c·w_j on all directions, so the sign of w_j is c's.
// Method: CoreSearch (core_search.h) on a working set of rows that all questions share. A witness needs no other row. A
// direction is tried on all rows, several in one pass. A confirmed direction gives its signs to all columns.
// Stops: Every question is answered, or the given work is done. What isn't answered stays open. The search is
// deterministic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "certify/coefficients/directions.h"
#include "certify/core_search.h"
#include "certify/exact/rows.h"
#include "certify/exact/witness.h"
#include "core/deadline.h"

namespace linsep {

class EstimateSearch {
 public:
  /// Rows on which each vector has z·w < 0, the worst ones. If there are none, the vector is a direction. Nothing if it
  /// can no longer be decided.
  using TryDirections =
      std::function<std::optional<std::vector<std::vector<std::int64_t>>>(std::vector<IntegerVector>)>;

  struct Infinite {
    std::uint32_t column = 0;
    int sign = 1;
    Witness alpha;  ///< Σ α_i z_i is a multiple of e_column on all directions, and has that sign
  };

  /// `exponent[column]` scales columns, and `read` reads rows of z.
  EstimateSearch(const DirectionSpace& space, std::vector<int> exponent, ExactReader read,
                 TryDirections try_directions);

  /// Rows of the working set.
  void add_rows(const std::vector<std::int64_t>& rows);
  /// Adds a direction, whose signs count. It is kept if a column owes it its second sign, or if `keep` is set.
  void add_direction(IntegerVector w, bool keep);
  /// Call this if both signs were seen.
  void set_undetermined(std::uint32_t column) { signs_[column] = kBoth; }

  /// About how many nanoseconds it takes to begin all open questions, before any is answered.
  std::int64_t work_ahead() const;

  /// Answers open questions. `work` bounds the effort, in products of floats.
  void run(std::int64_t work, const Deadline& deadline);

  bool undetermined(std::uint32_t column) const { return signs_[column] == kBoth; }
  const std::vector<Infinite>& infinite() const { return infinite_; }
  const std::vector<IntegerVector>& directions() const { return directions_; }
  /// The working set, as rests of rows.
  const std::map<std::int64_t, ExactRow>& rests() const { return rests_; }

 private:
  static constexpr std::uint8_t kPlus = 1, kMinus = 2, kBoth = 3;

  struct SignQuery {
    std::uint32_t column = 0;
    int sign = 1;  ///< the sign searched for
    std::unique_ptr<CoreSearch> search;
    bool pending = true;
  };

  bool wants(const SignQuery& question) const;
  std::vector<SignQuery> questions() const;
  void begin(SignQuery& question);
  void answer(std::vector<SignQuery>& group);
  std::optional<IntegerVector> ask(SignQuery& question);
  void finish(SignQuery& question, const std::vector<std::int64_t>& violated, IntegerVector direction);

  const DirectionSpace& space_;
  std::vector<int> exponent_;  ///< of f's columns
  ExactReader read_;
  TryDirections try_directions_;
  std::vector<std::uint8_t> signs_;  ///< by column: the signs that directions have
  std::vector<bool> proven_;         ///< by column: whether it is in infinite_
  std::map<std::int64_t, ExactRow> rests_;
  std::vector<Infinite> infinite_;
  std::vector<IntegerVector> directions_;
  std::int64_t work_ = 0;
  Deadline deadline_;
  bool ended_ = false;
};

// The direction of the largest margin among rows that can be separated. The likelihood of a logistic regression goes
// there. It is computed in floating point, and nothing is proven.
//
// It is the w with the smallest norm (the intercept not counted, columns in the units of the data) that has z·w ≥ 1 on
// the rows and z·w = 0 on the rows at zero. Method: Wolfe's (numeric/nearest_points.h) on the rests of the rows, in
// coordinates in which the norm of w is the plain one.

/// Up to a positive scale, over all columns. Empty if it isn't found. `rests` are the rests of the rows, which can be
/// separated.
std::vector<double> widest_direction(const DirectionSpace& space, const std::map<std::int64_t, ExactRow>& rests,
                                     const RowSpace& rows);

/// The signs of a direction, with 0 for a weight that is only rounding. `exponent[column]` is a column's typical size.
std::vector<int> signs_of(const std::vector<double>& direction, const std::vector<int>& exponent);

}  // namespace linsep
