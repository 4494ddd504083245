// How good a trained model is: what its file says of its objective, and a witness that bounds every classifier's from
// below. The witness needn't be exact: the checker of src/proof judges it, and works out both bounds.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/words.h"
#include "data/decorators.h"
#include "exact/number.h"
#include "learn/common_options.h"
#include "learn/margin/gap.h"
#include "learn/margin/losses.h"
#include "learn/margin/solvers.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/learner_info.h"
#include "linsep/optimality.h"
#include "linsep/train.h"
#include "numeric/compensated_sum.h"
#include "proof/canonical.h"
#include "proof/exact_text.h"
#include "train/certify/near_optimal.h"
#include "train/fit_many.h"
#include "train/row_order.h"

namespace linsep {

std::string shortest_decimal(double value) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  std::string text;
  if (error != std::errc() || !append_canonical({digits.data(), static_cast<std::size_t>(end - digits.data())}, text)) {
    throw usage_error("a weight of the model isn't a finite number");
  }
  return text;
}

std::vector<double> WeighedLabels::cost_with(const std::array<Rational, 2>& weights) const {
  const double of_class[2] = {approximate(weights[0]), approximate(weights[1])};
  std::vector<double> with = cost;
  for (double& each : with) each *= of_class[each > 0 ? 1 : 0];
  return with;
}

Rational decimal_number(double value) { return parse_exact(shortest_decimal(value)).value(); }

void require_single_worker(Comm& comm) {
  if (comm.size() > 1) throw usage_error("a proof about softmax is found and checked by a single worker so far");
}

namespace {

/// The numbers of all workers, in the order of their ranks.
std::vector<double> numbers_of_all(std::vector<double> mine, Comm& comm) {
  if (comm.size() == 1) return mine;
  std::vector<double> all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(double));
    std::memcpy(all.data() + before, bytes.data(), bytes.size());
  }
  return all;
}

}  // namespace

WeighedLabels weighed_labels(Source& data, Comm& comm) {
  if (data.schema().classes.size() != 2) throw usage_error("a proof of how good a model is needs rows of two classes");
  std::vector<double> mine;
  data.rewind(0);
  while (const auto batch = data.next()) {
    for (std::int64_t i = 0; i < batch->rows; ++i) mine.push_back(batch->label_of(i) * batch->weight_of(i));
  }
  WeighedLabels labels{numbers_of_all(std::move(mine), comm)};
  std::array<std::int64_t, 2> ones = {};
  for (const double cost : labels.cost) {
    const std::size_t side = cost > 0 ? 1 : 0;
    if (std::abs(cost) == 1) {
      ++ones[side];
    } else if (cost != 0) {
      labels.total[side] += decimal_number(std::abs(cost));
    }
  }
  for (std::size_t side = 0; side < 2; ++side) labels.total[side] += Rational(Integer(ones[side]));
  if (!labels.cost.empty() && sign_of(labels.total[0] + labels.total[1]) == 0) {
    throw usage_error("a proof of how good a model is needs a row whose weight isn't 0");
  }
  return labels;
}

bool is_turned(const Schema& data, const std::vector<std::string>& classes) {
  const std::vector<std::string> own = classes.empty() ? std::vector<std::string>{"-1", "1"} : classes;
  const LabelSigns signs(data.classes);
  const bool same = signs.mark(own[0]) == "-1" && signs.mark(own[1]) == "+1";
  const bool turned = signs.mark(own[0]) == "+1" && signs.mark(own[1]) == "-1";
  if (!same && !turned) {
    throw usage_error(
        fmt::format("the classes of the model are {}, those of the rows {}", listed(own), listed(data.classes)));
  }
  return turned;
}

