// The checker of optimality proofs: two bounds on an objective, in one pass over the rows as written.
//
// Above: F of the model. Scores are exact but for the rounding of the weights to 61 bits, of which the sum is kept as a
// bound. The logistic loss at m is bounded by its tangent at a point m_a near m where it is known, m_a =
// ln((1 − a)/a), and half its largest curvature c in between: f(m) ≤ −ln(1 − a) − a·(m − m_a) + c·(m − m_a)²/2. The
// tangent itself bounds it from below, which is asked for if the proof has a reference: F of the model, from below,
// less F of the reference, from above.
//
// Below: for shares a_i within the loss's range with Σ w_i·a_i·y_i = 0 (unless through the origin) no F is below
//   (1/W)·Σ w_i·h(a_i) − ‖Σ w_i·a_i·y_i·x_i‖²/(2·λ·W²),
// With an L1 part of the penalty, |Σ w_i·a_i·y_i·x_ij| counts only beyond λ·ρ·W, and ρ = 1 allows no more than that.
// Or, if the intercept is penalized by κ, without that condition and less (Σ w_i·a_i·y_i)²/(2·κ·λ·W²).
// h(a) = a (hinge, 0 ≤ a ≤ 1), a − a²/4 (squared hinge, a ≥ 0) or −a·ln a − (1 − a)·ln(1 − a) (logistic, 0 ≤ a ≤ 1).
// The heavier class's shares are all multiplied by the f ≤ 1 that makes the sum 0: h(f·a) ≥ f·h(a), because h is
// concave and h(0) = 0. Shares are whole numbers of 2⁻⁴⁰, so all sums are whole numbers and don't depend on their
// order. Where shares come from is of no matter: those of smooth losses are made of scores by floating-point numbers.
//
// Then, with G = at_most − lower_by − at_least, for every classifier of the least objective (proof-rules.md):
//   w_i·(ℓ(m_i) + a_i·m_i − h(a_i)) ≤ W·G, so m_i isn't 0 nor of the other sign if that is larger at m_i = 0;
//   θ_j = 0 if |v_j|/W + √(2·G·S_j/(μ·W)) < λρ, v_j = Σ w_i·a_i·y_i·x_ij and S_j = Σ w_i·x_ij².
#include "linsep/optimality.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/deadline.h"
#include "core/elementary.h"
#include "exact/wide.h"
#include "linsep/error.h"
#include "linsep/tools/leaves.h"
#include "linsep/tools/other_reading.h"
#include "proof/canonical.h"
#include "proof/data_json.h"
#include "proof/digest.h"
#include "proof/exact_text.h"
#include "proof/leaves.h"
#include "proof/linear_form.h"
#include "proof/logarithm.h"
#include "proof/merkle.h"
#include "proof/verify.h"

