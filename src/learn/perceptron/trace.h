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
  void record(std::int64_t pass, std::int64_t row, const std::vector<double>& theta, double offset);
  const std::vector<TraceStep>& steps() const { return steps_; }

  void save(ByteWriter& writer) const;
  void load(ByteReader& reader);

 private:
  static constexpr std::size_t kMostNumbers = std::size_t{1} << 23;

  std::vector<TraceStep> steps_;
  std::size_t numbers_ = 0;  ///< also of steps that weren't kept
};

}  // namespace linsep