WeighedClasses weighed_classes(Source& data, Comm& comm) {
  const std::vector<std::string>& classes = data.schema().classes;
  std::vector<double> own, weight;
  data.rewind(0);
  while (const auto batch = data.next()) {
    for (std::int64_t i = 0; i < batch->rows; ++i) {
      own.push_back(batch->label_of(i));
      weight.push_back(batch->weight_of(i));
    }
  }
  own = numbers_of_all(std::move(own), comm);
  WeighedClasses rows{{own.begin(), own.end()}, numbers_of_all(std::move(weight), comm)};
  rows.total.resize(classes.size(), 0);
  std::vector<std::int64_t> ones(classes.size(), 0);
  for (std::size_t i = 0; i < rows.own.size(); ++i) {
    const std::uint32_t c = rows.own[i];
    if (rows.weight[i] == 1) {
      ++ones[c];
    } else {
      rows.total[c] += decimal_number(rows.weight[i]);
    }
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    rows.total[c] += Rational(Integer(ones[c]));
    if (sign_of(rows.total[c]) > 0) continue;
    throw usage_error(fmt::format(
        "a proof of how good a model is needs rows of every class: no row of '{}' has a weight", classes[c]));
  }
  return rows;
}

std::vector<Rational> exact_class_weights(std::string_view option, const std::vector<std::string>& classes,
                                          std::span<const Rational> totals) {
  const Rational one(Integer(1));
  if (option.empty()) return std::vector<Rational>(classes.size(), one);
  const ClassWeightRule rule = parse_class_weights(option);
  std::vector<Rational> weights;
  if (!rule.balanced) {
    for (const double weight : weights_of_classes(rule, classes, {})) weights.push_back(decimal_number(weight));
    return weights;
  }
  const auto present = std::ranges::count_if(totals, [](const Rational& total) { return sign_of(total) > 0; });
  const Rational share = total_of(std::vector<Rational>(totals.size(), one), totals) / Rational(Integer(present));
  for (const Rational& total : totals) weights.push_back(sign_of(total) == 0 ? one : Rational(share / total));
  return weights;
}

Rational total_of(std::span<const Rational> weights, std::span<const Rational> totals) {
  return std::inner_product(weights.begin(), weights.end(), totals.begin(), Rational(0));
}

ClassFactors class_factors(const Model& given, Source& data, Comm& comm) {
  const std::string rule = get_text(complete_model(given).options, "class-weight");
  if (rule.empty()) return {};
  const WeighedClasses classes = weighed_classes(data, comm);
  std::vector<Rational> factor = exact_class_weights(rule, data.schema().classes, classes.total);
  const Rational total = total_of(factor, classes.total);
  return {std::move(factor), total};
}

Model complete_model(Model model) {
  const LearnerInfo* const learner = find_learner(model.learner);
  if (learner != nullptr) model.options = complete_options(learner->table, model.options);
  return model;
}

namespace {

/// Of the negative and the positive class.
std::array<Rational, 2> class_weights_of(const Model& model, const std::array<Rational, 2>& totals) {
  const std::string rule = get_text(model.options, "class-weight");
  if (!rule.empty()) {
    const std::vector<Rational> weights = exact_class_weights(rule, model.schema.classes, totals);
    return {weights[0], weights[1]};
  }
  return {decimal_number(get_number(model.options, "negative-weight")),
          decimal_number(get_number(model.options, "positive-weight"))};
}

/// `total`: what all rows weigh.
TrainingObjective objective_of(const Model& model, const std::array<Rational, 2>& weights, const Rational& total) {
  Rational lambda = decimal_number(get_number(model.options, "lambda"));
  if (sign_of(lambda) == 0) lambda = lambda_of(decimal_number(get_number(model.options, "C")), total);
  TrainingObjective objective{margin_loss(model.options), to_text(lambda), to_text(weights[0]), to_text(weights[1])};
  objective.l1_ratio = to_text(decimal_number(margin_penalty(model.options).l1_ratio));
  return objective;
}

/// The model for the classes as the data has them: turned around where these are the other way round.
Model turned_to(const Schema& schema, Model model) {
  if (!is_turned(schema, model.schema.classes)) return model;
  for (double& theta : model.theta) theta = -theta;
  model.offset = -model.offset;
  std::swap(model.options["negative-weight"], model.options["positive-weight"]);
  std::ranges::reverse(model.schema.classes);
  return model;
}

std::vector<double> scores_without_offset(const Model& model, Source& data, const ProofOptions& options) {
  Model linear = model;
  linear.offset = 0;
  std::vector<double> scores;
  predict(data, linear, options,
          [&](const Batch&, std::span<const double> z) { scores.insert(scores.end(), z.begin(), z.end()); });
  return scores;
}

/// Moves the offset to where both classes' shares have the same sum, as nearly as doubles tell: Newton's method within
/// a bracket, from where the objective is least to within its own rounding.
double moved_to_balance(Loss loss, std::span<const double> cost, std::span<const double> scores, double offset) {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 60; ++k) {
    Sum excess, shares;
    double curvature = 0;
    for (std::size_t i = 0; i < cost.size(); ++i) {
      const LossAt at = loss_at(loss, (cost[i] < 0 ? -1 : 1) * (scores[i] + offset));
      excess.add(cost[i] * at.slope);
      shares.add(std::abs(cost[i]) * at.slope);
      curvature += std::abs(cost[i]) * at.curvature;
    }
    const double rest = excess.value();
    if (std::abs(rest) <= 1e-15 * shares.value()) break;
    (rest > 0 ? low : high) = offset;
    double next = offset + rest / curvature;
    if (!(next > low && next < high)) next = std::isfinite(low) && std::isfinite(high) ? (low + high) / 2 : next;
    if (!std::isfinite(next) || next == offset) break;
    offset = next;
  }
  return offset;
}