namespace linsep {
namespace {

constexpr int kShareBits = 40;
constexpr std::int64_t kWholeShare = std::int64_t{1} << kShareBits;
constexpr std::int64_t kMostShare = std::int64_t{1} << 56;    ///< of the squared hinge: keeps sums within 127 bits
constexpr WideInteger kOne = WideInteger{1} << kLogBits;      ///< a margin of 1
constexpr int kDigits = 14;                                   ///< of a bound that is written
constexpr std::size_t kBuckets = (std::size_t{1} << 16) + 1;  ///< of shares; the last has what is beyond the others

/// A margin between two whole numbers of 2⁻⁵⁶.
struct Margin {
  WideInteger low = 0, high = 0;
};

struct Classifier {
  Vector weights;  ///< without the intercept
  Rational offset;
};

struct ReadProof {
  Columns columns;
  Rational lambda, weight[2];  ///< weights: negative, positive
  Rational offset_penalty, l1_ratio, witness_offset;
  Classifier model;
  std::optional<Classifier> reference;
};

Rational read_number(const std::string& text, const char* what) {
  const auto value = parse_exact(text);
  if (!value) throw Refusal(std::string(what) + " is not an exact number");
  return *value;
}

Classifier read_classifier(const ExactWeights& given, const Columns& columns) {
  Classifier read;
  for (const ColumnWeight& entry : given) {
    const Rational value = read_number(entry.weight, "a weight");
    need(entry.column < columns.count(), "a weight is of a column that doesn't exist");
    if (entry.column == columns.features) {
      read.offset = value;
    } else {
      need(read.weights.empty() || read.weights.back().first < entry.column, "the columns of weights don't ascend");
      if (sign_of(value) != 0) read.weights.emplace_back(entry.column, value);
    }
  }
  need(!columns.origin || sign_of(read.offset) == 0, "a classifier through the origin has no intercept");
  return read;
}

ReadProof read_proof(const OptimalityProof& proof) {
  const TrainingObjective& objective = proof.objective;
  ReadProof read;
  read.columns = {{}, proof.data.features, proof.origin, 0, false};
  need(proof.data.rows > 0 && proof.data.classes.empty(), "it isn't about rows of two classes");
  need(objective.loss != Loss::kSoftmax, "no rules are known for this loss");
  read.lambda = read_number(objective.lambda, "lambda");
  read.weight[0] = read_number(objective.negative_weight, "a class's weight");
  read.weight[1] = read_number(objective.positive_weight, "a class's weight");
  need(sign_of(read.lambda) > 0 && sign_of(read.weight[0]) > 0 && sign_of(read.weight[1]) > 0,
       "lambda and the weights of classes must be above 0");
  read.offset_penalty = read_number(objective.offset_penalty, "the intercept's penalty");
  need(sign_of(read.offset_penalty) >= 0, "the intercept's penalty is below 0");
  need(!proof.origin || sign_of(read.offset_penalty) == 0, "a classifier through the origin has no intercept");
  read.l1_ratio = read_number(objective.l1_ratio, "the share of the L1 penalty");
  need(sign_of(read.l1_ratio) >= 0 && read.l1_ratio <= Rational(Integer(1)),
       "the share of the L1 penalty isn't from 0 to 1");
  need(sign_of(read.l1_ratio) == 0 || sign_of(read.offset_penalty) == 0, "no rules are known for this penalty");
  read.model = read_classifier(proof.model, read.columns);
  if (proof.reference) read.reference = read_classifier(proof.reference->weights, read.columns);
  const bool from_scores = proof.witness.offset.has_value();
  need(from_scores == (objective.loss != Loss::kHinge) || !proof.witness.shares.empty(), "the hinge needs shares");
  need(from_scores != !proof.witness.shares.empty(), "the witness is either an offset or shares");
  if (from_scores) read.witness_offset = read_number(*proof.witness.offset, "the witness's intercept");
  need(!proof.origin || sign_of(read.witness_offset) == 0, "a classifier through the origin has no intercept");
  need(proof.witness.scale <= static_cast<std::uint64_t>(kWholeShare), "shares are multiplied by more than 1");
  need(from_scores || proof.witness.shares.size() == static_cast<std::size_t>(proof.data.rows),
       "there isn't a share for each row");
  return read;
}

/// ⌊value·2⁵⁶⌋ and ⌈value·2⁵⁶⌉.
Margin in_units(const Rational& value, std::int64_t exponent = 0) {
  const Rational units = times_power_of_two(value, kLogBits + exponent);
  const Integer low = floor_quotient(numerator(units), denominator(units));
  need(bit_length(low) < 100, "a score is too large");
  const WideInteger wide = wide_of(low);
  return {wide, denominator(units) == 1 ? wide : wide + 1};
}

/// ‖θ‖² and ‖θ‖₁.
struct Norms {
  Rational squared, absolute;
};

/// More than sums and powers of doubles lose to rounding.
constexpr double kSlack = 1 + 0x1p-20;

/// Calls a function with the column and the size |x_j| of every entry of a row: not above size·kSlack.
template <typename Use>
void each_size(const CheckedRow& row, const Use& use) {
  const CheckedRow::Digits* digits = row.digits();
  if (digits == nullptr) {
    for (const LeafEntry& entry : row.leaf().entries) {
      use(entry.column, std::abs(approximate(decimal_value(entry.value))) + std::numeric_limits<double>::min());
    }
    return;
  }
  const std::int32_t* x = digits->digit.data();
  const double largest =
      elementary::pow(1e9, static_cast<double>(digits->width) - static_cast<double>(digits->fraction) - 1);
  for (const LeafEntry& entry : row.leaf().entries) {
    double size = 0, place = largest;
    for (std::size_t k = 0; k < digits->width; ++k, place *= 1e-9) size += std::abs(*x++) * place;
    use(entry.column, size);
  }
}

/// θ·x of rows, the weights rounded to 61 bits.
class Scores {
 public:
  Scores(const Columns& columns, const Vector& model) : form_(columns, rounded(model)) {}

  Margin of(const CheckedRow& row) const {
    Margin score = in_units(form_.value(row), -bits_);
    if (exact_) return score;
    const double lost = std::ldexp(absolute_sum_at_most(row), kLogBits - bits_ - 1);
    need(lost < 0x1p100, "the values of a row are too large");
    const WideInteger error = static_cast<WideInteger>(lost) + 1;
    return {score.low - error, score.high + error};
  }
  /// From above, and from below.
  Norms norms() const { return in_ones(most_); }
  Norms least_norms() const { return in_ones(least_); }

 private:
  struct Sums {
    Integer squares = 0, sizes = 0;

    void add(const Integer& size) {
      add_product(squares, size, size);
      sizes += size;
    }
  };

  Norms in_ones(const Sums& sums) const {
    return {times_power_of_two(sums.squares, -2 * bits_), times_power_of_two(sums.sizes, -bits_)};
  }

  Vector rounded(const Vector& model) {
    std::int64_t top = std::numeric_limits<std::int64_t>::min();
    for (const auto& [column, weight] : model) {
      top = std::max(top, static_cast<std::int64_t>(bit_length(numerator(weight))) -
                              static_cast<std::int64_t>(bit_length(denominator(weight))) + 1);
    }
    bits_ = model.empty() ? 0 : 61 - top;  // the largest is below 2^top
    Vector whole;
    for (const auto& [column, weight] : model) {
      const Rational scaled = times_power_of_two(weight, bits_);
      const Integer nearest =
          floor_quotient(numerator(scaled) * Integer(2) + denominator(scaled), denominator(scaled) * Integer(2));
      exact_ = exact_ && denominator(scaled) == 1;
      const Integer size = sign_of(nearest) < 0 ? Integer(-nearest) : nearest;
      const Integer rounding = denominator(scaled) == 1 ? 0 : 1;
      most_.add(size + rounding);
      least_.add(sign_of(size) == 0 ? size : Integer(size - rounding));
      if (sign_of(nearest) != 0) whole.emplace_back(column, Rational(nearest));
    }
    return whole;
  }

