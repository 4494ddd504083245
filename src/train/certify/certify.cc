// Turns the finder's results into a certificate, under the one loop.
#include "linsep/certify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "certify/finder/finder.h"
#include "certify/margins.h"
#include "certify/mistakes.h"
#include "core/deadline.h"
#include "exact/decimal.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/train.h"
#include "map/feature_map.h"
#include "numeric/saved_rows.h"
#include "train/certify/steps.h"
#include "train/checkpoint/file.h"
#include "train/loop.h"
#include "train/memory.h"

namespace linsep {
namespace {

/// An observer of a part of a longer call, which gets the records with the call's phase. None without an observer.
/// REQUIRES: `observe` outlives the result.
Observer in_phase(Phase phase, const Observer& observe) {
  if (!observe) return {};
  return [phase, &observe](const Progress& progress) {
    Progress record = progress;
    record.phase = phase;
    observe(record);
  };
}

/// The finder in the form that checkpoints keep. It makes no model.
class CheckpointedFinder final : public Learner {
 public:
  CheckpointedFinder(Finder& finder, Source& source, Comm& comm) : finder_(finder), source_(source), comm_(comm) {}

  void begin(const Shape& shape) override { finder_.begin(shape); }
  void visit(const Batch& batch) override { finder_.visit(batch); }
  void synchronise(Comm& comm) override { finder_.synchronise(comm); }
  Verdict end_pass(Progress& progress) override { return finder_.end_pass(progress); }
  Model model() const override { return {}; }
  std::string save_state() const override { return finder_.save(); }
  /// Goes through the rows as often as it takes to reach the saved finder's state. Collective.
  void load_state(const std::string& bytes) override {
    rethrow_on_all(comm_, [&] { finder_.load(bytes); });
    while (finder_.catching_up()) {
      source_.rewind(0);
      while (const auto batch = source_.next()) finder_.visit(*batch);
      finder_.synchronise(comm_);
      Progress progress;
      require_state(finder_.end_pass(progress) == Verdict::kContinue);
    }
  }

