// PanelSums: scores of dense rows, sums of rows times factors, and sums of matrices x·xᵀ times factors, as precise as
// doubles are.
//
// Rows come in panels of 256, cut by the numbers of the rows. Within a panel sums are rounded, in the order of the
// rows. Sums of panels depend on no order (core/binned_sums.h). So the bits depend on which rows share a panel, and on
// nothing else.
//
// Whole numbers need no panels (fixed_point.h, hessian_sums.h), but they have a unit that suits a column's largest
// value. Matrices that are inverted for standard errors need all digits of the other values too.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/binned_sums.h"
#include "linsep/batch.h"
#include "linsep/comm.h"
#include "numeric/symmetric_matrix.h"

namespace linsep {

class PanelSums {
 public:
  static constexpr std::size_t kRows = 256;
  /// How far apart rows' scores and factors must be.
  static constexpr std::size_t stride(std::size_t outputs) { return (outputs + kRankTile - 1) / kRankTile * kRankTile; }

  /// Of rows with so many columns. The weight of column j for score c is number j·scored + c. Sums by column have so
  /// many outputs.
  void begin(std::size_t columns, std::span<const double> weight, std::size_t scored, std::size_t outputs,
             std::size_t matrices);
  /// score[r·stride(scored) + c] becomes score c of row r. A panel has at most kRows rows of dense doubles.
  void score(const Batch& panel, double* score);
  /// Adds factor[r·stride + c]·x_r to the sums of output c.
  void add(const Batch& panel, const double* factor, std::size_t stride);
  /// Adds factor[r·stride]·x_r·x_rᵀ to a matrix. REQUIRES: no factor is below 0.
  void add_matrix(std::size_t number, const Batch& panel, const double* factor, std::size_t stride);
  void add(const PanelSums& other) { sums_.add(other.sums_); }
  /// Over all workers.
  void synchronise(Comm& comm);

  /// Column j's sum of output c is number j·outputs + c.
  std::vector<double> columns() const;
  SymmetricMatrix matrix(std::size_t number) const;

 private:
  /// With fewer outputs the kernel for many would mostly multiply zeros.
  static constexpr std::size_t kMany = 4;
  std::size_t first_of(std::size_t matrix) const {
    return columns_ * outputs_ + matrix * (columns_ * (columns_ + 1) / 2);
  }

  std::size_t columns_ = 0, scored_ = 0, outputs_ = 0;
  std::vector<double> weight_;                         // rows are columns, padded; of few scores, score after score
  BinnedSums sums_;                                    // by column and output; behind them each matrix's upper triangle
  std::vector<double> transposed_, partial_, scaled_;  // of the panel at hand
  SymmetricMatrix block_;
};

}  // namespace linsep
