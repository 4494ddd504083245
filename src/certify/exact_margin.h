// ExactMargin: one pass that finds a classifier's least margin y·z over all rows, for the values as they were written.
//
// Every score is computed with a bound on its error, reading included (certify/row_scaling.h). Only rows whose
// score may be the least are read as written, and their scores taken exactly. Of several workers each looks at its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "certify/exact/solve.h"
#include "certify/row_scaling.h"
#include "linsep/pass.h"

namespace linsep {

struct ExactMarginOptions {
  RowSpace space;
  std::vector<double> theta;  ///< over φ's columns
  double offset = 0;          ///< 0 through the origin
  bool binary = false;        ///< batches show the exact values
  std::function<std::vector<WrittenRow>(std::span<const std::int64_t>)> written;
};

class ExactMargin final : public Pass {
 public:
  explicit ExactMargin(ExactMarginOptions options);

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  /// The least y·z, or a number below it where too many rows may have it; after the pass.
  const Rational& least() const { return least_; }
  bool is_exact() const { return exact_; }
  /// ‖θ‖², exactly.
  Rational squared_norm() const;

 private:
  struct Undecided {
    std::int64_t row = 0;
    int sign = 1;
    double low = 0;  ///< y·z is at least this
  };

  template <class Row>
  void look_at(const Row& z, std::int64_t number, int sign);
  void prune();
  /// Of the rows that may have the least y·z; nothing where there are none.
  std::optional<Rational> least_as_written() const;

  ExactMarginOptions options_;
  RowScaling scaling_;
  ScanWeights scan_;
  double least_high_ = 0;  ///< some y·z is at most this
  std::vector<Undecided> undecided_;
  Rational least_ = 0;
  bool exact_ = false;
};

}  // namespace linsep
