#include "numeric/hessian_sums.h"

#include <algorithm>
#include <bit>

#include "core/deadline.h"

namespace linsep {

void HessianSums::choose(std::span<const std::uint32_t> columns, std::size_t features) {
  chosen_ = true;
  column_.assign(columns.begin(), columns.end());
  place_.assign(features, kOutside);
  for (std::size_t k = 0; k < column_.size(); ++k) place_[column_[k]] = static_cast<std::uint32_t>(k);
}

void HessianSums::begin(std::span<const double> greatest, double weight, std::int64_t all_rows, bool offset,
                        std::size_t slots) {
  set_size(chosen_ ? column_.size() : greatest.size(), offset);
  // A sum over all rows has fewer than 62 bits.
  const int row_bits = std::bit_width(static_cast<std::uint64_t>(all_rows));
  const int bits = std::min(kMostBits, (62 - row_bits) / 2);
  const auto scale_of = [&](double most) {
    const double largest = std::sqrt(weight) * most;
    return largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, bits - 1 - std::ilogb(largest)) : 0;
  };
  scale_.resize(size_);
  for (std::size_t k = 0; k < size_ - (offset ? 1 : 0); ++k) {
    scale_[k] = scale_of(greatest[chosen_ ? column_[k] : k]);
  }
  if (offset) scale_.back() = scale_of(1);
  unit_.resize(size_);
  std::ranges::transform(scale_, unit_.begin(), [](double scale) { return scale > 0 ? 1 / scale : 0; });
  part_.resize(slots);
  for (Part& part : part_) {
    if (part.filled > 0) clear_panel(part);  // of a pass that was given up
    if (part.panel.size() != kPanelRows * stride_) part.panel.clear();
    part.sum.assign(triangle_size(size_), 0);
    part.hit.resize(chosen_ ? size_ : 0);
    part.value.resize(chosen_ ? size_ : 0);
  }
}

void HessianSums::add_hits(std::size_t hits, Part& part) {
  constexpr std::size_t kPairCost = 4;  // times what a pair of a panel costs, which few rows don't fill
  if (kPairCost * hits * hits >= size_ * size_) {
    double* to = next_of_panel(part);
    for (std::size_t a = 0; a < hits; ++a) to[part.hit[a]] = static_cast<double>(part.value[a]);
    if (++part.filled == kPanelRows) empty(part);
    return;
  }
  const std::uint32_t* hit = part.hit.data();
  const std::int64_t* value = part.value.data();
  for (std::size_t a = 0; a < hits; ++a) {
    const std::int64_t own = value[a];  // a copy, which sums that are written can't be taken for
    std::int64_t* line = part.sum.data() + triangle_row(hit[a]);
    for (std::size_t b = a; b < hits; ++b) add_units(line[hit[b]], product(own, value[b]));
  }
}

double* HessianSums::next_of_panel(Part& part) const {
  if (part.panel.empty()) part.panel.resize(kPanelRows * stride_);
  return part.panel.data() + part.filled * stride_;
}

void HessianSums::empty(Part& part) const {
  if (part.filled == 0) return;
  for (std::size_t begin = 0; begin < size_; begin += kStrip) {
    const std::size_t rest = size_ - begin, rows = std::min(kStrip, rest);
    part.product.assign(rows * stride_, 0);
    rank_update_of_floats(part.panel.data() + begin, part.filled, stride_, part.product.data(), stride_, 0, rows, rest);
    poll(part.filled * rest);
    for (std::size_t k = 0; k < rows; ++k) {
      std::int64_t* line = part.sum.data() + triangle_row(begin + k) + begin;
      for (std::size_t l = k; l < rest; ++l) {
        add_units(line[l], static_cast<std::int64_t>(part.product[k * stride_ + l]));
      }
    }
  }
  clear_panel(part);
}

void HessianSums::clear_panel(Part& part) {
  std::fill_n(part.panel.begin(), part.panel.size() / kPanelRows * part.filled, 0.0);
  part.filled = 0;
}

void HessianSums::finish(Comm& comm) {
  std::vector<std::int64_t>& sum = part_.front().sum;
  for (Part& part : part_) {
    empty(part);
    if (&part == &part_.front()) continue;
    for (std::size_t k = 0; k < sum.size(); ++k) add_units(sum[k], part.sum[k]);
  }
  comm.all_reduce(std::span(sum), Comm::Op::kSum);
}

void HessianSums::factor() {
  const std::size_t features = offset_ ? size_ - 1 : size_;
  const auto value = [&](std::size_t i, std::size_t j) { return at(i, j) + (i == j && i < features ? 1 : 0); };
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
