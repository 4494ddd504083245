// Trace: every θ on the way of a perceptron, as long as they are few.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bytes.h"
#include "linsep/learner.h"

namespace linsep {

class Trace {
 public:
  /// Cut off where it would hold more numbers than kMostNumbers (64 MB).
  void record(TraceStep step);
  const std::vector<TraceStep>& steps() const { return steps_; }

  /// `dual`: with the coefficients of every step.
  void save(ByteWriter& writer, bool dual = false) const;
  /// What was saved with this number of features; θ of a dual form may have none.
  void load(ByteReader& reader, std::size_t features, bool dual = false);

 private:
  static constexpr std::size_t kMostNumbers = std::size_t{1} << 23;

  std::vector<TraceStep> steps_;
  std::size_t numbers_ = 0;  ///< also of steps that weren't kept
};

}  // namespace linsep
