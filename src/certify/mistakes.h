// How many mistakes a classifier makes, exactly, and how many every linear classifier must make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "certify/core_search.h"
#include "certify/exact/solve.h"
#include "certify/exact/witness.h"
#include "certify/row_scaling.h"
#include "core/deadline.h"
#include "linsep/pass.h"
#include "linsep/progress.h"
#include "numeric/worst_rows.h"

namespace linsep {

struct PoolOptions {
  RowScaling scaling;
  std::vector<double> theta;  ///< over φ's columns, or fewer
  double offset = 0;
  std::function<std::vector<WrittenRow>(std::span<const std::int64_t>)> written;
};

/// One pass that counts a classifier's mistakes exactly and keeps the rows from which witnesses are packed.
///
/// A row is a mistake if y·z ≤ 0. z is computed with a bound on its error, and exactly, as written, if the bound leaves
/// it open. The pass keeps the mistakes and, of the other rows, those nearest to the boundary, in bounded memory.
class MistakePool final : public Pass {
 public:
  explicit MistakePool(PoolOptions options);

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  std::int64_t mistakes() const { return mistakes_; }
  /// Mistakes, worst first, and rows that are not mistakes, nearest to the boundary first. May be called once.
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

// WitnessPacking finds disjoint witnesses. Every linear classifier makes a mistake on a row of each, so it makes at
// least as many mistakes as there are witnesses.
//
// Method: Conflicting duplicates come first. Then, for each row that a given classifier gets wrong, it looks for a
// witness of that row and rows that the classifier gets right. Those are separable by themselves, so each such witness
// uses up only one wrong row. The search is by Wolfe's min-norm point with a working set over the rows not yet used,
// and the witness is solved exactly.

class WitnessPacking {
 public:
  WitnessPacking(const RowScaling& scaling, ExactReader read) : scaling_(scaling), read_(std::move(read)) {}

  /// Pairs with z_i = −z_j, each row in at most one pair. Checked exactly.
  void add_pairs(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs, std::size_t limit,
                 const Deadline& deadline);
  /// Wrong rows are tried in this order. Rows already used are left out. `observe` (may be empty) is called for every
  /// row tried.
  void pack(const std::vector<WorkRow>& wrong, const std::vector<WorkRow>& right, std::size_t limit,
            const Deadline& deadline, const Observer& observe);

  const std::vector<Witness>& witnesses() const { return witnesses_; }

 private:
  struct Pool;
  std::optional<Witness> find(const Pool& pool, std::size_t wrong, const Deadline& deadline) const;
  std::optional<Witness> exactly(const Pool& pool, const MinNormPoint& solver) const;

  RowScaling scaling_;
  ExactReader read_;
  std::vector<Witness> witnesses_;
  std::unordered_set<std::int64_t> used_;
};

}  // namespace linsep