  /// Σ |x_j|.
  static double absolute_sum_at_most(const CheckedRow& row) {
    double sum = 0;
    each_size(row, [&](std::uint32_t, double size) { sum += size; });
    return sum * kSlack;
  }

  std::int64_t bits_ = 0;  ///< weights are whole numbers of 2^−bits
  bool exact_ = true;
  Sums most_, least_;
  LinearForm form_;
};

double as_double(WideInteger units) { return std::ldexp(static_cast<double>(units), -kLogBits); }

/// The logistic slope at a margin, within 1 … 2⁴⁰ − 1, by floating-point numbers.
std::int64_t logistic_share(WideInteger margin) {
  const double slope = 1 / (1 + elementary::exp(std::clamp(as_double(margin), -700.0, 700.0)));
  return std::clamp<std::int64_t>(std::llround(std::ldexp(slope, kShareBits)), 1, kWholeShare - 1);
}

/// −ln a and −ln(1 − a).
struct Logarithms {
  explicit Logarithms(std::int64_t share)
      : of(minus_log(static_cast<std::uint64_t>(share), kShareBits)),
        of_rest(minus_log(static_cast<std::uint64_t>(kWholeShare - share), kShareBits)) {}
  MinusLog of, of_rest;
};

WideInteger floor_share(WideInteger product) { return product >> kShareBits; }

/// ln(1 + e^−m), from above; it falls, so the lower end of m counts.
WideInteger logistic_above(WideInteger margin) {
  const std::int64_t share = logistic_share(margin);
  const Logarithms log(share);
  const WideInteger step = margin - (log.of.high - log.of_rest.low);  // at most m − m_a
  const WideInteger most_step = margin - (log.of.low - log.of_rest.high);
  if (step > kOne) return log.of_rest.high;
  if (step < -kOne) return log.of_rest.high - step;
  const WideInteger length = std::max(step < 0 ? -step : step, most_step < 0 ? -most_step : most_step);
  // Between m_a and m the second derivative is at most 1/4, and at most e^|step| ≤ 1 + 2·|step| times a and 1 − a.
  const WideInteger smaller = std::min(share, kWholeShare - share);
  const WideInteger curvature = std::min(kOne / 4, floor_share(smaller * (kOne + 2 * length)) + 1);
  return log.of_rest.high - floor_share(share * step) +
         (((length * length) >> kLogBits) * curvature >> (kLogBits + 1)) + 2;
}

/// The same from below, by the tangent; the upper end of m counts.
WideInteger logistic_below(WideInteger margin) {
  const std::int64_t share = logistic_share(margin);
  const Logarithms log(share);
  const WideInteger most_step = margin - (log.of.low - log.of_rest.high);  // at least m − m_a
  return std::max<WideInteger>(0, log.of_rest.low - floor_share(share * most_step) - 1);
}

/// −a·ln a − (1 − a)·ln(1 − a), from below.
WideInteger entropy_below(std::int64_t share) {
  const Logarithms log(share);
  return floor_share(static_cast<WideInteger>(share) * log.of.low +
                     static_cast<WideInteger>(kWholeShare - share) * log.of_rest.low);
}

/// −a·ln a − (1 − a)·ln(1 − a), from above.
WideInteger entropy_above(std::int64_t share) {
  const Logarithms log(share);
  return floor_share(static_cast<WideInteger>(share) * log.of.high +
                     static_cast<WideInteger>(kWholeShare - share) * log.of_rest.high) +
         1;
}

/// Σ a·x of the rows of one class, by column and exactly: for each place of base 10⁹ one machine integer.
class ColumnSums {
 public:
  explicit ColumnSums(std::uint32_t features) : features_(features) {}

  void add(const CheckedRow& row, std::int64_t share) {
    const CheckedRow::Digits* digits = row.digits();
    if (digits == nullptr) {
      for (const LeafEntry& entry : row.leaf().entries) {
        Rational& sum = long_[entry.column];
        sum += Rational(Integer(share)) * decimal_value(entry.value);
      }
      return;
    }
    const std::int32_t* x = digits->digit.data();
    const std::size_t first = kPlaces / 2 + digits->width - digits->fraction - 1;
    for (std::size_t k = 0; k < digits->width; ++k) {
      if (std::vector<WideInteger>& sums = place_[first - k]; sums.empty()) sums.assign(features_, 0);
    }
    for (const LeafEntry& entry : row.leaf().entries) {
      for (std::size_t k = 0; k < digits->width; ++k) {
        if (x[k] != 0) place_[first - k][entry.column] += static_cast<WideInteger>(share) * x[k];
      }
      x += digits->width;
    }
  }

  /// In units of 10⁻⁹·¹⁰.
  Rational value(std::uint32_t column) const {
    Integer sum = 0;
    for (std::size_t k = kPlaces; k-- > 0;) {
      sum *= 1'000'000'000;
      if (!place_[k].empty()) sum += integer_of_wide(place_[k][column]);
    }
    Rational value(sum);
    const auto found = long_.find(column);
    if (found != long_.end()) value += found->second * Rational(power_of(10, 9 * (kPlaces / 2)));
    return value;
  }
  static constexpr std::uint64_t kFraction = 9 * 10;  ///< decimals of a value

