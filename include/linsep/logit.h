// logit: logistic regression with its inference. Separation is decided exactly before anything is estimated, so that no
// number is given for a coefficient that has none.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

/// Columns that are tested together: the levels of a category.
struct LogitTerm {
  std::string name = {};
  std::vector<std::uint32_t> columns = {};  ///< ascending
};

struct LogitOptions : RunLimits {
  enum class Method {
    kMaximumLikelihood,
    kFirth,  ///< maximizes ℓ + ½ ln det I (Firth, 1993): finite whatever the rows
    kFlic,  ///< Firth's, with the intercept fitted so that the mean probability is that of the rows (Puhr et al., 2017)
    kFlac,  ///< maximum likelihood on rows augmented as Firth's penalty says (the same); on one worker
  };
  /// Of the estimates; profiles and likelihood ratios don't depend on it. With the latter two, joint tests are Wald's.
  enum class Errors {
    kInformation,
    kRobust,     ///< sandwich, HC1: times n/(n − k)
    kClustered,  ///< rows of a cluster may depend on each other; CR1: times G/(G − 1)·(n − 1)/(n − k)
  };

  /// Where the interval of an infinite coefficient ends, on its finite side: at the value b at which the rows that are
  /// fitted perfectly only because the coefficient is infinite (the face; Geyer, 2009) have the outcomes that were
  /// observed with the probability 1 − confidence, halved for kFace, by the estimates with the coefficient at b.
  enum class InfiniteInterval {
    kMidP,     ///< half the probability counts: close to exact conditional inference with mid-p values
    kFace,     ///< all of it counts: wider
    kProfile,  ///< by profile likelihood instead: too narrow where few outcomes of the other kind are expected
  };

  Method method = Method::kMaximumLikelihood;
  InfiniteInterval infinite_interval = InfiniteInterval::kMidP;
  bool origin = false;       ///< no intercept
  double confidence = 0.95;  ///< of intervals
  bool profile = true;       ///< likelihood-ratio tests and profile intervals of every coefficient; else Wald's
  Errors errors = Errors::kInformation;
  /// kClustered: the cluster of each row of this worker, in their order; kNoCluster: it is missing, and the row is left
  /// out. Numbers are the same on all workers.
  std::vector<std::uint32_t> cluster = {};
  static constexpr std::uint32_t kNoCluster = std::numeric_limits<std::uint32_t>::max();
  std::optional<std::uint32_t> offset = {};  ///< a column whose coefficient is fixed at 1
  /// Columns that aren't 0 where a value is missing: these rows are left out, and the columns are no part of the model.
  std::vector<std::uint32_t> missing = {};
  std::vector<LogitTerm> terms = {};  ///< tested jointly
};

/// "mid-p", "face", "profile".
std::string_view interval_name(LogitOptions::InfiniteInterval interval);
/// Throws Error for other names.
LogitOptions::InfiniteInterval infinite_interval_named(std::string_view name);

enum class CoefficientStatus {
  kFinite,
  kPlusInfinity,
  kMinusInfinity,
  kUndetermined,  ///< separation leaves it open, even its sign: every value is as likely
  kAliased,       ///< its column depends on columns before it, so it was left out of the model
};
/// "finite", "+infinity", "-infinity", "undetermined", "aliased".
std::string_view status_name(CoefficientStatus status);

/// NaN: not given, because it doesn't exist or wasn't asked for.
struct LogitCoefficient {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::uint32_t column = 0;  ///< of the source; the number of features: the intercept
  CoefficientStatus status = CoefficientStatus::kFinite;
  double estimate = kNone;  ///< ±∞ where proven
  double error = kNone;     ///< the estimate is proven to be at most this far from the maximum; not with a penalty
  double standard_error = kNone, z = kNone, wald_p = kNone;
  double chi_square = kNone, p = kNone;  ///< likelihood ratio, one degree of freedom
  double low = kNone, high = kNone;      ///< interval; an end may be infinite
  double deviation = 0;                  ///< of the column
  /// Firth's: the standard error as the R package logistf has it, by the information with weights w·p(1 − p)·(1 + h).
  double augmented_error = kNone;
};

struct LogitTest {
  std::string name;
  bool wald = false;  ///< Wald's test by the covariance of the estimates; else the likelihood ratio
  double chi_square = LogitCoefficient::kNone, p = LogitCoefficient::kNone;
  int degrees = 0;
};

/// A column that depends on others: equal to a combination of `of` on all rows; the number of features: the intercept.
struct LogitAlias {
  std::uint32_t column = 0;
  std::vector<std::uint32_t> of;
  /// Exact arithmetic says that the columns have this rank (of overlapping rows only, by the span of their
  /// certificate); else what the others leave of the column is below 3e-6 of its length.
  bool proven = false;
};

struct LogitResult {
  LogitOptions::Method method = LogitOptions::Method::kMaximumLikelihood;
  std::vector<LogitCoefficient> coefficients;  ///< the intercept first, then the columns in their order
  std::vector<LogitAlias> aliases;
  /// The verdict, with its certificate (about the columns without the offset's; not sealed). Decided whatever the
  /// method.
  CertifyOutcome separation;
  std::int64_t separated = 0;  ///< rows that maximum likelihood fits perfectly, whatever the other coefficients

  std::int64_t rows = 0;                        ///< that weigh more than 0 and miss no value
  std::int64_t weightless = 0, incomplete = 0;  ///< rows left out: they weigh nothing; a value or cluster is missing
  std::vector<std::int64_t> missing;            ///< of these, with a value missing in each of LogitOptions::missing
  double observations = 0, positives = 0;       ///< sums of weights
  /// Maximum likelihood: the supremum, of the limit where coefficients are infinite. Firth's: without the penalty.
  double log_likelihood = 0;
  double penalised_log_likelihood = LogitCoefficient::kNone;
  double augmented_wald = LogitCoefficient::kNone;  ///< Firth's: logistf's Wald statistic, of all coefficients
  double null_log_likelihood = 0;                   ///< of the intercept alone, if there is one, with the offset
  int degrees = 0;                                  ///< coefficients, the intercept included
  LogitTest overall;                                ///< against the intercept alone, or against no coefficients
  LogitTest overall_wald;  ///< the same by Wald's test; without a value where an estimate is infinite
  double aic = 0, bic = 0;
  std::vector<LogitTest> terms;
  std::int64_t clusters = 0;     ///< that have rows in the model
  std::int64_t unclustered = 0;  ///< rows left out because their cluster is missing

  /// Of the finite estimates, by place in `coefficients`, row after row; NaN elsewhere.
  std::vector<double> covariance;
  std::int64_t passes = 0;  ///< over the rows, besides those of the verdict
};

/// Fits the regression of the positive class. The same bits for any number of threads, workers and pages. Text must
/// have been read with ReadOptions::exact_values, for `certify`. Throws Error where the data can't be read twice, don't
/// have two classes, or the run is interrupted.
LogitResult logit(Source& source, const LogitOptions& options, Comm& comm, const Observer& observe = {});
/// The same on one worker.
LogitResult logit(Source& source, const LogitOptions& options = {}, const Observer& observe = {});

}  // namespace linsep
