// Terms become whole numbers eight at a time, where a processor can do that. They are added one by one.
#include "kernel/units.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/units.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/scalar.h"

HWY_BEFORE_NAMESPACE();
namespace linsep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#undef LINSEP_WHOLE_NUMBERS
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
#define LINSEP_WHOLE_NUMBERS 1
#else
#define LINSEP_WHOLE_NUMBERS 0
#endif

#if LINSEP_WHOLE_NUMBERS

using D = hn::CappedTag<double, 8>;
using Whole = hn::CappedTag<std::int64_t, 8>;
constexpr std::size_t kWidth = hn::MaxLanes(D());

HWY_INLINE hn::Vec<D> load_some(std::size_t count, const float* from) {
  const hn::Rebind<float, D> narrow;
  return hn::PromoteTo(D(), hn::MaskedLoad(hn::FirstN(narrow, count), narrow, from));
}
HWY_INLINE hn::Vec<D> load_some(std::size_t count, const double* from) {
  return hn::MaskedLoad(hn::FirstN(D(), count), D(), from);
}
HWY_INLINE hn::Vec<D> load(const float* from) { return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<float, D>(), from)); }
HWY_INLINE hn::Vec<D> load(const double* from) { return hn::LoadU(D(), from); }

HWY_INLINE void store_whole(hn::Vec<D> terms, std::int64_t* to) {
  hn::Store(hn::ConvertTo(Whole(), terms), Whole(), to);
}

template <class V>
HWY_INLINE void add_row(const SparseRow<V>& row, double factor, std::int64_t* sum) {
  HWY_ALIGN std::int64_t term[kWidth];
  const auto a = hn::Set(D(), factor);
  std::size_t k = 0;
  for (; k + kWidth <= row.size; k += kWidth) {
    store_whole(hn::Mul(a, load(row.value + k)), term);
    for (std::size_t e = 0; e < kWidth; ++e) add_units(sum[row.column[k + e]], term[e]);
  }
  if (k == row.size) return;
  store_whole(hn::Mul(a, load_some(row.size - k, row.value + k)), term);
  for (std::size_t e = 0; k + e < row.size; ++e) add_units(sum[row.column[k + e]], term[e]);
}

template <class V>
HWY_INLINE void add_row(const SparseRow<V>& row, double first, double second, double square, std::int64_t* sum) {
  HWY_ALIGN std::int64_t term[3][kWidth];
  const auto a = hn::Set(D(), first), b = hn::Set(D(), second), unit = hn::Set(D(), square);
  for (std::size_t k = 0; k < row.size; k += kWidth) {
    const std::size_t count = std::min(kWidth, row.size - k);
    const auto x = count == kWidth ? load(row.value + k) : load_some(count, row.value + k);
    const auto curved = hn::Mul(b, x);
    store_whole(hn::Mul(a, x), term[0]);
    store_whole(curved, term[1]);
    store_whole(hn::Mul(curved, hn::Mul(x, unit)), term[2]);
    for (std::size_t e = 0; e < count; ++e) {
      std::int64_t* to = sum + std::size_t{3} * row.column[k + e];
      for (std::size_t s = 0; s < 3; ++s) add_units(to[s], term[s][e]);
    }
  }
}

#endif

using scalar::add_row;

void once(const Batch& rows, const UnitFactors& by, std::int64_t* sum) {
  scalar::add_in_units(rows, by, [=](const auto& row, double first) { add_row(row, first, sum); });
}

void with_squares(const Batch& rows, const UnitFactors& by, std::int64_t* sum) {
  scalar::add_in_units_with_squares(rows, by, [=](const auto& row, double first, double second, double square) {
    add_row(row, first, second, square, sum);
  });
}

}  // namespace linsep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linsep {

HWY_EXPORT(once);
HWY_EXPORT(with_squares);

void add_in_units(const Batch& rows, const UnitFactors& by, std::int64_t* sum) {
  HWY_DYNAMIC_DISPATCH(once)(rows, by, sum);
}
void add_in_units_with_squares(const Batch& rows, const UnitFactors& by, std::int64_t* sum) {
  HWY_DYNAMIC_DISPATCH(with_squares)(rows, by, sum);
}

}  // namespace linsep
#endif
