#include "learn/margin/gap.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "core/deadline.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/fixed_point.h"

namespace linsep {
namespace {

constexpr double kUnit = 0x1p-53;

/// Gradient and curvature of the total loss in the offset.
struct OffsetSlope {
  double gradient = 0, size = 0, curvature = 0;
};

OffsetSlope offset_slope(Loss loss, std::span<const double> cost, std::span<const double> z, double offset, int threads,
                         Comm& comm) {
  // Sums by class are exact, so their difference and their sum are those of all rows.
  enum : std::size_t { kNegative, kPositive, kCurvature, kSums };
  auto sums = exact_block_sums<kSums>(comm, cost.size(), threads, [&](std::size_t begin, std::size_t end, auto& sum) {
    for_losses<false>(loss, cost, z, offset, begin, end, [&](const RowLosses& rows) {
      TermsByClass slopes;
      RowLosses::Numbers curvature;
      for (std::size_t k = 0; k < rows.count; ++k) {
        const double signed_cost = cost[rows.first + k];
        slopes.add(signed_cost < 0, std::abs(signed_cost) * rows.slope[k]);
        curvature[k] = std::abs(signed_cost) * rows.curvature[k];
      }
      slopes.add_to(sum[kNegative], sum[kPositive]);
      add_terms(sum[kCurvature], curvature.data(), rows.count);
    });
  });
  ExactSum gradient = sums[kNegative], size = sums[kNegative];
  gradient.subtract(sums[kPositive]);
  size.add(sums[kPositive]);
  return {gradient.value(), size.value(), sums[kCurvature].value()};
}

}  // namespace

double primal_rounding(const RowExtent& extent, double costs, double steepest, double theta_norm, double offset,
                       double primal) {
  const double score = (extent.most_values / 8 + 5) * theta_norm * extent.longest + 2 * std::abs(offset) + 4;
  return kUnit * (1.01 * costs * steepest * score + 8 * primal + 2 * theta_norm * theta_norm);
}

double sum_rounding(const RowExtent& extent, double alphas, double additions) {
  return 1.01 * kUnit * (additions + 2) * alphas * extent.longest;
}

double dual_rounding(const RowExtent& extent, double alphas, double imbalance, double theta_norm, double theta_error,
                     double dual_terms) {
  const double reach = alphas * extent.longest;  // ≥ ‖Σ |α_i x_i|‖
  const double scaling = alphas > 0 ? 4 * (std::abs(imbalance) + 4 * kUnit * alphas) / alphas : 0;
  return theta_error * (theta_norm + theta_error) + scaling * (std::abs(dual_terms) + alphas + theta_norm * reach) +
         kUnit * (8 * std::abs(dual_terms) + 2 * theta_norm * theta_norm);
}

namespace {

using Bend = std::pair<double, double>;  // where a row's loss bends, and its cost

Bend bend_of(double cost, double z) { return {(cost < 0 ? -1.0 : 1.0) - z, std::abs(cost)}; }

/// The first bend at which the costs so far, `below` and those of the bends up to it, come to `level`.
double quantile(std::vector<Bend>& bends, double below, double level) {
  auto low = bends.begin(), high = bends.end();
  while (high - low > 1) {
    const auto middle = low + (high - low) / 2;
    std::nth_element(low, middle, high);
    double left = 0;
    for (auto k = low; k != middle; ++k) left += k->second;
    if (below + left >= level) {
      high = middle;
    } else {
      below += left;
      low = middle;
    }
  }
  return low->first;
}

/// An interval that probably holds the quantile, from rows at a fixed stride.
Bend likely_interval(std::span<const double> cost, std::span<const double> z, double share) {
  constexpr std::size_t kSample = 2048;
  const std::size_t step = cost.size() / kSample + 1;
  std::vector<Bend> sample;
  Sum total;
  for (std::size_t i = 0; i < cost.size(); i += step) {
    if (cost[i] == 0) continue;
    sample.push_back(bend_of(cost[i], z[i]));
    total.add(sample.back().second);
  }
  if (sample.empty()) return {0, 0};
  const double spread = 4 * std::sqrt(share * (1 - share) / static_cast<double>(sample.size()));
  const double low = quantile(sample, 0, std::max(share - spread, 0.0) * total.value());
  const double high = quantile(sample, 0, std::min(share + spread, 1.0) * total.value());
  return {low, high};
}

}  // namespace

double best_hinge_offset(std::span<const double> cost, std::span<const double> z) {
  Sum positive, all;
  for (const double c : cost) {
    all.add(std::abs(c));
    if (c > 0) positive.add(c);
  }
  if (all.value() == 0) return 0;
  const double level = positive.value();
  // Most rows lie outside of the likely interval and don't need sorting; if it was wrong, all are taken.
  auto [low, high] = likely_interval(cost, z, level / all.value());
  for (;;) {
    std::vector<Bend> inside;
    double below = 0, within = 0;
    for (std::size_t i = 0; i < cost.size(); ++i) {
      const Bend bend = bend_of(cost[i], z[i]);
      if (bend.first < low) {
        below += bend.second;
      } else if (bend.first <= high && bend.second > 0) {
        within += bend.second;
        inside.push_back(bend);
      }
    }
    const bool whole = std::isinf(low);
    if (!inside.empty() && (whole || (below < level && below + within > level))) return quantile(inside, below, level);
    if (whole) return 0;
    high = std::numeric_limits<double>::infinity();
    low = -high;
  }
}

double best_smooth_offset(Loss loss, std::span<const double> cost, std::span<const double> z, double near, int threads,
                          Comm& comm) {
  const bool smooth_curvature = facts_of(loss).curved_everywhere;
  double low = -std::numeric_limits<double>::infinity(), high = -low, offset = near, reach = 1;
  for (int step = 0; step < 200; ++step) {
    poll_now();
    const OffsetSlope at = offset_slope(loss, cost, z, offset, threads, comm);
    if (std::abs(at.gradient) <= 4 * kUnit * at.size) break;
    (at.gradient > 0 ? high : low) = offset;
    double next = at.curvature > 0 ? offset - at.gradient / at.curvature : offset;
    if (!(next > low && next < high) || next == offset || std::abs(next - offset) > 4 * reach) {
      next = std::isfinite(low) && std::isfinite(high) ? low + (high - low) / 2
                                                       : offset + (at.gradient > 0 ? -reach : reach);
      reach *= 2;
    }
    if (next == offset) break;
    const double change = std::abs(std::exchange(offset, next) - next);
    // Where the curvature changes by no more than itself in a unit, a step this short leaves less slope than can be
    // seen.
    if (smooth_curvature && change < 0.5 && change * change * at.curvature <= 4 * kUnit * at.size) break;
  }
  return offset;
}

double total_loss(Loss loss, std::span<const double> cost, std::span<const double> z, double offset, int threads) {
  return with_loss(loss, [&](auto l) {
    return sum_over(cost.size(), threads, [&](std::size_t i) {
      return std::abs(cost[i]) * l.value((cost[i] < 0 ? -1.0 : 1.0) * (z[i] + offset));
    });
  });
}

double total_loss(Loss loss, std::span<const double> cost, std::span<const double> z, double offset, int threads,
                  Comm& comm) {
  return exact_block_sums<1>(comm, cost.size(), threads,
                             [&](std::size_t begin, std::size_t end, auto& sum) {
                               for_losses<true>(loss, cost, z, offset, begin, end, [&](const RowLosses& rows) {
                                 RowLosses::Numbers value;
                                 for (std::size_t k = 0; k < rows.count; ++k)
                                   value[k] = std::abs(cost[rows.first + k]) * rows.value[k];
                                 add_terms(sum[0], value.data(), rows.count);
                               });
                             })[0]
      .value();
}

// A histogram over what is left of the line tells in which of its bins the quantile lies; that bin is looked at again.
// When it holds few rows, they are gathered and gone through one by one.

namespace {

constexpr std::size_t kBins = 256;
constexpr std::int64_t kFew = 1024;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kGreatest = std::numeric_limits<double>::max();

struct Point {
  double place = 0;
  std::int64_t mass = 0;
};

// Masses of rows are at most kGreatestMass each and together, unless a forged checkpoint lies about their bound.
constexpr std::int64_t kGreatestMass = std::int64_t{1} << 61;
std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  return std::min(std::min(a, kGreatestMass) + std::min(b, kGreatestMass), kGreatestMass);
}

struct Bin {
  std::int64_t mass = 0, rows = 0;
  double low = kInfinity, high = -kInfinity;
};

// Grows with v, and is below kBins. REQUIRES: low < high; these lie in different bins, so that each look leaves less.
std::size_t bin_of(double v, double low, double high) {
  if (v <= low) return 0;
  if (v >= high) return kBins - 1;
  low = std::max(low, -kGreatest);
  high = std::min(high, kGreatest);
  const double share = (v / 2 - low / 2) / (high / 2 - low / 2) * static_cast<double>(kBins);
  return std::min(kBins - 1, static_cast<std::size_t>(std::max(0.0, share)));
}

/// The rows in an interval; adds to `below` the masses of those below it.
std::vector<Point> points_within(const Masses& rows, const LikelyInterval& interval, double step, std::int64_t& below) {
  const double low = interval.low, high = interval.high;
  std::vector<Point> points;
  for (std::size_t i = 0; i < rows.place.size(); ++i) {
    const double place = rows.place[i], mass = std::abs(rows.mass[i]);
    const std::int64_t units = whole_units(std::min(mass * step, 0x1p61));
    // No jump: on which side a row lies can't be predicted.
    below = sum_of(below, units & -static_cast<std::int64_t>((place < low) & (mass > 0)));
    if (place >= low && place <= high && mass > 0) points.push_back({place, units});
  }
  return points;
}

std::vector<Bin> histogram(const std::vector<Point>& points, double low, double high, Comm& comm) {
  std::vector<Bin> bins(kBins);
  for (const Point& point : points) {
    Bin& bin = bins[bin_of(point.place, low, high)];
    bin.mass = sum_of(bin.mass, point.mass);
    ++bin.rows;
    bin.low = std::min(bin.low, point.place);
    bin.high = std::max(bin.high, point.place);
  }
  if (comm.size() == 1) return bins;
  std::vector<std::int64_t> sums;
  std::vector<double> ends;
  for (const Bin& bin : bins) {
    sums.insert(sums.end(), {bin.mass, bin.rows});
    ends.insert(ends.end(), {-bin.low, bin.high});
  }
  comm.all_reduce(std::span(sums), Comm::Op::kSum);
  comm.all_reduce(std::span(ends), Comm::Op::kMax);
  for (std::size_t b = 0; b < kBins; ++b) bins[b] = {sums[2 * b], sums[2 * b + 1], -ends[2 * b], ends[2 * b + 1]};
  return bins;
}

std::vector<Point> gather(const std::vector<Point>& points, Comm& comm) {
  std::vector<Point> all;
  for (const std::vector<std::byte>& bytes : comm.all_gather(std::as_bytes(std::span(points)))) {
    const std::size_t size = all.size();
    all.resize(size + bytes.size() / sizeof(Point));
    if (!bytes.empty()) std::memcpy(all.data() + size, bytes.data(), bytes.size());
  }
  std::sort(all.begin(), all.end(), [](const Point& a, const Point& b) { return a.place < b.place; });
  return all;
}

}  // namespace

