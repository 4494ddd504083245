// ScoreTables: rows counted by each score that a model gives them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/tools/ranking.h"
#include "numeric/score_table.h"

namespace linsep {

class ScoreTables {
 public:
  /// `parts`: scores of a row. All tables together have at most 2²² places, or 2¹⁰ each.
  explicit ScoreTables(std::size_t parts);

  /// Scores of whole rows, those of one row together, and whether row i is positive for score k. A row with a score
  /// that isn't finite is left out: `whole_rows`: for all its scores, else for that one. Throws a usage Error where
  /// memory doesn't suffice.
  void add(std::span<const double> z, const std::function<bool(std::size_t row, std::size_t part)>& positive,
           bool whole_rows, const RunLimits& limits);

  void all_reduce(Comm& comm);
  std::vector<ScoreCounts> counts();

 private:
  void require_room(std::size_t rows, const RunLimits& limits) const;

  std::vector<ScoreTable> tables_;
};

}  // namespace linsep
