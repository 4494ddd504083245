// From rows to a table of coefficients. Separation comes first, then estimates, tests and intervals.
//
// Overlapping rows have a maximum. Otherwise the likelihood has a supremum, reached along the directions of recession
// (Geyer, 2009). Rows that these separate are fitted perfectly and drop out. What is left is an ordinary regression,
// the limiting model. Its coefficients are those that the certificate calls finite.
//
// With a coefficient fixed at b, only the directions with a 0 at its place are left, whatever b. For a finite
// coefficient these are all. For an infinite one `certify` is asked again without its column, and the rows that the
// answer separates drop out of that coefficient's profile.
#include "linsep/logit.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "core/elementary.h"
#include "data/decorators.h"
#include "linsep/error.h"
#include "linsep/tools/proof_rows.h"
#include "numeric/distributions.h"
#include "train/logit/clusters.h"
#include "train/logit/face.h"
#include "train/logit/flac.h"
#include "train/logit/likelihood.h"
#include "train/logit/search.h"

namespace linsep {
namespace {

using Method = LogitOptions::Method;
constexpr double kNone = LogitCoefficient::kNone, kInfinity = std::numeric_limits<double>::infinity();

LogitSearch maximum_search(const Likelihood& likelihood) {
  LogitSearch search;
  search.free = likelihood.active();
  search.point.at.beta.assign(likelihood.size(), 0);
  return search;
}

class Regression {
 public:
  Regression(Source& source, const LogitOptions& options, Comm& comm, const Observer& observe)
      : options_(options), comm_(comm), observe_(observe), run_{options, comm, observe_}, base_(&source) {
    if (source.schema().classes.size() > 2 || !source.schema().labels.empty()) {
      throw usage_error("logit needs two classes");
    }
    features_ = source.shape().features;
    threshold_ = normal_two_sided_quantile(1 - options.confidence);
    const auto rows = static_cast<std::size_t>(std::max<std::int64_t>(source.shape().rows, 0));
    if (clustered() && options.cluster.size() != rows) throw usage_error("each row needs a cluster");
    if (firth() && options.errors != LogitOptions::Errors::kInformation) {
      throw usage_error("robust standard errors need maximum likelihood");
    }
    cluster_ = options.cluster;
  }

  LogitResult run() {
    drop_rows();
    design_ = {!options_.origin, options_.offset, options_.missing};
    std::ranges::sort(design_.left_out);
    Likelihood all(*base_, design_, run_);
    describe(all);
    decide_separation();
    if (options_.method == Method::kMaximumLikelihood) {
      fit_limit(all);
    } else {
      fit_firth(all);
    }
    compare_with_null(all);
    result_.passes = run_.passes;
    return std::move(result_);
  }

 private:
  bool firth() const { return options_.method != Method::kMaximumLikelihood; }
  bool clustered() const { return options_.errors == LogitOptions::Errors::kClustered; }

  /// Drops rows with a missing value, and rows of weight 0, which don't affect separation either.
  void drop_rows() {
    std::vector<char> kept(static_cast<std::size_t>(base_->shape().rows), 1);
    std::vector<char> marks(features_, 0);
    for (const std::uint32_t column : options_.missing) marks.at(column) = 1;
    result_.missing.assign(options_.missing.size(), 0);
    std::size_t at = 0;
    base_->rewind(0);
    while (const auto batch = base_->next()) {
      if (batch->weight.empty() && options_.missing.empty() && !clustered()) break;
      for_each_row(*batch, [&](const auto& row, std::int64_t i) {
        bool incomplete = clustered() && cluster_[at] == LogitOptions::kNoCluster;
        result_.unclustered += incomplete ? 1 : 0;
        for_each_entry(row, [&](std::uint32_t j, double x) {
          if (x == 0 || marks[j] == 0) return;
          incomplete = true;
          ++result_
                .missing[static_cast<std::size_t>(std::ranges::find(options_.missing, j) - options_.missing.begin())];
        });
        const bool weightless = !incomplete && batch->weight_of(i) == 0;
        result_.incomplete += incomplete ? 1 : 0;
        result_.weightless += weightless ? 1 : 0;
        kept.at(at++) = incomplete || weightless ? 0 : 1;
      });
    }
    result_.incomplete = all_reduce_sum(comm_, result_.incomplete);
    result_.unclustered = all_reduce_sum(comm_, result_.unclustered);
    comm_.all_reduce(std::span(result_.missing), Comm::Op::kSum);
    result_.weightless = all_reduce_sum(comm_, result_.weightless);
    if (result_.incomplete + result_.weightless == 0) return;
    if (clustered()) cluster_ = clusters_of(kept);
    some_rows_ = select_rows(*base_, {std::move(kept), {}}, comm_);
    base_ = some_rows_.get();
    if (RowsOfAll(*base_, comm_).shape().rows == 0) {
      throw input_error("every row has a missing value or weighs nothing: no row is left");
    }
  }

