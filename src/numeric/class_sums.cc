#include "numeric/class_sums.h"
#include "numeric/exact_all_reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "kernel/kernel.h"
#include "linsep/error.h"
#include "numeric/saved_rows.h"

namespace linsep {

void ClassSums::widen(std::size_t features) {
  for (BinnedSums& one : sum_) one.resize(std::max(one.size(), features));
}

void ClassSums::add(const Batch& batch) {
  widen(batch.features);
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    const std::size_t which = batch.label[static_cast<std::size_t>(i)] > 0 ? 1 : 0;
    const double w = batch.weight_of(i);
    weight_[which].add(w);
    BinnedSums& sum = sum_[which];
    for_each_entry(x, [&](std::uint32_t j, double value) { sum.add(j, w * value); });
  });
}

void ClassSums::synchronise(Comm& comm) {
  if (comm.size() == 1) return;
  widen(static_cast<std::size_t>(all_reduce_max(comm, static_cast<std::int64_t>(features()))));
  const std::array<ExactSum*, 2> weights = {&weight_[0], &weight_[1]};
  exact_all_reduce(comm, weights);
  for (BinnedSums& one : sum_) exact_all_reduce(comm, one);
}

std::vector<double> ClassSums::sum(int which) const {
  const BinnedSums& binned = sum_[static_cast<std::size_t>(which)];
  std::vector<double> sum(binned.size());
  for (std::size_t j = 0; j < sum.size(); ++j) sum[j] = binned.value(j);
  return sum;
}

std::vector<double> ClassSums::mean(int which) const {
  const double w = weight(which);
  std::vector<double> mean = sum(which);
  for (double& value : mean) value /= w;
  return mean;
}

void ClassSums::require_both(std::string_view learner) const {
  for (const int which : {0, 1}) {
    if (weight(which) > 0) continue;
    throw input_error(fmt::format("{} needs rows of both classes: there is no {} row", learner,
                                  which == 0 ? "negative" : "positive"));
  }
}

void ClassSums::save(ByteWriter& writer) const {
  for (const ExactSum& w : weight_) save_sum(writer, w);
  for (const BinnedSums& one : sum_) save_sums(writer, one);
}

void ClassSums::load(ByteReader& reader) {
  for (ExactSum& w : weight_) w = load_sum(reader);
  for (BinnedSums& one : sum_) one = load_sums(reader, one.size());
}

double halfway_offset(const std::vector<double>& theta, const std::vector<double>& mean_of_negatives,
                      const std::vector<double>& mean_of_positives) {
  std::vector<double> middle(theta.size());
  for (std::size_t j = 0; j < theta.size(); ++j) middle[j] = (mean_of_negatives[j] + mean_of_positives[j]) / 2;
  return -dot_dense(theta, middle);
}

double dot_dense(const std::vector<double>& a, const std::vector<double>& b) {
  return dot(DenseRow<double>{a.data(), a.size()}, b.data());
}

}  // namespace linsep
