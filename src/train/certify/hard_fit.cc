// The hard margin: whether there is one, and how wide it is, both for the values as written.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "certify/margins.h"
#include "data/decorators.h"
#include "exact/decimal.h"
#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/tools/advice.h"
#include "linsep/tools/proof_rows.h"
#include "map/feature_map.h"
#include "train/certify/steps.h"
#include "train/fit.h"

namespace linsep {
namespace {

/// Bits of the α that carry the upper bound.
constexpr int kHullBits = 50;
/// Squares of values beyond 2^±kExtreme are no longer exact in doubles, or overflow.
constexpr int kExtreme = 400;

RowSpace space_of(const Training& training) {
  RowSpace space;
  space.map = training.plan.map;
  space.features = training.source.shape().features;
  space.mapped = mapped_features(space.map, space.features);
  space.origin = get_flag(training.plan.options, "origin");
  return space;
}

std::vector<ExactRow> read_exactly(Source& source, const std::vector<std::pair<std::int64_t, double>>& support,
                                   const RowSpace& space, Comm& comm) {
  std::vector<std::int64_t> numbers;
  for (const auto& [row, weight] : support) numbers.push_back(row);
  std::vector<std::int64_t> sign(numbers.size(), 0);  // of the rows that this worker has
  source.rewind(0);
  while (const auto batch = source.next()) {
    for (std::int64_t i = 0; i < batch->rows; ++i) {
      const auto at = std::lower_bound(numbers.begin(), numbers.end(), batch->number_of(i));
      if (at == numbers.end() || *at != batch->number_of(i)) continue;
      sign[static_cast<std::size_t>(at - numbers.begin())] = batch->label[static_cast<std::size_t>(i)] > 0 ? 1 : -1;
    }
  }
  comm.all_reduce(std::span(sign), Comm::Op::kSum);
  std::vector<ExactRow> rows;
  for (const WrittenRow& written : rows_of_all(source, comm)->written(numbers)) {
    rows.push_back(exact_row(written, sign[rows.size()] > 0 ? 1 : -1, space));
  }
  return rows;
}

Certificate separator(const Model& model, const RowSpace& space) {
  Certificate certificate;
  certificate.claim = Claim::kSeparable;
  certificate.origin = space.origin;
  certificate.map = space.map;
  certificate.data.features = space.features;
  ExactWeights& level = certificate.levels.emplace_back();
  for (std::uint32_t j = 0; j < model.theta.size(); ++j) {
    if (model.theta[j] != 0) level.push_back({j, exact_text(rational_of_double(model.theta[j]))});
  }
  if (model.offset != 0) level.push_back({space.mapped, exact_text(rational_of_double(model.offset))});
  return certificate;
}

/// A proof is about every row of the data, so none may be left out by its weight.
void require_weights(Source& source) {
  source.rewind(0);
  while (const auto batch = source.next()) {
    for (std::int64_t i = 0; i < batch->rows && !batch->weight.empty(); ++i) {
      if (batch->weight_of(i) > 0) continue;
      throw input_error(fmt::format("row {} has weight {}: the hard margin needs every row, without weights",
                                    batch->number_of(i) + 1, batch->weight_of(i)));
    }
  }
}

/// How the run ends if certify has found no separator. It is inseparable with its proof, or out of time.
Outcome refused(CertifyOutcome found, const Training& training) {
  const TrainPlan& plan = training.plan;
  Outcome outcome;
  const bool inseparable = !found.certificate.witness.empty();
  outcome.reason = inseparable ? StopReason::kInseparable : found.reason;
  if (inseparable) outcome.certificate = std::move(found.certificate);
  outcome.model.schema = training.source.schema();
  outcome.model.origin = get_flag(plan.options, "origin");
  outcome.model.theta.assign(mapped_features(plan.map, training.source.shape().features), 0);
  training.complete(outcome.model, plan.options);
  return outcome;
}

/// Trains again if no separator was found and the values are so large or small that their squares leave the range of
/// doubles. It uses rows with all values times one power of two, which changes the margin by that factor and nothing
/// else. Nothing if that can't help.
std::optional<Outcome> fit_scaled(Training& training, const Outcome& outcome) {
  Source& rows = training.mapped_rows();
  if (outcome.reason != StopReason::kConverged && outcome.reason != StopReason::kStalled) return std::nullopt;
  double greatest = 0;
  for (const ColumnSize& column : column_sizes(rows, training.comm)) {
    greatest = std::max({greatest, std::fabs(column.least), std::fabs(column.greatest)});
  }
  if (greatest == 0) return std::nullopt;
  const int exponent = std::ilogb(greatest) + 1;
  if (std::abs(exponent) < kExtreme) return std::nullopt;
  const auto scaled = scale_columns(rows, std::vector<int>(rows.shape().features, exponent));
  Outcome again = training.run_again(*scaled);
  for (double& weight : again.model.theta) weight = std::ldexp(weight, -exponent);
  again.stats.margin_upper_bound = std::ldexp(again.stats.margin_upper_bound, exponent);
  for (Progress& pass : again.history) {
    if (pass.objective) pass.objective = std::ldexp(*pass.objective, -2 * exponent);
  }
  note_training(again);
  return again;
}

/// Sets `outcome.hard_margin` by a pass over the rows as written, and the certificate if one is wanted. False if the
/// model doesn't separate them, or if training has used up its time and there is none left for such a pass.
bool prove_margin(Training& training, Outcome& outcome) {
  constexpr double kMoment = 0.2;
  Source& source = training.source;
  Comm& comm = training.comm;
  const Model& model = outcome.model;
  if (!std::isfinite(model.offset) || !std::ranges::all_of(model.theta, [](double w) { return std::isfinite(w); })) {
    return false;
  }
  ExactMarginOptions options;
  options.space = space_of(training);
  options.theta = model.theta;
  options.offset = model.offset;
  options.binary = is_binary(source);
  options.written = [&](std::span<const std::int64_t> rows) { return source.written(rows); };
  const RowSpace space = options.space;
  ExactMargin pass(std::move(options));
  TrainOptions once;
  once.max_passes = 1;
  if (comm.size() == 1 && (outcome.reason == StopReason::kTime || outcome.reason == StopReason::kInterrupted)) {
    once.clock = training.limits().clock;
    once.time_limit = kMoment;
  }
  if (run_passes(source, pass, once, comm).reason == StopReason::kTime) return false;
  if (pass.least() <= 0) return false;  // stopped before a separator was found, or stored values aren't those written
  const Rational norm = pass.squared_norm();
  Certificate proof = separator(model, space);
  if (norm == 0) {
    require_accepted(proof, source, {}, comm);
    if (training.spec.prove) outcome.certificate = std::move(proof);
    return true;
  }
  const Rational squared = short_bound(pass.least() * pass.least() / norm, false);
  HardMarginResult& found = outcome.hard_margin.emplace();
  found.margin_squared = exact_text(squared);
  found.margin = root_below(squared);
  found.margin_upper_bound = std::max(outcome.stats.margin_upper_bound, found.margin);
  proof.margin.at_least_squared = found.margin_squared;
  const auto& hulls = outcome.stats.hull_weights;
  if (training.spec.prove && !hulls.empty()) {
    bound_from_hulls(hulls, read_exactly(source, hulls, space, comm), space, kHullBits, proof.margin);
  }
  require_accepted(proof, source, {}, comm);
  if (training.spec.prove) outcome.certificate = std::move(proof);
  return true;
}

/// For a run that is out of time before training had a separator. Its separator is then that of certify, scaled so that
/// the smallest y·z is about 1, with its margin. False if its weights as doubles separate nothing, or if there is no
/// time left to prove that they do.
bool hand_on(const CertifyOutcome& found, Training& training, Outcome& outcome) {
  const std::vector<ExactWeights>& levels = found.certificate.levels;
  if (levels.size() != 1 || !found.margin || !found.radius) return false;
  const auto features = static_cast<std::uint32_t>(outcome.model.theta.size());
  Model separator = outcome.model;
  separator.theta.assign(features, 0);
  separator.offset = 0;
  double squared = 0;
  for (const ColumnWeight& weight : levels.front()) {
    const double value = exact_to_double(weight.weight);
    (weight.column < features ? separator.theta[weight.column] : separator.offset) = value;
    if (weight.column < features) squared += value * value;
  }
  const double scale = 1 / (*found.margin * std::sqrt(squared));
  for (double& weight : separator.theta) weight *= scale;
  separator.offset *= scale;
  Outcome given = outcome;
  given.model = std::move(separator);
  // Two rows of different classes, or a row and the origin, are at most this far apart.
  given.stats.margin_upper_bound = std::min(given.stats.margin_upper_bound, *found.radius);
  if (!prove_margin(training, given)) return false;
  if (given.hard_margin && !given.history.empty()) {
    const double margin = given.hard_margin->margin, share = margin / given.hard_margin->margin_upper_bound;
    given.history.back().objective = 1 / (2 * margin * margin);
    given.history.back().gap = (1 - share) * (1 + share);
  }
  outcome = std::move(given);
  return true;
}

}  // namespace

Outcome fit_hard_margin(Training& training) {
  std::optional<CertifyOutcome> found;
  if (!training.resumed()) {  // else the rows are known to be separable
    rethrow_on_all(training.comm, [&] { require_weights(training.source); });
    CertifyOptions options{training.limits()};
    options.origin = get_flag(training.plan.options, "origin");
    options.map = training.plan.map;
    found = certify(training.source, options, training.comm, training.observe);
    if (found->certificate.claim != Claim::kSeparable) return refused(std::move(*found), training);
    training.share_memory();  // the proof had a share of its own
  }
  Outcome outcome = training.run();
  bool proven = prove_margin(training, outcome);
  if (!proven && !training.checkpoints) {
    if (auto scaled = fit_scaled(training, outcome)) {
      outcome = std::move(*scaled);
      proven = prove_margin(training, outcome);
    }
  }
  const bool cut_short = outcome.reason == StopReason::kTime || outcome.reason == StopReason::kInterrupted;
  if (!proven && found && cut_short) hand_on(*found, training, outcome);
  training.finish(outcome);
  return outcome;
}

}  // namespace linsep
