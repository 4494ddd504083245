// Two classifiers on the same rows, by the rows on which just one of them is wrong.
//
// McNemar, "Note on the sampling error of the difference between correlated proportions or percentages", 1947: if both
// are equally good, each of these rows is as likely to be the fault of one as of the other.
// Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample design",
// 1998: the interval of all differences that a score test doesn't reject.
#pragma once

#include <cstdint>

namespace linsep {

/// Rows on which only the first is wrong, and rows on which only the second is.
struct Discordant {
  std::int64_t first = 0, second = 0;

  void add(bool first_wrong, bool second_wrong) {
    first += first_wrong && !second_wrong ? 1 : 0;
    second += second_wrong && !first_wrong ? 1 : 0;
  }
  bool operator==(const Discordant&) const = default;
};

/// McNemar's exact test: twice the smaller tail of a binomial distribution with p = 1/2, at most 1. The cost grows with
/// the square root of the rows that differ.
double mcnemar_p(const Discordant& rows);

struct PairedInterval {
  double at_least = 0, at_most = 0;
};

/// The interval of (share of rows that the first gets wrong) − (the same of the second) with 95 % confidence, among
/// `all` rows. It has 0 in it whenever the exact test finds no difference at 5 %. REQUIRES: all ≥ first + second, and
/// all > 0.
PairedInterval paired_interval(const Discordant& rows, std::int64_t all);

}  // namespace linsep
