// For tests: the hard margin of small sets, by trying every set of rows that could support the nearest points, in
// long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "learn/testing.h"

namespace linsep::reference {

/// x with a·x = b by elimination; nothing where a is singular.
inline std::vector<long double> solve_square(std::vector<std::vector<long double>> a, std::vector<long double> b) {
  const std::size_t n = b.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r) {
      if (fabsl(a[r][c]) > fabsl(a[pivot][c])) pivot = r;
    }
    if (fabsl(a[pivot][c]) < 1e-12L) return {};
    std::swap(a[c], a[pivot]);
    std::swap(b[c], b[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const long double factor = a[r][c] / a[c][c];
      for (std::size_t k = c; k < n; ++k) a[r][k] -= factor * a[c][k];
      b[r] -= factor * b[c];
    }
  }
  for (std::size_t c = 0; c < n; ++c) b[c] /= a[c][c];
  return b;
}

/// The greatest geometric margin; 0 where no classifier separates the rows. With an offset both classes must be there.
inline double greatest_margin(const testing::Rows& rows, bool origin) {
  const std::size_t n = rows.size(), d = rows.features(), hulls = origin ? 1 : 2;
  std::vector<std::vector<long double>> gram(n, std::vector<long double>(n, 0));
  const auto hull = [&](std::size_t i) { return origin || rows.y[i] > 0 ? std::size_t{0} : std::size_t{1}; };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < d; ++j) {
        gram[i][k] += static_cast<long double>(rows.y[i] * rows.x[i][j]) * (rows.y[k] * rows.x[k][j]);
      }
    }
  }
  long double best = INFINITY;
  for (std::size_t mask = 1; mask < std::size_t{1} << n; ++mask) {
    std::vector<std::size_t> set;
    std::size_t count[2] = {0, 0};
    for (std::size_t i = 0; i < n; ++i) {
      if ((mask >> i & 1) == 0) continue;
      set.push_back(i);
      ++count[hull(i)];
    }
    if (set.size() > d + hulls || count[0] == 0 || (!origin && count[1] == 0)) continue;
    const std::size_t k = set.size();
    std::vector<std::vector<long double>> a(k + hulls, std::vector<long double>(k + hulls, 0));
    std::vector<long double> b(k + hulls, 0);
    for (std::size_t r = 0; r < k; ++r) {
      for (std::size_t c = 0; c < k; ++c) a[r][c] = gram[set[r]][set[c]];
      a[r][k + hull(set[r])] = a[k + hull(set[r])][r] = 1;
    }
    for (std::size_t t = 0; t < hulls; ++t) b[k + t] = 1;
    const auto x = solve_square(std::move(a), std::move(b));
    if (x.empty()) continue;
    bool inside = true;
    for (std::size_t r = 0; r < k; ++r) inside = inside && x[r] >= -1e-12L;
    if (!inside) continue;
    long double squared = 0;
    for (std::size_t r = 0; r < k; ++r) {
      for (std::size_t c = 0; c < k; ++c) squared += x[r] * x[c] * gram[set[r]][set[c]];
    }
    best = std::min(best, squared);  // every set gives points of the hulls, and one of them the nearest
  }
  if (best < 1e-12L) return 0;
  return static_cast<double>(sqrtl(best)) / (origin ? 1 : 2);
}

}  // namespace linsep::reference
