// Visits: every visit of a row, for those who want to look at a run step by step.
#pragma once

#include <cstdint>
#include <vector>

#include "linsep/learner.h"

namespace linsep {

class Visits {
 public:
  /// All visits while there are at most `most`; 0: none.
  void set_most(std::int64_t most) { most_ = most; }
  bool on() const { return most_ > 0; }

  /// A run begins at this classifier, or goes on from it in pass `pass`.
  void begin(const std::vector<double>& theta, double offset, std::int64_t pass = 1);
  /// `visit` and `pass` are filled in here.
  void record(RowVisit visit);
  void end_pass();
  /// The pass under way is undone: its visits go.
  void undo_pass();

  const VisitRecord& made() const { return made_; }

 private:
  /// Numbers in θ that are kept: 32 MB of them.
  static constexpr std::size_t kMostNumbers = std::size_t{1} << 22;

  std::int64_t most_ = 0;
  std::int64_t pass_ = 1;         ///< the one under way
  std::int64_t before_pass_ = 0;  ///< visits made before it
  std::size_t numbers_ = 0;
  VisitRecord made_;
};

}  // namespace linsep
