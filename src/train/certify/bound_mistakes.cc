#include "train/certify/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "certify/core_search.h"
#include "certify/finder/finder.h"
#include "certify/mistakes.h"
#include "data/decorators.h"
#include "exact/decimal.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/tools/advice.h"
#include "linsep/train.h"
#include "numeric/exact_all_reduce.h"
#include "train/fit.h"

namespace linsep {
namespace {

/// The classifiers of the margin learner that are tried, on columns of about the same size. Their solvers give the same
/// bits on any number of workers.
struct Trial {
  const char* loss;
  const char* solver;
  double c;
  std::int64_t passes;
};
constexpr std::array kTrials = {Trial{"hinge", "planes", 100, 50}, Trial{"squared-hinge", "newton", 100, 500},
                                Trial{"logistic", "newton", 10000, 500}};
/// Passes of a perceptron, which is tried if the classifiers above have no finite weights.
constexpr std::int64_t kPerceptronPasses = 20;
/// The share of the time that each of them gets.
constexpr double kGuideTime = 0.1;

Model train_guide(Source& source, TrainSpec spec, const CertifyOptions& options, Comm& comm, const Observer& observe) {
  spec.map = options.map;
  spec.options["origin"] = options.origin;
  TrainOptions limits{options};
  limits.time_limit = options.time_limit * kGuideTime;
  return Training(source, spec, limits, comm, observe).run().model;
}

TrainSpec spec_of(const Trial& trial) {
  TrainSpec spec;
  spec.learner = "margin";
  spec.options["loss"] = std::string(trial.loss);
  spec.options["solver"] = std::string(trial.solver);
  spec.options["C"] = trial.c;
  spec.options["passes"] = trial.passes;
  return spec;
}

TrainSpec perceptron_spec() {
  TrainSpec spec;
  spec.learner = "perceptron";
  spec.options["variant"] = std::string("averaged");
  spec.options["passes"] = kPerceptronPasses;
  return spec;
}

/// The weights of φ's columns from those of columns scaled by 2^−exponent. Any finite weights will do.
void scale_back(const std::vector<int>& exponent, const RowSpace& space, Model& model) {
  for (std::uint32_t c = 0; c < model.theta.size(); ++c) {
    poll(200);
    int sum = 0;
    if (space.map.kind == FeatureMap::Kind::kNone) {
      sum = exponent[c];
    } else {
      for (const std::uint32_t factor : monomial(space.map, space.features, c)) sum += exponent[factor];
    }
    constexpr double kMost = std::numeric_limits<double>::max();
    model.theta[c] = std::clamp(std::ldexp(model.theta[c], -sum), -kMost, kMost);
  }
}

/// The exponents that bring every column's values to at most 1 in size.
std::vector<int> column_exponents(Source& source, Comm& comm) {
  std::vector<int> exponent;
  for (const ColumnSize& column : column_sizes(source, comm)) {
    const double greatest = std::max(std::fabs(column.least), std::fabs(column.greatest));
    exponent.push_back(greatest > 0 ? std::ilogb(greatest) + 1 : 0);
  }
  return exponent;
}

void require_usable(const Model& guide, const CertifyOptions& options) {
  if (guide.form != Model::Form::kLinear || guide.map != options.map) {
    throw usage_error("the classifier to explain must be linear and have the same feature map");
  }
  if (!is_finite(guide)) {
    throw input_error("the classifier to explain has a weight that isn't finite; scale the columns and train again");
  }
}

/// The classifiers to choose from, as finite weights over φ's columns. This is the guide, or without one those of the
/// margin learner.
std::vector<Model> guides_for(Source& source, const CertifyOptions& options, const RowSpace& space,
                              const Deadline& deadline, Comm& comm, const Observer& observe) {
  if (options.guide != nullptr) {
    require_usable(*options.guide, options);
    return {*options.guide};
  }
  const std::vector<int> exponent = column_exponents(source, comm);
  const auto scaled = scale_columns(source, exponent);
  std::vector<Model> guides;
  const auto train = [&](TrainSpec spec) {
    if (deadline.expired()) return;
    Model model = train_guide(*scaled, std::move(spec), options, comm, observe);
    if (!is_finite(model)) return;
    model.theta.resize(space.mapped, 0.0);
    scale_back(exponent, space, model);
    guides.push_back(std::move(model));
  };
  for (const Trial& trial : kTrials) train(spec_of(trial));
  if (guides.empty()) train(perceptron_spec());
  return guides;
}

RowWeights row_weights(const Witness& witness) {
  RowWeights weights;
  for (const auto& [row, alpha] : witness) weights.push_back({row, exact_text(alpha)});
  return weights;
}

/// Counts the classifier's mistakes exactly. Nothing if the run was interrupted.
std::optional<std::int64_t> count_mistakes(Source& source, const CertifyOptions& options, MistakePool& pool, Comm& comm,
                                           const Observer& observe) {
  TrainOptions once{options};
  once.time_limit = 0;
  once.max_passes = 1;
  if (run_passes(source, pool, once, comm, observe).reason != StopReason::kConverged) return std::nullopt;
  return pool.mistakes();
}

ExactWeights exact_weights(const Model& model, double offset, std::uint32_t offset_column) {
  ExactWeights weights;
  for (std::uint32_t j = 0; j < model.theta.size(); ++j) {
    if (model.theta[j] != 0) weights.push_back({j, exact_text(rational_of_double(model.theta[j]))});
  }
  if (offset != 0) weights.push_back({offset_column, exact_text(rational_of_double(offset))});
  return weights;
}

/// The rows that the best classifier gets wrong and right, which the search for witnesses uses.
struct Judged {
  std::vector<WorkRow> wrong, right;
};

/// Counts the mistakes of classifiers until the deadline. The smallest count is the upper bound.
Judged bound_above(Source& source, const CertifyOptions& options, const Finder& finder, const Deadline& deadline,
                   Comm& comm, const Observer& observe, CertifyOutcome& outcome) {
  MistakeBounds& bounds = outcome.certificate.mistakes;
  Judged judged;
  for (const Model& guide : guides_for(source, options, finder.space(), deadline, comm, observe)) {
    if (deadline.expired()) break;
    PoolOptions pool_options;
    pool_options.scaling = finder.scaling();
    pool_options.theta = guide.theta;
    pool_options.offset = options.origin ? 0 : guide.offset;
    pool_options.written = [&](std::span<const std::int64_t> rows) { return source.written(rows); };
    MistakePool pool(pool_options);
    const std::optional<std::int64_t> mistakes = count_mistakes(source, options, pool, comm, observe);
    ++outcome.passes;
    if (!mistakes || (bounds.at_most && *mistakes >= *bounds.at_most)) continue;
    bounds.weights = exact_weights(guide, pool_options.offset, finder.space().mapped);
    bounds.at_most = mistakes;
    judged = {pool.take_wrong(), pool.take_right()};
  }
  return judged;
}

}  // namespace

void state_bounds(const WitnessPacking& packing, CertifyOutcome& outcome) {
  Certificate& certificate = outcome.certificate;
  MistakeBounds& bounds = certificate.mistakes;
  bounds.witnesses.clear();
  for (const Witness& witness : packing.witnesses()) bounds.witnesses.push_back(row_weights(witness));
  if (bounds.witnesses.empty() && !certificate.witness.empty()) bounds.witnesses.push_back(certificate.witness);
  if (certificate.witness.empty() && !bounds.witnesses.empty()) {
    certificate.witness = bounds.witnesses.front();
    certificate.margin = {};
  }
  outcome.mistakes_at_least = static_cast<std::int64_t>(bounds.witnesses.size());
  outcome.mistakes_at_most = bounds.at_most;
}

namespace {

std::size_t most_witnesses(const CertifyOptions& options) {
  return options.mistake_limit > 0 ? static_cast<std::size_t>(options.mistake_limit) : SIZE_MAX;
}

/// Every worker packs the same witnesses, so all must stop at the same point.
Deadline deadline_of_all(const Deadline& deadline, Comm& comm) {
  return {[&] { return all_reduce_any(comm, deadline.expired()); }};
}

}  // namespace

WitnessPacking pack_conflicts(const CertifyOptions& options, const Finder& finder, const Deadline& deadline,
                              Comm& comm) {
  WitnessPacking packing(finder.scaling(), [&finder, &comm](const std::vector<std::int64_t>& rows) {
    return finder.read_exactly(rows, comm);
  });
  const Deadline of_all = deadline_of_all(deadline, comm);
  run_until(deadline, 0, comm, [&] { packing.add_pairs(finder.conflicts(), most_witnesses(options), of_all); });
  return packing;
}

void bound_mistakes(Source& source, const CertifyOptions& options, const Finder& finder, const Deadline& deadline,
                    Comm& comm, const Observer& observe, WitnessPacking& packing, CertifyOutcome& outcome,
                    const std::function<void()>& keep) {
  const Deadline of_all = deadline_of_all(deadline, comm);
  const std::size_t limit = most_witnesses(options);
  Judged judged;
  // Whatever was found before a stop remains valid.
  const auto until_over = [&](const auto& work) { run_until(deadline, 0, comm, work); };
  state_bounds(packing, outcome);
  if (*outcome.mistakes_at_least > 0) keep();
  until_over([&] { judged = bound_above(source, options, finder, of_all, comm, observe, outcome); });
  if (outcome.certificate.mistakes.at_most) {
    outcome.mistakes_at_most = outcome.certificate.mistakes.at_most;
    keep();
    until_over([&] { packing.pack(judged.wrong, judged.right, limit, of_all, observe); });
  }
  state_bounds(packing, outcome);
}

}  // namespace linsep
