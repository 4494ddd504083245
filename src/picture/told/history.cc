#include "picture/told/history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "linsep/picture/geometry.h"

namespace linsep {
namespace {

using Pass = Picture::History::Pass;
using Measure = std::function<std::optional<double>(const Pass&)>;

constexpr std::size_t kMostPasses = 2000, kMostBars = 200;

std::vector<Pass> told(std::span<const Progress> passes) {
  std::vector<Pass> all;
  std::int64_t mistakes = 0;
  for (const Progress& progress : passes) {
    Pass pass;
    pass.pass = progress.pass;
    pass.seconds = progress.seconds;
    pass.mistakes = progress.mistakes;
    if (progress.mistakes) pass.mistakes_so_far = mistakes += *progress.mistakes;
    pass.objective = progress.objective;
    pass.gap = progress.gap;
    if (progress.residual && std::isfinite(*progress.residual)) pass.residual = progress.residual;
    // No objective is below 0, so a gap of 1 or more says nothing.
    if (progress.objective && progress.gap && *progress.gap < 1) {
      pass.lower_bound = *progress.objective * (1 - *progress.gap);
    }
    all.push_back(pass);
  }
  return all;
}

/// What some pass has.
std::vector<Measure> measures_of(std::span<const Pass> passes) {
  std::vector<Measure> measured;
  for (const Measure& measure :
       {Measure([](const Pass& pass) { return pass.objective; }), Measure([](const Pass& pass) { return pass.gap; }),
        Measure([](const Pass& pass) { return pass.residual; }), Measure([](const Pass& pass) -> std::optional<double> {
          return pass.mistakes ? std::optional(static_cast<double>(*pass.mistakes)) : std::nullopt;
        })}) {
    if (std::ranges::any_of(passes, [&](const Pass& pass) { return measure(pass).has_value(); })) {
      measured.push_back(measure);
    }
  }
  return measured;
}

std::vector<Pass> thinned(const std::vector<Pass>& all) {
  if (all.size() <= kMostPasses) return all;
  const std::vector<Measure> measures = measures_of(all);
  const std::size_t groups = (kMostPasses - 2) / std::max<std::size_t>(1, 2 * measures.size());
  std::set<std::size_t> kept = {0, all.size() - 1};
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t begin = group * all.size() / groups, end = (group + 1) * all.size() / groups;
    if (measures.empty()) kept.insert(begin);
    for (const Measure& measure : measures) {
      std::optional<std::size_t> least, greatest;
      for (std::size_t k = begin; k < end; ++k) {
        const auto value = measure(all[k]);
        if (!value) continue;
        if (!least || *value < *measure(all[*least])) least = k;
        if (!greatest || *value > *measure(all[*greatest])) greatest = k;
      }
      if (least) kept.insert({*least, *greatest});
    }
  }
  std::vector<Pass> few;
  for (const std::size_t k : kept) few.push_back(all[k]);
  return few;
}

/// 1, 2, 5, 10, 20, …: the least of them that leaves at most kMostBars groups.
std::size_t group_size(std::size_t passes) {
  for (std::size_t power = 1;; power *= 10) {
    for (const std::size_t size : std::array<std::size_t, 3>{power, 2 * power, 5 * power}) {
      if ((passes + size - 1) / size <= kMostBars) return size;
    }
  }
}

/// A bar's pass is the last of its group.
std::vector<Pass> bars_of(const std::vector<Pass>& all, std::size_t group) {
  std::vector<Pass> bars;
  if (all.empty() || !all.front().mistakes) return bars;
  for (std::size_t begin = 0; begin < all.size(); begin += group) {
    const std::size_t end = std::min(begin + group, all.size());
    Pass bar;
    bar.pass = all[end - 1].pass;
    bar.seconds = all[end - 1].seconds;
    bar.mistakes = 0;
    for (std::size_t k = begin; k < end; ++k) *bar.mistakes += all[k].mistakes.value_or(0);
    bar.mistakes_so_far = all[end - 1].mistakes_so_far;
    bars.push_back(bar);
  }
  return bars;
}

}  // namespace

Picture::History history_of(std::span<const Progress> passes) {
  Picture::History history;
  const std::vector<Pass> all = told(passes);
  history.passes = thinned(all);
  const std::size_t group = group_size(all.size());
  history.group = static_cast<std::int64_t>(group);
  history.bars = bars_of(all, group);
  if (all.empty()) return history;
  history.passes_made = all.back().pass;
  if (all.back().seconds > 0) history.seconds_ticks = round_ticks(0, all.back().seconds);
  return history;
}

}  // namespace linsep
