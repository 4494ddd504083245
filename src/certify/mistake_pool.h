// MistakePool: one pass that counts a classifier's mistakes exactly and keeps the rows from which witnesses are packed.
//
// A row is a mistake if y·z ≤ 0, where z is computed with a bound on its error, and exactly, as written, where the
// bound leaves it open. Kept are the mistakes and, of the others, those nearest to the boundary, in bounded memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "certify/exact/solve.h"
#include "certify/row_scaling.h"
#include "linsep/pass.h"
#include "numeric/worst_rows.h"

namespace linsep {

struct PoolOptions {
  RowScaling scaling;
  std::vector<double> theta;  ///< over φ's columns, or fewer
  double offset = 0;
  std::function<std::vector<WrittenRow>(std::span<const std::int64_t>)> written;
};

class MistakePool final : public Pass {
 public:
  explicit MistakePool(PoolOptions options);

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  std::int64_t mistakes() const { return mistakes_; }
  /// Mistakes, the worst first; and rows that are none, the nearest to the boundary first. May be called once.
  std::vector<WorkRow> take_wrong() { return wrong_.take(); }
  std::vector<WorkRow> take_right() { return right_.take(); }

 private:
  struct Undecided {
    std::int64_t row = 0;
    int sign = 1;
    double share = 0;
  };

  template <class Row>
  void look_at(const Row& x, std::int64_t number, int sign);
  template <class Row>
  void keep(const Row& z, std::int64_t number, int sign, double share, bool wrong);
  void judge_open();
  bool is_mistake(const ExactRow& z) const;

  PoolOptions options_;
  ScanWeights scan_;
  IntegerVector exact_;  ///< the weights over all columns, up to a positive scale
  WorstRows wrong_, right_;
  std::vector<std::pair<Undecided, WorkRow>> undecided_;
  std::int64_t mistakes_ = 0;
};

}  // namespace linsep
