// How scores rank rows: rows of both classes counted by score, and what follows from these counts alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace linsep {

/// Rows of two classes by their score, the greatest first, at most 2²⁰ places however many rows there are. Up to as
/// many different scores each has its place. Of more, the scores of a place agree in all but the lowest
/// `dropped_bits` of an order-preserving 64-bit number: the fewest bits for which places suffice, so that the counts
/// are those of the rows, whoever counted them in whatever order.
struct ScoreCounts {
  struct Place {
    double least = 0;  ///< no score here is lower, every score of the places behind it is
    std::int64_t negative = 0, positive = 0;
  };
  int dropped_bits = 0;  ///< 0: a place is one score, and what follows from the counts is exact
  std::vector<Place> places;
};

/// The greatest score that rows of a place may have.
double greatest_score(const ScoreCounts& counts, std::size_t place);

/// A figure between two ends, proven for any order of the scores within a place; both NaN where it isn't defined.
struct Bounded {
  double at_least = 0, at_most = 0;

  bool defined() const { return at_least <= at_most; }
  bool exact() const { return at_least == at_most; }
  double middle() const { return exact() ? at_least : at_least + (at_most - at_least) / 2; }
};

/// The rows of the greatest scores. Of equal scores the rows count in proportion.
struct TopRows {
  double share = 0;       ///< of all rows, as asked
  std::int64_t rows = 0;  ///< that share, rounded up
  double threshold = 0;   ///< the score of the last of them, or the least of its place
  Bounded precision, recall, lift;
};

struct Ranking {
  std::int64_t negative = 0, positive = 0;
  Bounded area_under_curve;   ///< of the ROC; half for ties
  Bounded average_precision;  ///< Σ (recall_k − recall_{k−1})·precision_k over the scores from the greatest on
  Bounded ks;                 ///< the greatest |recall − share of negative rows found| (Kolmogorov, Smirnov)
  std::vector<TopRows> top;   ///< 0.1, 1, 5, 10, 20 %
};
Ranking rank_rows(const ScoreCounts& counts);

/// What a threshold makes of rows: positive is z ≥ threshold.
struct ThresholdResult {
  double threshold = 0;
  std::int64_t true_positive = 0, true_negative = 0, false_positive = 0, false_negative = 0;
};

struct LeastCost {
  ThresholdResult at;       ///< of equal costs the greatest threshold; above all scores where no row should be positive
  double cost = 0;          ///< of all rows
  double no_less_than = 0;  ///< the cost of every threshold; `cost` itself where scores have their own places
};
/// The threshold of the least false_negative·(rows missed) + false_positive·(rows falsely found).
/// REQUIRES: costs are finite and at least 0.
LeastCost least_cost(const ScoreCounts& counts, double false_negative, double false_positive);

struct RecallAtPrecision {
  ThresholdResult at;
  Bounded recall;  ///< the greatest; `at` reaches the lower end, which is 0 where just some order might have it
};
/// The greatest recall of a threshold with at least this precision; nothing where there is none.
std::optional<RecallAtPrecision> recall_at_precision(const ScoreCounts& counts, double precision);

}  // namespace linsep
