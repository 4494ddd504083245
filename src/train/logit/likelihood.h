// Likelihood is the likelihood of a logistic regression on the rows of a source, evaluated by passes over them.
//
// Columns are centered and scaled on their way in, x ↦ (x − mean)·2^k, so that neither units nor large means cost
// digits. Coefficients in these units are called β here, and those that people read "as written". Coordinate 0 is the
// intercept, and coordinate j + 1 column j of the source. A column that depends on those before it, or is left out of
// the model, is inactive. It reads as 0 and so does its coefficient.
//
// Workers: Panels of 256 rows are cut by the number of the row in the whole data set. The few rows at the beginning of
// a shard that belong to a panel of the worker before it are sent there. So any number of workers, threads and pages
// give the same bits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/progress.h"
#include "linsep/source.h"
#include "numeric/logistic_sums.h"

namespace linsep {

/// Which parts of the source are in the model.
struct LogitDesign {
  bool intercept = true;
  std::optional<std::uint32_t> offset;    ///< a column whose coefficient is 1
  std::vector<std::uint32_t> left_out{};  ///< ascending, not in the model
};

/// What all evaluations of a call share: limits, and progress counted over all of its passes.
struct LogitRun {
  RunLimits limits;
  Comm& comm;
  const Observer& observe;
  std::int64_t passes = 0;
};

/// The likelihood at a point. Filled by Likelihood::evaluate.
struct LogitPoint {
  LogisticPoint at;
  double value = 0;
  std::vector<double> gradient;
  SymmetricMatrix matrix;  ///< as `at.matrix` asks
};

/// A column that depends on others: x[column] = Σ weight·x, in the units of β, where 0 is the intercept.
struct DependentColumn {
  std::size_t coordinate = 0;
  std::vector<double> relation;  ///< by coordinate: 1 at its own, −weight at the others
};

class Likelihood {
 public:
  /// Makes two passes, the first for means, the second for spreads and rank. Throws Error if the data can't be read
  /// again, or the run is interrupted. REQUIRES: two classes; `source` and `run` outlive this. Collective, like
  /// `evaluate`.
  Likelihood(Source& source, LogitDesign design, LogitRun& run);

  /// One pass for all points.
  void evaluate(std::span<LogitPoint* const> points);

  std::size_t size() const { return size_; }  ///< coordinates
  const std::vector<char>& active() const { return active_; }
  std::size_t rank() const;
  const std::vector<DependentColumn>& dependent() const { return dependent_; }
  double weights() const { return weights_; }  ///< Σ w_i
  double positives() const { return positives_; }
  std::int64_t rows() const { return rows_; }  ///< that weigh more than 0

  /// a with a·β·scale = the coefficient as written. The scale is a power of two. Squares of a·β don't overflow.
  std::vector<double> functional(std::size_t coordinate) const;
  double scale(std::size_t coordinate) const { return coordinate == 0 ? 1 : unit_[coordinate]; }
  /// Whether the rows determine the coefficient, which means that it is the same for all β with the same scores.
  bool determines(std::size_t coordinate) const;
  double as_written(std::size_t coordinate, std::span<const double> beta) const;
  /// ln det of the information in the columns as written, minus that in the units of β.
  double log_determinant_shift() const;
  /// The standard deviation of a column as written.
  double deviation(std::size_t coordinate) const { return deviation_[coordinate]; }

  /// No row of a panel is longer than this, and no sum Σ w_i·|x_ij| larger than that.
  double longest_row() const { return longest_; }
  double greatest_sum() const;

  /// Goes through the rows once, panel after panel, on several threads: `process(panel, first row, thread)`.
  void for_each_panel(const std::function<void(const LogisticPanel&, std::int64_t, std::size_t)>& process,
                      const std::function<void(Comm&)>& synchronise);
  int threads() const { return threads_; }

 private:
  class PanelPass;
  void survey();
  void find_units();
  void find_dependent(SymmetricMatrix& matrix);

  Source& source_;
  LogitDesign design_;
  LogitRun& run_;
  int threads_;
  std::size_t size_;
  std::vector<double> shift_, factor_;  ///< by coordinate. With a factor of 0 the column reads as 0
  std::vector<double> unit_;            ///< the factors, also of dependent columns
  std::vector<double> greatest_, deviation_;
  std::vector<char> active_;
  std::vector<DependentColumn> dependent_;
  bool has_units_ = false;
  double weights_ = 0, positives_ = 0, longest_ = 0;
  std::int64_t rows_ = 0;
};

/// The factor of a matrix restricted to some coordinates. On the others it solves to 0. If rounding has made the matrix
/// indefinite, a little is added to its diagonal. REQUIRES: as many marks as coordinates.
SymmetricMatrix restricted_factor(SymmetricMatrix matrix, const std::vector<char>& free, int threads);

double product(std::span<const double> a, std::span<const double> b);

}  // namespace linsep