 private:
  static constexpr std::size_t kPlaces = 20;  ///< 10⁹ to the −10th … 9th; a row's digits take 8 of them

  std::uint32_t features_;
  std::array<std::vector<WideInteger>, kPlaces> place_;
  std::map<std::uint32_t, Rational> long_;
};

/// What is added up of the rows of one class.
struct ClassSums {
  explicit ClassSums(std::uint32_t features) : columns(features) {}

  std::int64_t rows = 0;
  /// In units of 2⁻⁵⁶, of the squared hinge of 2⁻¹¹²: the model's loss from above and below, the reference's from
  /// above.
  Integer loss = 0, least_loss = 0, reference_loss = 0;
  Integer shares = 0, squares = 0;           ///< Σ a and Σ a², in units of 2⁻⁴⁰ and 2⁻⁸⁰
  Integer entropy = 0;                       ///< from below, in units of 2⁻⁵⁶
  ColumnSums columns;                        ///< Σ a·x in units of 2⁻⁴⁰
  std::vector<std::int64_t> shares_in = {};  ///< rows by their shares, for what follows
  std::vector<double> squares_of = {};       ///< Σ x² by column, within kSlack⁴; for zeros
};

/// Shares of the dual solution: a class's are `factor` times those of its rows, and the sum v of a column, in size, is
/// at most `sizes` parts of `part` each.
struct DualSolution {
  Rational factor[2] = {Rational(Integer(1)), Rational(Integer(1))};
  std::vector<Integer> sizes = {};  ///< kept for zeros
  Rational part;
  Rational shorter;  ///< as in ObjectiveBounds; 0 without an L1 penalty alone
  Rational bound;    ///< no objective is below it; not cut off at 0
};

struct ObjectiveBounds {
  Rational above, below;
  Rational lower_by;  ///< by how much the reference's objective is lower than the model's, at least
  Rational shorter;   ///< the shares were multiplied by this, so that no sum is beyond what the L1 part allows
  std::int64_t certain_labels = 0;
  std::vector<std::uint32_t> zeros;
};

/// at_most − lower_by − at_least: what the best possible objective is above the dual solution's bound, at most.
Rational apart_of(const OptimalityProof& proof) {
  Rational apart = read_number(proof.at_most, "a bound") - read_number(proof.at_least, "a bound");
  if (proof.reference) apart -= read_number(proof.reference->lower_by, "a bound");
  return apart;
}

class BoundsChecker {
 public:
  /// `follow`: the bounds are in the proof, and what follows is wanted too.
  BoundsChecker(const OptimalityProof& proof, const ReadProof& read, bool follow)
      : proof_(proof),
        read_(read),
        row_(read.columns),
        model_(read.columns, read.model),
        witness_offset_(in_units(read.witness_offset)),
        of_{ClassSums(proof.data.features), ClassSums(proof.data.features)} {
    if (read.reference) reference_.emplace(read.columns, *read.reference);
    if (!follow) return;
    apart_ = apart_of(proof);
    const bool zeros = sign_of(read.l1_ratio) > 0 && proof.objective.loss != Loss::kHinge;
    for (ClassSums& sums : of_) {
      sums.shares_in.assign(kBuckets, 0);
      if (zeros) sums.squares_of.assign(proof.data.features, 0);
    }
  }

  void visit(const std::string& leaf) {
    poll(200 + 2 * leaf.size());
    need(row_.read(leaf), "the rows have features past the last");
    ClassSums& sums = of_[row_.sign() > 0 ? 1 : 0];
    Margin score = model_.scores.of(row_);
    const Margin margin = signed_margin(score, model_.offset);
    add_loss_above(margin, sums.loss);
    if (reference_) {
      add_loss_below(margin, sums.least_loss);
      score = reference_->scores.of(row_);
      add_loss_above(signed_margin(score, reference_->offset), sums.reference_loss);
    }
    add_share(next_share(signed_margin(score, witness_offset_)), sums);
    ++sums.rows;
  }

  ObjectiveBounds finish() const {
    need(next_between_ == proof_.witness.between.size(), "there are shares of no row");
    const Rational total =
        read_.weight[0] * Rational(Integer(of_[0].rows)) + read_.weight[1] * Rational(Integer(of_[1].rows));
    ObjectiveBounds bounds;
    bounds.above = objective(&ClassSums::loss, model_.scores.norms(), read_.model.offset, total);
    const DualSolution dual = dual_solution(total);
    bounds.shorter = dual.shorter;
    bounds.below = sign_of(dual.bound) < 0 ? Rational(0) : dual.bound;
    if (apart_ && sign_of(dual.bound) >= 0) {
      bounds.certain_labels = certain_labels(dual, *apart_ * total);
      bounds.zeros = zeros(dual, *apart_, total);
    }
    if (reference_) {
      const Rational other =
          objective(&ClassSums::reference_loss, reference_->scores.norms(), read_.reference->offset, total);
      bounds.lower_by =
          objective(&ClassSums::least_loss, model_.scores.least_norms(), read_.model.offset, total) - other;
    }
    return bounds;
  }

