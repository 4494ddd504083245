// From all terms the digits above the same unit are taken, by adding and subtracting a large number (Rump, Ogita &
// Oishi, 2008). The unit is so large that sums of these digits need no rounding, in any order. What is left of the
// terms goes the same way, with a smaller unit, until nothing is left: most often after two rounds, since a round takes
// 46 binary digits.
#include "kernel/exact_terms.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/exact_terms.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace linsep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;

// At most 2^7 terms, each below 2^e, come to 2^(e + 7). Beside 1.5·2^(e + 6) numbers are multiples of 2^(e − 46), and
// 2^53 of these units are 2^(e + 7).
constexpr std::size_t kTogether = 128;
constexpr std::uint64_t kAbove = 6;

void add_few(ExactSum& sum, const double* x, std::size_t count) {
  const D d;
  const std::size_t width = hn::Lanes(d), padded = (count + width - 1) / width * width;
  HWY_ALIGN double rest[kTogether];
  std::copy_n(x, count, rest);
  std::fill(rest + count, rest + padded, 0.0);
  auto greatest = hn::Zero(d);
  for (std::size_t k = 0; k < padded; k += width) greatest = hn::Max(greatest, hn::Abs(hn::Load(d, rest + k)));
  for (;;) {
    const double most = hn::GetLane(hn::MaxOfLanes(d, greatest));
    if (most == 0) return;
    if (!(most > 0x1p-960 && most < 0x1p1000)) {  // or not a number: no such large number
      for (std::size_t k = 0; k < count; ++k) sum.add(rest[k]);
      return;
    }
    const std::uint64_t above = (std::bit_cast<std::uint64_t>(most) >> 52) + 1 + kAbove;
    const auto large = hn::Set(d, 1.5 * std::bit_cast<double>(above << 52));
    auto digits = hn::Zero(d);
    greatest = hn::Zero(d);
    for (std::size_t k = 0; k < padded; k += width) {
      const auto term = hn::Load(d, rest + k), high = hn::Sub(hn::Add(term, large), large);
      const auto low = hn::Sub(term, high);
      digits = hn::Add(digits, high);
      greatest = hn::Max(greatest, hn::Abs(low));
      hn::Store(low, d, rest + k);
    }
    sum.add(hn::GetLane(hn::SumOfLanes(d, digits)));
  }
}

void add_many(ExactSum& sum, const double* x, std::size_t count) {
  for (std::size_t k = 0; k < count; k += kTogether) add_few(sum, x + k, std::min(kTogether, count - k));
}

}  // namespace linsep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linsep {

HWY_EXPORT(add_many);

void add_terms(ExactSum& sum, const double* x, std::size_t count) { HWY_DYNAMIC_DISPATCH(add_many)(sum, x, count); }

}  // namespace linsep
#endif
