#include "train/hard_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "certify/exact_margin.h"
#include "certify/margin_bounds.h"
#include "data/scaled_source.h"
#include "exact/decimal.h"
#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/tools/advice.h"
#include "map/feature_map.h"
#include "train/certify/require_accepted.h"

namespace linsep {
namespace {

/// Of the α that carry the upper bound.
constexpr int kHullBits = 50;
/// Squares of values beyond 2^±kExtreme aren't exact in doubles any more, or are none.
constexpr int kExtreme = 400;

RowSpace space_of(const Source& source, const HardQuestion& question) {
  RowSpace space;
  space.map = question.map;
  space.features = source.shape().features;
  space.mapped = mapped_features(question.map, space.features);
  space.origin = question.origin;
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
      throw input_error(fmt::format("row {} weighs {}: the hard margin is proven for every row of the data",
                                    batch->number_of(i) + 1, batch->weight_of(i)));
    }
  }
}

}  // namespace

std::optional<Outcome> refuse_inseparable(Source& source, const HardQuestion& question, const TrainOptions& limits,
                                          Comm& comm, const Observer& observe) {
  rethrow_on_all(comm, [&] { require_weights(source); });
  CertifyOptions options{limits};
  options.origin = question.origin;
  options.map = question.map;
  CertifyOutcome found = certify(source, options, comm, observe);
  if (found.certificate.claim == Claim::kSeparable) return std::nullopt;
  Outcome outcome;
  const bool inseparable = !found.certificate.witness.empty();
  outcome.reason = inseparable ? StopReason::kInseparable : found.reason;
  if (inseparable) outcome.certificate = std::move(found.certificate);
  outcome.model.schema = source.schema();
  outcome.model.origin = question.origin;
  outcome.model.theta.assign(mapped_features(question.map, source.shape().features), 0);
  return outcome;
}

std::optional<Outcome> fit_scaled(Source& rows, const Outcome& outcome, const std::function<Outcome(Source&)>& train,
                                  Comm& comm) {
  if (outcome.reason != StopReason::kConverged && outcome.reason != StopReason::kStalled) return std::nullopt;
  double greatest = 0;
  for (const ColumnSize& column : column_sizes(rows, comm)) {
    greatest = std::max({greatest, std::fabs(column.least), std::fabs(column.greatest)});
  }
  if (greatest == 0) return std::nullopt;
  const int exponent = std::ilogb(greatest) + 1;
  if (std::abs(exponent) < kExtreme) return std::nullopt;
  const auto scaled = scale_columns(rows, std::vector<int>(rows.shape().features, exponent));
  Outcome again = train(*scaled);
  for (double& weight : again.model.theta) weight = std::ldexp(weight, -exponent);
  again.stats.margin_upper_bound = std::ldexp(again.stats.margin_upper_bound, exponent);
  for (Progress& pass : again.history) {
    if (pass.objective) pass.objective = std::ldexp(*pass.objective, -2 * exponent);
  }
  return again;
}

bool prove_margin(Source& source, const HardQuestion& question, const MarginProof& wanted, Comm& comm,
                  Outcome& outcome) {
  constexpr double kMoment = 0.2;
  const Model& model = outcome.model;
  if (!std::isfinite(model.offset) || !std::ranges::all_of(model.theta, [](double w) { return std::isfinite(w); })) {
    return false;
  }
  ExactMarginOptions options;
  options.space = space_of(source, question);
  options.theta = model.theta;
  options.offset = model.offset;
  options.binary = is_binary(source);
  options.written = [&](std::span<const std::int64_t> rows) { return source.written(rows); };
  const RowSpace space = options.space;
  ExactMargin pass(std::move(options));
  TrainOptions once;
  once.max_passes = 1;
  if (comm.size() == 1 && (outcome.reason == StopReason::kTime || outcome.reason == StopReason::kInterrupted)) {
    once.clock = wanted.limits.clock;
    once.time_limit = kMoment;
  }
  if (run_passes(source, pass, once, comm).reason == StopReason::kTime) return false;
  if (pass.least() <= 0) return false;  // stopped before a separator was found, or stored values aren't those written
  const Rational norm = pass.squared_norm();
  Certificate proof = separator(model, space);
  if (norm == 0) {
    require_accepted(proof, source, {}, comm);
    if (wanted.certificate) outcome.certificate = std::move(proof);
    return true;
  }
  const Rational squared = short_bound(pass.least() * pass.least() / norm, false);
  HardMarginResult& found = outcome.hard_margin.emplace();
  found.margin_squared = exact_text(squared);
  found.margin = root_below(squared);
  found.margin_upper_bound = std::max(outcome.stats.margin_upper_bound, found.margin);
  proof.margin.at_least_squared = found.margin_squared;
  const auto& hulls = outcome.stats.hull_weights;
  if (wanted.certificate && !hulls.empty()) {
    bound_from_hulls(hulls, read_exactly(source, hulls, space, comm), space, kHullBits, proof.margin);
  }
  require_accepted(proof, source, {}, comm);
  if (wanted.certificate) outcome.certificate = std::move(proof);
  return true;
}

}  // namespace linsep
