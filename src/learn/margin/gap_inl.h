// The templates of learn/margin/gap.h.
#pragma once

#include <algorithm>
#include <utility>

#include "learn/margin/gap.h"

namespace linsep {

/// The cheapest rows of many whose rooms together suffice: dearer ones are forgotten on the way.
struct CheapestRows {
  explicit CheapestRows(double room_wanted) : wanted(room_wanted) {}

  template <class Room>
  void offer(double price, std::size_t row, const Room& room) {
    if (price >= too_dear) return;
    rows.emplace_back(price, row);
    if (rows.size() < 2 * keep) return;
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(keep);
    std::nth_element(rows.begin(), middle, rows.end());
    double have = 0;
    for (auto at = rows.begin(); at != middle && have < wanted; ++at) have += room(at->second);
    if (have < wanted) {
      keep *= 2;
    } else {
      too_dear = middle->first;
      rows.erase(middle, rows.end());
    }
  }

  double wanted;
  double too_dear = std::numeric_limits<double>::infinity();
  std::size_t keep = 512;
  std::vector<std::pair<double, std::size_t>> rows;  ///< price and number
};

template <class Alpha>
void repair_balance(std::span<const double> cost, std::span<const double> z, double offset, bool bounded,
                    Alpha&& alpha) {
  // Three rounds: what rounding leaves after the first is moved by the next, if it can be in the row that moved last.
  std::size_t last = cost.size();
  for (int round = 0; round < 3; ++round) {
    Sum sum;
    for (std::size_t i = 0; i < cost.size(); ++i) sum.add(cost[i] < 0 ? -alpha(i) : alpha(i));
    const double excess = sum.value();
    if (excess == 0) return;
    double rest = std::abs(excess);
    const auto shrinks = [&](std::size_t i) { return (cost[i] > 0) == (excess > 0); };
    const auto room = [&](std::size_t i) {
      if (cost[i] == 0) return 0.0;
      if (shrinks(i)) return alpha(i);
      return bounded ? std::abs(cost[i]) - alpha(i) : std::numeric_limits<double>::infinity();
    };
    const auto move_row = [&](std::size_t i) {
      const double move = std::min(rest, room(i));
      if (shrinks(i)) {
        alpha(i) -= move;
      } else {
        alpha(i) = bounded ? std::min(std::abs(cost[i]), alpha(i) + move) : alpha(i) + move;
      }
      rest -= move;
      last = i;
    };
    if (last < cost.size() && room(last) >= rest) {
      move_row(last);
      continue;
    }
    CheapestRows cheapest(rest);
    for (std::size_t i = 0; i < cost.size(); ++i) {
      if (!(room(i) > 0)) continue;
      const double slack = 1 - (cost[i] < 0 ? -1.0 : 1.0) * (z[i] + offset);
      const double curved = bounded ? 0.0 : alpha(i) / (2 * std::abs(cost[i]));
      cheapest.offer(shrinks(i) ? slack - curved : curved - slack, i, room);
    }
    std::vector<std::pair<double, std::size_t>>& price = cheapest.rows;
    const auto dearer = [](const auto& a, const auto& b) { return a > b; };
    std::make_heap(price.begin(), price.end(), dearer);
    while (rest > 0 && !price.empty()) {
      std::pop_heap(price.begin(), price.end(), dearer);
      const std::size_t i = price.back().second;
      price.pop_back();
      move_row(i);
    }
  }
}

}  // namespace linsep
