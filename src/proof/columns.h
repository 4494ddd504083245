// Columns of φ: their numbers in code, their names in the file ("3", "2*5", "offset"), and φ of a row.
//
// Columns are numbered as in feature maps everywhere. Degree 1 comes first, then all products of two in lexicographic
// order, then of three, and so on. The intercept comes last. This file has its own arithmetic for it, because the
// checker trusts no map code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exact/number.h"
#include "linsep/certificate.h"

namespace linsep {

struct Columns {
  FeatureMap map;
  std::uint32_t features = 0;
  bool origin = false;
  /// If all classes are treated jointly, columns are those of a class's block. They are named "2:3" and, if the last is
  /// the intercept's, "2:offset". Then there is no map, `features` are those of all blocks, and `origin` is set.
  std::uint32_t block = 0;
  bool block_offset = false;

  /// Columns of φ, without the intercept. Nothing if there are more than 2³² − 2 or the map isn't known.
  std::optional<std::uint32_t> mapped() const;
  /// With the intercept, if there is one. REQUIRES (as everything below): mapped() has a value.
  std::uint64_t count() const { return std::uint64_t{*mapped()} + (origin ? 0 : 1); }
  int degree() const;

  std::uint32_t offset() const { return *mapped(); }
  std::string name(std::uint32_t column) const;
  std::optional<std::uint32_t> number(std::string_view name) const;
  /// The number of a product of features (from 0, ascending).
  std::uint32_t number(const std::vector<std::uint32_t>& factors) const;
  std::vector<std::uint32_t> factors(std::uint32_t column) const;

 private:
  std::optional<std::uint32_t> number_in_blocks(std::string_view name) const;
};

Columns columns_of(const Certificate& certificate);

/// How many entries φ of a row with `entries` raw ones has, without the intercept. A number above 2³² if there are
/// more.
std::uint64_t products_of(const Columns& columns, std::size_t entries);

/// A sparse exact vector over the columns, ascending.
using RationalRow = std::vector<std::pair<std::uint32_t, Rational>>;
/// (φ(x), 1) of a raw row, or φ(x) through the origin, without entries that are 0.
RationalRow map_row(const Columns& columns, const RationalRow& raw);

}  // namespace linsep