  /// The clusters of this worker's marked rows.
  std::vector<std::uint32_t> clusters_of(const std::vector<char>& marks) const {
    std::vector<std::uint32_t> clusters;
    for (std::size_t i = 0; i < cluster_.size(); ++i) {
      if (marks[i] != 0) clusters.push_back(cluster_[i]);
    }
    return clusters;
  }

  /// Describes everything that is known before separation, which is sizes and aliased columns.
  void describe(const Likelihood& all) {
    result_.method = options_.method;
    result_.rows = all.rows();
    result_.observations = all.weights();
    result_.positives = all.positives();
    if (result_.positives == 0 || result_.positives == result_.observations) {
      throw input_error("all rows are of one class: a logistic regression needs both");
    }
    for (std::size_t c = 0; c <= features_; ++c) {
      if (!in_model(c)) continue;
      LogitCoefficient& coefficient = result_.coefficients.emplace_back();
      coefficient.column = column_of(c);
      coefficient.deviation = all.deviation(c);
      if (all.active()[c] == 0) coefficient.status = CoefficientStatus::kAliased;
    }
    for (const DependentColumn& dependent : all.dependent()) {
      LogitAlias alias;
      alias.column = column_of(dependent.column);
      for (const std::size_t c : dependent.summands()) {
        if (c > 0) alias.of.push_back(column_of(c));
      }
      if (!options_.origin && alias.of.empty()) alias.of.push_back(column_of(0));
      result_.aliases.push_back(std::move(alias));
      design_.left_out.push_back(column_of(dependent.column));
    }
    std::ranges::sort(design_.left_out);
    result_.degrees = static_cast<int>(all.rank());
  }

  /// Whether the coordinate is in the model, aliased or not.
  bool in_model(std::size_t coordinate) const {
    if (coordinate == 0) return !options_.origin;
    const std::uint32_t column = column_of(coordinate);
    return options_.offset != column && std::ranges::find(options_.missing, column) == options_.missing.end();
  }
  std::uint32_t column_of(std::size_t coordinate) const {
    return coordinate == 0 ? features_ : static_cast<std::uint32_t>(coordinate - 1);
  }
  std::size_t coordinate_of(std::uint32_t column) const { return column == features_ ? 0 : std::size_t{column} + 1; }

  // Separation.

  CertifyOutcome certify_without(std::vector<std::uint32_t> left_out, bool origin, bool coefficients) {
    std::ranges::sort(left_out);
    CertifyOptions options{options_};
    options.origin = origin;
    options.coefficients = coefficients;
    const auto some = left_out.empty() ? nullptr : select_rows(*base_, {{}, left_out}, comm_);
    Source& rows = some ? *some : *base_;
    CertifyOutcome outcome = certify(rows, options, comm_, observe_);
    if (outcome.certificate.claim == Claim::kUndecided || outcome.reason != StopReason::kConverged) {
      throw interrupted_error();
    }
    return outcome;
  }

  std::vector<std::uint32_t> columns_outside() const {
    std::vector<std::uint32_t> columns = design_.left_out;
    if (options_.offset) columns.push_back(*options_.offset);
    return columns;
  }

  void decide_separation() {
    std::vector<std::uint32_t> never = options_.missing;
    if (options_.offset) never.push_back(*options_.offset);
    const bool aliased = !result_.aliases.empty();
    result_.separation = certify_without(never, options_.origin, !aliased && !firth());
    const Claim claim = result_.separation.certificate.claim;
    if (claim == Claim::kOverlapping) check_rank();
    if (claim == Claim::kOverlapping || firth()) return;
    // Aliased columns would leave others undetermined that can be estimated without them.
    CertifyOutcome alone;
    if (aliased) alone = certify_without(columns_outside(), options_.origin, true);
    const CertifyOutcome& outcome = aliased ? alone : result_.separation;
    std::size_t next = 0;
    std::vector<std::uint32_t> kept;
    const std::vector<std::uint32_t> outside = columns_outside();
    for (std::uint32_t j = 0; j < features_; ++j) {
      if (std::ranges::find(outside, j) == outside.end()) kept.push_back(j);
    }
    if (!options_.origin) kept.push_back(features_);
    for (const CoefficientEstimate& estimate : outcome.estimates) {
      LogitCoefficient& to = coefficient(kept.at(next++));
      switch (estimate.estimate) {
        case Estimate::kPlusInfinity:
          to.status = CoefficientStatus::kPlusInfinity;
          to.estimate = kInfinity;
          break;
        case Estimate::kMinusInfinity:
          to.status = CoefficientStatus::kMinusInfinity;
          to.estimate = -kInfinity;
          break;
        case Estimate::kFinite:
          break;
        case Estimate::kUndetermined:
          if (options_.profile) leave_open(to);
          [[fallthrough]];
        case Estimate::kUnknown:
          to.status = CoefficientStatus::kUndetermined;
          break;
      }
    }
    left_ = rows_left(outcome, columns_outside());
  }

