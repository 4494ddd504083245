// WitnessPacking: disjoint witnesses. Every linear classifier makes a mistake on a row of each, so it makes at least as
// many mistakes as there are witnesses.
//
// Method: conflicting duplicates first. Then, for each row that a given classifier gets wrong, a witness of that row
// and rows it gets right: they are separable by themselves, so each such witness spends one wrong row only. It is
// searched by Wolfe's min-norm point with a working set over the rows not yet used, and solved exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "certify/core_search.h"
#include "certify/exact/witness.h"
#include "certify/row_scaling.h"
#include "linsep/progress.h"
#include "numeric/worst_rows.h"

namespace linsep {

class WitnessPacking {
 public:
  WitnessPacking(const RowScaling& scaling, ExactReader read) : scaling_(scaling), read_(std::move(read)) {}

  /// Pairs with z_i = −z_j, each row in one pair at most. Checked exactly.
  void add_pairs(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs, std::size_t limit,
                 const StopFunction& stop);
  /// Wrong rows in the order in which they are tried. Rows used already are left out. `observe` (may be empty) is
  /// told of every row tried.
  void pack(const std::vector<WorkRow>& wrong, const std::vector<WorkRow>& right, std::size_t limit,
            const StopFunction& stop, const Observer& observe);

  const std::vector<Witness>& witnesses() const { return witnesses_; }

 private:
  struct Pool;
  std::optional<Witness> find(const Pool& pool, std::size_t wrong, const StopFunction& stop) const;
  std::optional<Witness> exactly(const Pool& pool, const MinNormPoint& solver) const;

  RowScaling scaling_;
  ExactReader read_;
  std::vector<Witness> witnesses_;
  std::unordered_set<std::int64_t> used_;
};

}  // namespace linsep
