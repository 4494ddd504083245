// QuickChecker checks a certificate's statements about every row by stored values, if these leave no doubt.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <type_traits>
#include <vector>

#include "proof/quick_form.h"
#include "proof/verify.h"

namespace linsep {

/// Rows that it can't decide are left to RowChecker.
class QuickChecker {
 public:
  explicit QuickChecker(const ReadCertificate& read);

  /// Whether the row is certainly separated and certainly as claimed in all else. `mistake` is set if it is certainly
  /// one of the classifier's. `margin` is the margin under the first level, for comparisons only.
  template <class Row>
  bool certain(const Row& row, double label, bool& mistake, double& margin) const {
    const double y = label > 0 ? 1 : -1;
    mistake = false;
    if (!separated(row, y, margin)) return false;
    for (const QuickForm& direction : directions_) {
      if (!not_below(direction.value(row), y)) return false;
    }
    if (mapped_ && (!read_.steps.empty() || read_.radius_squared)) return false;
    if constexpr (!std::is_same_v<Row, SpreadRow>) {
      if (!read_.steps.empty() && !steps_hold(row, y)) return false;
      if (read_.radius_squared && !(squared_norm_at_most(row, read_.columns.features) <= radius_squared_)) return false;
    }
    if (!classifier_) return true;
    const Approximation z = classifier_->value(row);
    mistake = y > 0 ? z.below_zero() : z.above_zero();
    return z.above_zero() || z.below_zero();
  }

 private:
  static bool above(const Approximation& z, double y) { return y > 0 ? z.above_zero() : z.below_zero(); }
  static bool not_below(const Approximation& z, double y) { return z.empty || above(z, y); }

  template <class Row>
  bool separated(const Row& row, double y, double& margin) const {
    for (const QuickForm& level : levels_) {
      const Approximation z = level.value(row);
      if (z.empty) continue;
      margin = y * z.value;
      return above(z, y) && (!threshold_ || margin - z.error > *threshold_);
    }
    return false;
  }

  /// The margins of the single level must reach this for the certificate's statement about them, in its scale and
  /// rounded up.
  double threshold() const;

  /// Checks the first direction with a step at one column, by its value and what the step adds, in the direction's
  /// scale.
  template <class Row>
  bool steps_hold(const Row& row, double y) const {
    const Approximation z = directions_.front().value(row);
    const int shift = steps_->exponent() - directions_.front().exponent();
    if (!steps_->usable() || std::abs(shift) > 900) return false;
    const double unit = std::ldexp(1.0, shift);
    bool hold = true;
    const auto check = [&](double weight, double value) {
      if (weight == 0 || value == 0) return;
      const double step = weight * unit * value;
      const double moved = y * (z.value + step);
      hold = hold && moved > z.error + (std::fabs(step) + std::fabs(z.value)) * 0x1p-22;
    };
    for_each_entry(row, [&](std::uint32_t column, double value) { check(steps_->weight(column), value); });
    check(steps_->offset(), 1);
    return hold;
  }

  const ReadCertificate& read_;
  bool mapped_;
  std::vector<QuickForm> levels_, directions_;
  std::optional<QuickForm> classifier_, steps_;
  double radius_squared_ = 0;
  std::optional<double> threshold_;
};

}  // namespace linsep
