#include "train/logit/clusters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/elementary.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

/// w·(y − p) of a row with this score.
double residual(double weight, double sign, double score) {
  const double margin = sign * score, e = elementary::exp(-std::abs(margin));
  return weight * sign * (margin >= 0 ? e : 1) / (1 + e);
}

}  // namespace

ClusterScores cluster_scores(Likelihood& likelihood, std::span<const double> beta,
                             std::span<const std::uint32_t> cluster, double bytes) {
  // Numbers clusters in the order of their first rows, so that numbers without rows take no place.
  constexpr std::uint32_t kUnseen = UINT32_MAX;
  std::vector<std::uint32_t> place(cluster.empty() ? 0 : std::size_t{*std::ranges::max_element(cluster)} + 1, kUnseen);
  std::uint32_t count = 0;
  for (const std::uint32_t each : cluster) {
    if (place[each] == kUnseen) place[each] = count++;
  }

  const std::size_t size = likelihood.size();
  const auto threads = static_cast<std::size_t>(likelihood.threads());
  const double bytes_each = 32.0 * static_cast<double>(size * threads);
  const auto together = static_cast<std::uint32_t>(std::clamp(bytes / bytes_each, 1.0, 1e9));
  const std::vector<double> weights = likelihood.weights_at(beta);
  ClusterScores scores;
  scores.clusters = count;
  scores.matrix.resize(size);
  for (std::uint32_t first = 0; first < count; first += together) {
    const std::uint32_t some = std::min(together, count - first);
    std::vector<BinnedSums> partial(threads);
    for (BinnedSums& sums : partial) sums.resize(some * size);
    RowQuery query;
    query.scores = {{weights, {}}};
    query.function = [&](const ScoredRows& rows) {
      for_each_row(*rows.panel, [&](const auto& row, std::int64_t i) {
        const auto r = static_cast<std::size_t>(i);
        const std::uint32_t at = place[cluster[rows.first + r]] - first;
        if (at >= some) return;  // also of earlier clusters, whose difference wraps round
        const double factor = residual(rows.panel->weight[r], rows.panel->label[r], rows.score[r * rows.score_stride]);
        for_each_entry(row, [&](std::uint32_t c, double x) { partial[rows.slot].add(at * size + c, factor * x); });
      });
    };
    likelihood.ask(std::move(query));
    for (std::size_t t = 1; t < threads; ++t) partial[0].add(partial[t]);
    exact_all_reduce(likelihood.comm(), partial[0]);
    std::vector<double> score(size);
    for (std::size_t g = 0; g < some; ++g) {
      for (std::size_t c = 0; c < size; ++c) score[c] = partial[0].value(g * size + c);
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = i; j < size; ++j) scores.matrix.at(i, j) += score[i] * score[j];
      }
    }
  }
  return scores;
}

}  // namespace linsep
