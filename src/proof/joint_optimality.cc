// With z_ic = θ_c·x_i + θ0_c, the row's own class y, and W = Σ w_i the objective is
//   F = (1/W)·Σ w_i·(ln Σ_c e^z_ic − z_iy) + λ·(ρ·‖θ‖₁ + (1 − ρ)/2·‖θ‖²).
//
// Below: for shares p_ic ≥ 0 with Σ_c p_ic = 1 and, unless through the origin, Σ_i w_i·(p_ic − [y = c]) = 0 no F is
// below
//   (1/W)·Σ w_i·h(p_i) − ‖v‖²/(2·λ·W²), v_c = Σ_i w_i·(p_ic − [y = c])·x_i, h(p) = −Σ_c p_c·ln p_c;
// an L1 part counts as for two classes. Shares are whole numbers of 2⁻⁴⁰. Their sums P_c by class are made the N_c = Σ
// w_i of the class's rows, by the same s for all rows: p becomes k·p + (1 − k)·s with k = min N_c/P_c ≤ 1 and (1 −
// k)·W·s_c = N_c − k·P_c ≥ 0. h of that is at least k·h(p), because h is concave and never below 0.
//
// Above: shares p near those of the scores z are those of ln p_c, whose Σ e^… is 1. So ln Σ e^z_c = a + ln Σ p_c·e^d_c
// with d_c = z_c − ln p_c − a for any a, and that is at most a + Σ p_c·(e^d_c − 1). Such an e^d − 1 is at most d + d²
// from −1/2 to 1, and −1/4 before that. The loss from below: ln Σ e^z_c ≥ Σ p_c·(z_c − ln p_c).
#include "proof/joint_optimality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/deadline.h"
#include "core/elementary.h"
#include "core/parallel.h"
#include "exact/wide.h"
#include "proof/exact_text.h"
#include "proof/logarithm.h"
#include "proof/loss_bounds.h"
#include "proof/objective_sums.h"

