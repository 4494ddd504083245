// Likelihood is the likelihood of a logistic regression on the rows of a source, evaluated by passes over them.
//
// Columns are centered and scaled on their way in, x ↦ (x − mean)·2^k, so that neither units nor large means cost
// digits. Coefficients in these units are called β here, and those that people read "as written". Coordinate 0 is the
// intercept, and coordinate j + 1 column j of the source. A column that depends on those before it, or is left out of
// the model, is inactive. It reads as 0 and so does its coefficient.
//
// Every pass is a question to the rows (numeric/row_query.h), which come in panels (numeric/panel_sums.h).
//
// Workers: Panels are cut by the number of the row in the whole data set. The few rows at the beginning of a shard that
// belong to a panel of the worker before it are sent there. So any number of workers, threads and pages give the same
// bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/progress.h"
#include "linsep/source.h"
#include "numeric/dependent_columns.h"
#include "numeric/row_query.h"

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

/// Where the likelihood is evaluated, and what of it. With p_i the probability of a row's positive class:
struct LogisticPoint {
  /// kScores: Σ w_i·(y_i − p_i)²·x_i·x_iᵀ, the middle of a sandwich. kAugmented, with `leverage`: Σ
  /// w_i·p_i·(1 − p_i)·(1 + h_i/w_i)·x_i·x_iᵀ, the information of rows that Firth's penalty adds h_i/w_i to each.
  enum class Matrix { kNone, kInformation, kScores, kAugmented };

  std::vector<double> beta;
  Matrix matrix = Matrix::kNone;
  /// The factor of an information matrix: the gradient is then Σ h_i·(½ − p_i)·x_i instead, with the leverages
  /// h_i = w_i·p_i·(1 − p_i)·x_iᵀ·(information)⁻¹·x_i: the gradient of ½·ln det of the information.
  const SymmetricMatrix* leverage = nullptr;
};

/// The likelihood at a point. Filled by Likelihood::evaluate.
struct LogitPoint {
  LogisticPoint at;
  double value = 0;
  std::vector<double> gradient;
  SymmetricMatrix matrix;  ///< as `at.matrix` asks
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
  /// In the units of β, by coordinate.
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

  /// One pass: the answer of all workers' rows. Rows are panels of columns in the units of β, numbered over all
  /// workers, with their labels and weights.
  RowAnswer ask(RowQuery query);
  /// The coordinate of an offset, which rows have as written. Everywhere else it is a column of zeros.
  std::optional<std::size_t> offset() const;
  /// The weights whose scores are those of rows at β: β itself, and 1 for an offset.
  std::vector<double> weights_at(std::span<const double> beta) const;
  int threads() const { return threads_; }
  Comm& comm() const { return run_.comm; }

 private:
  class PanelPass;
  void survey();
  void find_units();

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