  /// Aliased columns were found with rounding. For overlapping rows the certificate's span proves how many there are.
  void check_rank() {
    const Certificate& certificate = result_.separation.certificate;
    if (!certificate.span) return;
    const std::size_t dependent = certificate.span->dependent.size();
    if (dependent > result_.aliases.size()) {
      throw input_error("the columns are so nearly dependent that rounding hides which of them are: leave some out");
    }
    for (LogitAlias& alias : result_.aliases) alias.proven = dependent == result_.aliases.size();
  }

  LogitCoefficient& coefficient(std::uint32_t column) {
    const auto found = std::ranges::find(result_.coefficients, column, &LogitCoefficient::column);
    return *found;
  }

  /// Marks the rows of this worker that no direction separates.
  std::vector<char> rows_left(const CertifyOutcome& outcome, std::vector<std::uint32_t> left_out) {
    const RowsOfAll all(*base_, comm_);
    const auto size = static_cast<std::size_t>(base_->shape().rows);
    switch (outcome.certificate.claim) {
      case Claim::kSeparable:
        return std::vector<char>(size, 0);
      case Claim::kOverlapping:
      case Claim::kUndecided:
        return std::vector<char>(size, 1);
      case Claim::kQuasiSeparable:
        break;
    }
    std::vector<char> left(size, 1);
    std::ranges::sort(left_out);
    const auto some = left_out.empty() ? nullptr : select_rows(*base_, {{}, left_out}, comm_);
    Source& rows = some ? *some : *base_;
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    for (const NamedRow& row : separated_rows(outcome.certificate, rows, kAll, options_, comm_)) {
      if (row.row >= all.first_row() && row.row < all.end_row()) {
        left[static_cast<std::size_t>(row.row - all.first_row())] = 0;
      }
    }
    return left;
  }

  // Maximum likelihood.

  void fit_limit(Likelihood& all) {
    const Claim claim = result_.separation.certificate.claim;
    if (claim == Claim::kOverlapping) {
      fit_finite(all, false);
      test_terms(all, false);
    } else {
      for (const char left : left_) result_.separated += left == 0 ? 1 : 0;
      result_.separated = all_reduce_sum(comm_, result_.separated);
      if (claim == Claim::kQuasiSeparable) {
        const auto rows = select_rows(*base_, {left_, {}}, comm_);
        Likelihood limit(*rows, design_, run_);
        if (clustered()) cluster_ = clusters_of(left_);
        fit_finite(limit, false);
      }
      for (LogitCoefficient& each : result_.coefficients) {
        const bool infinite =
            each.status == CoefficientStatus::kPlusInfinity || each.status == CoefficientStatus::kMinusInfinity;
        if (infinite && options_.profile) fit_infinite(each);
      }
      test_terms_by_fits();
    }
    result_.aic = 2 * result_.degrees - 2 * result_.log_likelihood;
    result_.bic = result_.degrees * elementary::log(result_.observations) - 2 * result_.log_likelihood;
  }

  /// The maximum on these rows, and everything about the finite coefficients.
  void fit_finite(Likelihood& likelihood, bool penalized) {
    LogitSearch maximum = maximum_search(likelihood);
    run_searches(likelihood, {&maximum}, penalized);
    if (!maximum.converged) {
      throw input_error("the maximum of the likelihood wasn't reached: are columns nearly dependent?");
    }
    result_.log_likelihood = maximum.point.value;
    fill_estimates(likelihood, maximum, penalized);
    if (options_.profile) profile_all(likelihood, maximum, penalized);
  }

