#include "numeric/share_hessian.h"

#include <cmath>

#include "numeric/fixed_point.h"

namespace linsep {
namespace {

/// The greatest power of two that isn't above x. REQUIRES: x > 0, finite.
double power_below(double x) { return std::ldexp(1.0, std::ilogb(x)); }

}  // namespace

void ShareHessian::choose(std::span<const std::uint64_t> pairs, std::size_t outputs, std::size_t features) {
  for (const std::uint32_t j : column_) block_of_[j] = kOutside;
  block_of_.resize(features, kOutside);
  outputs_ = outputs;
  pairs_ = pairs.size();
  column_.clear();
  begin_.clear();
  output_.clear();
  for (const std::uint64_t pair : pairs) {
    const auto j = static_cast<std::uint32_t>(pair / outputs);
    if (column_.empty() || column_.back() != j) {
      block_of_[j] = static_cast<std::uint32_t>(column_.size());
      column_.push_back(j);
      begin_.push_back(output_.size());
    }
    output_.push_back(static_cast<std::uint32_t>(pair % outputs));
  }
  begin_.push_back(pairs_);
  begin_.push_back(pairs_ + outputs);
  for (std::uint32_t c = 0; c < outputs; ++c) output_.push_back(c);
}

// No term is above a_i·max p(1 − p) in these units, so all of them together are below 2^50.
void ShareHessian::begin(std::span<const double> greatest, double curvature, bool offset, std::size_t slots) {
  offset_ = offset;
  size_ = pairs_ + (offset ? outputs_ : 0);
  scale_ = curvature > 0 ? 0x1p49 * power_below(1 / curvature) : 0;
  unit_ = scale_ > 0 ? 1 / scale_ : 0;
  scale_of_.clear();
  unit_of_.clear();
  for (std::size_t b = 0; b <= column_.size(); ++b) {
    const double most = b < column_.size() ? greatest[column_[b]] : 1;
    scale_of_.push_back(most > 0 ? power_below(1 / most) : 1);
    unit_of_.resize(begin_[b + 1], 1 / scale_of_[b]);
  }
  part_.resize(slots);
  for (Part& part : part_) {
    part.sum.assign(triangle_size(size_), 0);
    part.place.resize(size_);
    for (std::vector<double>* each : {&part.output, &part.own, &part.other}) each->resize(size_);
  }
}

void ShareHessian::add_hits(std::size_t hits, double weight, Part& part) const {
  const std::uint32_t* place = part.place.data();
  const double *output = part.output.data(), *own = part.own.data(), *other = part.other.data();
  for (std::size_t k = 0; k < hits; ++k) {
    const double curved = -weight * other[k], same = output[k];
    std::int64_t* line = part.sum.data() + triangle_row(place[k]);
    const auto term = [&](std::size_t l) { return nearest_units(curved * (output[l] == same ? own[l] : other[l])); };
    if (hits == size_) {
      for (std::size_t l = k; l < hits; ++l) add_units(line[l], term(l));
    } else {
      for (std::size_t l = k; l < hits; ++l) add_units(line[place[l]], term(l));
    }
  }
}

void ShareHessian::finish(Comm& comm) {
  std::vector<std::int64_t>& sum = part_.front().sum;
  for (std::size_t p = 1; p < part_.size(); ++p) {
    for (std::size_t k = 0; k < sum.size(); ++k) add_units(sum[k], part_[p].sum[k]);
  }
  comm.all_reduce(std::span(sum), Comm::Op::kSum);
}

}  // namespace linsep
