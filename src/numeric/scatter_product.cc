#include "numeric/scatter_product.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernel/kernel.h"
#include "numeric/class_sums.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {

void ScatterProduct::survey(const Batch& batch) {
  survey_.add(batch);
  for (std::int64_t i = 0; i < batch.rows; ++i) heaviest_ = std::max(heaviest_, batch.weight_of(i));
}

void ScatterProduct::end_survey(Comm& comm) {
  survey_.synchronise(comm);
  heaviest_ = all_reduce_max(comm, heaviest_);
}

void ScatterProduct::begin(const std::vector<double>& p, const std::vector<double>& mu, double total) {
  if (!units_) fixed_.set(survey_, total, heaviest_);
  units_ = true;
  product_.assign(p.size(), 0);
  sum_ = {};
  shift_ = mu.empty() ? 0 : dot_dense(mu, p);
  const double farthest = survey_.farthest_score(p) + std::abs(shift_);
  step_ = FixedColumns::step(std::max(farthest, 1e-200));
}

void ScatterProduct::add(const Batch& batch, const double* p) {
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    const double s = batch.weight_of(i) * (dot(x, p) - shift_);
    fixed_.add(s * step_, x, product_.data());
    sum_.add(s);
  });
}

void ScatterProduct::synchronise(Comm& comm) {
  if (comm.size() == 1) return;
  comm.all_reduce(std::span(product_), Comm::Op::kSum);
  const std::array<ExactSum*, 1> sums = {&sum_};
  exact_all_reduce(comm, sums);
}

std::vector<double> ScatterProduct::value(const std::vector<double>& mu) const {
  std::vector<double> product(product_.size());
  for (std::size_t j = 0; j < product.size(); ++j) product[j] = fixed_.value(j, product_[j], step_);
  if (!mu.empty()) axpy(-sum_.value(), DenseRow<double>{mu.data(), mu.size()}, product.data());
  return product;
}

void ScatterProduct::save(ByteWriter& writer) const {
  survey_.save(writer);
  writer.number(heaviest_);
}

void ScatterProduct::load(ByteReader& reader) {
  survey_.load(reader);
  heaviest_ = reader.at_least_zero();
  units_ = false;
}

}  // namespace linsep
