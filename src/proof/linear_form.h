// LinearForm: w·(φ(x), 1) of rows, exactly. Machine integers where every overflow is noticed, longer ones where one
// was.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "exact/number.h"
#include "proof/canonical.h"
#include "proof/columns.h"

namespace linsep {

__extension__ using WideInteger = __int128;

/// A row that is checked: its leaf read, and (φ(x), 1) when somebody asks.
class CheckedRow {
 public:
  explicit CheckedRow(const Columns& columns) : columns_(columns) {}

  /// Reads a leaf's text, which must stay where it is. False when it isn't canonical or has a feature past the last.
  bool read(std::string_view text);

  std::int64_t row() const { return leaf_.row; }
  int sign() const { return leaf_.sign; }
  const Leaf& leaf() const { return leaf_; }
  /// (φ(x), 1), not multiplied by the label.
  const ExactRow& mapped() const;
  /// The raw values times 10^places() as machine integers; nothing where they don't fit.
  std::optional<std::span<const std::int64_t>> integers() const;
  int places() const { return places_; }
  /// ‖φ(x)‖².
  Rational squared_norm() const;

 private:
  Columns columns_;
  Leaf leaf_;
  mutable ExactRow mapped_;
  mutable bool is_mapped_ = false;
  mutable std::vector<std::int64_t> integer_;
  mutable int places_ = 0;
  mutable std::optional<bool> small_;  // whether integer_ holds the row; unset: not tried yet
};

class LinearForm {
 public:
  /// `weights` is scaled by a positive number to integers.
  LinearForm(const Columns& columns, const std::vector<std::pair<std::uint32_t, Rational>>& weights);

  /// The sign of the (scaled) form on a row, not multiplied by the label.
  int sign(const CheckedRow& row) const;
  /// Its value.
  Rational value(const CheckedRow& row) const;
  /// Σ w_j² over the columns but the offset.
  const Rational& squared_norm() const { return squared_norm_; }
  /// Σ w_j² over all columns.
  const Rational& squared_norm_with_offset() const { return squared_norm_with_offset_; }
  /// What the weights were multiplied by.
  const Integer& scale() const { return scale_; }

 private:
  std::optional<WideInteger> quick_value(const CheckedRow& row) const;
  std::int64_t small_weight(std::uint32_t column) const;

  std::unordered_map<std::uint32_t, Integer> weight_;
  Integer scale_ = 1;
  bool is_small_ = false;            // every weight is a machine integer and the map is none
  std::vector<std::int64_t> small_;  // by column, where most columns up to the last have a weight; else empty
  std::unordered_map<std::uint32_t, std::int64_t> sparse_;
  std::int64_t small_offset_ = 0;
  Rational squared_norm_, squared_norm_with_offset_;
};

}  // namespace linsep
