// ExactRow is z_i = y_i·(φ(x_i), 1) as integers, made from a row as it was written.
//
// The finder has its own reader of decimals and its own feature map over integers. It shares no arithmetic with the
// checkers.
#pragma once

#include "exact/number.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "linsep/model.h"
#include "linsep/source.h"

namespace linsep {

/// All that is needed to turn a raw row into z.
struct RowSpace {
  FeatureMap map;
  std::uint32_t features = 0;  ///< raw
  std::uint32_t mapped = 0;    ///< number of φ's columns, and the column of the intercept
  bool origin = false;

  std::uint32_t columns() const { return mapped + (origin ? 0 : 1); }
};

/// z·scale, sparse, with ascending columns and only entries that aren't 0. The scale is above 0.
struct ExactRow {
  std::int64_t row = 0;
  std::vector<std::uint32_t> column;
  std::vector<Integer> value;
  Rational scale = 1;
};

/// The exact side on which a weight vector w leaves a row.
enum class RowSide {
  kPositive,  ///< z·w > 0
  kAtZero,    ///< z·w = 0, as under every w with all z·w ≥ 0
  kViolated,  ///< neither
};

/// `sign` is the row's label, −1 or +1. Throws an input Error if a value isn't a number.
ExactRow exact_row(const WrittenRow& written, int sign, const RowSpace& space);

/// A decimal as it is written, "−1.25e3", as digits·10^exponent. Throws an input Error.
struct Decimal {
  Integer digits;
  std::int64_t exponent = 0;
};
Decimal parse_decimal(std::string_view text);

/// Σ_k w[column]·value. Its sign is that of z·w, and its size is scale·w times it. REQUIRES: w covers the columns.
Integer exact_dot(const ExactRow& z, const std::vector<Integer>& w);

/// The entries as one integer vector over the given columns. `place[column]` is the index, or −1 if no row has an entry
/// there that floats can see. Throws an input Error if this row has one all the same.
std::vector<Integer> dense_entries(const ExactRow& z, const std::vector<std::int32_t>& place, std::size_t size);

}  // namespace linsep
