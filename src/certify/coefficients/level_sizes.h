// LevelSizes: one pass that turns levels into a single weight vector, which has z·w > 0 on every separated row.
//
// A row has entries of its first level that all pull the right way; w = Σ 2^a·level with exponents a that let them
// outweigh whatever the row's later levels say. The pass finds how great that may be against the first level's pull, by
// size alone. Every column has a weight in one level at most: peeled columns are 0 on the rows that are left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "certify/exact/solve.h"
#include "certify/row_scaling.h"
#include "linsep/pass.h"

namespace linsep {

/// Whether the levels separate a row of this worker, by its number.
using SeparatedRows = std::function<bool(std::int64_t)>;

class LevelSizes final : public Pass {
 public:
  using Level = std::vector<std::pair<std::uint32_t, Integer>>;

  LevelSizes(RowScaling scaling, SeparatedRows separated, std::vector<Level> levels);

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  /// After the pass: w over all columns. Empty where sizes are too far apart.
  IntegerVector combined() const;

 private:
  template <class Row>
  void look_at(const Row& z);

  RowScaling scaling_;
  SeparatedRows separated_;
  std::vector<Level> levels_;
  std::vector<std::size_t> level_of_;  ///< by column; levels_.size(): none
  std::vector<std::int64_t> size_;     ///< by column: its weight is below 2 to this, times entries as `show` gives them
  std::vector<std::int64_t> exponent_;  ///< by level: its greatest weight is below 2 to this
  std::vector<double> greatest_;   ///< by first and later level: log2 of the greatest ratio of their sizes on a row
  std::vector<std::int64_t> top_;  ///< by level, of the row looked at
};

}  // namespace linsep