 private:
  Finder& finder_;
  Source& source_;
  Comm& comm_;
};

/// What a run and the one that resumes it must have in common.
RunFacts facts_of(Source& source, const CertifyOptions& options, Comm& comm) {
  RunFacts facts = {{"linsep", LINSEP_VERSION}, {"the command", "certify"}};
  facts.push_back({"--origin", options.origin ? "true" : "false"});
  facts.push_back({"--map", map_text(options.map)});
  const DataFingerprint data = data_fingerprint(source, comm);
  facts.push_back({"data of", fmt::format("{} rows and {} features", data.rows, data.features)});
  facts.push_back({"data with the hash", fmt::format("{:016x}", data.hash)});
  if (comm.size() > 1) facts.push_back({"a worker's share with the hash", fmt::format("{:016x}", data.own)});
  return facts;
}

/// Makes passes until the finder ends or a limit is reached. With `options.checkpoint` its state is kept between
/// passes, and loaded again. Throws an Error of `open_checkpoints` if that isn't possible. Collective.
PassOutcome run_finder(Source& source, Finder& finder, const CertifyOptions& options, Comm& comm,
                       const Observer& observe) {
  TrainOptions limits{options};
  limits.max_passes = options.max_passes;
  limits.checkpoint = options.checkpoint;
  if (limits.checkpoint.path.empty()) return run_passes(source, finder, limits, comm, observe);
  if (source.shape().rows < 0) throw usage_error("a checkpoint needs a file, because a stream can't be read again");
  check_checkpoint(limits.checkpoint, comm);
  Checkpoints checkpoints(limits, facts_of(source, options, comm), comm);
  CheckpointedFinder kept(finder, source, comm);
  return train_from(&checkpoints, source, kept, limits, comm, observe);
}

/// Bits of the α that carry a bound on the margin.
constexpr int kSupportBits = 30;
/// If mistakes are to be bounded as well, the verdict has at most this share of the time.
constexpr double kVerdictShare = 0.5;

/// Polls for the cost of writing a number as text.
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

/// A short number that no ‖φ(x)‖² exceeds, or 0 if none is known.
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

/// The weighted means of both classes are the same point. This is computed from the positive rows.
void add_common_point(const Separability& found, const RowSpace& space, const std::vector<ExactRow>& rows,
                      CertifyOutcome& outcome) {
  if (space.origin) return;
  std::map<std::uint32_t, Rational> sum;
  Rational total = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const ExactRow& z = rows[k];
    if (z.value.back() < 0) continue;  // the intercept's entry has the label's sign
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

/// Why the finder ended, which may be a reason of its own or one of the run's limits.
StopReason reason_of(const PassOutcome& run, const Separability& found, const CertifyOptions& options) {
  if (run.reason != StopReason::kConverged || found.complete) return run.reason;
  if (!found.ran_out.empty()) return StopReason::kPasses;
  return options.interrupted() ? StopReason::kInterrupted : StopReason::kTime;
}

/// A run of less than a quarter of a second may be one of many, so it has less time to come to an end.
double grace_scale(const RunLimits& limits) { return limits.time_limit > 0 ? std::min(1.0, 4 * limits.time_limit) : 1; }

/// Adds what is known of the margin if nothing is known of the rows.
void add_hull_bound(const Separability& found, const Finder& finder, const Deadline& deadline, Comm& comm,
                    MarginBounds& margin) {
  for (const auto* support : {&found.support, &found.any_pair}) {
    const bool whole = run_until(deadline, Grace::kStating / 2, comm, [&] {
      const std::vector<ExactRow> rows = finder.read_exactly(rows_of(*support), comm);
      bound_from_hulls(*support, rows, finder.space(), kSupportBits, margin);
    });
    if (!whole) margin = {};
    if (margin.at_most_squared) return;
  }
}

/// Fills in the part about the question, which every certificate has.
void describe_question(const Finder& finder, const CertifyOptions& options, std::int64_t rows,
                       Certificate& certificate) {
  certificate.origin = options.origin;
  certificate.map = options.map;
  certificate.data.rows = rows;
  certificate.data.features = finder.space().features;
}

/// What is proven about mistakes while the search for the verdict goes on.
CertifyOutcome first_bounds(const WitnessPacking& packing, const Finder& finder, const CertifyOptions& options) {
  CertifyOutcome outcome;
  describe_question(finder, options, finder.result().rows, outcome.certificate);
  outcome.certificate.claim = Claim::kUndecided;
  outcome.certificate.stopped_because = stop_reason_name(StopReason::kTime);
  state_bounds(packing, outcome);
  return outcome;
}

void add_certificate(const Separability& found, const Finder& finder, const CertifyOptions& options,
                     const Deadline& deadline, Comm& comm, CertifyOutcome& outcome) {
  Certificate& certificate = outcome.certificate;
  describe_question(finder, options, found.rows, certificate);
  certificate.claim = claim_of(found);
  add_levels(found, outcome);
  certificate.left_at_zero = certificate.levels.empty() ? 0 : found.left_at_zero;
  add_witness(found, outcome);
  switch (certificate.claim) {
    case Claim::kSeparable:
      if (!run_until(deadline, Grace::kStating, comm, [&] { add_margin(found, finder, comm, outcome); })) {
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
      if (found.witness.empty()) add_hull_bound(found, finder, deadline, comm, certificate.margin);
      break;
  }
  if (found.witness.empty()) return;
  const bool whole = run_until(deadline, Grace::kStating, comm, [&] {
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

void require_one_label(const Schema& schema) {
  if (schema.labels.empty()) return;
  throw usage_error("a proof is about one label per row, but these rows have several label columns: give one of them");
}

CertifyOutcome certify(Source& source, const CertifyOptions& options, Comm& comm, const Observer& observer) {
  require_one_label(source.schema());
  const Observer observe = in_phase(Phase::kCertifying, observer);
  CertifyOptions search = options;
  if (options.mistakes) search.time_limit *= kVerdictShare;
  const Deadline deadline(options, grace_scale(options)), search_deadline(search, grace_scale(search));
  require_known_map(options.map, source.shape().features);
  const Shape mapped{source.shape().rows, mapped_features(options.map, source.shape().features), -1};
  share_memory(source, certify_need(mapped, options.mistakes), options.memory, comm);
  FinderOptions finder_options;
  finder_options.origin = options.origin;
  finder_options.map = options.map;
  finder_options.binary = is_binary(source);
  finder_options.written = [&](std::span<const std::int64_t> rows) { return source.written(rows); };
  // A run that keeps checkpoints ends only between two passes.
  if (options.checkpoint.path.empty()) {
    finder_options.deadline = [&] { return all_reduce_any(comm, search_deadline.expired()); };
    if (comm.size() == 1) finder_options.polled = search_deadline;
  }
  Finder finder(std::move(finder_options));
  CheckedParts accepted;
  std::optional<WitnessPacking> packing;
  const auto pack = [&] { packing.emplace(pack_conflicts(options, finder, deadline, comm)); };
  if (options.mistakes) {
    // The bound comes first, so that there is one whenever time runs out.
    finder.after_survey([&] {
      pack();
      if (options.time_limit <= 0 || packing->witnesses().empty()) return;
      CertifyOutcome first = first_bounds(*packing, finder, options);
      keep_accepted(first, accepted, source, options, deadline, comm, observe);
    });
  }
  PassOutcome run = run_finder(source, finder, search, comm, observe);

  Separability found;
  const auto know = [&] { found = finder.result(); };
  const bool known = run_until(deadline, Grace::kStating, comm, know);
  if (!found.witness.empty() && found.complete) share_memory(source, proof_need(mapped), options.memory, comm);
  CertifyOutcome outcome;
  outcome.reason = reason_of(run, found, options);
  outcome.history = std::move(run.history);
  outcome.passes = run.passes;
  outcome.rows = found.rows;
  outcome.features = finder.space().features;
  outcome.peeled = found.peeled;
  const auto state = [&] { add_certificate(found, finder, options, deadline, comm, outcome); };
  if (!known || !run_until(deadline, Grace::kStating, comm, state)) {
    keep_accepted_before(outcome, accepted, options);
    return outcome;
  }
  const Certificate& certificate = outcome.certificate;
  if (packing && certificate.claim != Claim::kSeparable) state_bounds(*packing, outcome);
  outcome.separated = certificate.levels.empty() ? 0 : found.rows - certificate.left_at_zero;
  // If time is limited, the verdict is checked before the search continues, so that it remains valid whatever comes of
  // that.
  const auto keep = [&] { keep_accepted(outcome, accepted, source, options, deadline, comm, observe); };
  if (options.time_limit > 0 && certificate.claim != Claim::kUndecided) {
    keep();
    if (certificate.claim == Claim::kUndecided) return outcome;
  }
  const bool quasi = certificate.claim == Claim::kQuasiSeparable && certificate.span;
  if (found.rows > 0 && (certificate.claim == Claim::kSeparable || quasi)) {
    add_estimates(source, search, finder, found, search_deadline, comm, observe, outcome);
  }
  if (options.mistakes && certificate.claim == Claim::kSeparable) {
    outcome.mistakes_at_least = outcome.mistakes_at_most = 0;
  } else if (options.mistakes && found.rows > 0) {
    const auto keep_so_far = [&] {
      if (options.time_limit > 0) keep();
    };
    if (!packing) pack();
    bound_mistakes(source, options, finder, deadline, comm, observe, *packing, outcome, keep_so_far);
  }
  keep();
  return outcome;
}

}  // namespace linsep