/// How hard the search for a witness tries. Its gap is at most this part of training's, asked for or reached: the
/// larger. Shares within `close` of 0 or 1 are at it, because one that is takes a byte and any other takes fourteen.
struct Effort {
  bool interior;  ///< by the interior-point method, otherwise by coordinate descent
  double gap, close;
  std::int64_t passes = 2000;
};

DualWitness witness_of(const std::vector<double>& shares, double close) {
  DualWitness witness;
  for (const double share : shares) {
    constexpr double kMost = 0x1p16;  // of the squared hinge
    const double near = std::abs(share - 1) < close ? 1 : share < close ? 0 : std::min(share, kMost);
    const double parts = std::round(std::ldexp(near, 40));
    if (parts == 0 || parts == 0x1p40) {
      witness.shares += parts == 0 ? '0' : '1';
    } else {
      witness.shares += '*';
      witness.between.push_back(static_cast<std::uint64_t>(parts));
    }
  }
  return witness;
}

/// What is tried: the solvers that training would take, the second one more precisely. The interior-point method needs
/// some hundred passes, or rounding keeps it from the gap for ever. Coordinate descent with an L1 part needs thousands.
std::array<Effort, 2> efforts_for(const Model& model, const Source& data) {
  Options asked = model.options;
  asked["solver"] = std::string("auto");
  const SolverChoice choice = choose_margin_solver(asked, data.shape());
  constexpr std::int64_t kFew = 300, kMany = 20'000;
  if (choice.solver == interior_solver().name) return {{{true, 1e-2, 0x1p-13, kFew}, {true, 1e-3, 0, kFew}}};
  if (margin_penalty(model.options).has_l1()) return {{{false, 1, 0, kMany}, {false, 0.2, 0, kMany}}};
  const bool interior = choice.otherwise == interior_solver().name;
  return {{{false, 0.2, 0}, {interior, interior ? 1e-3 : 1e-2, 0, interior ? kFew : 2000}}};
}

/// Rows in the order in which coordinate descent is fast, of a copy if they have only their own order.
struct FastOrder {
  std::unique_ptr<Source> copied, rows;

  FastOrder(Source& data, const ProofOptions& options) {
    const RowOrderOptions how = {.threads = options.threads};
    try {
      rows = rows_in_order(data, dual_solver().order, how);
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::kUsage) throw;
      copied = copy_into_memory(data);
      rows = rows_in_order(*copied, dual_solver().order, how);
    }
  }
};

/// The shares of rows that were visited in another order, by their numbers.
std::vector<double> in_given_order(Source& visited, const std::vector<double>& shares) {
  std::vector<double> given(shares.size());
  visited.rewind(0);
  while (const auto batch = visited.next()) {
    for (std::int64_t i = 0; i < batch->rows; ++i) {
      given[static_cast<std::size_t>(batch->number_of(i))] = shares[static_cast<std::size_t>(batch->first_row + i)];
    }
  }
  return given;
}

