// certify proves what every linear classifier could do on a data set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/checkpoint.h"
#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/model.h"
#include "linsep/progress.h"
#include "linsep/source.h"
#include "linsep/stop_reason.h"

namespace linsep {

/// Certifying runs on one thread. `threads` is for the classifiers that stand in for a guide.
struct CertifyOptions : RunLimits {
  bool origin = false;  ///< classifiers through the origin only
  FeatureMap map = {};  ///< decide for φ(x)
  std::int64_t max_passes = 100000;
  /// Work out every coefficient's estimate, even if there are so many rows that it takes longer than the verdict.
  bool coefficients = false;
  Checkpoint checkpoint = {};      ///< kept between passes, for data that can be gone through again
  bool mistakes = false;           ///< also bound the smallest number of mistakes of any linear classifier
  std::int64_t mistake_limit = 0;  ///< stop packing at this many witnesses, or never if 0
  /// The classifier whose mistakes are explained (same map, linear form). If nullptr, the best of a few that the margin
  /// learner makes.
  const Model* guide = nullptr;
};

/// A coefficient's estimate in a logistic regression by maximum likelihood.
enum class Estimate {
  kPlusInfinity,
  kMinusInfinity,
  kFinite,
  kUndetermined,  ///< separation alone doesn't determine it
  kUnknown,       ///< not worked out: too many columns, or too little time
};
/// "+infinity", "-infinity", "finite", "undetermined", "unknown".
std::string_view estimate_name(Estimate estimate);

struct CoefficientEstimate {
  std::uint32_t column = 0;  ///< of φ, where the intercept is number `mapped features`
  Estimate estimate = Estimate::kUnknown;
  /// The sign of the weight in the direction of the largest margin among the rows that can be separated, which is where
  /// the likelihood goes. Computed in floating point, not proven. 0 if none was computed, or the weight is 0.
  int computed_sign = 0;

  bool operator==(const CoefficientEstimate&) const = default;
};

struct CertifyOutcome {
  /// Proven, whatever the claim. Not sealed yet (seal_certificate).
  Certificate certificate;
  /// kConverged unless limits ran out before all that could be known was known. Even then an undecided certificate may
  /// carry a witness (not separable, but quasi-separable or overlapping is open) or a bound on the margin.
  StopReason reason = StopReason::kConverged;
  std::int64_t rows = 0;
  std::uint32_t features = 0;  ///< raw
  std::int64_t passes = 0;     ///< over the data, not counting reads of single rows
  std::int64_t peeled = 0;     ///< rows that signs alone resolved
  std::int64_t separated = 0;  ///< rows with a positive margin under the certificate's levels
  std::vector<Progress> history;

  /// If separable by a single weight vector: its geometric margin (a lower bound of it), the largest norm of a row, and
  /// the most mistakes that a perceptron can make from θ = 0 with rate 1. That is (R/γ)², with R and γ counting the
  /// intercept as a feature that is 1.
  std::optional<double> margin;
  std::optional<double> radius;
  std::optional<double> mistake_bound;
  /// If separable, or quasi-separable with a span, the estimates of all columns, with the intercept's last. All but
  /// kUnknown are proven by the certificate's `coefficients`.
  std::vector<CoefficientEstimate> estimates;
  /// With a witness and an intercept, the point of φ's space that lies in both convex hulls, rounded. One value per
  /// feature.
  std::vector<double> common_point;
  /// With `mistakes`, bounds on the smallest number of mistakes of any linear classifier.
  std::optional<std::int64_t> mistakes_at_least, mistakes_at_most;
};

/// Decides whether the rows are separable, quasi-separable or overlapping. docs/howto/certify.md explains how. Values
/// count as written. Neither the verdict nor the certificate depends on how the source is split into batches or on the
/// number of workers, with one exception. If rows have so many features that their separator is found by descent, it
/// may differ with the number of workers. Text must have been read with ReadOptions::exact_values, so that no number
/// that isn't 0 as written is 0 in a batch. Throws Error if the data can't be read twice or don't have two classes.
CertifyOutcome certify(Source& source, const CertifyOptions& options, Comm& comm, const Observer& observe = {});
/// The same on one worker.
CertifyOutcome certify(Source& source, const CertifyOptions& options = {}, const Observer& observe = {});

}  // namespace linsep