namespace linsep {
namespace {

/// Sums by column that are kept at most: one for each column, class and weight that classes have.
constexpr std::uint64_t kMostSums = std::uint64_t{1} << 26;

/// Weights and intercepts of each class.
using ClassClassifiers = std::vector<ExactClassifier>;

struct ReadJoint {
  const OptimalityProof& file;
  std::size_t classes = 0;
  Columns columns = {};  ///< of a row
  Rational lambda = {}, l1_ratio = {};
  std::vector<Integer> weight = {};     ///< of the classes, all times the same number
  std::vector<std::size_t> group = {};  ///< of the class: classes of one weight are one group
  std::vector<Rational> group_weight = {};
  ClassClassifiers model = {};
  std::optional<ClassClassifiers> reference = {};
  std::vector<MarginRange> share_offset = {};
};

ClassClassifiers read_classifiers(const OptimalityProof& proof, const ExactWeights& given, const Columns& blocks) {
  ClassClassifiers read(proof.data.classes.size());
  for (const ColumnWeight& entry : given) {
    const Rational value = read_number(entry.weight, "a weight");
    need(entry.column < blocks.features, "a weight is of a column that doesn't exist");
    ExactClassifier& one = read[entry.column / blocks.block];
    const std::uint32_t column = entry.column % blocks.block;
    if (column == proof.data.features) {
      one.offset = value;
      continue;
    }
    need(one.weights.empty() || one.weights.back().first < column, "the columns of weights don't ascend");
    if (sign_of(value) != 0) one.weights.emplace_back(column, value);
  }
  return read;
}

void group_classes(const OptimalityProof& proof, ReadJoint& read) {
  read.weight = read_class_weights(proof).each;
  for (const Integer& weight : read.weight) {
    const auto found = std::ranges::find(read.group_weight, Rational(weight));
    read.group.push_back(static_cast<std::size_t>(found - read.group_weight.begin()));
    if (found == read.group_weight.end()) read.group_weight.emplace_back(weight);
    const std::uint64_t sums =
        (read.group_weight.size() + 1) * read.classes * (std::uint64_t{proof.data.features} + 64);
    need(sums <= kMostSums, "there are too many classes of different weights for so many columns");
  }
}

ReadJoint read_joint(const OptimalityProof& proof) {
  const Columns blocks = joint_columns(proof);
  ReadJoint read{proof, proof.data.classes.size()};
  need(proof.data.rows > 0, "it is about no rows");
  need(read.classes > 2 && proof.data.positive.empty(), "it isn't about several classes together");
  need(LabelSigns(proof.data.classes).distinct(), "two classes are the same");
  need(blocks.block > 0, "there are too many columns, or none");
  read.columns = {{}, proof.data.features, proof.origin, 0, false};
  read.lambda = read_number(proof.objective.lambda, "lambda");
  need(sign_of(read.lambda) > 0, "lambda and the weights of classes must be above 0");
  need(proof.objective.offset_penalty == "0", "no rules are known for this penalty");
  read.l1_ratio = read_number(proof.objective.l1_ratio, "the share of the L1 penalty");
  need(sign_of(read.l1_ratio) >= 0 && read.l1_ratio <= Rational(Integer(1)),
       "the share of the L1 penalty isn't from 0 to 1");
  group_classes(proof, read);
  read.model = read_classifiers(proof, proof.model, blocks);
  if (proof.reference) read.reference = read_classifiers(proof, proof.reference->weights, blocks);
  need(proof.witness.offsets.size() == read.classes, "there isn't an intercept for each class");
  need(proof.witness.scale <= static_cast<std::uint64_t>(kWholeShare), "shares are multiplied by more than 1");
  for (const std::string& text : proof.witness.offsets) {
    const Rational offset = read_number(text, "the witness's intercept");
    need(!proof.origin || sign_of(offset) == 0, "a classifier through the origin has no intercept");
    read.share_offset.push_back(margin_of(offset));
  }
  return read;
}

/// Scores of all classes between two numbers.
using ClassMargins = std::vector<MarginRange>;

double as_double(WideInteger units) { return std::ldexp(static_cast<double>(units), -kLogBits); }

/// e^z_c over their sum by floating-point numbers, at least 1 unit each; the largest is what the others leave.
void take_shares(const std::vector<WideInteger>& scores, std::vector<std::int64_t>& shares) {
  constexpr double kLeast = -700;
  const std::size_t classes = scores.size();
  const auto top = static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
  std::vector<double> size(classes);
  double sum = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    size[c] = elementary::exp(std::max(kLeast, as_double(scores[c] - scores[top])));
    sum += size[c];
  }
  shares.resize(classes);
  std::int64_t left = kWholeShare;
  for (std::size_t c = 0; c < classes; ++c) {
    if (c == top) continue;
    shares[c] = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ldexp(size[c] / sum, kShareBits)));
    left -= shares[c];
  }
  shares[top] = left;
}

MinusLog log_of(std::int64_t share) { return minus_log(static_cast<std::uint64_t>(share), kShareBits); }

/// At least e^d − 1 for d ≤ step. REQUIRES: step ≤ kOneMargin.
WideInteger bent(WideInteger step) {
  return step <= -kOneMargin / 2 ? -(kOneMargin / 4) : step + (step * step >> kLogBits) + 1;
}

WideInteger loss_above(const ClassMargins& margins, std::size_t own) {
  const std::size_t classes = margins.size();
  std::vector<WideInteger> score(classes), step(classes);
  for (std::size_t c = 0; c < classes; ++c) score[c] = c == own ? margins[c].low : margins[c].high;
  std::vector<std::int64_t> shares;
  take_shares(score, shares);
  for (std::size_t c = 0; c < classes; ++c) step[c] = score[c] + log_of(shares[c]).high;
  WideInteger base = step[static_cast<std::size_t>(std::ranges::max_element(shares) - shares.begin())];
  const WideInteger most = *std::ranges::max_element(step);
  if (most - base > kOneMargin) base = most;
  WideInteger sum = 0;
  for (std::size_t c = 0; c < classes; ++c) sum += static_cast<WideInteger>(shares[c]) * bent(step[c] - base);
  return base - score[own] + (sum >> kShareBits) + 1;
}

/// Scores may be large here, so products of them and shares need not fit into a machine integer.
Integer loss_below(const ClassMargins& margins, std::size_t own) {
  const std::size_t classes = margins.size();
  std::vector<WideInteger> score(classes);
  for (std::size_t c = 0; c < classes; ++c) score[c] = c == own ? margins[c].high : margins[c].low;
  std::vector<std::int64_t> shares;
  take_shares(score, shares);
  Integer sum = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    add_product(sum, Integer(shares[c]), integer_of_wide(score[c] - score[own] + log_of(shares[c]).low));
  }
  const Integer least = floor_quotient(sum, Integer(kWholeShare));
  return sign_of(least) < 0 ? Integer(0) : least;
}

