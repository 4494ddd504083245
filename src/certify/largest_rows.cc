#include "certify/largest_rows.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace linsep {
namespace {

/// Squares below 2 to this may be of values that were read as less than they are.
constexpr std::int64_t kSmallest = -1900;

}  // namespace

void LargestRows::keep(Size size) {
  const auto at = std::lower_bound(size_.begin(), size_.end(), size);
  if (at == size_.end() && size_.size() == kKept) return;
  if (std::any_of(size_.begin(), size_.end(), [&](const Size& kept) { return kept.number == size.number; })) return;
  size_.insert(at, size);
  if (size_.size() > kKept) size_.pop_back();
  if (size_.size() < kKept) return;
  const Size& last = size_.back();
  const bool ordinary = last.exponent > -900 && last.exponent < 900;
  least_ = ordinary ? std::ldexp(last.fraction, static_cast<int>(last.exponent)) : 0;
}

void LargestRows::synchronise(Comm& comm) {
  if (comm.size() == 1) return;
  std::vector<Size> all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(size_)))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(Size));
    if (!bytes.empty()) std::memcpy(static_cast<void*>(all.data() + before), bytes.data(), bytes.size());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());  // this worker knows what it was told before
  if (all.size() > kKept) all.resize(kKept);
  size_ = std::move(all);
}

bool LargestRows::known() const {
  return !size_.empty() && size_.front().exponent > kSmallest && std::isfinite(size_.front().fraction);
}

std::vector<std::int64_t> LargestRows::rows(const RowScaling& scaling) const {
  std::vector<std::int64_t> rows;
  if (!known()) return rows;
  const Size& first = size_.front();
  for (const Size& size : size_) {
    const std::int64_t shift = size.exponent - first.exponent;
    if (shift < -2) break;
    if (std::ldexp(size.fraction, static_cast<int>(shift)) < first.fraction * (1 - tolerance(scaling))) break;
    rows.push_back(size.number);
  }
  if (rows.size() == kKept) rows.clear();
  std::sort(rows.begin(), rows.end());
  return rows;
}

Rational LargestRows::squared_at_most(const RowScaling& scaling) const {
  if (!known()) return 0;
  return times_power_of_two(Rational(size_.front().fraction * (1 + tolerance(scaling))), size_.front().exponent);
}

Rational squared_size(const ExactRow& z, const RowSpace& space) {
  Integer sum = 0;
  for (std::size_t k = 0; k < z.column.size(); ++k) {
    if (z.column[k] != space.mapped || space.origin) add_product(sum, z.value[k], z.value[k]);
  }
  return Rational(sum) / (z.scale * z.scale);
}

}  // namespace linsep
