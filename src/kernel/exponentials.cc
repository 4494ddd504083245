// The steps of elementary::exp and elementary::log1p (core/elementary.cc) for a vector of numbers, none of them fused.
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

void all_exp(double* x, std::size_t count) {
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

void all_log1p(double* x, std::size_t count) {
  namespace tables = exponential_tables;
  const hn::CappedTag<double, 8> d;
  const hn::RebindToUnsigned<decltype(d)> bits;
  const hn::RebindToSigned<decltype(d)> whole;
  const std::size_t width = hn::Lanes(d);
  const auto term = [&](std::size_t k) { return hn::Set(d, tables::kLogTerms[k]); };
  const auto one = hn::Set(d, 1), half = hn::Set(d, 0.5);
  const auto terms = [&](auto r, auto r2) {
    const auto low = hn::Add(term(0), hn::Mul(term(1), r)), middle = hn::Add(term(2), hn::Mul(term(3), r));
    return hn::Add(low, hn::Mul(r2, hn::Add(middle, hn::Mul(r2, hn::Add(term(4), hn::Mul(term(5), r))))));
  };
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    const auto v = hn::LoadU(d, x + i);
    if (!hn::AllTrue(d, hn::And(hn::Ge(v, hn::Zero(d)), hn::Le(v, one)))) {
      for (std::size_t k = 0; k < width; ++k) x[i + k] = elementary::log1p(x[i + k]);
      continue;
    }
    const auto sum = hn::Add(one, v), lost = hn::Add(hn::Sub(one, sum), v);
    const auto sum_bits = hn::BitCast(bits, sum);
    const auto mantissa = hn::And(sum_bits, hn::Set(bits, 0xfffffffffffff));
    const auto index = hn::ShiftRight<45>(hn::Add(mantissa, hn::Set(bits, std::uint64_t{1} << 44)));
    const auto halved = hn::IfThenElseZero(hn::Gt(hn::BitCast(whole, index), hn::Set(whole, 52)), hn::Set(whole, 1));
    const auto k = hn::Add(hn::Sub(hn::BitCast(whole, hn::ShiftRight<52>(sum_bits)), hn::Set(whole, 1023)), halved);
    const auto z = hn::Sub(sum_bits, hn::ShiftLeft<52>(hn::BitCast(bits, k)));
    const auto place = hn::BitCast(whole, hn::Add(index, hn::ShiftLeft<1>(index)));
    const auto inverse = hn::GatherIndex(d, &tables::kLogs[0][0], place);
    const auto log_high = hn::GatherIndex(d, &tables::kLogs[0][1], place);
    const auto log_low = hn::GatherIndex(d, &tables::kLogs[0][2], place);
    const auto power = hn::ConvertTo(d, k);
    const auto front = hn::BitCast(d, hn::And(z, hn::Set(bits, ~std::uint64_t{0xffff})));
    const auto back = hn::Mul(hn::Sub(hn::BitCast(d, z), front), inverse);
    const auto first = hn::Sub(hn::Mul(front, inverse), one);
    const auto start = hn::Add(hn::Mul(power, hn::Set(d, tables::kLn2High)), log_high);
    const auto start_low = hn::Add(hn::Add(hn::Mul(power, hn::Set(d, tables::kLn2Low)), log_low), hn::Div(lost, sum));
    const auto r = hn::Add(first, back), r2 = hn::Mul(r, r);
    const auto high = hn::Add(start, first), low = hn::Add(hn::Sub(start, high), first);
    const auto polynomial = hn::Sub(hn::Mul(hn::Mul(r2, r), terms(r, r2)), hn::Mul(half, r2));
    const auto far = hn::Add(high, hn::Add(polynomial, hn::Add(low, hn::Add(back, start_low))));
    const auto v2 = hn::Mul(v, v);
    const auto near = hn::Add(v, hn::Sub(hn::Mul(hn::Mul(v2, v), terms(v, v2)), hn::Mul(half, v2)));
    hn::StoreU(hn::IfThenElse(hn::Lt(v, hn::Set(d, 0x1p-8)), near, far), d, x + i);
  }
  for (; i < count; ++i) x[i] = elementary::log1p(x[i]);
}

}  // namespace linsep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linsep {

HWY_EXPORT(all_exp);
HWY_EXPORT(all_log1p);

void exponentials(double* x, std::size_t count) { HWY_DYNAMIC_DISPATCH(all_exp)(x, count); }
void logarithms(double* x, std::size_t count) { HWY_DYNAMIC_DISPATCH(all_log1p)(x, count); }

}  // namespace linsep
#endif
