// From what the finder found to a certificate, under the one loop.
#include "linsep/certify.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "certify/finder/finder.h"
#include "certify/largest_rows.h"
#include "certify/margin_bounds.h"
#include "core/in_phase.h"
#include "core/poll.h"
#include "exact/decimal.h"
#include "linsep/comm.h"
#include "linsep/train.h"
#include "map/feature_map.h"
#include "train/certify/bound_mistakes.h"
#include "train/certify/estimates.h"
#include "train/certify/keep_accepted.h"
#include "train/certify/require_accepted.h"
#include "train/certify/run_end.h"
#include "train/certify/run_finder.h"
#include "train/memory.h"

namespace linsep {
namespace {

/// Of the α that carry a bound on the margin.
constexpr int kSupportBits = 30;

/// What a number's text takes.
void poll_text(const Integer& value) {
  const std::size_t words = 1 + bit_length(value) / 64;
  poll(200 + words * 200);
}

ExactWeights level_weights(const SignPeeler::Level& level) {
  ExactWeights weights;
  for (std::size_t k = 0; k < level.column.size(); ++k) {
    poll(100);
    weights.push_back({level.column[k], level.sign[k] > 0 ? "1" : "-1"});
  }
  return weights;
}

void add_levels(const Separability& found, CertifyOutcome& outcome) {
  Certificate& certificate = outcome.certificate;
  for (const SignPeeler::Level& level : found.levels) certificate.levels.push_back(level_weights(level));
  if (found.weights.empty()) return;
  ExactWeights weights;
  for (const auto& [column, weight] : found.weights) {
    poll_text(weight);
    weights.push_back({column, exact_text(weight)});
  }
  certificate.levels.push_back(std::move(weights));
}

/// No ‖φ(x)‖² is above this, a short number; 0 where none is known.
Rational radius_squared(const Separability& found, const Finder& finder, Comm& comm) {
  if (found.largest.empty()) return short_bound(found.radius_squared, true);
  Rational greatest = 0;
  for (const ExactRow& z : finder.read_exactly(found.largest, comm)) {
    greatest = std::max(greatest, squared_size(z, finder.space()));
  }
  return short_bound(greatest, true);
}

void add_margin(const Separability& found, const Finder& finder, Comm& comm, CertifyOutcome& outcome) {
  if (!found.levels.empty() || found.weights.empty() || found.least_margin <= 0) return;
  const RowSpace& space = finder.space();
  Rational squared = 0;
  Rational with_offset = 0;
  for (const auto& [column, weight] : found.weights) {
    const Integer square = weight * weight;
    with_offset += square;
    if (column != space.mapped) squared += square;
  }
  if (squared == 0) return;
  const Rational least = found.least_margin * found.least_margin;
  const Rational at_least = short_bound(least / squared, false);
  if (at_least <= 0) return;
  MarginBounds& margin = outcome.certificate.margin;
  margin.at_least_squared = exact_text(at_least);
  outcome.margin = root_bound(at_least, false);
  const Rational radius = radius_squared(found, finder, comm);
  if (radius <= 0) return;
  margin.radius_squared = exact_text(radius);
  outcome.radius = root_bound(radius, true);
  const Rational bound = short_bound((radius + (space.origin ? 0 : 1)) * with_offset / least, true);
  margin.mistake_bound = exact_text(bound);
  outcome.mistake_bound = double_bound(bound, true);
}

void add_witness(const Separability& found, CertifyOutcome& outcome) {
  for (const auto& [row, alpha] : found.witness) {
    poll_text(alpha);
    outcome.certificate.witness.push_back({row, exact_text(alpha)});
  }
  if (!found.complete || found.witness.empty()) return;
  SpanProof span;
  for (const Separability::Dependent& dependent : found.dependent) {
    SpanProof::Dependent entry;
    entry.column = dependent.column;
    for (const auto& [column, weight] : dependent.sum) {
      poll_text(numerator(weight));
      entry.sum.push_back({column, exact_text(weight)});
    }
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
    for (std::size_t e = 0; e + 1 < z.column.size(); ++e) {
      poll_text(found.witness[k].second);
      sum[z.column[e]] += share * z.value[e];
    }
  }
  if (total == 0) return;
  outcome.common_point.assign(space.mapped, 0.0);
  for (const auto& [column, value] : sum) outcome.common_point[column] = approximate(value / total);
}

template <class Pairs>
std::vector<std::int64_t> rows_of(const Pairs& pairs) {
  std::vector<std::int64_t> rows;
  for (const auto& [row, weight] : pairs) rows.push_back(row);
  return rows;
}

Claim claim_of(const Separability& found) {
  const bool levels = !found.levels.empty() || !found.weights.empty();
  if (found.witness.empty()) return found.complete ? Claim::kSeparable : Claim::kUndecided;
  if (levels) return Claim::kQuasiSeparable;
  return found.complete ? Claim::kOverlapping : Claim::kUndecided;
}

/// Ends for its own reasons, or for one of the run's limits.
StopReason reason_of(const PassOutcome& run, const Separability& found, const CertifyOptions& options) {
  if (run.reason != StopReason::kConverged || found.complete) return run.reason;
  if (!found.ran_out.empty()) return StopReason::kPasses;
  return options.interrupted() ? StopReason::kInterrupted : StopReason::kTime;
}

/// What is known of the margin where nothing is known of the rows.
void add_hull_bound(const Separability& found, const Finder& finder, const RunEnd& end, Comm& comm,
                    MarginBounds& margin) {
  for (const auto* support : {&found.support, &found.any_pair}) {
    const bool whole = unless_stopped(end.within(RunEnd::kStating / 2), [&] {
      const std::vector<ExactRow> rows = finder.read_exactly(rows_of(*support), comm);
      bound_from_hulls(*support, rows, finder.space(), kSupportBits, margin);
    });
    if (!whole) margin = {};
    if (margin.at_most_squared) return;
  }
}

void add_certificate(const Separability& found, const Finder& finder, const CertifyOptions& options, const RunEnd& end,
                     Comm& comm, CertifyOutcome& outcome) {
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
      if (!unless_stopped(end.within(RunEnd::kStating), [&] { add_margin(found, finder, comm, outcome); })) {
        certificate.margin = {};
        outcome.margin = outcome.radius = std::nullopt;
      }
      break;
    case Claim::kQuasiSeparable:
      break;
    case Claim::kOverlapping:
      break;
    case Claim::kUndecided:
      certificate.stopped_because = found.ran_out.empty() ? stop_reason_name(outcome.reason) : found.ran_out;
      if (found.witness.empty()) add_hull_bound(found, finder, end, comm, certificate.margin);
      break;
  }
  if (found.witness.empty()) return;
  const bool whole = unless_stopped(end.within(RunEnd::kStating), [&] {
    add_common_point(found, finder.space(), finder.read_exactly(rows_of(found.witness), comm), outcome);
  });
  if (!whole) outcome.common_point.clear();
}

}  // namespace

