// What follows from counts of rows by score. Where a place holds several scores, each figure is taken with the order
// within the place that is best for it, and with the worst.
#include "linsep/tools/ranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/exact_sum.h"
#include "numeric/score_table.h"

namespace linsep {
namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using WideSigned = __int128;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<std::int64_t, 5> kTopPerMille = {1, 10, 50, 100, 200};

/// Both ends, made wide enough for the few roundings behind each.
Bounded between(double low, double high) {
  constexpr double kRoundings = 0x1p-49;
  if (low == high) return {low, high};
  return {std::max(low * (1 - kRoundings), 0.0), std::min(high * (1 + kRoundings), 1.0)};
}

ThresholdResult result_at(const Ranking& all, double threshold, std::int64_t found, std::int64_t falsely_found) {
  return {threshold, found, all.negative - falsely_found, falsely_found, all.positive - found};
}

/// Rows of both classes, and nothing else yet.
Ranking count_rows(const ScoreCounts& counts) {
  Ranking all;
  for (const auto& place : counts.places) {
    all.negative += place.negative;
    all.positive += place.positive;
  }
  return all;
}

/// A threshold that no row reaches, if there is one.
double above_all(const ScoreCounts& counts) {
  constexpr double kMost = std::numeric_limits<double>::max();
  return counts.places.empty() ? 0 : std::nextafter(greatest_score(counts, 0), kMost);
}

/// Pairs of a positive and a negative row whose order is right, counted twice; a tie once.
Bounded area(const ScoreCounts& counts, const Ranking& all) {
  const bool ties = counts.dropped_bits == 0;
  Wide least = 0, most = 0;
  std::int64_t found = 0;
  for (const auto& place : counts.places) {
    const auto negative = static_cast<Wide>(place.negative);
    const Wide above = 2 * static_cast<Wide>(found), here = static_cast<Wide>(place.positive);
    least += negative * (ties ? above + here : above);
    most += negative * (ties ? above + here : above + 2 * here);
    found += place.positive;
  }
  const double pairs = static_cast<double>(all.negative) * static_cast<double>(all.positive);
  if (least == most) return {static_cast<double>(least) / 2 / pairs, static_cast<double>(most) / 2 / pairs};
  return between(static_cast<double>(least) / 2 / pairs, static_cast<double>(most) / 2 / pairs);
}

/// At least Σ (found + k)/(found + k + false) for k = 1 … rows. The terms are concave in k: the mean of a run of them
/// is at least that of its two ends.
void add_worst_precisions(ExactSum& sum, double found, double falsely, std::int64_t rows) {
  constexpr std::int64_t kMostRuns = 64;
  const std::int64_t run = (rows + kMostRuns - 1) / kMostRuns;
  const auto precision = [&](std::int64_t k) {
    return (found + static_cast<double>(k)) / (found + static_cast<double>(k) + falsely);
  };
  for (std::int64_t first = 1; first <= rows; first += run) {
    const std::int64_t last = std::min(first + run - 1, rows);
    sum.add(static_cast<double>(last - first + 1) * (precision(first) + precision(last)) / 2);
  }
}

/// Best: all positive rows of a place before its negative ones, and tied. No row can have more found above it, nor
/// fewer falsely found. Worst: behind them, one by one.
Bounded average_precision(const ScoreCounts& counts, const Ranking& all) {
  ExactSum least, most;
  std::int64_t found = 0, falsely = 0;
  for (const auto& place : counts.places) {
    const auto with = static_cast<double>(found + place.positive), rows = static_cast<double>(place.positive);
    const auto after = static_cast<double>(falsely + place.negative);
    if (counts.dropped_bits == 0) {
      if (place.positive > 0) least.add(rows * (with / (with + after)));
    } else if (place.positive > 0) {
      most.add(rows * (with / (with + static_cast<double>(falsely))));
      add_worst_precisions(least, static_cast<double>(found), after, place.positive);
    }
    found += place.positive;
    falsely += place.negative;
  }
  const auto positive = static_cast<double>(all.positive);
  const double low = least.value() / positive;
  return counts.dropped_bits == 0 ? Bounded{low, low} : between(low, most.value() / positive);
}

/// Between two places the curve passes through a known point; within one it stays in the rectangle of both ends.
Bounded kolmogorov_smirnov(const ScoreCounts& counts, const Ranking& all) {
  const auto apart = [&](std::int64_t found, std::int64_t falsely) {
    const WideSigned difference =
        static_cast<WideSigned>(found) * all.negative - static_cast<WideSigned>(falsely) * all.positive;
    return difference < 0 ? -difference : difference;
  };
  WideSigned least = 0, most = 0;
  std::int64_t found = 0, falsely = 0;
  for (const auto& place : counts.places) {
    if (counts.dropped_bits > 0) {
      most = std::max({most, apart(found + place.positive, falsely), apart(found, falsely + place.negative)});
    }
    found += place.positive;
    falsely += place.negative;
    least = std::max(least, apart(found, falsely));
  }
  most = std::max(least, most);
  const double pairs = static_cast<double>(all.negative) * static_cast<double>(all.positive);
  return between(static_cast<double>(least) / pairs, static_cast<double>(most) / pairs);
}

TopRows top_rows(const ScoreCounts& counts, const Ranking& all, std::int64_t per_mille) {
  const std::int64_t rows = all.negative + all.positive;
  TopRows top;
  top.share = static_cast<double>(per_mille) / 1000;
  top.rows = rows / 1000 * per_mille + (rows % 1000 * per_mille + 999) / 1000;
  std::int64_t found = 0, before = 0;
  double least = 0, most = 0;
  for (const auto& place : counts.places) {
    const std::int64_t here = place.negative + place.positive, left = top.rows - before;
    if (left <= here) {
      top.threshold = place.least;
      least = static_cast<double>(found + std::max<std::int64_t>(left - place.negative, 0));
      most = static_cast<double>(found + std::min(left, place.positive));
      if (counts.dropped_bits == 0) {
        const double share = static_cast<double>(left) / static_cast<double>(here);
        least = most = static_cast<double>(found) + static_cast<double>(place.positive) * share;
      }
      break;
    }
    found += place.positive;
    before += here;
  }
  const auto of = [&](double count) { return Bounded{least / count, most / count}; };
  top.precision = of(static_cast<double>(top.rows));
  top.recall = of(static_cast<double>(all.positive));
  top.lift = of(static_cast<double>(all.positive) * (static_cast<double>(top.rows) / static_cast<double>(rows)));
  return top;
}

}  // namespace