WideInteger entropy_below(const std::vector<std::int64_t>& shares) {
  WideInteger sum = 0;
  for (const std::int64_t share : shares) {
    if (share > 0) sum += static_cast<WideInteger>(share) * log_of(share).low;
  }
  return sum >> kShareBits;
}

/// What is added up of the rows: of each class's own rows, and of products with shares of each group and class.
struct JointSums {
  explicit JointSums(const ReadJoint& read)
      : weight(read.classes),
        loss(read.classes),
        least_loss(read.classes),
        reference_loss(read.classes),
        entropy(read.classes),
        shares(read.group_weight.size() * read.classes),
        own(read.classes, ColumnSums(read.columns.features)),
        by_share(read.group_weight.size() * read.classes, ColumnSums(read.columns.features)) {}

  std::vector<WeighedSum> weight;                                     ///< Σ w of the rows' own weights
  std::vector<WeighedSum> loss, least_loss, reference_loss, entropy;  ///< in units of 2⁻⁵⁶
  std::vector<WeighedSum> shares;                                     ///< Σ w·p_ic by group, then by c; of 2⁻⁴⁰
  std::vector<ColumnSums> own, by_share;                              ///< Σ w·x; and Σ w·p_ic·x by group, then by c

  void add(const JointSums& other) {
    const auto add_all = [](auto& sums, const auto& others) {
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k].add(others[k]);
    };
    add_all(weight, other.weight);
    add_all(loss, other.loss);
    add_all(least_loss, other.least_loss);
    add_all(reference_loss, other.reference_loss);
    add_all(entropy, other.entropy);
    add_all(shares, other.shares);
    add_all(own, other.own);
    add_all(by_share, other.by_share);
  }
};

class JointRows {
 public:
  explicit JointRows(const ReadJoint& read) : read_(read) {
    for (const ExactClassifier& one : read.model) model_.emplace_back(read.columns, one);
    if (!read.reference) return;
    for (const ExactClassifier& one : *read.reference) reference_.emplace_back(read.columns, one);
  }

  /// Adds a row. Throws a Refusal for values that are too large.
  void add(const CheckedRow& row, JointSums& sums) const {
    const std::uint32_t number = row.leaf().class_number;
    need(number > 0 && number <= read_.classes, "a row's class doesn't exist");
    const std::size_t own = number - 1;
    const WeightOfRow weight = WeightOfRow::of(row.leaf().weight);
    ClassMargins scores = scores_of(model_, row);
    const ClassMargins margins = with_offsets(scores, model_);
    sums.loss[own].add(weight, integer_of_wide(loss_above(margins, own)));
    if (!reference_.empty()) {
      sums.least_loss[own].add(weight, loss_below(margins, own));
      scores = scores_of(reference_, row);
      sums.reference_loss[own].add(weight, integer_of_wide(loss_above(with_offsets(scores, reference_), own)));
    }
    std::vector<WideInteger> score(read_.classes);
    for (std::size_t c = 0; c < score.size(); ++c) score[c] = scores[c].low + read_.share_offset[c].low;
    std::vector<std::int64_t> shares;
    take_shares(score, shares);
    scale(own, shares);
    add_shares(row, weight, own, shares, sums);
  }

  const std::vector<Scores>& model() const { return model_; }
  const std::vector<Scores>& reference() const { return reference_; }

 private:
  static ClassMargins scores_of(const std::vector<Scores>& classifier, const CheckedRow& row) {
    ClassMargins scores;
    scores.reserve(classifier.size());
    for (const Scores& one : classifier) scores.push_back(one.without_offset(row));
    return scores;
  }

  static ClassMargins with_offsets(const ClassMargins& scores, const std::vector<Scores>& classifier) {
    ClassMargins margins = scores;
    for (std::size_t c = 0; c < margins.size(); ++c) {
      margins[c].low += classifier[c].offset().low;
      margins[c].high += classifier[c].offset().high;
    }
    return margins;
  }

