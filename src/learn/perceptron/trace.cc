#include "learn/perceptron/trace.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace linsep {

void Trace::record(TraceStep step) {
  numbers_ += step.theta.size() + step.coefficient.size() + 1;
  if (numbers_ <= kMostNumbers) steps_.push_back(std::move(step));
}

void Trace::save(ByteWriter& writer, bool dual) const {
  writer.number<std::uint64_t>(numbers_);
  writer.number<std::uint64_t>(steps_.size());
  for (const TraceStep& step : steps_) {
    writer.number(step.pass);
    writer.number(step.row);
    writer.numbers(step.theta);
    writer.number(step.offset);
    if (dual) writer.numbers(step.coefficient);
  }
}

void Trace::load(ByteReader& reader, std::size_t features, bool dual) {
  numbers_ = static_cast<std::size_t>(reader.count());
  steps_.clear();
  for (auto left = reader.number<std::uint64_t>(); left > 0; --left) {
    TraceStep step;
    step.pass = reader.count();
    step.row = reader.count();
    step.theta = reader.numbers<double>(features);
    step.offset = reader.finite();
    if (dual) {
      step.coefficient = reader.numbers<double>();
      require_state(std::ranges::all_of(step.coefficient, [](double x) { return std::isfinite(x); }));
    }
    steps_.push_back(std::move(step));
  }
}

}  // namespace linsep
