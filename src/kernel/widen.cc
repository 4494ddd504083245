// Written once, compiled for each CPU target by Highway: the scalar oracle's integers, several at a time.
#include "kernel/widen.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/widen.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace linsep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void widen_float16(const std::uint16_t* from, std::size_t count, float* to) {
  const hn::ScalableTag<std::uint32_t> bits;
  const hn::Rebind<std::uint16_t, decltype(bits)> halves;
  const hn::RebindToFloat<decltype(bits)> floats;
  const auto bias = hn::Set(bits, std::uint32_t{112} << 23), least = hn::Set(bits, std::uint32_t{113} << 23);
  const auto exponents = hn::Set(bits, 0x7c00U);
  const std::size_t width = hn::Lanes(bits);
  std::size_t k = 0;
  for (; k + width <= count; k += width) {
    const auto half = hn::PromoteTo(bits, hn::LoadU(halves, from + k));
    const auto size = hn::ShiftLeft<13>(hn::And(half, hn::Set(bits, 0x7fffU)));
    const auto exponent = hn::And(half, exponents);
    const auto special = hn::IfThenElseZero(hn::Eq(exponent, exponents), bias);
    const auto normal = hn::Add(hn::Add(size, bias), special);
    const auto small =
        hn::BitCast(bits, hn::Sub(hn::BitCast(floats, hn::Add(size, least)), hn::BitCast(floats, least)));
    const auto found = hn::IfThenElse(hn::Eq(exponent, hn::Zero(bits)), small, normal);
    const auto sign = hn::ShiftLeft<16>(hn::And(half, hn::Set(bits, 0x8000U)));
    hn::StoreU(hn::BitCast(floats, hn::Or(found, sign)), floats, to + k);
  }
  for (; k < count; ++k) to[k] = scalar::widen_float16(from[k]);
}

}  // namespace linsep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linsep {

HWY_EXPORT(widen_float16);

void widen_float16(const std::uint16_t* from, std::size_t count, float* to) {
  HWY_DYNAMIC_DISPATCH(widen_float16)(from, count, to);
}

}  // namespace linsep
#endif
