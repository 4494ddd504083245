// From what the finder found to a certificate, under the one loop.
#include "linsep/certify.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "certify/finder.h"
#include "certify/margin_bounds.h"
#include "certify/mistake_pool.h"
#include "certify/witness_packing.h"
#include "core/in_phase.h"
#include "exact/decimal.h"
#include "linsep/error.h"
#include "linsep/train.h"
#include "map/feature_map.h"
#include "train/memory.h"

namespace linsep {
namespace {

constexpr int kCarrierBits = 30;
constexpr std::int64_t kGuidePasses = 20;

double root(const Rational& value) { return std::sqrt(value.get_d()); }

ExactWeights level_weights(const SignPeeler::Level& level) {
  ExactWeights weights;
  for (std::size_t k = 0; k < level.column.size(); ++k) {
    weights.push_back({level.column[k], level.sign[k] > 0 ? "1" : "-1"});
  }
  return weights;
}

void add_levels(const Separability& found, CertifyOutcome& outcome) {
  Certificate& certificate = outcome.certificate;
  for (const SignPeeler::Level& level : found.levels) certificate.levels.push_back(level_weights(level));
  if (found.weights.empty()) return;
  ExactWeights weights;
  for (const auto& [column, weight] : found.weights) weights.push_back({column, exact_text(weight)});
  certificate.levels.push_back(std::move(weights));
}

void add_margin(const Separability& found, const RowSpace& space, CertifyOutcome& outcome) {
  if (!found.levels.empty() || found.weights.empty() || found.least_margin <= 0) return;
  Rational squared = 0;
  Rational with_offset = 0;
  for (const auto& [column, weight] : found.weights) {
    const Integer square = weight * weight;
    with_offset += square;
    if (column != space.mapped) squared += square;
  }
  if (squared == 0) return;
  const Rational margin = found.least_margin * found.least_margin;
  const Rational at_least = short_bound(margin / squared, false);
  if (at_least <= 0) return;
  outcome.certificate.margin.at_least_squared = exact_text(at_least);
  outcome.margin = root(at_least);
  if (!std::isfinite(found.radius)) return;
  outcome.radius = found.radius;
  const Rational radius(found.radius);
  const Rational bound = (radius * radius + (space.origin ? 0 : 1)) * with_offset / margin;
  outcome.mistake_bound = bound.get_d() * (1 + 1e-15);
}

void add_witness(const Separability& found, CertifyOutcome& outcome) {
  for (const auto& [row, alpha] : found.witness) outcome.certificate.witness.push_back({row, exact_text(alpha)});
  if (!found.complete || found.witness.empty()) return;
  SpanProof span;
  for (const Separability::Dependent& dependent : found.dependent) {
    SpanProof::Dependent entry;
    entry.column = dependent.column;
    for (const auto& [column, weight] : dependent.sum) entry.sum.push_back({column, exact_text(weight)});
    span.dependent.push_back(std::move(entry));
  }
  span.rows = found.basis;
  outcome.certificate.span = std::move(span);
}

/// Both classes' weighted means are the same point: that of the positive rows.
void add_common_point(const Separability& found, const RowSpace& space, const std::vector<ExactRow>& rows,
                      CertifyOutcome& outcome) {
  if (space.origin) return;
  std::map<std::uint32_t, Rational> sum;
  Rational total = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const ExactRow& z = rows[k];
    if (z.value.back() < 0) continue;  // the offset's entry has the label's sign
    const Rational share = found.witness[k].second / z.scale;
    total += found.witness[k].second;
    for (std::size_t e = 0; e + 1 < z.column.size(); ++e) sum[z.column[e]] += share * z.value[e];
  }
  if (total == 0) return;
  outcome.common_point.assign(space.mapped, 0.0);
  for (const auto& [column, value] : sum) outcome.common_point[column] = Rational(value / total).get_d();
}

void add_infinite(CertifyOutcome& outcome) {
  std::map<std::uint32_t, int> sign;
  for (const ExactWeights& level : outcome.certificate.levels) {
    for (const ColumnWeight& weight : level) sign.try_emplace(weight.column, weight.weight.front() == '-' ? -1 : 1);
  }
  for (const auto& [column, s] : sign) outcome.infinite.push_back({column, s});
}

template <class Pairs>
std::vector<std::int64_t> rows_of(const Pairs& pairs) {
  std::vector<std::int64_t> rows;
  for (const auto& [row, weight] : pairs) rows.push_back(row);
  return rows;
}

/// The guide's weights over φ's columns, as doubles; an averaged perceptron where there is no guide.
Model guide_for(Source& source, const CertifyOptions& options, Comm& comm, const Observer& observe) {
  if (options.guide != nullptr) {
    if (options.guide->form != Model::Form::kLinear || options.guide->map != options.map) {
      throw usage_error("the classifier to be explained must be linear and have the same feature map");
    }
    return *options.guide;
  }
  TrainSpec spec;
  spec.learner = "perceptron";
  spec.map = options.map;
  spec.options["variant"] = std::string("averaged");
  spec.options["passes"] = kGuidePasses;
  spec.options["origin"] = options.origin;
  TrainOptions limits{options};
  limits.time_limit = options.time_limit / 4;
  return fit(source, spec, limits, comm, observe).model;
}

RowWeights row_weights(const WitnessPacking::Witness& witness) {
  RowWeights weights;
  for (const auto& [row, alpha] : witness) weights.push_back({row, exact_text(alpha)});
  return weights;
}

/// Counts the guide's mistakes exactly and packs disjoint witnesses.
void bound_mistakes(Source& source, const CertifyOptions& options, const Finder& finder, const StopFunction& stop_here,
                    Comm& comm, const Observer& observe, CertifyOutcome& outcome) {
  MistakeBounds& bounds = outcome.certificate.mistakes;
  // Every worker packs the same witnesses, so all must stop at the same point.
  const StopFunction stop = [&] {
    std::int64_t any = stop_here() ? 1 : 0;
    comm.all_reduce(std::span(&any, 1), Comm::Op::kMax);
    return any != 0;
  };
  const ExactReader read = [&](const std::vector<std::int64_t>& rows) { return finder.read_exactly(rows, comm); };
  WitnessPacking packing(finder.scaling(), read);
  const std::size_t limit = options.mistake_limit > 0 ? static_cast<std::size_t>(options.mistake_limit) : SIZE_MAX;
  packing.add_pairs(finder.conflicts(), limit, stop);

  const Model guide = guide_for(source, options, comm, observe);
  PoolOptions pool_options;
  pool_options.scaling = finder.scaling();
  pool_options.theta = guide.theta;
  pool_options.offset = options.origin ? 0 : guide.offset;
  pool_options.written = [&](std::span<const std::int64_t> rows) { return source.written(rows); };
  MistakePool pool(pool_options);
  TrainOptions once{options};
  once.time_limit = 0;
  once.max_passes = 1;
  const Outcome counted = train(source, pool, once, comm, observe);
  ++outcome.passes;
  if (counted.reason == StopReason::kConverged) {
    bounds.at_most = pool.mistakes();
    for (std::uint32_t j = 0; j < guide.theta.size(); ++j) {
      if (guide.theta[j] != 0) bounds.weights.push_back({j, exact_text(rational_of_double(guide.theta[j]))});
    }
    if (pool_options.offset != 0) {
      bounds.weights.push_back({finder.space().mapped, exact_text(rational_of_double(pool_options.offset))});
    }
    packing.pack(pool.take_wrong(), pool.take_right(), limit, stop, observe);
  }
  for (const WitnessPacking::Witness& witness : packing.witnesses()) bounds.witnesses.push_back(row_weights(witness));
  // Where packing found none, the verdict's own witness still shows that a mistake can't be avoided.
  if (bounds.witnesses.empty() && !outcome.certificate.witness.empty()) {
    bounds.witnesses.push_back(outcome.certificate.witness);
  }
  outcome.mistakes_at_least = static_cast<std::int64_t>(bounds.witnesses.size());
  outcome.mistakes_at_most = bounds.at_most;
}

Claim claim_of(const Separability& found) {
  const bool levels = !found.levels.empty() || !found.weights.empty();
  if (found.witness.empty()) return found.complete ? Claim::kSeparable : Claim::kUndecided;
  if (levels) return Claim::kQuasiSeparable;
  return found.complete ? Claim::kOverlapping : Claim::kUndecided;
}

}  // namespace

