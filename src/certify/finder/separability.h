// Separability: what the finder found of the rows. A plain value.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "certify/exact/witness.h"
#include "certify/sign_peeling.h"

namespace linsep {

struct Separability {
  bool complete = false;  ///< nothing is open: separable, or no w separates more rows than levels and weights do
  std::int64_t rows = 0;
  std::int64_t peeled = 0;        ///< rows resolved by signs
  std::int64_t left_at_zero = 0;  ///< rows that levels and weights leave at zero
  std::string ran_out;            ///< not complete: what ran out, where it wasn't time or the caller's patience
  std::vector<SignPeeler::Level> levels;
  /// Weights that separate all rows that are neither peeled nor at zero; empty when there is no such row, or none was
  /// found. By column, ascending, integers.
  std::vector<std::pair<std::uint32_t, Integer>> weights;
  /// A lower bound on the least margin z_i·w of `weights` (not divided by a norm). 0 without.
  Rational least_margin = 0;
  /// Rows one of which has the greatest ‖φ(x)‖; none where too many may.
  std::vector<std::int64_t> largest;
  Rational radius_squared = 0;  ///< no ‖φ(x)‖² is above this; 0: not known
  Witness witness;
  std::vector<std::int64_t> basis;  ///< rows of the witness, independent, that span all rows at zero; when complete
  /// Columns that on the rows at zero are sums of the columns not listed; when complete.
  struct Dependent {
    std::uint32_t column = 0;
    std::vector<std::pair<std::uint32_t, Rational>> sum;
  };
  std::vector<Dependent> dependent;
  /// Undecided: rows and weights that carry the least norm reached.
  std::vector<std::pair<std::int64_t, double>> support;
  std::vector<std::pair<std::int64_t, double>> any_pair;  ///< the first row of each class: they bound every margin
};

}  // namespace linsep