/// By training once more: coordinate descent from the model, or where training would take it the interior-point method.
DualWitness trained_witness(const Model& model, const OptimalityProof& proof, std::array<Rational, 2> weights,
                            const Effort& effort, Source& data, const ProofOptions& options, const Observer& observe) {
  MarginSettings settings;
  settings.loss = proof.objective.loss;
  settings.penalty = margin_penalty(model.options);
  settings.origin = model.origin;
  settings.lambda = approximate(parse_exact(proof.objective.lambda).value());
  settings.negative_weight = approximate(weights[0]);
  settings.positive_weight = approximate(weights[1]);
  const double asked = get_number(model.options, "gap");
  settings.gap = effort.gap * std::max(asked, model.training.gap.value_or(asked));
  settings.passes = effort.passes;
  settings.threads = options.threads;
  const DualRun run = effort.interior ? interior_run(settings) : dual_run(settings, model);
  TrainOptions limits{options};
  limits.max_passes = effort.passes;
  if (effort.interior) {
    train(data, *run.learner, limits, *solo(), observe);
    return witness_of(run.shares(), effort.close);
  }
  const FastOrder order(data, options);
  train(*order.rows, *run.learner, limits, *solo(), observe);
  return witness_of(in_given_order(*order.rows, run.shares()), effort.close);
}

}  // namespace

double balanced_offset(Loss loss, const Model& model, const WeighedLabels& labels,
                       const std::array<Rational, 2>& weights, Source& data, Comm& comm, const ProofOptions& options) {
  if (sign_of(labels.total[0]) == 0 || sign_of(labels.total[1]) == 0) return model.offset;
  const std::vector<double> cost = labels.cost_with(weights);
  const std::vector<double> scores = numbers_of_all(scores_without_offset(model, data, options), comm);
  const double least = best_smooth_offset(loss, cost, scores, model.offset, options.threads, *solo());
  return moved_to_balance(loss, cost, scores, least);
}

std::string why_unprovable(const Model& given) {
  const Model model = complete_model(given);
  const LearnerInfo* const learner = find_learner(model.learner);
  if (learner == nullptr || !learner->objective) {
    return fmt::format("needs one that minimizes an objective: the learner {} doesn't", model.learner);
  }
  const bool linear = model.form == Model::Form::kLinear || has_parts(model);
  if (!linear || model.regression) return "is about linear classifiers";
  if (model.map.kind != FeatureMap::Kind::kNone) return "is about models without a map so far";
  if (get_flag(model.options, "hard")) {
    return "isn't about the hard margin: `linsep train --hard --proof` proves that one";
  }
  const Loss loss = margin_loss(model.options);
  if (facts_of(loss).joint) {
    return get_flag(model.options, "group-features") ? "isn't about penalties of groups of weights so far" : "";
  }
  return "";
}

void require_provable(const Model& model) {
  const std::string why = why_unprovable(model);
  if (!why.empty()) throw usage_error("a proof of how good a model is " + why);
}

namespace {

/// Rows of several label columns as those of one, which have weight 0 if they have no label in it.
class LabelColumnRows : public WrappedSource {
 public:
  LabelColumnRows(Source& inner, std::size_t column) : WrappedSource(inner), column_(column), schema_(inner.schema()) {
    schema_.classes = {inner.schema().classes[2 * column], inner.schema().classes[2 * column + 1]};
    schema_.labels.clear();
    schema_.combinations.clear();
  }

  const Schema& schema() const override { return schema_; }

  std::optional<Batch> next() override {
    std::optional<Batch> batch = inner().next();
    if (!batch) return batch;
    label_.resize(static_cast<std::size_t>(batch->rows));
    weight_.resize(label_.size());
    for (std::size_t i = 0; i < weight_.size(); ++i) weight_[i] = batch->weight_of(static_cast<std::int64_t>(i));
    label_part(inner(), column_, *batch, label_, weight_);
    batch->label = label_;
    batch->weight = weight_;
    batch->pinned = false;
    return batch;
  }

 private:
  std::size_t column_;
  Schema schema_;
  std::vector<double> label_, weight_;  ///< of the current batch
};

}  // namespace

