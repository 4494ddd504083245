#include "numeric/panel_sums.h"

#include <algorithm>
#include <cmath>

#include "kernel/kernel.h"
#include "kernel/margin_kernels.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

DenseRow<double> row_of(const Batch& panel, std::size_t i) {
  return {panel.value64.data() + i * panel.stride, panel.features};
}

}  // namespace

void PanelSums::begin(std::size_t columns, std::span<const double> weight, std::size_t scored, std::size_t outputs,
                      std::size_t matrices) {
  columns_ = columns;
  scored_ = scored;
  outputs_ = outputs;
  const bool many = scored >= kMany;
  weight_.assign(many ? columns * stride(scored) : weight.size(), 0);
  for (std::size_t k = 0; k < weight.size(); ++k) {
    const std::size_t j = k / scored, c = k % scored;
    weight_[many ? j * stride(scored) + c : c * columns + j] = weight[k];
  }
  sums_ = {};
  sums_.resize(first_of(matrices));
  transposed_.resize(many ? columns * kRows : 0);
  partial_.resize(columns * stride(outputs));
  scaled_.assign(matrices > 0 ? kRows * stride(columns) : 0, 0);
  block_.resize(matrices > 0 ? columns : 0);
}

void PanelSums::score(const Batch& panel, double* score) {
  const auto rows = static_cast<std::size_t>(panel.rows);
  const std::size_t width = stride(scored_);
  if (scored_ < kMany) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t c = 0; c < scored_; ++c) {
        score[i * width + c] = dot(row_of(panel, i), weight_.data() + c * columns_);
      }
    }
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns_; ++j) transposed_[j * kRows + i] = row_of(panel, i).value[j];
  }
  std::fill_n(score, rows * width, 0.0);
  add_products(transposed_.data(), kRows, weight_.data(), width, columns_, score, width, rows, scored_);
}

void PanelSums::add(const Batch& panel, const double* factor, std::size_t stride) {
  const auto rows = static_cast<std::size_t>(panel.rows);
  std::ranges::fill(partial_, 0.0);
  if (outputs_ >= kMany) {
    const std::size_t width = PanelSums::stride(outputs_);
    add_products(panel.value64.data(), panel.stride, factor, stride, rows, partial_.data(), width, columns_, outputs_);
    for (std::size_t j = 0; j < columns_; ++j) {
      for (std::size_t c = 0; c < outputs_; ++c) sums_.add(j * outputs_ + c, partial_[j * width + c]);
    }
    return;
  }
  for (std::size_t c = 0; c < outputs_; ++c) {
    std::fill_n(partial_.begin(), columns_, 0.0);
    for (std::size_t i = 0; i < rows; ++i) axpy(factor[i * stride + c], row_of(panel, i), partial_.data());
    for (std::size_t j = 0; j < columns_; ++j) sums_.add(j * outputs_ + c, partial_[j]);
  }
}

void PanelSums::add_matrix(std::size_t number, const Batch& panel, const double* factor, std::size_t stride) {
  const auto rows = static_cast<std::size_t>(panel.rows);
  const std::size_t width = PanelSums::stride(columns_);
  for (std::size_t i = 0; i < rows; ++i) {
    const double root = std::sqrt(factor[i * stride]);
    for (std::size_t j = 0; j < columns_; ++j) scaled_[i * width + j] = root * row_of(panel, i).value[j];
  }
  block_.clear();
  rank_update(scaled_.data(), rows, width, 1, block_.data(), block_.stride(), 0, columns_, columns_);
  std::size_t at = first_of(number);
  for (std::size_t i = 0; i < columns_; ++i) {
    for (std::size_t j = i; j < columns_; ++j) sums_.add(at++, block_.at(i, j));
  }
}

void PanelSums::synchronise(Comm& comm) { exact_all_reduce(comm, sums_); }

std::vector<double> PanelSums::columns() const {
  std::vector<double> sum(columns_ * outputs_);
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = sums_.value(k);
  return sum;
}

SymmetricMatrix PanelSums::matrix(std::size_t number) const {
  SymmetricMatrix matrix;
  matrix.resize(columns_);
  std::size_t at = first_of(number);
  for (std::size_t i = 0; i < columns_; ++i) {
    for (std::size_t j = i; j < columns_; ++j) matrix.at(i, j) = sums_.value(at++);
  }
  return matrix;
}

}  // namespace linsep
