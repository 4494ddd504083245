// The steps of elementary::exp (core/elementary.cc) for a vector of numbers, none of them fused.
#include "kernel/exponentials.h"

#include <cstdint>

#include "core/elementary.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/exponentials.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef LINSEP_EXPONENTIAL_TABLES
#define LINSEP_EXPONENTIAL_TABLES
namespace linsep::exponential_tables {
#include "core/elementary_tables.inc"
}  // namespace linsep::exponential_tables
#endif

HWY_BEFORE_NAMESPACE();
namespace linsep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void all(double* x, std::size_t count) {
  namespace tables = exponential_tables;
  const hn::CappedTag<double, 8> d;
  const hn::RebindToUnsigned<decltype(d)> bits;
  const hn::RebindToSigned<decltype(d)> whole;
  const std::size_t width = hn::Lanes(d);
  const auto round = hn::Set(d, 0x1.8p52);
  const auto term = [&](std::size_t k) { return hn::Set(d, tables::kExpTerms[k]); };
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    const auto v = hn::LoadU(d, x + i);
    if (!hn::AllTrue(d, hn::Lt(hn::Abs(v), hn::Set(d, 708)))) {
      for (std::size_t k = 0; k < width; ++k) x[i + k] = elementary::exp(x[i + k]);
      continue;
    }
    const auto rounded = hn::Add(hn::Mul(v, hn::Set(d, tables::kStepsPerUnit)), round);
    const auto n = hn::Sub(rounded, round);
    const auto r =
        hn::Sub(hn::Sub(v, hn::Mul(n, hn::Set(d, tables::kStepHigh))), hn::Mul(n, hn::Set(d, tables::kStepLow)));
    const auto r2 = hn::Mul(r, r);
    const auto steps = hn::BitCast(bits, rounded), entry = hn::And(steps, hn::Set(bits, 127));
    const auto place = hn::BitCast(whole, hn::ShiftLeft<1>(entry));
    const auto power = hn::GatherIndex(d, &tables::kPowers[0][0], place);
    const auto left_out = hn::GatherIndex(d, &tables::kPowers[0][1], place);
    const auto scale = hn::BitCast(d, hn::Add(hn::BitCast(bits, power), hn::ShiftLeft<45>(hn::Sub(steps, entry))));
    const auto low = hn::Add(term(0), hn::Mul(term(1), r)), high = hn::Add(term(2), hn::Mul(term(3), r));
    const auto rest = hn::Add(hn::Add(left_out, r), hn::Mul(r2, hn::Add(low, hn::Mul(r2, high))));
    hn::StoreU(hn::Add(scale, hn::Mul(scale, rest)), d, x + i);
  }
  for (; i < count; ++i) x[i] = elementary::exp(x[i]);
}

}  // namespace linsep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linsep {

HWY_EXPORT(all);

void exponentials(double* x, std::size_t count) { HWY_DYNAMIC_DISPATCH(all)(x, count); }

}  // namespace linsep
#endif