bool is_joint(const Model& model) { return facts_of(margin_loss(complete_model(model).options)).joint; }

QuestionRows::QuestionRows(Source& all, Comm& comm, std::size_t part, const ClassFactors& factors)
    : all_(all),
      comm_(comm),
      factors_(&factors),
      part_(part),
      name_((all.schema().labels.empty() ? all.schema().classes : all.schema().labels).at(part)) {
  if (!all.schema().labels.empty()) {
    made_ = std::make_unique<LabelColumnRows>(all, part);
    return;
  }
  if (!factors.factor.empty()) {
    std::vector<double> by_class;
    for (const Rational& factor : factors.factor) by_class.push_back(approximate(factor));
    weighed_ = weigh_classes(all, std::move(by_class));
  }
  made_ = one_against_the_rest(weighed_ ? *weighed_ : all, part);
}

Model classifier_of(const Model& model, std::size_t part) {
  const std::vector<std::string>& classes = model.schema.classes;
  Model one = model;
  one.form = Model::Form::kLinear;
  if (model.form == Model::Form::kLabels) {
    one.schema.classes = {classes.at(2 * part), classes.at(2 * part + 1)};
    one.schema.labels.clear();
  } else {
    one.schema.classes = {"", classes.at(part)};
  }
  const std::span<const double> theta = weights_of(model, part);
  one.theta.assign(theta.begin(), theta.end());
  one.offset = model.offsets.at(part);
  one.offsets.clear();
  one.calibrations.clear();
  return one;
}

void require_same_classes(const Model& model, const Schema& data) {
  if (model.schema.labels != data.labels) {
    throw usage_error(fmt::format("the label columns of the model are {}, those of the rows {}",
                                  listed(model.schema.labels), listed(data.labels)));
  }
  if (!data.labels.empty()) return;  // each column's classes are compared with those of its classifier
  const LabelSigns own(model.schema.classes);
  const auto mark = [&](const std::string& name) { return own.mark(name); };
  const bool same = std::ranges::equal(model.schema.classes, data.classes, {}, mark, mark);
  if (same) return;
  throw usage_error(fmt::format("the classes of the model are {}, those of the rows {}", listed(model.schema.classes),
                                listed(data.classes)));
}

Model train_for(const OptimalityProof& proof, bool origin, double gap, QuestionRows& rows, const ProofOptions& options,
                const Observer& observe) {
  const TrainingObjective& objective = proof.objective;
  const auto number = [](const std::string& exact) { return approximate(parse_exact(exact).value()); };
  TrainSpec spec;
  spec.options = {{"loss", std::string(facts_of(objective.loss).name)},
                  {"lambda", number(objective.lambda)},
                  {"negative-weight", number(objective.negative_weight)},
                  {"positive-weight", number(objective.positive_weight)},
                  {"gap", gap},
                  {"origin", origin}};
  if (objective.l1_ratio != "0") spec.options["l1-ratio"] = number(objective.l1_ratio);
  return fit(rows.two(), spec, TrainOptions{options}, rows.comm(), observe).model;
}

namespace {

ExactWeights exact_weights(const Model& model) {
  ExactWeights weights;
  for (std::uint32_t j = 0; j < model.theta.size(); ++j) {
    if (model.theta[j] != 0) weights.push_back({j, shortest_decimal(model.theta[j])});
  }
  if (model.offset != 0) weights.push_back({model.features, shortest_decimal(model.offset)});
  return weights;
}

/// With an L1 part a small sum beyond what is allowed costs the witness much, and training had a better one on its way
/// than the model's scores give. Then the scores are those of a classifier that is nearer to the best one.
OptimalityProof with_nearer_scores(OptimalityProof proof, double claimed, const WeighedLabels& labels,
                                   const std::array<Rational, 2>& weights, QuestionRows& rows,
                                   const ProofOptions& options, const Observer& observe) {
  if (proven_gap(proof) <= 1.1 * claimed + 1e-7) return proof;
  const Model nearer = train_for(proof, proof.origin, std::max(0.1 * claimed, 1e-8), rows, options, observe);
  OptimalityProof other = proof;
  other.reference = ReferenceClassifier{exact_weights(nearer)};
  if (!proof.origin) {
    other.witness.offset = shortest_decimal(
        balanced_offset(proof.objective.loss, nearer, labels, weights, rows.two(), rows.comm(), options));
  }
  seal_optimality(other, rows.all(), rows.comm(), options, observe);
  return proven_gap(other) < proven_gap(proof) ? other : proof;
}

}  // namespace