double greatest_score(const ScoreCounts& counts, std::size_t place) {
  if (counts.dropped_bits == 0) return counts.places[place].least;
  const std::uint64_t low =
      counts.dropped_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << counts.dropped_bits) - 1;
  return key_score(score_key(counts.places[place].least) | low);
}

Ranking rank_rows(const ScoreCounts& counts) {
  Ranking all = count_rows(counts);
  all.area_under_curve = all.average_precision = all.ks = {kUndefined, kUndefined};
  if (all.positive == 0) return all;
  all.average_precision = average_precision(counts, all);
  for (const std::int64_t per_mille : kTopPerMille) all.top.push_back(top_rows(counts, all, per_mille));
  if (all.negative == 0) return all;
  all.area_under_curve = area(counts, all);
  all.ks = kolmogorov_smirnov(counts, all);
  return all;
}

LeastCost least_cost(const ScoreCounts& counts, double false_negative, double false_positive) {
  const Ranking all = count_rows(counts);
  const auto cost = [&](std::int64_t found, std::int64_t falsely) {
    return false_negative * static_cast<double>(all.positive - found) + false_positive * static_cast<double>(falsely);
  };
  LeastCost least;
  least.at = result_at(all, above_all(counts), 0, 0);
  least.cost = least.no_less_than = cost(0, 0);
  std::int64_t found = 0, falsely = 0;
  for (const auto& place : counts.places) {
    if (counts.dropped_bits > 0) {
      least.no_less_than = std::min(least.no_less_than, cost(found + place.positive, falsely));
    }
    found += place.positive;
    falsely += place.negative;
    if (cost(found, falsely) >= least.cost) continue;
    least.at = result_at(all, place.least, found, falsely);
    least.cost = cost(found, falsely);
  }
  least.no_less_than = std::min(least.no_less_than, least.cost);
  return least;
}

std::optional<RecallAtPrecision> recall_at_precision(const ScoreCounts& counts, double precision) {
  const Ranking all = count_rows(counts);
  std::optional<RecallAtPrecision> best;
  const auto reaches = [&](std::int64_t found, std::int64_t falsely) {
    return found > 0 && static_cast<double>(found) / static_cast<double>(found + falsely) >= precision;
  };
  std::int64_t found = 0, falsely = 0, possible = 0;
  for (const auto& place : counts.places) {
    if (counts.dropped_bits > 0 && reaches(found + place.positive, falsely)) possible = found + place.positive;
    found += place.positive;
    falsely += place.negative;
    // No more found: the same recall for more rows falsely found.
    if (!reaches(found, falsely) || (best && best->at.true_positive == found)) continue;
    best.emplace().at = result_at(all, place.least, found, falsely);
  }
  if (!best && possible == 0) return std::nullopt;
  if (!best) best.emplace().at = result_at(all, above_all(counts), 0, 0);
  const auto recall = [&](std::int64_t rows) { return static_cast<double>(rows) / static_cast<double>(all.positive); };
  best->recall = {recall(best->at.true_positive), recall(std::max(possible, best->at.true_positive))};
  return best;
}

}  // namespace linsep
