#include "proof/objective_bounds.h"

#include <algorithm>

#include "core/deadline.h"

namespace linsep {
namespace {

/// Shares of the dual solution: a class's are `factor` times those of its rows, and the sum v of a column, in size, is
/// at most `sizes` parts of `part` each.
struct DualSolution {
  Rational factor[2] = {Rational(Integer(1)), Rational(Integer(1))};
  std::vector<Integer> sizes = {};  ///< kept for zeros
  Rational part;
  Rational shorter;  ///< as in ObjectiveBounds; 0 without an L1 penalty alone
  Rational bound;    ///< no objective is below it; not cut off at 0
};

class BoundsOfSums {
 public:
  BoundsOfSums(const ReadOptimality& read, const ObjectiveRows& rows, const ObjectiveSums& sums, bool follow)
      : read_(read), loss_(read.file.objective.loss), rows_(rows), sums_(sums), follow_(follow) {}

  ObjectiveBounds bounds() const {
    const Rational total = read_.weight[0] * sums_[0].weight.value() + read_.weight[1] * sums_[1].weight.value();
    need(sign_of(total) > 0, "all rows have weight 0");
    ObjectiveBounds bounds;
    bounds.above = objective(&SideTotals::loss, rows_.model().norms(), read_.model.offset, total);
    const DualSolution dual = dual_solution(total);
    bounds.shorter = dual.shorter;
    bounds.below = sign_of(dual.bound) < 0 ? Rational(0) : dual.bound;
    if (follow_ && sign_of(dual.bound) >= 0) {
      const Rational apart = apart_of(read_.file);
      bounds.certain_labels = certain_labels(dual, apart * total);
      bounds.zeros = zeros(dual, apart, total);
    }
    if (rows_.reference()) {
      const Rational other =
          objective(&SideTotals::reference_loss, rows_.reference()->norms(), read_.reference->offset, total);
      bounds.lower_by =
          objective(&SideTotals::least_loss, rows_.model().least_norms(), read_.model.offset, total) - other;
    }
    return bounds;
  }

 private:
  Rational objective(WeighedSum SideTotals::* loss, const Norms& norms, const Rational& offset,
                     const Rational& total) const {
    Rational losses = 0;
    for (int side = 0; side < 2; ++side) {
      losses += read_.weight[side] * times_power_of_two((sums_[side].*loss).value(), -loss_bits(loss_));
    }
    const Rational squares = norms.squared + read_.offset_penalty * offset * offset;
    return losses / total + read_.lambda * (read_.l1_ratio * norms.absolute + read_.squares_share() * squares);
  }

  /// Σ h(f·a) of a class, from below.
  Rational gain(const SideTotals& sums, const Rational& factor) const {
    switch (loss_) {
      case Loss::kLogistic:
        return factor * times_power_of_two(sums.entropy.value(), -kLogBits);
      case Loss::kSquaredHinge:
        return factor * times_power_of_two(sums.shares.value(), -kShareBits) -
               factor * factor * times_power_of_two(sums.squares.value(), -2 * kShareBits - 2);
      default:
        return factor * times_power_of_two(sums.shares.value(), -kShareBits);
    }
  }

  DualSolution dual_solution(const Rational& total) const {
    DualSolution dual;
    Rational(&factor)[2] = dual.factor;
    const Rational sum[2] = {read_.weight[0] * sums_[0].shares.value(), read_.weight[1] * sums_[1].shares.value()};
    const bool free_offset = !read_.file.origin && sign_of(read_.offset_penalty) == 0;
    if (free_offset && sum[0] != sum[1]) {
      const int heavier = sum[1] > sum[0] ? 1 : 0;
      factor[heavier] = sum[1 - heavier] / sum[heavier];
    }
    const Rational negative = read_.weight[0] * factor[0], positive = read_.weight[1] * factor[1];
    Integer unit = denominator(negative);
    grow_to_common_multiple(unit, denominator(positive));
    const Integer p = numerator(positive) * (unit / denominator(positive));
    const Integer q = numerator(negative) * (unit / denominator(negative));
    // Σ w_i·a_i·y_i·x_ij is a whole number of these parts.
    const std::uint64_t decimals = std::max(sums_[0].columns.decimals(), sums_[1].columns.decimals());
    const Integer scale = unit * power_of(10, decimals);
    const Rational free = times_power_of_two(read_.lambda * read_.l1_ratio * total * Rational(scale), kShareBits);
    const Integer allowed = floor_quotient(numerator(free), denominator(free));  // by the L1 part of the penalty
    Integer squares = 0, largest = 0;
    for (std::uint32_t column = 0; column < read_.file.data.features; ++column) {
      poll(2000);
      const Rational difference =
          p * sums_[1].columns.value(column, decimals) - q * sums_[0].columns.value(column, decimals);
      const Integer least = floor_quotient(numerator(difference), denominator(difference));
      Integer size = sign_of(least) < 0 ? Integer(-least) : Integer(least + 1);  // at least |difference|
      if (denominator(difference) == 1) size = sign_of(least) < 0 ? Integer(-least) : least;
      largest = std::max(largest, size);
      if (sums_[0].squares_of) dual.sizes.push_back(size);
      const Integer excess = size - allowed;
      if (sign_of(excess) > 0) add_product(squares, excess, excess);
    }
    dual.part = times_power_of_two(ratio(Integer(1), scale), -kShareBits);
    const Rational gains = read_.weight[0] * gain(sums_[0], factor[0]) + read_.weight[1] * gain(sums_[1], factor[1]);
    if (read_.l1_ratio == Rational(Integer(1))) {
      // All shares are multiplied by the t ≤ 1 that keeps every sum within what is allowed: h(t·a) ≥ t·h(a).
      dual.shorter = largest <= allowed ? Rational(Integer(1)) : ratio(allowed, largest);
      for (Rational& each : factor) each *= dual.shorter;
      dual.part *= dual.shorter;
      dual.bound = dual.shorter * gains / total;
      return dual;
    }
    Rational squared_length = times_power_of_two(ratio(squares, scale * scale), -2 * kShareBits);
    if (sign_of(read_.offset_penalty) > 0) {
      const Rational excess = times_power_of_two(sum[1] - sum[0], -kShareBits);
      squared_length += excess * excess / read_.offset_penalty;
    }
    dual.bound =
        gains / total - squared_length / (Rational(Integer(4)) * read_.squares_share() * read_.lambda * total * total);
    return dual;
  }

