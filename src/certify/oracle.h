// A slow, obvious oracle for small sets of vectors. For tests only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "exact/number.h"
#include "linsep/certificate.h"

namespace linsep {

/// The truth about a set, by enumeration. Row i can be separated unless −z_i is a nonnegative combination of rows, and
/// then of a basis among the rows (Carathéodory). All bases are tried.
struct Truth {
  Claim claim = Claim::kSeparable;
  std::int64_t at_zero = 0;  ///< rows that no w with all margins ≥ 0 separates
  std::vector<bool> is_at_zero;
};

namespace oracle {

using Matrix = std::vector<std::vector<Rational>>;

/// Reduces [columns | right sides] by elimination. False if the columns are dependent. `a` has one row for each
/// coordinate, and the first `k` entries of a row are the columns of the basis.
inline bool eliminate(Matrix& a, std::size_t k) {
  std::size_t top = 0;
  for (std::size_t c = 0; c < k; ++c) {
    std::size_t pivot = top;
    while (pivot < a.size() && a[pivot][c] == 0) ++pivot;
    if (pivot == a.size()) return false;
    std::swap(a[pivot], a[top]);
    const Rational head = a[top][c];
    for (Rational& v : a[top]) v /= head;
    for (std::size_t r = 0; r < a.size(); ++r) {
      if (r == top || a[r][c] == 0) continue;
      const Rational factor = a[r][c];
      for (std::size_t j = c; j < a[r].size(); ++j) a[r][j] -= factor * a[top][j];
    }
    ++top;
  }
  return true;
}

inline std::size_t rank_of(const Matrix& z) {
  Matrix a = z;
  std::size_t rank = 0;
  for (std::size_t c = 0; !a.empty() && c < a.front().size() && rank < a.size(); ++c) {
    std::size_t pivot = rank;
    while (pivot < a.size() && a[pivot][c] == 0) ++pivot;
    if (pivot == a.size()) continue;
    std::swap(a[pivot], a[rank]);
    for (std::size_t r = rank + 1; r < a.size(); ++r) {
      const Rational factor = a[r][c] / a[rank][c];
      for (std::size_t j = c; j < a[r].size(); ++j) a[r][j] -= factor * a[rank][j];
    }
    ++rank;
  }
  return rank;
}

/// Marks the rows whose opposite is a nonnegative combination of the chosen rows.
inline void mark(const Matrix& z, const std::vector<std::size_t>& chosen, std::vector<bool>& at_zero) {
  const std::size_t k = chosen.size();
  Matrix a(z.front().size(), std::vector<Rational>(k + z.size()));
  for (std::size_t r = 0; r < a.size(); ++r) {
    for (std::size_t c = 0; c < k; ++c) a[r][c] = z[chosen[c]][r];
    for (std::size_t i = 0; i < z.size(); ++i) a[r][k + i] = -z[i][r];
  }
  if (!eliminate(a, k)) return;
  for (std::size_t i = 0; i < z.size(); ++i) {
    bool inside = true;
    for (std::size_t r = 0; r < a.size(); ++r) inside = inside && (r < k ? a[r][k + i] >= 0 : a[r][k + i] == 0);
    if (inside) at_zero[i] = true;
  }
}

}  // namespace oracle

inline Truth truth_of(const std::vector<std::vector<Rational>>& z) {
  Truth truth;
  if (z.empty()) return truth;
  std::vector<bool>& at_zero = truth.is_at_zero;
  at_zero.assign(z.size(), false);
  const std::size_t rank = oracle::rank_of(z);
  std::vector<bool> pick(z.size(), false);
  std::fill(pick.begin(), pick.begin() + static_cast<std::ptrdiff_t>(rank), true);
  do {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < z.size(); ++i) {
      if (pick[i]) chosen.push_back(i);
    }
    oracle::mark(z, chosen, at_zero);
  } while (std::prev_permutation(pick.begin(), pick.end()));
  truth.at_zero = std::count(at_zero.begin(), at_zero.end(), true);
  if (truth.at_zero == 0) {
    truth.claim = Claim::kSeparable;
  } else {
    truth.claim = truth.at_zero == static_cast<std::int64_t>(z.size()) ? Claim::kOverlapping : Claim::kQuasiSeparable;
  }
  return truth;
}

/// The smallest number of rows to leave out until the rest is separable, by trying all.
inline std::int64_t least_mistakes(const std::vector<std::vector<Rational>>& z) {
  std::int64_t least = static_cast<std::int64_t>(z.size());
  for (std::size_t kept = 1; kept < (std::size_t{1} << z.size()); ++kept) {
    std::vector<std::vector<Rational>> rest;
    for (std::size_t i = 0; i < z.size(); ++i) {
      if (((kept >> i) & 1) != 0) rest.push_back(z[i]);
    }
    const auto left_out = static_cast<std::int64_t>(z.size() - rest.size());
    if (left_out < least && truth_of(rest).claim == Claim::kSeparable) least = left_out;
  }
  return least;
}

}  // namespace linsep
