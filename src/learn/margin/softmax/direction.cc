#include "learn/margin/softmax/direction.h"

#include <algorithm>
#include <cmath>

#include "numeric/saved_rows.h"

namespace linsep {

// NewtonDirection adds q to every product and 1 to every square: of offsets, which aren't penalised, they are taken
// away beforehand.
void SoftmaxDirection::begin(const SoftmaxSums& sums, double step, std::vector<double> gradient, double accuracy) {
  const std::size_t weights = task_.weights(), k = task_.classes();
  std::vector<double> square(weights + k), all(k);
  for (std::size_t c = 0; c < k; ++c) {
    all[c] = SoftmaxSums::value(task_, sums.curved, weights + c, step);
    square[weights + c] = all[c] - 1;
  }
  mean_.assign(weights, 0);
  for (std::size_t j = 0; j < weights; ++j) {
    const std::size_t c = j % k;
    const double curved = SoftmaxSums::value(task_, sums.curved, j, step);
    if (has_offset(c) && all[c] > 0) mean_[j] = curved / all[c];
    square[j] = std::max(0.0, sums.square_value(task_, j, step) - mean_[j] * curved);
  }
  to_centred(gradient);
  direction_.begin(gradient, std::vector<double>(gradient.size()), square, 0, accuracy);
  set_direction(direction_.direction());
}

void SoftmaxDirection::set_direction(const std::vector<double>& centred) {
  const std::size_t weights = task_.weights(), k = task_.classes();
  q_ = centred;
  for (std::size_t j = 0; j < weights; ++j) q_[weights + j % k] -= mean_[j] * q_[j];
}

void SoftmaxDirection::to_centred(std::vector<double>& gradient) const {
  const std::size_t weights = task_.weights(), k = task_.classes();
  for (std::size_t j = 0; j < weights; ++j) gradient[j] -= mean_[j] * gradient[weights + j % k];
}

double SoftmaxDirection::farthest() const {
  const std::size_t k = task_.classes();
  std::vector<double> by_column(k), squares(k);
  for (std::size_t j = 0; j < task_.weights(); ++j) {
    by_column[j % k] += task_.columns().greatest[j / k] * std::abs(q_[j]);
    squares[j % k] += q_[j] * q_[j];
  }
  double most = 0;
  for (std::size_t c = 0; c < k; ++c) {
    const double score = std::min(by_column[c], std::sqrt(squares[c]) * task_.extent().longest);
    most = std::max(most, 1.01 * score + std::abs(q_[task_.weights() + c]));
  }
  return most;
}

bool SoftmaxDirection::advance(std::vector<double> product) {
  const std::size_t weights = task_.weights();
  for (std::size_t c = 0; c < task_.classes(); ++c) {
    if (!has_offset(c)) product[weights + c] = 0;
  }
  to_centred(product);
  for (std::size_t at = weights; at < product.size(); ++at) product[at] -= direction_.direction()[at];
  const bool more = direction_.next_direction(direction_.advance(product));
  set_direction(more ? direction_.direction() : direction_.step());
  return more;
}

void SoftmaxDirection::save(ByteWriter& writer) const {
  writer.numbers(mean_);
  direction_.save_columns(writer);
  direction_.save_numbers(writer);
}

void SoftmaxDirection::load(ByteReader& reader, bool begun, bool ended) {
  mean_ = reader.numbers_or_none<double>(task_.weights());
  direction_.load_columns(reader, task_.weights() + task_.classes());
  direction_.load_numbers(reader);
  if (!begun) return;
  require_state(mean_.size() == task_.weights() && direction_.is_of(task_.weights() + task_.classes()));
  set_direction(ended ? direction_.step() : direction_.direction());
}

}  // namespace linsep
