// PlaneSurvey: one pass over the rows for all that must be known before any of them is placed.
#pragma once

#include <cstdint>
#include <vector>

#include "picture/gathered.h"
#include "picture/rows/components.h"
#include "picture/rows/draw_rows.h"
#include "picture/rows/plane_choice.h"

namespace linsep {

/// The hull of many points, with few of them in memory.
class HullKeeper {
 public:
  void add(const PlanePoint& point);
  std::vector<PlanePoint> hull() const;

 private:
  std::vector<PlanePoint> points_;
  std::size_t next_ = 4096;
};

class PlaneSurvey {
 public:
  PlaneSurvey(const PictureInput& input, const PictureSpec& spec);

  /// The whole pass. Fills rows, labels, classes, models, drawn rows, hulls and the plane.
  void run(Gathered& gathered, const Observer& observe);

 private:
  void see(Gathered& gathered, const Batch& batch);
  void see_scores(Gathered& gathered, const Batch& batch);
  template <class Row>
  void see_values(const Row& row, std::int64_t number, std::int64_t label);
  void take_ranges(Gathered& gathered, const std::vector<SampledRow>& sample) const;

  const PictureInput& input_;
  const PictureSpec& spec_;
  const Model* first_;
  AskedColumns asked_;
  HashDraw<std::int64_t> drawn_;
  HashDraw<SampledRow> sample_;
  HullKeeper negative_, positive_;
  std::vector<PlanePoint> corners_;  ///< least and greatest value of both columns
  std::vector<std::vector<double>> z_;
};

}  // namespace linsep