  /// Shares of other classes are multiplied by the witness's number; the own class has what is left.
  void scale(std::size_t own, std::vector<std::int64_t>& shares) const {
    const std::uint64_t by = read_.file.witness.scale;
    if (by == 0) return;
    std::int64_t left = kWholeShare;
    for (std::size_t c = 0; c < shares.size(); ++c) {
      if (c == own) continue;
      shares[c] =
          static_cast<std::int64_t>((static_cast<WideInteger>(shares[c]) * static_cast<WideInteger>(by)) >> kShareBits);
      left -= shares[c];
    }
    shares[own] = left;
  }

  void add_shares(const CheckedRow& row, const WeightOfRow& weight, std::size_t own,
                  const std::vector<std::int64_t>& shares, JointSums& sums) const {
    sums.weight[own].add(weight, 1);
    if (sign_of(weight.digits) == 0) return;
    sums.entropy[own].add(weight, integer_of_wide(entropy_below(shares)));
    sums.own[own].add(row, weight, 1);
    for (std::size_t c = 0; c < shares.size(); ++c) {
      const std::size_t place = read_.group[own] * read_.classes + c;
      sums.shares[place].add(weight, Integer(shares[c]));
      if (shares[c] > 0) sums.by_share[place].add(row, weight, shares[c]);
    }
  }

  const ReadJoint& read_;
  std::vector<Scores> model_, reference_;
};

/// The sums of rows that one thread has judged, and the first of them that can't be judged.
struct ThreadSums {
  explicit ThreadSums(const Columns& columns) : row(columns, true, true) {}

  CheckedRow row;
  std::optional<JointSums> sums = {};  ///< once there is a row
  std::int64_t bad_row = std::numeric_limits<std::int64_t>::max();
  std::optional<Refusal> problem = {};

  void add(const ReadJoint& read, const JointRows& rows, const std::string& leaf) {
    poll((200 + 2 * leaf.size()) * read.classes);
    if (!sums) sums.emplace(read);
    try {
      need(row.read(leaf), "the rows have features past the last");
      if (row.row() < bad_row) rows.add(row, *sums);
    } catch (const Refusal& refusal) {
      if (row.row() >= bad_row) return;
      bad_row = row.row();
      problem = refusal;
    }
  }
};

class JointBounds {
 public:
  JointBounds(const ReadJoint& read, const JointRows& rows, const JointSums& sums)
      : read_(read), rows_(rows), sums_(sums), total_(weighted(sums.weight)) {
    need(sign_of(total_) > 0, "all rows have weight 0");
  }

  ObjectiveBounds bounds() const {
    ObjectiveBounds bounds;
    bounds.above = objective(sums_.loss, rows_.model(), &Scores::norms);
    set_dual(bounds);
    if (sign_of(bounds.below) < 0) bounds.below = 0;
    if (!rows_.reference().empty()) {
      bounds.lower_by = objective(sums_.least_loss, rows_.model(), &Scores::least_norms) -
                        objective(sums_.reference_loss, rows_.reference(), &Scores::norms);
    }
    return bounds;
  }

 private:
  /// Σ w_c·(sum of a class).
  Rational weighted(const std::vector<WeighedSum>& by_class) const {
    Rational sum = 0;
    for (std::size_t c = 0; c < by_class.size(); ++c) sum += Rational(read_.weight[c]) * by_class[c].value();
    return sum;
  }

  /// (1 − ρ)/2
  Rational squares_share() const { return (Rational(Integer(1)) - read_.l1_ratio) / Rational(Integer(2)); }

  Rational objective(const std::vector<WeighedSum>& losses, const std::vector<Scores>& classifier,
                     Norms (Scores::*norms_of)() const) const {
    Norms norms;
    for (const Scores& one : classifier) {
      const Norms each = (one.*norms_of)();
      norms.squared += each.squared;
      norms.absolute += each.absolute;
    }
    return times_power_of_two(weighted(losses), -kLogBits) / total_ +
           read_.lambda * (read_.l1_ratio * norms.absolute + squares_share() * norms.squared);
  }

