#include "learn/gap.h"

namespace linsep {
namespace {

constexpr double kUnit = 0x1p-53;

/// Gradient and curvature of the total loss in the offset.
struct OffsetSlope {
  double gradient = 0, size = 0, curvature = 0;
};

OffsetSlope offset_slope(Loss loss, std::span<const double> cost, std::span<const double> z, double offset,
                         int threads) {
  constexpr std::size_t kBlock = 16384;
  struct Part {
    Sum gradient, size, curvature;
  };
  std::vector<Part> part((cost.size() + kBlock - 1) / kBlock);
  parallel_for(part.size(), threads, [&](std::size_t b, std::size_t) {
    for (std::size_t i = b * kBlock; i < std::min(cost.size(), (b + 1) * kBlock); ++i) {
      const double y = cost[i] < 0 ? -1 : 1;
      const LossAt at = loss_at(loss, y * (z[i] + offset));
      part[b].gradient.add(-cost[i] * at.slope);
      part[b].size.add(std::abs(cost[i]) * at.slope);
      part[b].curvature.add(std::abs(cost[i]) * at.curvature);
    }
  });
  Part all;
  for (const Part& p : part) {
    all.gradient.add(p.gradient);
    all.size.add(p.size);
    all.curvature.add(p.curvature);
  }
  return {all.gradient.value(), all.size.value(), all.curvature.value()};
}

}  // namespace

double squared_length(std::span<const double> v) {
  Sum sum;
  for (const double x : v) sum.add(x * x);
  return sum.value();
}

double primal_rounding(const RowExtent& extent, double costs, double steepest, double theta_norm, double offset,
                       double primal) {
  const double score = (extent.most_values / 8 + 5) * theta_norm * extent.longest + 2 * std::abs(offset) + 4;
  return kUnit * (1.01 * costs * steepest * score + 8 * primal + 2 * theta_norm * theta_norm);
}

double dual_rounding(const RowExtent& extent, double alphas, double imbalance, double theta_norm, double additions,
                     double dual_terms) {
  const double reach = alphas * extent.longest;  // ≥ ‖Σ |α_i x_i|‖
  const double theta = 1.01 * kUnit * (additions + 2) * reach;
  const double scaling = alphas > 0 ? 4 * (std::abs(imbalance) + 4 * kUnit * alphas) / alphas : 0;
  return theta * (theta_norm + theta) + scaling * (std::abs(dual_terms) + alphas + theta_norm * reach) +
         kUnit * (8 * std::abs(dual_terms) + 2 * theta_norm * theta_norm);
}

double best_hinge_offset(std::span<const double> cost, std::span<const double> z) {
  std::vector<std::pair<double, double>> t;  // where a row's loss bends, and its cost
  t.reserve(cost.size());
  Sum positive;
  for (std::size_t i = 0; i < cost.size(); ++i) {
    if (cost[i] == 0) continue;
    t.emplace_back((cost[i] < 0 ? -1.0 : 1.0) - z[i], std::abs(cost[i]));
    if (cost[i] > 0) positive.add(cost[i]);
  }
  if (t.empty()) return 0;
  const double level = positive.value();
  double below = 0;
  auto low = t.begin(), high = t.end();
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

double best_smooth_offset(Loss loss, std::span<const double> cost, std::span<const double> z, double near,
                          int threads) {
  double low = -std::numeric_limits<double>::infinity(), high = -low, offset = near, reach = 1;
  for (int step = 0; step < 200; ++step) {
    const OffsetSlope at = offset_slope(loss, cost, z, offset, threads);
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

}  // namespace linsep
