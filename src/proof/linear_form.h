// LinearForm computes w·(φ(x), 1) of rows exactly. It uses machine integers, which can't overflow, if weights are short
// and values have at most 72 digits, as most floats do. Otherwise it uses longer ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/keyed_map.h"
#include "exact/number.h"
#include "exact/wide.h"
#include "proof/canonical.h"
#include "proof/columns.h"

namespace linsep {

/// A row that is checked. Its leaf is read, and (φ(x), 1) is computed only when needed.
class CheckedRow {
 public:
  /// `weights`: leaves may have one. `classes`: they are of more than two classes.
  explicit CheckedRow(const Columns& columns, bool weights = false, bool classes = false)
      : columns_(columns), weights_(weights), classes_(classes) {}

  /// Reads a leaf's text, which must stay where it is. False if it isn't canonical or has a feature past the last.
  bool read(std::string_view text);

  std::int64_t row() const { return leaf_.row; }
  int sign() const { return leaf_.sign; }
  const Leaf& leaf() const { return leaf_; }
  /// (φ(x), 1), not multiplied by the label.
  const RationalRow& mapped() const;
  /// The raw values one after another, each as `width` digits of base 10⁹ with the value's sign, `fraction` of them
  /// after the point. Nothing if that would be too wide.
  struct Digits {
    std::vector<std::int32_t> digit;
    std::size_t width = 0, fraction = 0;
  };
  const Digits* digits() const;
  /// ‖φ(x)‖².
  Rational squared_norm() const;

 private:
  Columns columns_;
  bool weights_, classes_;
  Leaf leaf_;
  mutable RationalRow mapped_;
  mutable bool is_mapped_ = false;
  mutable Digits digits_;
  mutable std::optional<bool> has_digits_;  // whether digits_ holds the row, or unset if that wasn't tried yet
};

class LinearForm {
 public:
  /// `weights` is scaled by a positive number to integers.
  LinearForm(const Columns& columns, const std::vector<std::pair<std::uint32_t, Rational>>& weights);

  /// The sign of the (scaled) form on a row, not multiplied by the label.
  int sign(const CheckedRow& row) const;
  /// The value of the (scaled) form on a row.
  Rational value(const CheckedRow& row) const;
  /// Its value times 10^(9·fraction) of the row's digits, if machine integers hold it.
  std::optional<WideInteger> wide_value(const CheckedRow& row) const;
  /// Σ w_j² over the columns but the offset.
  const Rational& squared_norm() const { return squared_norm_; }
  /// Σ w_j² over all columns.
  const Rational& squared_norm_with_offset() const { return squared_norm_with_offset_; }
  /// The number by which the weights were multiplied.
  const Integer& scale() const { return scale_; }

 private:
  /// For each place of the row's digits, Σ w_j·x_j without the offset. REQUIRES: it has them, and weights are small.
  std::array<WideInteger, 8> place_sums(const CheckedRow& row) const;
  /// Times 10^(9·fraction) of the row's digits. REQUIRES: it has them, and weights are small.
  Integer quick_value(const CheckedRow& row) const;
  std::int64_t small_weight(std::uint32_t column) const;

  KeyedMap<std::uint32_t, Integer> weight_;
  Integer scale_ = 1;
  bool is_small_ = false;            // every weight is a machine integer and there is no map
  std::vector<std::int64_t> small_;  // by column, if most columns up to the last have a weight, else empty
  KeyedMap<std::uint32_t, std::int64_t> sparse_;
  std::int64_t small_offset_ = 0;
  Rational squared_norm_, squared_norm_with_offset_;
};

}  // namespace linsep
