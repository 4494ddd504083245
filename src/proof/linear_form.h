// LinearForm: w·(φ(x), 1) of rows, exactly. Machine integers where every overflow is noticed, longer ones where one
// was.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "exact/number.h"
#include "proof/canonical.h"
#include "proof/columns.h"

namespace linsep {

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

 private:
  Columns columns_;
  Leaf leaf_;
  mutable ExactRow mapped_;
  mutable bool is_mapped_ = false;
};

class LinearForm {
 public:
  /// `weights` is scaled by a positive number to integers. REQUIRES: its texts are exact numbers.
  LinearForm(const Columns& columns, const std::vector<std::pair<std::uint32_t, Rational>>& weights);

  /// The sign of the (scaled) form on a row, not multiplied by the label.
  int sign(const CheckedRow& row) const;
  /// Its value.
  Rational value(const CheckedRow& row) const;
  /// Σ w_j² over the columns but the offset.
  const Rational& squared_norm() const { return squared_norm_; }

 private:
  std::optional<int> quick_sign(const Leaf& leaf) const;

  std::unordered_map<std::uint32_t, Integer> weight_;
  std::vector<std::int64_t> small_;  // by column, when all weights are small and the map is none; else empty
  std::int64_t small_offset_ = 0;
  Rational squared_norm_;
};

}  // namespace linsep