std::string_view estimate_name(Estimate estimate) {
  switch (estimate) {
    case Estimate::kPlusInfinity:
      return "+infinity";
    case Estimate::kMinusInfinity:
      return "-infinity";
    case Estimate::kFinite:
      return "finite";
    case Estimate::kUndetermined:
      return "undetermined";
    case Estimate::kUnknown:
      return "unknown";
  }
  return {};
}

CertifyOutcome certify(Source& source, const CertifyOptions& options, Comm& comm, const Observer& observer) {
  const Observer observe = in_phase(Phase::kCertifying, observer);
  const RunEnd end(options, comm);
  require_known_map(options.map, source.shape().features);
  const Shape mapped{source.shape().rows, mapped_features(options.map, source.shape().features), -1};
  share_memory(source, certify_need(mapped, options.mistakes), options.memory, comm);
  FinderOptions finder_options;
  finder_options.origin = options.origin;
  finder_options.map = options.map;
  finder_options.binary = is_binary(source);
  finder_options.written = [&](std::span<const std::int64_t> rows) { return source.written(rows); };
  const StopFunction stop = [&] { return end.over(0); };
  // A run that keeps checkpoints ends between two passes only.
  if (options.checkpoint.path.empty()) {
    finder_options.stop = [&] { return all_reduce_any(comm, end.over(0)); };
    finder_options.stop_within = end.within(0);
  }
  Finder finder(std::move(finder_options));
  PassOutcome run = run_finder(source, finder, options, comm, observe);

  Separability found;
  const auto know = [&] { found = finder.result(); };
  const bool known = unless_stopped(end.within(RunEnd::kStating), know);
  if (!found.witness.empty() && found.complete) share_memory(source, proof_need(mapped), options.memory, comm);
  CertifyOutcome outcome;
  outcome.reason = reason_of(run, found, options);
  outcome.history = std::move(run.history);
  outcome.passes = run.passes;
  outcome.rows = found.rows;
  outcome.features = finder.space().features;
  outcome.peeled = found.peeled;
  const auto state = [&] { add_certificate(found, finder, options, end, comm, outcome); };
  if (!known || !unless_stopped(end.within(RunEnd::kStating), state)) {
    keep_nothing(outcome, options);
    return outcome;
  }
  const Certificate& certificate = outcome.certificate;
  outcome.separated = certificate.levels.empty() ? 0 : found.rows - certificate.left_at_zero;
  // Where time is limited the verdict is checked before more is looked for, so that it stands whatever comes of that.
  const bool first = options.time_limit > 0 && certificate.claim != Claim::kUndecided;
  if (first) {
    keep_accepted(outcome, false, source, options, end, comm, observe);
    if (certificate.claim == Claim::kUndecided) return outcome;
  }
  const bool quasi = certificate.claim == Claim::kQuasiSeparable && certificate.span;
  if (found.rows > 0 && (certificate.claim == Claim::kSeparable || quasi)) {
    add_estimates(source, options, finder, found, end, comm, observe, outcome);
  }
  if (options.mistakes && certificate.claim == Claim::kSeparable) {
    outcome.mistakes_at_least = outcome.mistakes_at_most = 0;
  } else if (options.mistakes && found.rows > 0) {
    bound_mistakes(source, options, finder, end, comm, observe, outcome);
  }
  keep_accepted(outcome, first, source, options, end, comm, observe);
  return outcome;
}

}  // namespace linsep