 private:
  struct Scored {
    Scored(const Columns& columns, const Classifier& classifier)
        : scores(columns, classifier.weights), offset(in_units(classifier.offset)) {}

    Scores scores;
    Margin offset;
  };

  Rational objective(Integer ClassSums::* loss, const Norms& norms, const Rational& offset,
                     const Rational& total) const {
    const int loss_bits = proof_.objective.loss == Loss::kSquaredHinge ? 2 * kLogBits : kLogBits;
    Rational losses = 0;
    for (int side = 0; side < 2; ++side) {
      losses += read_.weight[side] * times_power_of_two(Rational(of_[side].*loss), -loss_bits);
    }
    const Rational squares = norms.squared + read_.offset_penalty * offset * offset;
    return losses / total + read_.lambda * (read_.l1_ratio * norms.absolute + squares_share() * squares);
  }

  /// (1 − ρ)/2
  Rational squares_share() const { return (Rational(Integer(1)) - read_.l1_ratio) / Rational(Integer(2)); }

  Margin signed_margin(const Margin& score, const Margin& offset) const {
    const Margin z = {score.low + offset.low, score.high + offset.high};
    return row_.sign() > 0 ? z : Margin{-z.high, -z.low};
  }

  void add_loss_above(const Margin& margin, Integer& sum) const {
    if (proof_.objective.loss == Loss::kLogistic) {
      sum += integer_of_wide(logistic_above(margin.low));
    } else {
      add_slack(kOne - margin.low, sum);
    }
  }

  void add_loss_below(const Margin& margin, Integer& sum) const {
    if (proof_.objective.loss == Loss::kLogistic) {
      sum += integer_of_wide(logistic_below(margin.high));
    } else {
      add_slack(kOne - margin.high, sum);
    }
  }

  /// Of either hinge.
  void add_slack(WideInteger slack, Integer& sum) const {
    if (slack <= 0) return;
    const Integer length = integer_of_wide(slack);
    if (proof_.objective.loss == Loss::kSquaredHinge) {
      add_product(sum, length, length);
    } else {
      sum += length;
    }
  }

  std::int64_t share_of_score(const Margin& margin) const {
    if (proof_.objective.loss == Loss::kLogistic) return logistic_share(margin.low);
    const double slope = 2 * std::max(0.0, 1 - as_double(margin.low));
    return std::llround(std::min(std::ldexp(slope, kShareBits), static_cast<double>(kMostShare)));
  }

  std::int64_t next_share(const Margin& margin) {
    const DualWitness& witness = proof_.witness;
    if (witness.offset) {
      const std::int64_t share = share_of_score(margin);
      if (witness.scale == 0) return share;
      return static_cast<std::int64_t>(
          floor_share(static_cast<WideInteger>(share) * static_cast<WideInteger>(witness.scale)));
    }
    const auto row = static_cast<std::size_t>(row_.row());
    need(row < witness.shares.size(), "there isn't a share for each row");
    switch (witness.shares[row]) {
      case '0':
        return 0;
      case '1':
        return kWholeShare;
      case '*': {
        need(next_between_ < witness.between.size(), "there isn't a share for each row");
        const std::uint64_t share = witness.between[next_between_++];
        const auto most = proof_.objective.loss == Loss::kSquaredHinge ? kMostShare : kWholeShare;
        need(share <= static_cast<std::uint64_t>(most), "a share is beyond the loss's range");
        return static_cast<std::int64_t>(share);
      }
      default:
        throw Refusal("a share is none of 0, 1 and *");
    }
  }

  /// Shares of a bucket differ in this many bits.
  int bucket_bits() const { return proof_.objective.loss == Loss::kSquaredHinge ? 26 : 24; }

  void add_share(std::int64_t share, ClassSums& sums) const {
    if (!sums.shares_in.empty()) {
      ++sums.shares_in[std::min(static_cast<std::size_t>(share >> bucket_bits()), kBuckets - 1)];
    }
    if (!sums.squares_of.empty()) {
      each_size(row_, [&](std::uint32_t column, double size) {
        sums.squares_of[column] += size * size + std::numeric_limits<double>::min();
      });
    }
    if (share == 0) return;
    const Integer whole(share);
    sums.shares += whole;
    if (proof_.objective.loss == Loss::kSquaredHinge) add_product(sums.squares, whole, whole);
    if (proof_.objective.loss == Loss::kLogistic && share < kWholeShare) {
      sums.entropy += integer_of_wide(entropy_below(share));
    }
    sums.columns.add(row_, share);
  }

  /// Σ h(f·a) of a class, from below.
  Rational gain(const ClassSums& sums, const Rational& factor) const {
    switch (proof_.objective.loss) {
      case Loss::kLogistic:
        return factor * times_power_of_two(Rational(sums.entropy), -kLogBits);
      case Loss::kSquaredHinge:
        return factor * times_power_of_two(Rational(sums.shares), -kShareBits) -
               factor * factor * times_power_of_two(Rational(sums.squares), -2 * kShareBits - 2);
      default:
        return factor * times_power_of_two(Rational(sums.shares), -kShareBits);
    }
  }

