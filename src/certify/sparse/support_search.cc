#include "certify/sparse/support_search.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "certify/sparse/squared_hinge.h"

namespace linsep {
namespace {

constexpr std::size_t kFirstRows = 64;
constexpr std::size_t kNearEnough = 16;  ///< the shortest beginning is found but for one row in this many
/// Slacks below this share of the greatest are rounding.
constexpr double kLeastSlack = 1e-9;
/// Products of numbers that are spent on one set of rows: near the least number of rows it takes ever more of them.
constexpr double kPatience = 4e9;
/// While halving: as many times those of the last set that wasn't separable, and at least.
constexpr double kTimesLast = 4;
constexpr double kAtLeast = 1e9;
constexpr double kFewestConjugate = 1500;
/// Supports that are kept: where one can't be made exact, the next may.
constexpr std::size_t kMostKept = 4;

Support support_of(const UnitRows& rows, const std::vector<double>& slack) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows.number[a] < rows.number[b]; });
  const double least = kLeastSlack * *std::max_element(slack.begin(), slack.end());
  Support support;
  std::vector<bool> used(rows.columns, false);
  for (const std::size_t i : order) {
    if (slack[i] <= least) continue;
    for (const std::uint32_t j : rows.columns_of(i)) used[j] = true;
    support.row.push_back(rows.number[i]);
    support.slack.push_back(slack[i]);
    support.share.push_back(slack[i] / rows.norm[i]);
  }
  support.columns = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  return support;
}

/// kSeparated where peeling leaves nothing. `patience` falls to what the halving of such a set deserves.
LeastHinge try_rows(const UnitRows& rows, std::span<const std::size_t> chosen, double& patience,
                    const std::function<bool()>& stop, std::vector<Support>& found) {
  LeastHinge hinge;
  const std::vector<std::size_t> left = peeled(rows, chosen);
  if (left.empty()) {
    hinge.end = LeastHinge::End::kSeparated;
    return hinge;
  }
  const UnitRows core = restricted(rows, left);
  const double cost = 2 * static_cast<double>(core.entries());
  hinge = least_squared_hinge(core, static_cast<int>(std::min(1e9, std::max(patience / cost, kFewestConjugate))), stop);
  if (hinge.end == LeastHinge::End::kMinimum) {
    found.insert(found.begin(), support_of(core, hinge.slack));
    patience = std::clamp(kTimesLast * cost * hinge.conjugate, kAtLeast, kPatience);
  }
  return hinge;
}

}  // namespace

SupportSearch find_supports(const UnitRows& rows, const std::function<bool()>& stop) {
  SupportSearch search;
  if (rows.size() == 0) return search;
  const std::vector<std::size_t> order = by_rarest_column(rows);
  double patience = kPatience;
  const auto inseparable = [&](std::size_t count) {
    const LeastHinge hinge = try_rows(rows, std::span(order).first(count), patience, stop, search.found);
    search.stopped = search.stopped || hinge.end == LeastHinge::End::kStopped;
    return hinge.end == LeastHinge::End::kMinimum;
  };
  std::size_t low = 0, high = std::min(kFirstRows, order.size());
  while (!inseparable(high)) {
    if (search.stopped || high == order.size()) return search;
    low = high;
    high = std::min(2 * high, order.size());
  }
  while (!search.stopped && high - low > std::max(high / kNearEnough, std::size_t{1})) {
    const std::size_t middle = low + (high - low) / 2;
    (inseparable(middle) ? high : low) = middle;
  }
  if (search.found.size() > kMostKept) search.found.resize(kMostKept);
  return search;
}

SupportSearch support_of_all(const UnitRows& rows, const std::function<bool()>& stop) {
  SupportSearch search;
  std::vector<std::size_t> all(rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  double patience = kPatience;
  search.stopped = try_rows(rows, all, patience, stop, search.found).end == LeastHinge::End::kStopped;
  return search;
}

}  // namespace linsep
