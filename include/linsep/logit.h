// logit fits a logistic regression, with inference. Separation is decided exactly before anything is estimated, so that
// no number is given for a coefficient that has none.
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

/// Columns that are tested together, such as the levels of a category.
struct LogitTerm {
  std::string name = {};
  std::vector<std::uint32_t> columns = {};  ///< ascending
};

struct LogitOptions : RunLimits {
  enum class Method {
    kMaximumLikelihood,
    kFirth,  ///< maximizes ℓ + ½ ln det I (Firth, 1993), which is finite whatever the rows
    kFlic,  ///< Firth's, with the intercept fitted so that the mean probability is that of the rows (Puhr et al., 2017)
    kFlac,  ///< maximum likelihood on rows augmented in the way of Firth's penalty (the same authors). On one worker
  };
  /// Standard errors of the estimates. Profiles and likelihood ratios don't depend on the choice. With the latter two,
  /// joint tests are Wald's.
  enum class Errors {
    kInformation,
    kRobust,     ///< sandwich estimator HC1, with the factor n/(n − k)
    kClustered,  ///< for rows that depend on each other in a cluster. CR1, with the factor G/(G − 1)·(n − 1)/(n − k)
  };

  /// How to find the finite end of an infinite coefficient's interval. It is the coefficient's value b at which the
  /// observed outcomes of certain rows have the probability 1 − confidence (halved for kFace), by the estimates with
  /// the coefficient at b. Those rows are the ones that are fitted perfectly only because the coefficient is infinite
  /// (the face; Geyer, 2009).
  enum class InfiniteInterval {
    kMidP,     ///< half the probability counts, which is close to exact conditional inference with mid-p values
    kFace,     ///< all of it counts, which is wider
    kProfile,  ///< by profile likelihood instead, which is too narrow if few outcomes of the other kind are expected
  };

  Method method = Method::kMaximumLikelihood;
  InfiniteInterval infinite_interval = InfiniteInterval::kMidP;
  bool origin = false;       ///< no intercept
  double confidence = 0.95;  ///< of intervals
  bool profile = true;       ///< likelihood-ratio tests and profile intervals of every coefficient, otherwise Wald's
  Errors errors = Errors::kInformation;
  /// With kClustered, the cluster of each row of this worker, in their order. kNoCluster means that it is missing, and
  /// the row is left out. Numbers are the same on all workers.
  std::vector<std::uint32_t> cluster = {};
  static constexpr std::uint32_t kNoCluster = std::numeric_limits<std::uint32_t>::max();
  std::optional<std::uint32_t> offset = {};  ///< a column whose coefficient is fixed at 1
  /// Columns that are other than 0 if a value is missing. These rows are left out, and the columns are no part of the
  /// model.
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
  kUndetermined,  ///< separation leaves even its sign open, and every value is as likely
  kAliased,       ///< its column depends on columns before it, so it was left out of the model
};
/// "finite", "+infinity", "-infinity", "undetermined", "aliased".
std::string_view status_name(CoefficientStatus status);

/// NaN means not given, because it doesn't exist or wasn't asked for.
struct LogitCoefficient {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::uint32_t column = 0;  ///< of the source. The number of features stands for the intercept
  CoefficientStatus status = CoefficientStatus::kFinite;
  double estimate = kNone;  ///< ±∞ if proven
  double error = kNone;     ///< the estimate is proven to be at most this far from the maximum. Not with a penalty
  double standard_error = kNone, z = kNone, wald_p = kNone;
  double chi_square = kNone, p = kNone;  ///< likelihood ratio, one degree of freedom
  double low = kNone, high = kNone;      ///< interval, either end of which may be infinite
  double deviation = 0;                  ///< of the column
  /// Firth's standard error by the information with weights w·p(1 − p)·(1 + h), which is that of the R package logistf.
  double augmented_error = kNone;
};

struct LogitTest {
  std::string name;
  bool wald = false;  ///< Wald's test by the covariance of the estimates, otherwise the likelihood ratio
  double chi_square = LogitCoefficient::kNone, p = LogitCoefficient::kNone;
  int degrees = 0;
};

/// A column that is equal to a combination of the columns in `of` on all rows. The number of features stands for the
/// intercept.
struct LogitAlias {
  std::uint32_t column = 0;
  std::vector<std::uint32_t> of;
  /// The columns have this rank by exact arithmetic (only with overlapping rows, by the span of their certificate). If
  /// not proven, what the others leave of the column is below 3e-6 of its length.
  bool proven = false;
};

struct LogitResult {
  LogitOptions::Method method = LogitOptions::Method::kMaximumLikelihood;
  std::vector<LogitCoefficient> coefficients;  ///< the intercept first, then the columns in their order
  std::vector<LogitAlias> aliases;
  /// The verdict, with its certificate, which isn't sealed and is about the columns without the offset's. Decided
  /// whatever the method.
  CertifyOutcome separation;
  std::int64_t separated = 0;  ///< rows that maximum likelihood fits perfectly, whatever the other coefficients

  std::int64_t rows = 0;                        ///< with a weight above 0 and no missing value
  std::int64_t weightless = 0, incomplete = 0;  ///< rows left out for their weight, or a missing value or cluster
  std::vector<std::int64_t> missing;            ///< of these, with a value missing in each of LogitOptions::missing
  double observations = 0, positives = 0;       ///< sums of weights
  /// With maximum likelihood the supremum, which is that of the limit if coefficients are infinite. With Firth's
  /// without the penalty.
  double log_likelihood = 0;
  double penalised_log_likelihood = LogitCoefficient::kNone;
  double augmented_wald = LogitCoefficient::kNone;  ///< with Firth's penalty, logistf's Wald statistic for all
  double null_log_likelihood = 0;                   ///< of the intercept alone, if there is one, with the offset
  int degrees = 0;                                  ///< coefficients, the intercept included
  LogitTest overall;                                ///< against the intercept alone, or against no coefficients
  LogitTest overall_wald;  ///< the same by Wald's test, without a value if an estimate is infinite
  double aic = 0, bic = 0;
  std::vector<LogitTest> terms;
  std::int64_t clusters = 0;     ///< that have rows in the model
  std::int64_t unclustered = 0;  ///< rows left out because their cluster is missing

  /// The covariance of the finite estimates, by index in `coefficients`, row after row. NaN elsewhere.
  std::vector<double> covariance;
  std::int64_t passes = 0;  ///< over the rows, besides those of the verdict
};

/// Fits the regression of the positive class. The same bits for any number of threads, workers and pages. Text must
/// have been read with ReadOptions::exact_values, for `certify`. Throws Error if the data can't be read twice, don't
/// have two classes, or the run is interrupted.
LogitResult logit(Source& source, const LogitOptions& options, Comm& comm, const Observer& observe = {});
/// The same on one worker.
LogitResult logit(Source& source, const LogitOptions& options = {}, const Observer& observe = {});

}  // namespace linsep