  DualSolution dual_solution(const Rational& total) const {
    DualSolution dual;
    Rational(&factor)[2] = dual.factor;
    const Rational sum[2] = {read_.weight[0] * Rational(of_[0].shares), read_.weight[1] * Rational(of_[1].shares)};
    const bool free_offset = !proof_.origin && sign_of(read_.offset_penalty) == 0;
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
    const Integer scale = unit * power_of(10, ColumnSums::kFraction);
    const Rational free = times_power_of_two(read_.lambda * read_.l1_ratio * total * Rational(scale), kShareBits);
    const Integer allowed = floor_quotient(numerator(free), denominator(free));  // by the L1 part of the penalty
    Integer squares = 0, largest = 0;
    for (std::uint32_t column = 0; column < proof_.data.features; ++column) {
      poll(2000);
      const Rational difference = p * of_[1].columns.value(column) - q * of_[0].columns.value(column);
      const Integer least = floor_quotient(numerator(difference), denominator(difference));
      Integer size = sign_of(least) < 0 ? Integer(-least) : Integer(least + 1);  // at least |difference|
      if (denominator(difference) == 1) size = sign_of(least) < 0 ? Integer(-least) : least;
      largest = std::max(largest, size);
      if (!of_[0].squares_of.empty()) dual.sizes.push_back(size);
      const Integer excess = size - allowed;
      if (sign_of(excess) > 0) add_product(squares, excess, excess);
    }
    dual.part = times_power_of_two(ratio(Integer(1), scale), -kShareBits);
    const Rational gains = read_.weight[0] * gain(of_[0], factor[0]) + read_.weight[1] * gain(of_[1], factor[1]);
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
        gains / total - squared_length / (Rational(Integer(4)) * squares_share() * read_.lambda * total * total);
    return dual;
  }

  /// What a share says of the sign of its row's margin by a best possible classifier: ℓ(0) − h(a), at least, if the
  /// sign is +1 (−1) as long as that is too much for one row; else 0.
  Rational cost_of_no_margin(const Integer& share, int sign) const {
    const bool logistic = proof_.objective.loss == Loss::kLogistic;
    const Integer one(kWholeShare);
    const Integer middle = proof_.objective.loss == Loss::kSquaredHinge ? Integer(one * Integer(2))
                           : logistic                                   ? Integer(kWholeShare / 2)
                                                                        : one;
    const Integer length = sign > 0 ? Integer(middle - share) : Integer(share - middle);
    if (sign_of(length) <= 0) return 0;
    if (logistic) {
      const std::int64_t parts = to_int64(share);
      const WideInteger entropy = parts == 0 || parts == kWholeShare ? 0 : entropy_above(parts);
      const WideInteger least = minus_log(kWholeShare / 2, kShareBits).low - entropy;
      return times_power_of_two(Rational(integer_of_wide(std::max<WideInteger>(0, least))), -kLogBits);
    }
    if (proof_.objective.loss == Loss::kHinge) return sign > 0 ? times_power_of_two(length, -kShareBits) : Rational(0);
    return times_power_of_two(Rational(Integer(length * length)), -2 * (kShareBits + 1));
  }

  std::int64_t certain_labels(const DualSolution& dual, const Rational& to_spend) const {
    std::int64_t certain = 0;
    for (int side = 0; side < 2; ++side) {
      const Rational most = to_spend / read_.weight[side];
      const auto shows = [&](std::size_t bucket, int sign) {
        // A bucket's largest share for the sign +1, the smallest for −1; the last bucket has no largest.
        const std::int64_t first = static_cast<std::int64_t>(bucket) << bucket_bits();
        const bool last = bucket + 1 == kBuckets;
        if (last && sign > 0) return false;
        const std::int64_t edge = sign > 0 ? first + (std::int64_t{1} << bucket_bits()) - 1 : first;
        const Rational share = dual.factor[side] * Rational(Integer(edge));
        const Integer rounded = sign > 0 ? ceiling_quotient(numerator(share), denominator(share))
                                         : floor_quotient(numerator(share), denominator(share));
        return cost_of_no_margin(rounded, sign) > most;
      };
      const std::vector<std::int64_t>& rows = of_[side].shares_in;
      // Each is so up to one bucket, or from one on.
      std::size_t low = 0, high = kBuckets;
      while (low < high) {
        const std::size_t middle = (low + high) / 2;
        shows(middle, 1) ? low = middle + 1 : high = middle;
      }
      for (std::size_t k = 0; k < low; ++k) certain += rows[k];
      std::size_t from = 0, to = kBuckets;
      while (from < to) {
        const std::size_t middle = (from + to) / 2;
        shows(middle, -1) ? to = middle : from = middle + 1;
      }
      for (std::size_t k = from; k < kBuckets; ++k) certain += rows[k];
    }
    return certain;
  }

