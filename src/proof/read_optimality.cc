#include "proof/read_optimality.h"

#include <algorithm>
#include <set>

#include "proof/class_rows.h"
#include "proof/data_json.h"
#include "proof/exact_text.h"
#include "proof/loss_bounds.h"

namespace linsep {
namespace {

ExactClassifier read_classifier(const ExactWeights& given, const Columns& columns) {
  ExactClassifier read;
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

/// Counts the shares that aren't 0 or 1, and refuses those that no row has or that are beyond the loss's range.
std::vector<std::size_t> count_between(const DualWitness& witness, Loss loss) {
  const auto most = static_cast<std::uint64_t>(loss == Loss::kSquaredHinge ? kMostShare : kWholeShare);
  need(witness.between.empty() || *std::ranges::max_element(witness.between) <= most,
       "a share is beyond the loss's range");
  std::vector<std::size_t> before;
  std::size_t count = 0;
  for (std::size_t row = 0; row < witness.shares.size(); ++row) {
    if (row % ReadOptimality::kShareRows == 0) before.push_back(count);
    const char share = witness.shares[row];
    need(share == '0' || share == '1' || share == '*', "a share is none of 0, 1 and *");
    count += share == '*' ? 1 : 0;
  }
  need(count >= witness.between.size(), "there are shares of no row");
  need(count == witness.between.size(), "there isn't a share for each row");
  return before;
}

}  // namespace

Rational read_number(const std::string& text, const char* what) {
  const auto value = parse_exact(text);
  if (!value) throw Refusal(std::string(what) + " is not an exact number");
  return *value;
}

WholeClassWeights read_class_weights(const OptimalityProof& proof) {
  const std::vector<std::string>& given = proof.objective.class_weights;
  need(given.size() == proof.data.classes.size(), "there isn't a weight for each class");
  WholeClassWeights weights;
  std::vector<Rational> exact;
  for (const std::string& text : given) {
    exact.push_back(read_number(text, "a class's weight"));
    need(sign_of(exact.back()) > 0, "lambda and the weights of classes must be above 0");
    grow_to_common_multiple(weights.unit, denominator(exact.back()));
  }
  for (const Rational& weight : exact) {
    weights.each.push_back(numerator(weight) * (weights.unit / denominator(weight)));
  }
  return weights;
}

namespace {

/// Which rows are positive.
void read_question(const DataDigest& data, bool origin, ReadOptimality& read) {
  const std::vector<std::string> names = part_names(data);
  const auto place = static_cast<std::size_t>(std::ranges::find(names, data.positive) - names.begin());
  if (data.labels.empty()) {
    if (const char* wrong = ClassRows(data, origin).problem()) throw Refusal(wrong);
    need(names.empty() || place < names.size(), "it isn't about one class against the rest");
    read.positive = names.empty() ? 0 : static_cast<std::uint32_t>(place) + 1;
    return;
  }
  need(place < names.size(), "it isn't about one of the label columns");
  need(std::set(names.begin(), names.end()).size() == names.size(), "two label columns have the same name");
  need(data.classes.empty() && data.negative.empty(), "rows have either several labels or one");
  need(LabelSigns(data.labels[place].negative, data.labels[place].positive).distinct(), "the two classes are the same");
  read.label = place;
}

}  // namespace

ReadOptimality read_optimality(const OptimalityProof& proof) {
  const TrainingObjective& objective = proof.objective;
  ReadOptimality read{proof};
  read.columns = {{}, proof.data.features, proof.origin, 0, false};
  need(proof.data.rows > 0, "it is about no rows");
  read_question(proof.data, proof.origin, read);
  need(objective.loss != Loss::kSoftmax, "no rules are known for this loss");
  read.lambda = read_number(objective.lambda, "lambda");
  read.weight[0] = read_number(objective.negative_weight, "a class's weight");
  read.weight[1] = read_number(objective.positive_weight, "a class's weight");
  if (!objective.class_weights.empty()) {
    read.class_weights = read_class_weights(proof);
    for (Rational& weight : read.weight) weight = ratio(Integer(1), read.class_weights.unit);
  }
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
  read.between_before = count_between(proof.witness, objective.loss);
  return read;
}

std::int64_t listed_share(const ReadOptimality& read, std::size_t row) {
  const DualWitness& witness = read.file.witness;
  if (witness.shares[row] != '*') return witness.shares[row] == '1' ? kWholeShare : 0;
  const std::size_t block = row / ReadOptimality::kShareRows;
  const auto first = witness.shares.begin() + static_cast<std::ptrdiff_t>(block * ReadOptimality::kShareRows);
  const auto until = witness.shares.begin() + static_cast<std::ptrdiff_t>(row);
  const std::size_t before = read.between_before[block] + static_cast<std::size_t>(std::count(first, until, '*'));
  return static_cast<std::int64_t>(witness.between[before]);
}

Rational apart_of(const OptimalityProof& proof) {
  Rational apart = read_number(proof.at_most, "a bound") - read_number(proof.at_least, "a bound");
  if (proof.reference) apart -= read_number(proof.reference->lower_by, "a bound");
  return apart;
}

}  // namespace linsep
