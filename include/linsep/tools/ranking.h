// How scores rank rows, from counts of the rows of both classes by score alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace linsep {

/// Rows of two classes by their score, in descending order, in at most 2²⁰ places however many rows there are. As long
/// as there are no more different scores than that, each has its own place. With more, the scores of a place agree in
/// all but the lowest `dropped_bits` of an order-preserving 64-bit number. `dropped_bits` is the smallest number for
/// which places suffice, so the counts depend on the rows alone, whoever counted them in whatever order.
struct ScoreCounts {
  struct Place {
    double least = 0;  ///< no score here is lower, and every score of the later places is
    std::int64_t negative = 0, positive = 0;
  };
  int dropped_bits = 0;  ///< if 0, a place is one score, and what follows from the counts is exact
  std::vector<Place> places;
};

/// The largest score that rows of a place may have.
double greatest_score(const ScoreCounts& counts, std::size_t place);

/// A figure between two ends, proven for any order of the scores within a place. Both are NaN if it isn't defined.
struct Bounded {
  double at_least = 0, at_most = 0;

  bool defined() const { return at_least <= at_most; }
  bool exact() const { return at_least == at_most; }
  double middle() const { return exact() ? at_least : at_least + (at_most - at_least) / 2; }
};

/// The rows with the largest scores. Rows with equal scores count in proportion.
struct TopRows {
  double share = 0;       ///< of all rows, as asked
  std::int64_t rows = 0;  ///< that share, rounded up
  double threshold = 0;   ///< the score of the last of them, or the smallest of its place
  Bounded precision, recall, lift;
};

struct Ranking {
  std::int64_t negative = 0, positive = 0;
  Bounded area_under_curve;   ///< of the ROC, with half for ties
  Bounded average_precision;  ///< Σ (recall_k − recall_{k−1})·precision_k over the scores from the largest on
  Bounded ks;                 ///< the largest |recall − share of negative rows found| (Kolmogorov, Smirnov)
  std::vector<TopRows> top;   ///< 0.1, 1, 5, 10, 20 %
};
Ranking rank_rows(const ScoreCounts& counts);

/// What a threshold makes of rows. Positive is z ≥ threshold.
struct ThresholdResult {
  double threshold = 0;
  std::int64_t true_positive = 0, true_negative = 0, false_positive = 0, false_negative = 0;
};

struct LeastCost {
  ThresholdResult at;       ///< of equal costs the largest threshold, above all scores if no row should be positive
  double cost = 0;          ///< of all rows
  double no_less_than = 0;  ///< a lower bound on every threshold's cost. `cost` itself if scores have own places
};
/// The threshold with the smallest false_negative·(rows missed) + false_positive·(rows falsely found). REQUIRES: costs
/// are finite and at least 0.
LeastCost least_cost(const ScoreCounts& counts, double false_negative, double false_positive);

struct RecallAtPrecision {
  ThresholdResult at;
  Bounded recall;  ///< the largest. `at` reaches the lower end, which is 0 if just some order might have it
};
/// The largest recall of a threshold with at least this precision, or nothing if there is none.
std::optional<RecallAtPrecision> recall_at_precision(const ScoreCounts& counts, double precision);

}  // namespace linsep