  std::vector<std::uint32_t> zeros(const DualSolution& dual, const Rational& apart, const Rational& total) const {
    std::vector<std::uint32_t> zeros;
    if (dual.sizes.empty()) return zeros;
    const Rational concavity =
        proof_.objective.loss == Loss::kLogistic ? Rational(Integer(4)) : ratio(Integer(1), Integer(2));
    const Rational moved = Rational(Integer(2)) * apart / (concavity * total);
    const Rational allowed = read_.lambda * read_.l1_ratio;
    for (std::uint32_t column = 0; column < proof_.data.features; ++column) {
      poll(2000);
      const Rational room = allowed - dual.part * Rational(dual.sizes[column]) / total;
      if (sign_of(room) <= 0) continue;
      Rational squares = 0;
      for (int side = 0; side < 2; ++side) {
        const double sum = of_[side].squares_of[column] * kSlack * kSlack * kSlack * kSlack * kSlack;
        if (!std::isfinite(sum)) {
          squares = -1;
          break;
        }
        squares += read_.weight[side] * Rational(sum);
      }
      if (sign_of(squares) >= 0 && room * room > moved * squares) zeros.push_back(column);
    }
    return zeros;
  }

  const OptimalityProof& proof_;
  const ReadProof& read_;
  CheckedRow row_;
  Scored model_;
  std::optional<Scored> reference_;
  Margin witness_offset_;
  std::array<ClassSums, 2> of_;
  std::optional<Rational> apart_;  ///< if what follows is wanted
  std::size_t next_between_ = 0;
};

/// Calls a function with the leaf of every row, and throws a Refusal where they aren't those that the proof is about.
using EachLeaf = std::function<void(const std::function<void(const std::string& leaf)>& visit)>;

Certificate description(const OptimalityProof& proof) {
  Certificate about;
  about.origin = proof.origin;
  about.data = proof.data;
  return about;
}

ObjectiveBounds bounds_of(const OptimalityProof& proof, const EachLeaf& each_leaf, bool follow) {
  const ReadProof read = read_proof(proof);
  BoundsChecker checker(proof, read, follow);
  std::optional<Refusal> problem;  // if the digest turns out to be another one, that is the better reason
  each_leaf([&](const std::string& leaf) {
    if (problem) return;
    try {
      checker.visit(leaf);
    } catch (const Refusal& refusal) {
      problem = refusal;
    }
  });
  if (problem) throw Refusal(*problem);
  return checker.finish();
}

EachLeaf leaves_of(const Certificate& about, Source& data, const ProofOptions& options, const Observer& observe) {
  return [&](const auto& visit) { check_rows(about, data, options, observe, visit); };
}

/// The bounds of a proof that is being made. If all shares must be multiplied by a t < 1, they are made anew with t in
/// the witness: h(t·a) is more than t·h(a).
ObjectiveBounds bounds_to_seal(OptimalityProof& proof, const EachLeaf& each_leaf) {
  proof.witness.scale = 0;
  const ObjectiveBounds bounds = bounds_of(proof, each_leaf, false);
  if (!proof.witness.offset || sign_of(bounds.shorter) <= 0 || bounds.shorter >= Rational(Integer(1))) return bounds;
  const Rational scaled = times_power_of_two(bounds.shorter, kShareBits);
  proof.witness.scale =
      static_cast<std::uint64_t>(approximate(Rational(floor_quotient(numerator(scaled), denominator(scaled)))));
  if (proof.witness.scale == 0) return bounds;
  return bounds_of(proof, each_leaf, false);
}

/// A decimal of 14 digits at least (at most) the value, and a little more (less): other checkers round otherwise.
std::string rounded_text(const Rational& value, bool up) {
  if (sign_of(value) == 0) return "0";
  std::int64_t places = kDigits - 1 - std::ilogb(approximate(value)) * 301 / 1000;
  places = std::clamp<std::int64_t>(places, 0, 400);
  const Integer tens = power_of(10, static_cast<std::uint64_t>(places));
  const Rational scaled = value * Rational(tens);
  const Integer whole = up ? Integer(ceiling_quotient(numerator(scaled), denominator(scaled)) + 1)
                           : Integer(floor_quotient(numerator(scaled), denominator(scaled)) - 1);
  if (sign_of(whole) <= 0) return "0";
  std::string digits = to_text(whole);
  if (places == 0) return digits;
  if (digits.size() <= static_cast<std::size_t>(places))
    digits.insert(0, static_cast<std::size_t>(places) + 1 - digits.size(), '0');
  digits.insert(digits.size() - static_cast<std::size_t>(places), ".");
  return digits;
}

OptimalityCheck checked(const OptimalityProof& proof, const EachLeaf& each_leaf) {
  OptimalityCheck result;
  try {
    const Rational at_most = read_number(proof.at_most, "a bound"), at_least = read_number(proof.at_least, "a bound");
    ObjectiveBounds bounds = bounds_of(proof, each_leaf, true);
    need(bounds.above <= at_most, "the model's objective may be higher than claimed");
    result.proven.push_back("the model's objective on these rows is at most " + proof.at_most);
    need(at_least <= bounds.below, "some classifier's objective may be lower than claimed");
    result.proven.push_back("no linear classifier's objective on these rows is below " + proof.at_least);
    if (proof.reference) {
      const Rational lower_by = read_number(proof.reference->lower_by, "a bound");
      need(sign_of(lower_by) >= 0, "the difference to the reference is below 0");
      if (sign_of(lower_by) > 0) {
        need(lower_by <= bounds.lower_by, "the reference's objective may be nearer to the model's than claimed");
        result.proven.push_back("some classifier's objective is lower by at least " + proof.reference->lower_by);
      }
    }
    result.certain_labels = bounds.certain_labels;
    result.zeros = std::move(bounds.zeros);
    result.proven.push_back("the best possible classifier's label is certain for " +
                            std::to_string(result.certain_labels) + " of " + std::to_string(proof.data.rows) + " rows");
    if (proof.objective.l1_ratio != "0") {
      result.proven.push_back(std::to_string(result.zeros.size()) + " of " + std::to_string(proof.data.features) +
                              " weights are 0 in every optimum");
    }
    result.valid = true;
    result.reason = "the model is near the best possible one";
  } catch (const Refusal& refusal) {
    result.reason = refusal.what();
  }
  return result;
}

}  // namespace

double proven_gap(const OptimalityProof& proof) {
  const auto above = parse_exact(proof.at_most), below = parse_exact(proof.at_least);
  if (!above || !below) throw input_error("a bound is not an exact number");
  if (sign_of(*above) <= 0) return 0;
  return std::nextafter(approximate((*above - *below) / *above), std::numeric_limits<double>::infinity());
}

AboveBest above_best(const OptimalityProof& proof) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto above = parse_exact(proof.at_most), below = parse_exact(proof.at_least);
  const auto by = parse_exact(proof.reference ? proof.reference->lower_by : "0");
  if (!above || !below || !by) throw input_error("a bound is not an exact number");
  AboveBest share = {0, kInfinity};
  // F ≤ `above` and the best possible objective ≤ F − `by`, so F is at least by/(F − by) above it.
  if (sign_of(*by) > 0 && *by < *above) {
    share.at_least = std::max(0.0, std::nextafter(approximate(*by / (*above - *by)), 0.0));
  }
  if (sign_of(*below) > 0) share.at_most = std::nextafter(approximate((*above - *below) / *below), kInfinity);
  return share;
}