  /// What a share says of the sign of its row's margin by a best possible classifier: ℓ(0) − h(a), at least, if the
  /// sign is +1 (−1) as long as that is too much for one row; else 0.
  Rational cost_of_no_margin(const Integer& share, int sign) const {
    const bool logistic = loss_ == Loss::kLogistic;
    const Integer one(kWholeShare);
    const Integer middle = loss_ == Loss::kSquaredHinge ? Integer(one * Integer(2))
                           : logistic                   ? Integer(kWholeShare / 2)
                                                        : one;
    const Integer length = sign > 0 ? Integer(middle - share) : Integer(share - middle);
    if (sign_of(length) <= 0) return 0;
    if (logistic) {
      const std::int64_t parts = to_int64(share);
      const WideInteger entropy = parts == 0 || parts == kWholeShare ? 0 : entropy_above(parts);
      const WideInteger least = minus_log(kWholeShare / 2, kShareBits).low - entropy;
      return times_power_of_two(Rational(integer_of_wide(std::max<WideInteger>(0, least))), -kLogBits);
    }
    if (loss_ == Loss::kHinge) return sign > 0 ? times_power_of_two(length, -kShareBits) : Rational(0);
    return times_power_of_two(Rational(Integer(length * length)), -2 * (kShareBits + 1));
  }

  /// Of rows of one side whose weight is at least so much: those whose label is certain, by their shares.
  std::int64_t certain_labels(const DualSolution& dual, const Rational& to_spend, int side, const Rational& weight,
                              const std::vector<std::int64_t>& rows) const {
    const Rational most = to_spend / weight;
    const auto shows = [&](std::size_t bucket, int sign) {
      // A bucket's largest share for the sign +1, the smallest for −1; the last bucket has no largest.
      const std::int64_t first = static_cast<std::int64_t>(bucket) << bucket_bits(loss_);
      const bool last = bucket + 1 == kShareBuckets;
      if (last && sign > 0) return false;
      const std::int64_t edge = sign > 0 ? first + (std::int64_t{1} << bucket_bits(loss_)) - 1 : first;
      const Rational share = dual.factor[side] * Rational(Integer(edge));
      const Integer rounded = sign > 0 ? ceiling_quotient(numerator(share), denominator(share))
                                       : floor_quotient(numerator(share), denominator(share));
      return cost_of_no_margin(rounded, sign) > most;
    };
    // Each is so up to one bucket, or from one on.
    std::int64_t certain = 0;
    std::size_t low = 0, high = kShareBuckets;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      shows(middle, 1) ? low = middle + 1 : high = middle;
    }
    for (std::size_t k = 0; k < low; ++k) certain += rows[k];
    std::size_t from = 0, to = kShareBuckets;
    while (from < to) {
      const std::size_t middle = (from + to) / 2;
      shows(middle, -1) ? to = middle : from = middle + 1;
    }
    for (std::size_t k = from; k < kShareBuckets; ++k) certain += rows[k];
    return certain;
  }

  std::int64_t certain_labels(const DualSolution& dual, const Rational& to_spend) const {
    std::int64_t certain = 0;
    for (int side = 0; side < 2; ++side) {
      for (const auto& [power, rows] : sums_[side].shares_in) {
        // Those of classes are in the rows' own already.
        const Rational of_side = read_.class_weights.each.empty() ? read_.weight[side] : Rational(Integer(1));
        certain += certain_labels(dual, to_spend, side, times_power_of_two(of_side, power), rows);
      }
    }
    return certain;
  }

  std::vector<std::uint32_t> zeros(const DualSolution& dual, const Rational& apart, const Rational& total) const {
    std::vector<std::uint32_t> zeros;
    if (dual.sizes.empty()) return zeros;
    const Rational concavity = loss_ == Loss::kLogistic ? Rational(Integer(4)) : ratio(Integer(1), Integer(2));
    const std::uint64_t decimals = std::max(sums_[0].squares_of->decimals(), sums_[1].squares_of->decimals());
    const Rational moved = Rational(Integer(2)) * apart / (concavity * total * Rational(power_of(10, decimals)));
    const Rational allowed = read_.lambda * read_.l1_ratio;
    for (std::uint32_t column = 0; column < read_.file.data.features; ++column) {
      poll(2000);
      const Rational room = allowed - dual.part * Rational(dual.sizes[column]) / total;
      if (sign_of(room) <= 0) continue;
      Rational squares = 0;
      for (int side = 0; side < 2; ++side) {
        squares += read_.weight[side] * sums_[side].squares_of->value(column, decimals);
      }
      if (room * room > moved * squares) zeros.push_back(column);
    }
    return zeros;
  }

  const ReadOptimality& read_;
  Loss loss_;
  const ObjectiveRows& rows_;
  const ObjectiveSums& sums_;
  bool follow_;
};

}  // namespace

ObjectiveBounds bounds_of(const ReadOptimality& read, const ObjectiveRows& rows, const ObjectiveSums& sums,
                          bool follow) {
  return BoundsOfSums(read, rows, sums, follow).bounds();
}

}  // namespace linsep
