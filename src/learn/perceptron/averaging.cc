#include "learn/perceptron/averaging.h"

#include <span>
#include <utility>

#include "numeric/exact_all_reduce.h"

namespace linsep {

std::vector<double> Averaging::sum_of_steps(const std::vector<double>& theta, double offset,
                                            std::int64_t visits) const {
  const auto steps = static_cast<double>(visits);
  std::vector<double> sum(theta.size() + 1);
  for (std::size_t j = 0; j < theta.size(); ++j) sum[j] = steps * theta[j] - late_[j];
  sum.back() = steps * offset - late_offset_;
  return sum;
}

void Averaging::synchronise(Comm& comm, const std::vector<double>& theta, double offset, std::int64_t steps) {
  std::vector<double> sum = sum_of_steps(theta, offset, steps);
  exact_all_reduce(comm, std::span<double>(sum));
  if (!mixed_sum_.empty()) {  // grown features go before the offset
    mixed_sum_.insert(mixed_sum_.end() - 1, sum.size() - mixed_sum_.size(), 0.0);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += mixed_sum_[j];
  }
  mixed_sum_ = std::move(sum);
  mixed_steps_ += all_reduce_sum(comm, steps);
  late_.assign(theta.size(), 0.0);
  late_offset_ = 0;
}

void Averaging::average(std::vector<double>& theta, double& offset, std::int64_t visits) const {
  const std::int64_t steps = mixed_steps_ + visits;
  if (steps == 0) return;
  std::vector<double> sum = sum_of_steps(theta, offset, visits);
  for (std::size_t j = 0; j < theta.size(); ++j) {
    if (j + 1 < mixed_sum_.size()) sum[j] += mixed_sum_[j];
    theta[j] = sum[j] / static_cast<double>(steps);
  }
  if (!mixed_sum_.empty()) sum.back() += mixed_sum_.back();
  offset = sum.back() / static_cast<double>(steps);
}

void Averaging::save(ByteWriter& writer) const {
  writer.numbers(late_);
  writer.number(late_offset_);
  writer.numbers(mixed_sum_);
  writer.number(mixed_steps_);
}

void Averaging::load(ByteReader& reader, std::size_t features) {
  late_ = reader.numbers<double>(features);
  late_offset_ = reader.finite();
  mixed_sum_ = reader.numbers_or_none<double>(features + 1);
  mixed_steps_ = reader.count();
  require_state(!mixed_sum_.empty() || mixed_steps_ == 0);
}

}  // namespace linsep