double agreed_quantile(const Masses& rows, double level, Comm& comm, const LikelyInterval& likely) {
  const double step = FixedColumns::step(rows.bound);
  const auto reached = [&](std::int64_t sum) { return static_cast<double>(sum) / step >= level; };
  std::vector<Point> points;
  std::int64_t below = 0;
  bool found = false;
  if (likely.low <= likely.high) {
    std::int64_t masses[2] = {};
    points = points_within(rows, likely, step, masses[0]);
    for (const Point& point : points) masses[1] = sum_of(masses[1], point.mass);
    comm.all_reduce(std::span<std::int64_t>(masses), Comm::Op::kSum);
    found = !reached(masses[0]) && reached(sum_of(masses[0], masses[1]));
    if (found) below = masses[0];
  }
  if (!found) points = points_within(rows, {-kInfinity, kInfinity}, step, below);
  double ends[2] = {-kInfinity, -kInfinity};  // −least position, greatest
  for (const Point& point : points) {
    ends[0] = std::max(ends[0], -point.place);
    ends[1] = std::max(ends[1], point.place);
  }
  comm.all_reduce(std::span<double>(ends), Comm::Op::kMax);
  double low = -ends[0], high = ends[1];
  if (low > high) return 0;
  while (low < high) {
    const std::vector<Bin> bins = histogram(points, low, high, comm);
    std::size_t b = 0;
    for (; b < kBins && !reached(sum_of(below, bins[b].mass)); ++b) below = sum_of(below, bins[b].mass);
    if (b == kBins) return ends[1];
    std::erase_if(points, [&](const Point& point) { return bin_of(point.place, low, high) != b; });
    low = bins[b].low;
    high = bins[b].high;
    if (bins[b].rows > kFew || low >= high) continue;
    for (const Point& point : gather(points, comm)) {
      below = sum_of(below, point.mass);
      if (reached(below)) return point.place;
    }
  }
  return low;  // all that is left lies at one position
}

}  // namespace linsep
