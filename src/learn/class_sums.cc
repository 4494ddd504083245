#include "learn/class_sums.h"
#include "learn/agreed.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "kernel/kernel.h"
#include "learn/kept_rows.h"
#include "linsep/error.h"

namespace linsep {

void ClassSums::widen(std::size_t features) {
  for (auto& one : sum) one.resize(std::max(one.size(), features));
}

void ClassSums::add(const Batch& batch) {
  widen(batch.features);
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    const std::size_t which = batch.label[static_cast<std::size_t>(i)] > 0 ? 1 : 0;
    const double w = batch.weight_of(i);
    weight[which] += w;
    axpy(w, x, sum[which].data());
  });
}

void ClassSums::synchronise(Comm& comm) {
  if (comm.size() == 1) return;
  widen(static_cast<std::size_t>(agreed_max(comm, static_cast<std::int64_t>(features()))));
  comm.all_reduce(std::span<double>(weight), Comm::Op::kSum);
  for (auto& one : sum) comm.all_reduce(std::span<double>(one), Comm::Op::kSum);
}

std::vector<double> ClassSums::mean(int which) const {
  const auto w = static_cast<std::size_t>(which);
  std::vector<double> mean = sum[w];
  for (double& value : mean) value /= weight[w];
  return mean;
}

void ClassSums::require_both(std::string_view learner) const {
  for (const int which : {0, 1}) {
    if (weight[static_cast<std::size_t>(which)] > 0) continue;
    throw input_error(fmt::format("{} needs rows of both classes: there is no {} row", learner,
                                  which == 0 ? "negative" : "positive"));
  }
}

void ClassSums::save(ByteWriter& writer) const {
  for (const double w : weight) writer.number(w);
  for (const auto& one : sum) writer.numbers(one);
}

void ClassSums::load(ByteReader& reader) {
  for (double& w : weight) w = reader.number<double>();
  for (auto& one : sum) one = reader.numbers<double>();
  require_state(sum[0].size() == sum[1].size());
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
