// Exact linear algebra for finders: rank modulo a prime, Dixon's solve, and dependencies among rows.
//
// Matrices are of integers, row by row: scale rows of rationals by integer_row. FLINT does the work.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exact/number.h"

namespace linsep {

struct IntegerMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Integer> entry;  ///< rows·columns, row by row

  IntegerMatrix() = default;
  IntegerMatrix(std::size_t r, std::size_t c) : rows(r), columns(c), entry(r * c) {}
  Integer& at(std::size_t i, std::size_t j) { return entry[i * columns + j]; }
  const Integer& at(std::size_t i, std::size_t j) const { return entry[i * columns + j]; }
};

/// Σ a_k·b_k. REQUIRES: equal sizes.
Rational dot(std::span<const Rational> a, std::span<const Rational> b);

/// The row scaled by its denominators' least common multiple, and that multiple.
std::vector<Integer> integer_row(std::span<const Rational> row, Integer* scale = nullptr);
/// The vector scaled by a positive number to integers without a common divisor: the shortest with the same signs.
std::vector<Integer> primitive(std::span<const Rational> vector);

/// Rows and columns, ascending, whose square submatrix is regular modulo `prime`, as many as the rank modulo `prime`:
/// the first ones, lexicographically. That rank is at most the true one and, for nearly every prime, equal to it.
struct RankProfile {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
};
inline constexpr std::uint64_t kRankPrime = (std::uint64_t{1} << 61) - 1;
RankProfile rank_profile(const IntegerMatrix& a, std::uint64_t prime = kRankPrime);

/// x with A·x = b, by Dixon's lifting. Nothing when A is singular. REQUIRES: A is square, b has as many entries.
std::optional<std::vector<Rational>> solve(const IntegerMatrix& a, std::span<const Integer> b);

/// The dependency among rows: λ with Σ λ_i·row_i = 0, λ ≠ 0, checked in every column; unique up to scale. Nothing when
/// the rows are independent or have more than one dependency.
std::optional<std::vector<Rational>> row_dependency(const IntegerMatrix& a);

/// For each column that isn't among `independent` (ascending): c with column = Σ c_k·(independent column k) on every
/// row of `a`. Nothing when there is no such c for one of them. REQUIRES: those columns are independent.
std::optional<std::vector<std::vector<Rational>>> dependent_columns(const IntegerMatrix& a, const RankProfile& profile);

}  // namespace linsep
