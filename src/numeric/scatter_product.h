// ScatterProduct: S·p for the scatter S = Σ w·(x − μ)(x − μ)ᵀ of the rows of all workers, by a pass over the rows and
// without the matrix, to the same bits however rows are spread over workers.
//
// S·p = Σ s·x − μ·Σs with s = w·(x·p − μ·p); without a mean μ·p and the second term are 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/bytes.h"
#include "core/exact_sum.h"
#include "linsep/batch.h"
#include "linsep/comm.h"
#include "numeric/fixed_point.h"

namespace linsep {

class ScatterProduct {
 public:
  /// A first pass over the rows finds out how large sums can get.
  void widen(std::size_t features) { survey_.widen(features); }
  void survey(const Batch& batch);
  void end_survey(Comm& comm);

  /// The product of p from here on. `total` is Σw of all rows, `mu` their mean or empty. REQUIRES: the survey has
  /// ended.
  void begin(const std::vector<double>& p, const std::vector<double>& mu, double total);
  void add(const Batch& batch, const double* p);
  void synchronise(Comm& comm);
  std::vector<double> value(const std::vector<double>& mu) const;

  void save(ByteWriter& writer) const;
  void load(ByteReader& reader);
  std::size_t features() const { return survey_.greatest.size(); }

 private:
  ColumnSurvey survey_;
  double heaviest_ = 0;  ///< row, by weight
  FixedColumns fixed_;
  bool units_ = false;                 ///< fixed_ is set
  std::vector<std::int64_t> product_;  ///< Σ s·x in fixed point
  double step_ = 1;                    ///< of it
  double shift_ = 0;                   ///< μ·p
  ExactSum sum_;                       ///< Σs
};

}  // namespace linsep
