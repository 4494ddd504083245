#include "learn/margin/gap.h"

#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr double kUnit = 0x1p-53;

/// Gradient and curvature of the total loss in the offset.
struct OffsetSlope {
  double gradient = 0, size = 0, curvature = 0;
};

OffsetSlope offset_slope(Loss loss, std::span<const double> cost, std::span<const double> z, double offset, int threads,
                         Comm& comm) {
  const auto sums =
      exact_all_reduce_sums<3>(comm, cost.size(), threads, [&](std::size_t i, std::array<ExactSum, 3>& sum) {
        const double y = cost[i] < 0 ? -1 : 1;
        const LossAt at = loss_at(loss, y * (z[i] + offset));
        sum[0].add(-cost[i] * at.slope);
        sum[1].add(std::abs(cost[i]) * at.slope);
        sum[2].add(std::abs(cost[i]) * at.curvature);
      });
  return {sums[0], sums[1], sums[2]};
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
  // Most rows lie outside of the likely interval and needn't be sorted; if it was wrong, all are taken.
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
                          Comm& comm, const StopPoint* stop) {
  double low = -std::numeric_limits<double>::infinity(), high = -low, offset = near, reach = 1;
  for (int step = 0; step < 200; ++step) {
    if (stop != nullptr) stop->look();
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
    offset = next;
  }
  return offset;
}

double total_loss(Loss loss, std::span<const double> cost, std::span<const double> z, double offset, int threads) {
  return sum_over(cost.size(), threads, [&](std::size_t i) {
    return std::abs(cost[i]) * loss_value(loss, (cost[i] < 0 ? -1.0 : 1.0) * (z[i] + offset));
  });
}

double total_loss(Loss loss, std::span<const double> cost, std::span<const double> z, double offset, int threads,
                  Comm& comm) {
  return exact_all_reduce_sums<1>(comm, cost.size(), threads, [&](std::size_t i, std::array<ExactSum, 1>& sum) {
    sum[0].add(std::abs(cost[i]) * loss_value(loss, (cost[i] < 0 ? -1.0 : 1.0) * (z[i] + offset)));
  })[0];
}

}  // namespace linsep