  /// How far the maximum may be from a point with this decrement ν. With M the longest row in the norm of the inverse
  /// information, the third derivative along any direction is at most M times the second (Bach, 2010). So the distance
  /// r in the norm of the information has (1 − e^(−M·r))/M ≤ ν. The bound is in standard errors of any coefficient.
  double distance_bound(const Likelihood& likelihood, const LogitSearch& maximum) const {
    constexpr double kUnit = 0x1p-53;
    const auto size = static_cast<double>(likelihood.size());
    double trace = 0;
    std::vector<double> column(likelihood.size());
    for (std::size_t c = 0; c < column.size(); ++c) {
      if (likelihood.active()[c] == 0) continue;
      std::ranges::fill(column, 0.0);
      column[c] = 1;
      maximum.factor->solve(column);
      trace += column[c];
    }
    const double length = std::sqrt(product(maximum.beta(), maximum.beta()));
    // Rounding of scores, probabilities and sums of a panel, in each coordinate of the gradient.
    const double each =
        kUnit * likelihood.greatest_sum() * (2 * PanelSums::kRows + 8 + size * likelihood.longest_row() * length);
    const double nu = std::sqrt(maximum.decrement) + each * std::sqrt(size * trace);
    const double longest = likelihood.longest_row() * std::sqrt(trace);
    if (!(longest * nu < 1)) return kInfinity;
    return -elementary::log1p(-longest * nu) / longest;
  }

  void fill_estimates(Likelihood& likelihood, const LogitSearch& maximum, bool penalized) {
    const std::size_t count = result_.coefficients.size();
    const double distance = penalized ? kNone : distance_bound(likelihood, maximum);
    std::vector<std::vector<double>> functional(count), solved(count);
    std::shared_ptr<const SymmetricMatrix> middle;
    if (options_.errors == LogitOptions::Errors::kRobust) middle = scores_matrix(likelihood, maximum);
    if (clustered()) middle = clustered_matrix(likelihood, maximum);
    for (std::size_t k = 0; k < count; ++k) {
      LogitCoefficient& each = result_.coefficients[k];
      if (each.status != CoefficientStatus::kFinite) continue;
      functional[k] = likelihood.functional(coordinate_of(each.column));
      solved[k] = functional[k];
      maximum.factor->solve(solved[k]);
    }
    const auto scale_of = [&](std::size_t k) {
      return likelihood.scale(coordinate_of(result_.coefficients[k].column));
    };
    result_.covariance.assign(count * count, kNone);
    unit_covariance_.assign(count * count, kNone);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t l = 0; l < count; ++l) {
        if (functional[k].empty() || functional[l].empty()) continue;
        const double unit = middle ? sandwich(*middle, solved[k], solved[l])
                                   : product(functional[std::max(k, l)], solved[std::min(k, l)]);
        unit_covariance_[k * count + l] = unit;
        const double written = unit * scale_of(k) * scale_of(l);
        result_.covariance[k * count + l] = std::isfinite(written) ? written : kNone;
      }
      if (functional[k].empty()) continue;
      LogitCoefficient& each = result_.coefficients[k];
      const double scale = scale_of(k);
      each.estimate = product(functional[k], maximum.beta()) * scale;
      const double model_error = std::sqrt(product(functional[k], solved[k]));
      double size = 0;
      for (std::size_t c = 0; c < functional[k].size(); ++c) size += std::abs(functional[k][c] * maximum.beta()[c]);
      each.error = (model_error * distance + 0x1p-50 * size) * scale;
      each.standard_error = std::sqrt(unit_covariance_[k * count + k]) * scale;
      set_wald(each);
    }
  }

  void set_wald(LogitCoefficient& each) const {
    each.z = each.estimate / each.standard_error;
    each.wald_p = normal_two_sided(std::abs(each.z));
    each.low = each.estimate - threshold_ * each.standard_error;
    each.high = each.estimate + threshold_ * each.standard_error;
  }

  /// Σ w·(y − p)²·x·xᵀ, times n/(n − k), which is HC1.
  std::shared_ptr<const SymmetricMatrix> scores_matrix(Likelihood& likelihood, const LogitSearch& maximum) {
    LogitPoint point;
    point.at.beta = maximum.beta();
    point.at.matrix = LogisticPoint::Matrix::kScores;
    LogitPoint* const at = &point;
    likelihood.evaluate(std::span(&at, 1));
    const double n = likelihood.weights(), k = static_cast<double>(likelihood.rank());
    return times(std::move(point.matrix), n > k ? n / (n - k) : 1);
  }

  /// Σ_g s_g·s_gᵀ, times G/(G − 1)·(n − 1)/(n − k), which is CR1 as in statsmodels.
  std::shared_ptr<const SymmetricMatrix> clustered_matrix(Likelihood& likelihood, const LogitSearch& maximum) {
    ClusterScores scores = cluster_scores(likelihood, maximum.beta(), gathered(cluster_));
    if (scores.clusters < 2) throw input_error("cluster-robust standard errors need at least two clusters");
    result_.clusters = scores.clusters;
    const double n = likelihood.weights(), k = static_cast<double>(likelihood.rank());
    const auto g = static_cast<double>(scores.clusters);
    return times(std::move(scores.matrix), g / (g - 1) * (n > k ? (n - 1) / (n - k) : 1));
  }

