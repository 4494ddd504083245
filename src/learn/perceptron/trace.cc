#include "learn/perceptron/trace.h"

#include <utility>

namespace linsep {

void Trace::record(std::int64_t pass, std::int64_t row, const std::vector<double>& theta, double offset) {
  numbers_ += theta.size() + 1;
  if (numbers_ <= kMostNumbers) steps_.push_back({pass, row, theta, offset});
}

void Trace::save(ByteWriter& writer) const {
  writer.number<std::uint64_t>(numbers_);
  writer.number<std::uint64_t>(steps_.size());
  for (const TraceStep& step : steps_) {
    writer.number(step.pass);
    writer.number(step.row);
    writer.numbers(step.theta);
    writer.number(step.offset);
  }
}

void Trace::load(ByteReader& reader) {
  numbers_ = reader.number<std::uint64_t>();
  steps_.clear();
  for (auto left = reader.number<std::uint64_t>(); left > 0; --left) {
    TraceStep step;
    step.pass = reader.number<std::int64_t>();
    step.row = reader.number<std::int64_t>();
    step.theta = reader.numbers<double>();
    step.offset = reader.number<double>();
    steps_.push_back(std::move(step));
  }
}

}  // namespace linsep
