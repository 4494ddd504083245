#include "train/certify/bound_mistakes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "certify/mistake_pool.h"
#include "certify/row_scaling.h"
#include "certify/witness_packing.h"
#include "data/scaled_source.h"
#include "exact/decimal.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/tools/advice.h"
#include "linsep/train.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr std::int64_t kGuidePasses = 20;
/// Below that of the greatest double, with room for sums.
constexpr double kLargestExponent = 1000;

Model train_guide(Source& source, const CertifyOptions& options, Comm& comm, const Observer& observe) {
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

bool is_finite(const Model& model) {
  return std::isfinite(model.offset) &&
         std::all_of(model.theta.begin(), model.theta.end(), [](double weight) { return std::isfinite(weight); });
}

/// Whether φ of some row might leave the range of doubles. Under a map a scaled value is at most 1.
bool map_overflows(const RowScaling& scaling) {
  if (!scaling.mapped()) return false;
  const double degree = scaling.space.map.kind == FeatureMap::Kind::kProducts ? 2 : scaling.space.map.degree;
  return std::any_of(scaling.column_scale.begin(), scaling.column_scale.end(),
                     [&](double scale) { return -std::log2(scale) * degree > kLargestExponent; });
}

/// The weight of φ's columns from that of columns scaled by 2^−exponent: any finite weights will do.
void scale_back(const std::vector<int>& exponent, const RowSpace& space, Model& model) {
  for (std::uint32_t c = 0; c < model.theta.size(); ++c) {
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

/// Trained on columns whose values are at most 1 in size.
Model train_scaled_guide(Source& source, const CertifyOptions& options, const RowSpace& space, Comm& comm,
                         const Observer& observe) {
  std::vector<int> exponent;
  for (const ColumnSize& column : column_sizes(source, comm)) {
    const double greatest = std::max(std::fabs(column.least), std::fabs(column.greatest));
    exponent.push_back(greatest > 0 ? std::ilogb(greatest) + 1 : 0);
  }
  const auto scaled = scale_columns(source, exponent);
  Model model = train_guide(*scaled, options, comm, observe);
  model.theta.resize(space.mapped, 0.0);
  scale_back(exponent, space, model);
  return model;
}

/// The guide's weights over φ's columns, as finite doubles; an averaged perceptron where there is no guide.
Model guide_for(Source& source, const CertifyOptions& options, const RowScaling& scaling, Comm& comm,
                const Observer& observe) {
  if (options.guide != nullptr) {
    if (options.guide->form != Model::Form::kLinear || options.guide->map != options.map) {
      throw usage_error("the classifier to be explained must be linear and have the same feature map");
    }
    if (!is_finite(*options.guide)) {
      throw input_error(
          "the classifier to be explained has a weight that isn't finite; scale the columns and train anew");
    }
    return *options.guide;
  }
  if (!map_overflows(scaling)) {
    Model guide = train_guide(source, options, comm, observe);
    if (is_finite(guide)) return guide;
  }
  return train_scaled_guide(source, options, scaling.space, comm, observe);
}

RowWeights row_weights(const Witness& witness) {
  RowWeights weights;
  for (const auto& [row, alpha] : witness) weights.push_back({row, exact_text(alpha)});
  return weights;
}

/// Counts the classifier's mistakes exactly. Nothing where the run was interrupted.
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

}  // namespace

void bound_mistakes(Source& source, const CertifyOptions& options, const Finder& finder, const StopFunction& stop_here,
                    Comm& comm, const Observer& observe, CertifyOutcome& outcome) {
  // Every worker packs the same witnesses, so all must stop at the same point.
  const StopFunction stop = [&] { return all_reduce_any(comm, stop_here()); };
  const ExactReader read = [&](const std::vector<std::int64_t>& rows) { return finder.read_exactly(rows, comm); };
  WitnessPacking packing(finder.scaling(), read);
  const std::size_t limit = options.mistake_limit > 0 ? static_cast<std::size_t>(options.mistake_limit) : SIZE_MAX;
  packing.add_pairs(finder.conflicts(), limit, stop);

  const Model guide = guide_for(source, options, finder.scaling(), comm, observe);
  PoolOptions pool_options;
  pool_options.scaling = finder.scaling();
  pool_options.theta = guide.theta;
  pool_options.offset = options.origin ? 0 : guide.offset;
  pool_options.written = [&](std::span<const std::int64_t> rows) { return source.written(rows); };
  MistakePool pool(pool_options);
  MistakeBounds& bounds = outcome.certificate.mistakes;
  bounds.at_most = count_mistakes(source, options, pool, comm, observe);
  ++outcome.passes;
  if (bounds.at_most) {
    bounds.weights = exact_weights(guide, pool_options.offset, finder.space().mapped);
    packing.pack(pool.take_wrong(), pool.take_right(), limit, stop, observe);
  }
  for (const Witness& witness : packing.witnesses()) bounds.witnesses.push_back(row_weights(witness));
  // Where packing found none, the verdict's own witness still shows that a mistake can't be avoided.
  if (bounds.witnesses.empty() && !outcome.certificate.witness.empty()) {
    bounds.witnesses.push_back(outcome.certificate.witness);
  }
  outcome.mistakes_at_least = static_cast<std::int64_t>(bounds.witnesses.size());
  outcome.mistakes_at_most = bounds.at_most;
}

}  // namespace linsep