CertifyOutcome certify(Source& source, const CertifyOptions& options, Comm& comm, const Observer& observer) {
  const Observer observe = in_phase(Phase::kCertifying, observer);
  const double began = options.now();
  share_memory(source, certify_bytes({source.shape().rows, mapped_features(options.map, source.shape().features), -1}),
               options.memory);
  FinderOptions finder_options;
  finder_options.origin = options.origin;
  finder_options.map = options.map;
  finder_options.binary = is_binary(source);
  finder_options.written = [&](std::span<const std::int64_t> rows) { return source.written(rows); };
  const StopFunction stop = [&] { return options.interrupted() || options.out_of_time(began); };
  finder_options.stop = stop;
  Finder finder(std::move(finder_options));
  TrainOptions limits{options};
  limits.max_passes = options.max_passes;
  Outcome run = train(source, finder, limits, comm, observe);

  const Separability found = finder.result();
  CertifyOutcome outcome;
  outcome.reason = run.reason;
  if (run.reason == StopReason::kConverged && !found.complete) {
    outcome.reason = !found.ran_out.empty()  ? StopReason::kPasses
                     : options.interrupted() ? StopReason::kInterrupted
                                             : StopReason::kTime;
  }
  outcome.history = std::move(run.history);
  outcome.passes = run.passes;
  outcome.rows = found.rows;
  outcome.features = finder.space().features;
  outcome.peeled = found.peeled;
  Certificate& certificate = outcome.certificate;
  certificate.origin = options.origin;
  certificate.map = options.map;
  certificate.claim = claim_of(found);
  certificate.data.rows = found.rows;
  certificate.data.features = finder.space().features;
  add_levels(found, outcome);
  certificate.left_at_zero = certificate.levels.empty() ? 0 : found.left_at_zero;
  add_witness(found, outcome);
  switch (certificate.claim) {
    case Claim::kSeparable:
      add_margin(found, finder.space(), outcome);
      break;
    case Claim::kQuasiSeparable:
      add_infinite(outcome);
      break;
    case Claim::kOverlapping:
      break;
    case Claim::kUndecided:
      certificate.stopped_because = found.ran_out.empty() ? stop_reason_name(outcome.reason) : found.ran_out;
      if (found.witness.empty()) {
        for (const auto* support : {&found.support, &found.any_pair}) {
          if (bound_from_hulls(*support, finder.read_exactly(rows_of(*support), comm), finder.space(), kCarrierBits,
                               certificate.margin)) {
            break;
          }
        }
      }
      break;
  }
  if (!found.witness.empty()) {
    add_common_point(found, finder.space(), finder.read_exactly(rows_of(found.witness), comm), outcome);
  }
  if (options.mistakes && certificate.claim == Claim::kSeparable) {
    outcome.mistakes_at_least = outcome.mistakes_at_most = 0;
  } else if (options.mistakes && found.rows > 0) {
    bound_mistakes(source, options, finder, stop, comm, observe, outcome);
  }
  outcome.separated = certificate.levels.empty() ? 0 : found.rows - certificate.left_at_zero;
  return outcome;
}

}  // namespace linsep