namespace {

/// 2G/(λ(1 − ρ)): the square of how far a classifier can be from a best possible one if its objective is at most G
/// above. Nothing if the bounds contradict each other or nothing follows.
std::optional<Rational> squared_distance(const OptimalityProof& proof, const Rational& apart) {
  const Rational bend = read_number(proof.objective.lambda, "lambda") *
                        (Rational(Integer(1)) - read_number(proof.objective.l1_ratio, "the share of the L1 penalty"));
  if (sign_of(bend) <= 0 || sign_of(apart) < 0) return {};
  return Rational(Rational(Integer(2)) * apart / bend);
}

}  // namespace

double weights_within(const OptimalityProof& proof) try {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto squared =
      squared_distance(proof, read_number(proof.at_most, "a bound") - read_number(proof.at_least, "a bound"));
  if (!squared) return kInfinity;
  double root = std::sqrt(approximate(*squared));
  while (std::isfinite(root) && Rational(root) * Rational(root) < *squared) root = std::nextafter(root, kInfinity);
  return root;
} catch (const Refusal& refusal) {
  throw input_error(refusal.what());
}

std::vector<int> certain_signs(const OptimalityProof& proof) try {
  std::vector<int> signs(proof.data.features, 0);
  // The reference is nearer to the best possible one than the model, if its objective is lower.
  const bool by_reference = proof.reference && sign_of(read_number(proof.reference->lower_by, "a bound")) > 0;
  const ExactWeights& near = by_reference ? proof.reference->weights : proof.model;
  const auto squared = squared_distance(proof, apart_of(proof));
  if (!squared) return signs;
  for (const ColumnWeight& entry : near) {
    if (entry.column >= proof.data.features) continue;  // the intercept
    const Rational weight = read_number(entry.weight, "a weight");
    if (weight * weight > *squared) signs[entry.column] = sign_of(weight);
  }
  return signs;
} catch (const Refusal& refusal) {
  throw input_error(refusal.what());
}

void seal_optimality(OptimalityProof& proof, Source& data, const ProofOptions& options, const Observer& observe) {
  const std::uint32_t features = proof.data.features;
  proof.data = digest_rows(data, options, observe);
  if (proof.data.features != features) {
    throw usage_error("the model has " + std::to_string(features) + " features, and these rows have " +
                      std::to_string(proof.data.features) + ": give the rows that it was trained on");
  }
  try {
    const Certificate about = description(proof);
    const ObjectiveBounds bounds = bounds_to_seal(proof, leaves_of(about, data, options, observe));
    proof.at_most = rounded_text(bounds.above, true);
    proof.at_least = rounded_text(bounds.below, false);
    if (proof.reference) {
      // Other checkers round otherwise: by 10⁻¹³ of the objective, which may be more than that of a small difference.
      proof.reference->lower_by = rounded_text(bounds.lower_by - bounds.above / Rational(power_of(10, 12)), false);
    }
  } catch (const Refusal& refusal) {
    throw usage_error(refusal.what());
  }
}

OptimalityCheck verify_optimality(const OptimalityProof& proof, Source& data, const ProofOptions& options,
                                  const Observer& observe) {
  const Certificate about = description(proof);
  return checked(proof, leaves_of(about, data, options, observe));
}

OptimalityCheck verify_leaves(const OptimalityProof& proof, std::string_view leaves, const ProofOptions& options) {
  const Certificate about = description(proof);
  return checked(proof, [&](const auto& visit) {
    Deadline interrupt([&] { return options.interrupted(); });
    if (!interrupt.run([&] { check_leaf_text(about, leaves, visit); })) throw interrupted_error();
  });
}

}  // namespace linsep