  /// The values of all workers, in their order.
  template <class T>
  std::vector<T> gathered(const std::vector<T>& mine) const {
    std::vector<T> all;
    for (const auto& bytes : comm_.all_gather(std::as_bytes(std::span(mine)))) {
      std::vector<T> some(bytes.size() / sizeof(T));
      if (!some.empty()) std::memcpy(some.data(), bytes.data(), bytes.size());
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  static std::shared_ptr<const SymmetricMatrix> times(SymmetricMatrix matrix, double factor) {
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      for (std::size_t j = i; j < matrix.size(); ++j) matrix.at(i, j) *= factor;
    }
    return std::make_shared<const SymmetricMatrix>(std::move(matrix));
  }

  static double sandwich(const SymmetricMatrix& middle, const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        sum += a[i] * b[j] * middle.entries()[std::min(i, j) * middle.stride() + std::max(i, j)];
      }
    }
    return sum;
  }

  /// Likelihood ratios and profile intervals of the finite coefficients, in the same passes.
  void profile_all(Likelihood& likelihood, const LogitSearch& maximum, bool penalized) {
    struct Profile {
      LogitCoefficient* coefficient;
      LogitSearch zero, low, high;
      double scale;
    };
    std::vector<Profile> profiles;
    for (LogitCoefficient& each : result_.coefficients) {
      if (each.status != CoefficientStatus::kFinite) continue;
      LogitSearch start;
      start.functional = likelihood.functional(coordinate_of(each.column));
      start.free = likelihood.active();
      start.factor = maximum.factor;
      start.level = maximum.point.value - 0.5 * threshold_ * threshold_;
      std::vector<double> v = start.functional;
      maximum.factor->solve(v);
      const double av = product(start.functional, v);
      const auto moved = [&](double by, int side) {
        LogitSearch search = start;
        search.side = side;
        search.point.at.beta = maximum.beta();
        for (std::size_t c = 0; c < v.size(); ++c) search.point.at.beta[c] += v[c] * by / av;
        return search;
      };
      const double by = threshold_ * std::sqrt(av), estimate = product(start.functional, maximum.beta());
      profiles.push_back(
          {&each, moved(-estimate, 0), moved(-by, -1), moved(by, 1), likelihood.scale(coordinate_of(each.column))});
    }
    std::vector<LogitSearch*> all;
    for (Profile& profile : profiles) all.insert(all.end(), {&profile.zero, &profile.low, &profile.high});
    run_searches(likelihood, all, penalized);
    for (Profile& profile : profiles) {
      LogitCoefficient& each = *profile.coefficient;
      set_ratio(each, maximum.point.value, profile.zero);
      each.low = profile.low.converged ? profile.low.root * profile.scale : kNone;
      each.high = profile.high.converged ? profile.high.root * profile.scale : kNone;
    }
  }

  static void set_ratio(LogitCoefficient& each, double greatest, const LogitSearch& zero) {
    if (!zero.converged) return;
    each.chi_square = std::max(0.0, 2 * (greatest - zero.value()));
    each.p = chi_square_tail(each.chi_square, 1);
  }

  /// The supremum of the likelihood is the same at every value of the coefficient.
  static void leave_open(LogitCoefficient& each) {
    each.chi_square = 0;
    each.p = 1;
    each.low = -kInfinity;
    each.high = kInfinity;
  }

  /// The likelihood-ratio test of an infinite coefficient, and the finite end of its interval.
  void fit_infinite(LogitCoefficient& each) {
    const bool intercept = each.column == features_;
    std::vector<std::uint32_t> left_out = columns_outside();
    if (!intercept) left_out.push_back(each.column);
    const CertifyOutcome outcome = certify_without(left_out, intercept || options_.origin, false);
    leave_open(each);
    if (outcome.certificate.claim == Claim::kSeparable) return;
    const std::vector<char> left = rows_left(outcome, left_out);
    const auto rows = select_rows(*base_, {left, {}}, comm_);
    Likelihood likelihood(*rows, design_, run_);
    const std::size_t coordinate = coordinate_of(each.column);
    if (!likelihood.determines(coordinate)) return;
    LogitSearch zero = maximum_search(likelihood);
    zero.functional = likelihood.functional(coordinate);
    run_searches(likelihood, {&zero}, false);
    set_ratio(each, result_.log_likelihood, zero);
    const int side = each.status == CoefficientStatus::kPlusInfinity ? -1 : 1;
    const double end = infinite_end(likelihood, zero, side, result_.log_likelihood, face_marks(left), options_);
    (side < 0 ? each.low : each.high) = end * likelihood.scale(coordinate);
  }

  /// Marks those rows of all workers in a coefficient's profile that maximum likelihood fits perfectly.
  std::vector<char> face_marks(const std::vector<char>& in_profile) const {
    std::vector<char> mine;
    for (std::size_t i = 0; i < in_profile.size(); ++i) {
      if (in_profile[i] != 0) mine.push_back(left_[i] == 0 ? 1 : 0);
    }
    return gathered(mine);
  }

  // Tests of several coefficients.

  /// Uses the same likelihood with some coordinates fixed at 0.
  LogitTest test_without(Likelihood& likelihood, double greatest, const std::vector<char>& free, bool penalized) {
    LogitSearch search = maximum_search(likelihood);
    search.free = free;
    run_searches(likelihood, {&search}, penalized);
    LogitTest test;
    for (std::size_t c = 0; c < free.size(); ++c) test.degrees += likelihood.active()[c] != 0 && free[c] == 0 ? 1 : 0;
    if (search.converged) test.chi_square = std::max(0.0, 2 * (greatest - search.value()));
    if (search.converged && test.degrees > 0) test.p = chi_square_tail(test.chi_square, test.degrees);
    return test;
  }

  /// Wald's test of some columns: bᵀ·V⁻¹·b by the covariance V of their estimates.
  LogitTest wald_test(const std::vector<std::uint32_t>& columns) {
    LogitTest test;
    test.wald = true;
    const std::size_t count = result_.coefficients.size();
    std::vector<std::size_t> places;
    bool finite = !result_.covariance.empty();
    for (std::size_t k = 0; k < count; ++k) {
      const LogitCoefficient& each = result_.coefficients[k];
      if (std::ranges::find(columns, each.column) == columns.end()) continue;
      if (each.status == CoefficientStatus::kAliased) continue;
      finite = finite && each.status == CoefficientStatus::kFinite;
      places.push_back(k);
    }
    test.degrees = static_cast<int>(places.size());
    if (!finite || places.empty()) return test;
    SymmetricMatrix matrix;
    matrix.resize(places.size());
    std::vector<double> estimate, solved;
    for (std::size_t i = 0; i < places.size(); ++i) {
      // Scaled to a diagonal of 1, so that units of columns don't matter.
      estimate.push_back(result_.coefficients[places[i]].z);
      for (std::size_t j = i; j < places.size(); ++j) {
        const auto covariance = [&](std::size_t a, std::size_t b) {
          return unit_covariance_[places[a] * count + places[b]];
        };
        matrix.at(i, j) = i == j ? 1 : covariance(i, j) / (std::sqrt(covariance(i, i)) * std::sqrt(covariance(j, j)));
      }
    }
    // With fewer clusters than columns V has no inverse.
    const bool singular = clustered() && result_.clusters <= static_cast<std::int64_t>(places.size());
    if (singular || !matrix.factor(1)) return test;
    solved = estimate;
    matrix.solve(solved);
    test.chi_square = product(estimate, solved);
    test.p = chi_square_tail(test.chi_square, test.degrees);
    return test;
  }

  /// Likelihood ratios don't take robust errors into account.
  bool tests_by_wald() const { return options_.errors != LogitOptions::Errors::kInformation; }

  void test_terms_by_wald() {
    for (const LogitTerm& term : options_.terms) {
      result_.terms.push_back(wald_test(term.columns));
      result_.terms.back().name = term.name;
    }
  }

  void test_terms(Likelihood& likelihood, bool penalized) {
    if (tests_by_wald()) return test_terms_by_wald();
    const double greatest = penalized ? penalized_ : result_.log_likelihood;
    for (const LogitTerm& term : options_.terms) {
      std::vector<char> free = likelihood.active();
      for (const std::uint32_t column : term.columns) free[coordinate_of(column)] = 0;
      result_.terms.push_back(test_without(likelihood, greatest, free, penalized));
      result_.terms.back().name = term.name;
    }
  }

  /// The same for infinite coefficients, by the supremum without the columns, with its own verdict and limit.
  void test_terms_by_fits() {
    if (tests_by_wald()) return test_terms_by_wald();
    for (const LogitTerm& term : options_.terms) {
      LogitTest test;
      test.name = term.name;
      LogitDesign design = design_;
      for (const std::uint32_t column : term.columns) {
        if (std::ranges::find(design_.left_out, column) != design_.left_out.end()) continue;
        design.left_out.push_back(column);
        ++test.degrees;
      }
      std::ranges::sort(design.left_out);
      std::vector<std::uint32_t> outside = design.left_out;
      if (options_.offset) outside.push_back(*options_.offset);
      const CertifyOutcome outcome = certify_without(outside, options_.origin, false);
      double value = 0;
      if (outcome.certificate.claim != Claim::kSeparable) {
        const auto rows = select_rows(*base_, {rows_left(outcome, outside), {}}, comm_);
        Likelihood likelihood(*rows, design, run_);
        LogitSearch search = maximum_search(likelihood);
        run_searches(likelihood, {&search}, false);
        value = search.converged ? search.value() : kNone;
      }
      test.chi_square = std::max(0.0, 2 * (result_.log_likelihood - value));
      if (test.degrees > 0) test.p = chi_square_tail(test.chi_square, test.degrees);
      result_.terms.push_back(test);
    }
  }

  void compare_with_null(Likelihood& all) {
    std::vector<char> free(all.size(), 0);
    free[0] = all.active()[0];
    LogitSearch search = maximum_search(all);
    search.free = free;
    run_searches(all, {&search}, false);
    result_.null_log_likelihood = search.value();
    result_.overall = test_without(all, firth() ? penalized_ : result_.log_likelihood, free, firth());
    if (options_.method == Method::kFlac) result_.overall = flac_overall_;
    std::vector<std::uint32_t> columns;
    for (std::uint32_t j = 0; j < features_; ++j) columns.push_back(j);
    result_.overall_wald = wald_test(columns);
    if (tests_by_wald()) result_.overall = result_.overall_wald;
    result_.overall.name = result_.overall_wald.name = "all";
  }

  // Firth's penalty.

  void fit_firth(Likelihood& all) {
    const LogitSearch maximum = firth_maximum(all);
    penalized_ = maximum.point.value;
    result_.penalised_log_likelihood = penalized_ + 0.5 * all.log_determinant_shift();
    result_.log_likelihood = value_at(all, maximum.beta());
    if (options_.method == Method::kFlac) {
      fit_flac(all, maximum);
      return finish_firth();
    }
    fill_estimates(all, maximum, true);
    fill_augmented(all, maximum);
    if (options_.profile) profile_all(all, maximum, true);
    test_terms(all, true);
    if (options_.method == Method::kFlic && !options_.origin) fit_intercept(all, maximum);
    finish_firth();
  }

  /// The penalized likelihood may have several maxima. This takes the highest that is found from 0 and from the first
  /// steps of Newton's method on the likelihood itself, which lead towards the directions that separate rows.
  static LogitSearch firth_maximum(Likelihood& all) {
    constexpr int kSteps = 4;
    std::vector<LogitSearch> searches = {maximum_search(all)};
    for (int step = 0; step < kSteps; ++step) {
      LogitPoint point;
      point.at.beta = searches.back().point.at.beta;
      point.at.matrix = LogisticPoint::Matrix::kInformation;
      LogitPoint* const at = &point;
      all.evaluate(std::span(&at, 1));
      const SymmetricMatrix factor = restricted_factor(std::move(point.matrix), all.active(), all.threads());
      factor.solve(point.gradient);
      searches.push_back(maximum_search(all));
      for (std::size_t c = 0; c < all.size(); ++c) {
        searches.back().point.at.beta[c] = point.at.beta[c] + std::clamp(point.gradient[c], -5.0, 5.0);
      }
    }
    std::vector<LogitSearch*> each;
    for (LogitSearch& search : searches) each.push_back(&search);
    run_searches(all, each, true);
    const LogitSearch* best = nullptr;
    for (const LogitSearch& search : searches) {
      constexpr double kSame = 1e-9;
      if (search.converged && (best == nullptr || search.value() > best->value() + kSame)) best = &search;
    }
    if (best == nullptr) throw input_error("the maximum of the penalized likelihood wasn't reached");
    return *best;
  }

  /// logistf's standard errors and Wald statistic.
  void fill_augmented(Likelihood& all, const LogitSearch& maximum) {
    LogitPoint point;
    point.at.beta = maximum.beta();
    point.at.matrix = LogisticPoint::Matrix::kAugmented;
    point.at.leverage = maximum.factor.get();
    LogitPoint* const at = &point;
    all.evaluate(std::span(&at, 1));
    const SymmetricMatrix matrix = point.matrix;
    double wald = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < all.size(); ++j) {
        wald +=
            maximum.beta()[i] * maximum.beta()[j] * matrix.entries()[std::min(i, j) * matrix.stride() + std::max(i, j)];
      }
    }
    result_.augmented_wald = wald;
    const SymmetricMatrix factor = restricted_factor(std::move(point.matrix), all.active(), all.threads());
    for (LogitCoefficient& each : result_.coefficients) {
      if (each.status != CoefficientStatus::kFinite) continue;
      const std::vector<double> functional = all.functional(coordinate_of(each.column));
      std::vector<double> solved = functional;
      factor.solve(solved);
      each.augmented_error = std::sqrt(product(functional, solved)) * all.scale(coordinate_of(each.column));
    }
  }

  void finish_firth() {
    result_.aic = 2 * result_.degrees - 2 * result_.log_likelihood;
    result_.bic = result_.degrees * elementary::log(result_.observations) - 2 * result_.log_likelihood;
  }

  static double value_at(Likelihood& likelihood, const std::vector<double>& beta) {
    LogitPoint point;
    point.at.beta = beta;
    LogitPoint* const at = &point;
    likelihood.evaluate(std::span(&at, 1));
    return point.value;
  }

  /// FLIC estimates the intercept by maximum likelihood and leaves the other coefficients as they are. Its interval is
  /// Wald's.
  void fit_intercept(Likelihood& all, const LogitSearch& maximum) {
    LogitSearch search = maximum_search(all);
    search.free.assign(all.size(), 0);
    search.free[0] = 1;
    search.point.at.beta = maximum.beta();
    run_searches(all, {&search}, false);
    LogitCoefficient& intercept = result_.coefficients.front();
    intercept.estimate = all.as_written(0, search.beta());
    intercept.chi_square = intercept.p = kNone;
    set_wald(intercept);
    result_.log_likelihood = search.value();
  }

  /// FLAC adds every row again with both labels and half its leverage as weight, and a column that marks these rows.
  void fit_flac(Likelihood& all, const LogitSearch& maximum) {
    if (comm_.size() > 1) throw usage_error("FLAC runs on one worker");
    const std::unique_ptr<Source> rows = augment_rows(*base_, leverages(all, maximum), features_);
    Likelihood augmented(*rows, design_, run_);
    fit_finite(augmented, false);
    test_terms(augmented, false);
    const std::size_t added = std::size_t{features_} + 1;  // the coordinate of the new column
    std::vector<char> free(augmented.size(), 0);
    for (const std::size_t c : {std::size_t{0}, added}) free[c] = augmented.active()[c];
    flac_overall_ = test_without(augmented, result_.log_likelihood, free, false);
    for (LogitCoefficient& each : result_.coefficients) each.error = kNone;
    result_.log_likelihood = result_.penalised_log_likelihood = kNone;
  }

  const LogitOptions& options_;
  Comm& comm_;
  const Observer& observe_;
  LogitRun run_;
  Source* base_;  ///< the rows that count
  std::unique_ptr<Source> some_rows_;
  std::uint32_t features_ = 0;
  std::vector<std::uint32_t> cluster_;  ///< of the rows of this worker that are in the model
  LogitDesign design_;
  double threshold_ = 0;                 ///< of |z|
  double penalized_ = 0;                 ///< the largest penalized likelihood, in the units of β
  std::vector<char> left_;               ///< rows of the limiting model
  std::vector<double> unit_covariance_;  ///< LogitResult::covariance in the units of β
  LogitTest flac_overall_;
  LogitResult result_;
};

}  // namespace

