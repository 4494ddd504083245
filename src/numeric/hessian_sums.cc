#include "numeric/hessian_sums.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/deadline.h"
#include "numeric/fixed_point.h"

namespace linsep {

void HessianSums::begin(std::span<const double> greatest, double weight, std::int64_t all_rows, bool offset,
                        std::size_t slots) {
  set_size(greatest.size(), offset);
  // A sum over all rows has fewer than 62 bits.
  const int row_bits = std::bit_width(static_cast<std::uint64_t>(all_rows));
  const int bits = std::min(kMostBits, (62 - row_bits) / 2);
  const auto scale_of = [&](double most) {
    const double largest = std::sqrt(weight) * most;
    return largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, bits - 1 - std::ilogb(largest)) : 0;
  };
  scale_.resize(size_);
  std::transform(greatest.begin(), greatest.end(), scale_.begin(), scale_of);
  if (offset) scale_.back() = scale_of(1);
  part_.resize(slots);
  for (Part& part : part_) {
    part.product.resize(size_);
    stride_ = part.product.stride();
    part.panel.assign(kPanelRows * stride_, 0);
    part.filled = 0;
    part.sum.assign(size_ * stride_, 0);
  }
}

void HessianSums::empty(Part& part) {
  rank_update_of_floats(part.panel.data(), part.filled, stride_, part.product.data(), stride_, 0, size_, size_);
  poll(part.filled * size_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = i; j < size_; ++j) {
      add_units(part.sum[i * stride_ + j], static_cast<std::int64_t>(part.product.at(i, j)));
    }
  }
  part.product.clear();
  std::fill(part.panel.begin(), part.panel.end(), 0.0);
  part.filled = 0;
}

void HessianSums::finish(Comm& comm) {
  std::vector<std::int64_t> sum(size_ * stride_);
  for (Part& part : part_) {
    empty(part);
    for (std::size_t k = 0; k < sum.size(); ++k) add_units(sum[k], part.sum[k]);
  }
  comm.all_reduce(std::span(sum), Comm::Op::kSum);
  const std::size_t features = offset_ ? size_ - 1 : size_;
  const auto value = [&](std::size_t i, std::size_t j) {
    const auto whole_sum = static_cast<double>(sum[i * stride_ + j]);
    const double term = whole_sum == 0 ? 0 : whole_sum / scale_[i] / scale_[j];
    return std::min(term + (i == j && i < features ? 1 : 0), std::numeric_limits<double>::max());
  };
  factor_.resize(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = i; j < size_; ++j) factor_.at(i, j) = value(i, j);
  }
  if (factor_.factor(1)) return;
  // Values of very different sizes, or no row with a curvature: the diagonal is better than nothing.
  factor_.resize(size_);
  for (std::size_t i = 0; i < size_; ++i) factor_.at(i, i) = std::sqrt(i < features ? value(i, i) : 1);
}

void HessianSums::save(ByteWriter& writer) const {
  std::vector<double> triangle;
  for (std::size_t i = 0; i < factor_.size(); ++i) {
    const auto row = factor_.entries().begin() + static_cast<std::ptrdiff_t>(i * factor_.stride());
    triangle.insert(triangle.end(), row + static_cast<std::ptrdiff_t>(i), row + static_cast<std::ptrdiff_t>(size_));
  }
  writer.numbers(triangle);
}

void HessianSums::load(ByteReader& reader, std::size_t features, bool offset) {
  set_size(features, offset);
  const std::vector<double> triangle = reader.numbers_or_none<double>(size_ * (size_ + 1) / 2);
  factor_.resize(triangle.empty() ? 0 : size_);
  auto next = triangle.begin();
  for (std::size_t i = 0; i < factor_.size(); ++i) {
    require_state(*next > 0, "the diagonal of a factor in it isn't positive");
    for (std::size_t j = i; j < size_; ++j) factor_.at(i, j) = *next++;
  }
}

void HessianSums::solve(std::span<double> x) const {
  std::vector<double> with_offset(x.begin(), x.end());
  with_offset.resize(size_);
  factor_.solve(with_offset);
  std::copy_n(with_offset.begin(), x.size(), x.begin());
}

}  // namespace linsep