OptimalityProof prove_two_classes(const Model& given, QuestionRows& rows, const DataDigest& about,
                                  const ProofOptions& options, const Observer& observe) {
  const Model trained = complete_model(given);
  require_provable(trained);
  const bool alone = rows.comm().size() == 1;
  if (!alone && !facts_of(margin_loss(trained.options)).smooth) {
    throw usage_error(
        "a proof about a hinge model is found by a single worker so far; any number of them can check it: leave out "
        "--proof, and run `linsep certify DATA --model MODEL -o FILE` on one");
  }
  Source& data = rows.two();
  const WeighedLabels labels = weighed_labels(data, rows.comm());
  const Model model = turned_to(data.schema(), trained);
  const ClassFactors* const factors = rows.factors();
  const Rational one(Integer(1));
  const std::array<Rational, 2> weights =
      factors != nullptr ? std::array{one, one} : class_weights_of(model, labels.total);

  OptimalityProof proof;
  proof.origin = model.origin;
  proof.data = about;
  proof.data.features = model.features;
  proof.objective = objective_of(model, weights, factors != nullptr ? factors->total : total_of(weights, labels.total));
  if (factors != nullptr) {
    for (const Rational& factor : factors->factor) proof.objective.class_weights.push_back(to_text(factor));
  }
  proof.model = exact_weights(model);

  const double claimed = model.training.gap.value_or(get_number(model.options, "gap"));
  const Loss loss = proof.objective.loss;
  const bool smooth = facts_of(loss).smooth;
  if (smooth) {
    const double offset = model.origin ? 0 : balanced_offset(loss, model, labels, weights, data, rows.comm(), options);
    proof.witness.offset = shortest_decimal(offset);
    seal_optimality(proof, rows.all(), rows.comm(), options, observe);
    const bool descends = facts_of(loss).conjugate.has_value();
    if (margin_penalty(model.options).has_l1()) {
      return with_nearer_scores(std::move(proof), claimed, labels, weights, rows, options, observe);
    }
    if (!alone || !descends || proven_gap(proof) <= get_number(model.options, "gap")) return proof;
  }
  // Training's own bound should be found again, or nearly. If it isn't, the search tries harder once.
  const double wanted = 1.1 * claimed;
  bool sealed = smooth;
  for (const Effort& effort : efforts_for(model, data)) {
    OptimalityProof other = proof;
    other.witness = trained_witness(model, proof, weights, effort, data, options, observe);
    seal_optimality(other, rows.all(), options, observe);
    if (!sealed || proven_gap(other) < proven_gap(proof)) proof = std::move(other);
    sealed = true;
    if (proven_gap(proof) <= wanted) break;
  }
  return proof;
}

OptimalityProof prove_optimality(const Model& model, Source& data, const ProofOptions& options,
                                 const Observer& observe) {
  return prove_optimality(model, data, *solo(), options, observe);
}

OptimalityProof prove_optimality(const Model& model, Source& data, Comm& comm, const ProofOptions& options,
                                 const Observer& observe) {
  if (has_parts(model)) {
    require_provable(model);
    if (is_joint(model)) {
      require_single_worker(comm);
      return prove_jointly(complete_model(model), data, 1, options, observe);
    }
    require_same_classes(model, data.schema());
    const ClassFactors factors = class_factors(model, data, comm);
    const auto prove = [&](std::size_t c, QuestionRows& rows, const DataDigest& about) {
      return prove_two_classes(classifier_of(model, c), rows, about, options, observe);
    };
    return proof_of_parts(data, comm, model.origin, factors, prove);
  }
  QuestionRows rows(data, comm);
  return prove_two_classes(model, rows, {}, options, observe);
}

}  // namespace linsep