  /// Fills in `below` and `shorter`.
  void set_dual(ObjectiveBounds& bounds) const {
    const std::size_t classes = read_.classes;
    std::vector<Rational> have(classes, 0), rest(classes, 0);  // P_c, and N_c − k·P_c; in units of 2⁻⁴⁰
    Rational keep = Integer(1);
    for (std::size_t c = 0; c < classes; ++c) {
      for (std::size_t g = 0; g < read_.group_weight.size(); ++g) {
        have[c] += read_.group_weight[g] * sums_.shares[g * classes + c].value();
      }
      rest[c] = times_power_of_two(Rational(read_.weight[c]) * sums_.weight[c].value(), kShareBits);
      if (!read_.file.origin && have[c] > rest[c]) keep = std::min(keep, Rational(rest[c] / have[c]));
    }
    for (std::size_t c = 0; c < classes; ++c)
      rest[c] = read_.file.origin ? Rational(0) : Rational(rest[c] - keep * have[c]);
    std::uint64_t decimals = 0;
    for (const ColumnSums& sums : sums_.own) decimals = std::max(decimals, sums.decimals());
    for (const ColumnSums& sums : sums_.by_share) decimals = std::max(decimals, sums.decimals());
    // |v| in such units, rounded up to whole numbers of 2^−extra of them.
    constexpr int kExtra = 64;
    const Rational unit = ratio(Integer(1), power_of(10, decimals) * power_of(2, kShareBits + kExtra));
    const Rational free = read_.lambda * read_.l1_ratio * total_ / unit;
    const Integer allowed = floor_quotient(numerator(free), denominator(free));
    Integer squares = 0, largest = 0;
    for (std::uint32_t column = 0; column < read_.columns.features; ++column) {
      poll(2000 * classes);
      std::vector<Rational> own(classes);
      Rational all = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        own[c] = Rational(read_.weight[c]) * sums_.own[c].value(column, decimals);
        all += own[c];
      }
      for (std::size_t c = 0; c < classes; ++c) {
        Rational shares = 0;
        for (std::size_t g = 0; g < read_.group_weight.size(); ++g) {
          shares += read_.group_weight[g] * sums_.by_share[g * classes + c].value(column, decimals);
        }
        const Rational slope = keep * shares + rest[c] * all / total_ - times_power_of_two(own[c], kShareBits);
        const Rational size = times_power_of_two(sign_of(slope) < 0 ? Rational(-slope) : slope, kExtra);
        const Integer whole = ceiling_quotient(numerator(size), denominator(size));
        largest = std::max(largest, whole);
        const Integer excess = whole - allowed;
        if (sign_of(excess) > 0) add_product(squares, excess, excess);
      }
    }
    const Rational gain = keep * times_power_of_two(weighted(sums_.entropy), -kLogBits) / total_;
    if (read_.l1_ratio == Rational(Integer(1))) {
      // p becomes t·p and 1 − t of the own class, whose v is t times as long: h of that is at least t·h(p).
      bounds.shorter = largest <= allowed ? Rational(Integer(1)) : ratio(allowed, largest);
      bounds.below = bounds.shorter * gain;
      return;
    }
    const Rational length = Rational(squares) * unit * unit / (total_ * total_);
    bounds.below = gain - length / (Rational(Integer(4)) * squares_share() * read_.lambda);
  }

  const ReadJoint& read_;
  const JointRows& rows_;
  const JointSums& sums_;
  Rational total_;
};

}  // namespace

Columns joint_columns(const OptimalityProof& proof) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
  const std::uint64_t block = std::uint64_t{proof.data.features} + (proof.origin ? 0 : 1);
  const std::uint64_t columns = block * proof.data.classes.size();
  if (columns > kMost || proof.data.classes.size() > kMost) return {{}, 0, true, 0, false};
  return {{}, static_cast<std::uint32_t>(columns), true, static_cast<std::uint32_t>(block), !proof.origin};
}

ObjectiveBounds joint_bounds(const OptimalityProof& proof, const EachLeaf& each_leaf, int threads) {
  const ReadJoint read = read_joint(proof);
  const JointRows rows(read);
  std::vector<ThreadSums> of_thread(static_cast<std::size_t>(thread_count(threads)), ThreadSums(read.columns));
  each_leaf([&](const std::string& leaf, std::size_t thread) { of_thread[thread].add(read, rows, leaf); });
  // Only now: if the digest turns out to be another one, that is the better reason.
  const ThreadSums& worst = *std::ranges::min_element(of_thread, {}, &ThreadSums::bad_row);
  if (worst.problem) throw Refusal(*worst.problem);
  JointSums sums(read);
  for (const ThreadSums& each : of_thread) {
    if (each.sums) sums.add(*each.sums);
  }
  return JointBounds(read, rows, sums).bounds();
}

}  // namespace linsep
