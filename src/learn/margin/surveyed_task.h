// SurveyedTask: a MarginTask whose first pass also looks at the columns, for solvers that sum by column in fixed point
// and so run on any number of workers to the same bits.
#pragma once

#include <cstddef>
#include <vector>

#include "learn/margin/task.h"
#include "numeric/fixed_point.h"

namespace linsep {

class SurveyedTask : public MarginTask {
 public:
  using MarginTask::MarginTask;

  void begin(const Shape& shape);
  /// At most `slots` threads will `survey` at a time.
  void begin_survey(std::size_t slots);
  /// Looks at the columns of these rows; the rows of a slot come from one thread at a time.
  void survey(const Batch& batch, std::size_t slot) { part_[slot].add(batch); }
  /// Ends the first pass over all workers' rows: costs, columns and units are known from here on. True when the rows
  /// are of one class, which needs no training.
  bool end_survey(Comm& comm);

  const ColumnSurvey& columns() const { return columns_; }
  const RowExtent& extent() const { return columns_.extent; }
  const FixedColumns& fixed() const { return fixed_; }
  int threads() const { return settings().threads; }
  double label(std::size_t i) const { return cost()[i] < 0 ? -1 : 1; }

  void save(ByteWriter& writer) const;
  void load(ByteReader& reader);

 private:
  ColumnSurvey columns_;
  std::vector<ColumnSurvey> part_;  // by slot; empty after the first pass
  FixedColumns fixed_;
};

}  // namespace linsep