std::string_view status_name(CoefficientStatus status) {
  switch (status) {
    case CoefficientStatus::kFinite:
      return "finite";
    case CoefficientStatus::kPlusInfinity:
      return "+infinity";
    case CoefficientStatus::kMinusInfinity:
      return "-infinity";
    case CoefficientStatus::kUndetermined:
      return "undetermined";
    case CoefficientStatus::kAliased:
      return "aliased";
  }
  return {};
}

std::string_view interval_name(LogitOptions::InfiniteInterval interval) {
  switch (interval) {
    case LogitOptions::InfiniteInterval::kMidP:
      return "mid-p";
    case LogitOptions::InfiniteInterval::kFace:
      return "face";
    case LogitOptions::InfiniteInterval::kProfile:
      return "profile";
  }
  return {};
}

LogitOptions::InfiniteInterval infinite_interval_named(std::string_view name) {
  using Interval = LogitOptions::InfiniteInterval;
  for (const Interval each : {Interval::kMidP, Interval::kFace, Interval::kProfile}) {
    if (interval_name(each) == name) return each;
  }
  throw usage_error("the interval of an infinite coefficient is 'mid-p', 'face' or 'profile', not '" +
                    std::string(name) + "'");
}

LogitResult logit(Source& source, const LogitOptions& options, Comm& comm, const Observer& observe) {
  return Regression(source, options, comm, observe).run();
}

LogitResult logit(Source& source, const LogitOptions& options, const Observer& observe) {
  return logit(source, options, *solo(), observe);
}

}  // namespace linsep
