// Written once, compiled for each CPU target by Highway, chosen at run time. Additions have the order of the scalar
// oracle, with eight partial sums whatever the width of a vector.
#include "kernel/kernel.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/kernel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/scalar.h"
#include "kernel/table.h"

HWY_BEFORE_NAMESPACE();
namespace linsep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most eight doubles, of which kParts hold the eight partial sums.
using D = hn::CappedTag<double, 8>;

template <class V>
hn::Vec<D> load_values(D d, const V* from) {
  if constexpr (sizeof(V) == sizeof(double)) {
    return hn::LoadU(d, from);
  } else {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from));
  }
}

HWY_INLINE hn::Vec<hn::Rebind<std::int64_t, D>> load_columns(const std::uint32_t* from) {
  const auto narrow = hn::LoadU(hn::Rebind<std::uint32_t, D>(), from);
  return hn::BitCast(hn::Rebind<std::int64_t, D>(), hn::PromoteTo(hn::Rebind<std::uint64_t, D>(), narrow));
}

// Whether a masked load touches only what its mask names. If not, the last entries are taken one by one.
#undef LINSEP_MASKED_TAIL
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
#define LINSEP_MASKED_TAIL 1
#else
#define LINSEP_MASKED_TAIL 0
#endif

template <class V>
HWY_INLINE hn::Vec<D> load_some_values(D d, std::size_t count, const V* from) {
  if constexpr (sizeof(V) == sizeof(double)) {
    return hn::MaskedLoad(hn::FirstN(d, count), d, from);
  } else {
    const hn::Rebind<float, D> narrow;
    return hn::PromoteTo(d, hn::MaskedLoad(hn::FirstN(narrow, count), narrow, from));
  }
}

// The factor that an entry of a row is multiplied by: a weight (gathered or in line), or the entry itself.
template <class V>
struct Gathered {
  const std::uint32_t* column;
  const double* w;
  HWY_INLINE hn::Vec<D> block(D d, std::size_t k, hn::Vec<D>) const {
    return hn::GatherIndex(d, w, load_columns(column + k));
  }
  HWY_INLINE hn::Vec<D> some(D d, std::size_t k, std::size_t count, hn::Vec<D>) const {
    const hn::Rebind<std::uint32_t, D> narrow;
    const auto mask = hn::FirstN(narrow, count);  // lanes beyond read a weight of this row, as no other may exist
    const auto columns = hn::IfThenElse(mask, hn::MaskedLoad(mask, narrow, column + k), hn::Set(narrow, column[k]));
    const auto wide =
        hn::BitCast(hn::Rebind<std::int64_t, D>(), hn::PromoteTo(hn::Rebind<std::uint64_t, D>(), columns));
    return hn::IfThenElseZero(hn::FirstN(d, count), hn::GatherIndex(d, w, wide));
  }
  double is_float(std::size_t k, V) const { return w[column[k]]; }
};

template <class V>
struct InLine {
  const double* w;
  HWY_INLINE hn::Vec<D> block(D d, std::size_t k, hn::Vec<D>) const { return hn::LoadU(d, w + k); }
  HWY_INLINE hn::Vec<D> some(D d, std::size_t k, std::size_t count, hn::Vec<D>) const {
    return load_some_values(d, count, w + k);
  }
  double is_float(std::size_t k, V) const { return w[k]; }
};

template <class V>
struct Itself {
  HWY_INLINE hn::Vec<D> block(D, std::size_t, hn::Vec<D> value) const { return value; }
  HWY_INLINE hn::Vec<D> some(D, std::size_t, std::size_t, hn::Vec<D> value) const { return value; }
  double is_float(std::size_t, V value) const { return static_cast<double>(value); }
};

#if LINSEP_MASKED_TAIL
// scalar::add_lanes without leaving the registers. The order of additions was chosen for this.
template <std::size_t kParts>
HWY_INLINE double add_parts(const hn::Vec<D> (&sum)[kParts]) {
  using D4 = hn::CappedTag<double, 4>;
  using D2 = hn::CappedTag<double, 2>;
  hn::Vec<D4> four;
  if constexpr (kParts == 1) {
    four = hn::Add(hn::LowerHalf(D4(), sum[0]), hn::UpperHalf(D4(), sum[0]));
  } else {
    four = hn::Add(sum[0], sum[1]);
  }
  const auto two = hn::Add(hn::LowerHalf(D2(), four), hn::UpperHalf(D2(), four));
  return hn::GetLane(two) + hn::GetLane(hn::Reverse(D2(), two));
}
#endif

// Σ_k value[k]·factor(k) with the partial sums of the oracle. An entry that a mask leaves out adds +0 to a sum that
// began at +0, which changes no bit.
template <class V, class Factor>
HWY_INLINE double sum_products(const V* value, std::size_t size, const Factor& factor) {
  const D d;
  constexpr std::size_t kWidth = hn::MaxLanes(d);
  constexpr std::size_t kParts = scalar::kLanes / kWidth;
  hn::Vec<D> sum[kParts];
  for (auto& part : sum) part = hn::Zero(d);
  std::size_t k = 0;
  for (; k + scalar::kLanes <= size; k += scalar::kLanes) {
    for (std::size_t part = 0; part < kParts; ++part) {
      const std::size_t at = k + part * kWidth;
      const auto x = load_values(d, value + at);
      sum[part] = hn::Add(sum[part], hn::Mul(x, factor.block(d, at, x)));
    }
  }
#if LINSEP_MASKED_TAIL
  for (std::size_t part = 0; part < kParts && k < size; ++part, k += kWidth) {
    const std::size_t count = std::min(size - k, kWidth);
    const auto x = load_some_values(d, count, value + k);
    sum[part] = hn::Add(sum[part], hn::Mul(x, factor.some(d, k, count, x)));
  }
  return add_parts(sum);
#else
  std::array<double, scalar::kLanes> lane;
  for (std::size_t part = 0; part < kParts; ++part) hn::StoreU(sum[part], d, lane.data() + part * kWidth);
  for (std::size_t j = 0; k + j < size; ++j) {
    lane[j] += static_cast<double>(value[k + j]) * factor.is_float(k + j, value[k + j]);
  }
  return scalar::add_lanes(lane);
#endif
}

template <class V>
double dot_sparse(const SparseRow<V>& x, const double* w) {
  return sum_products(x.value, x.size, Gathered<V>{x.column, w});
}

template <class V>
double dot_dense(const DenseRow<V>& x, const double* w) {
  return sum_products(x.value, x.size, InLine<V>{w});
}

template <class Row>
double squared_norm(const Row& x) {
  return sum_products(x.value, x.size, Itself<typename Row::Value>{});
}

template <class V>
void axpy_sparse(double a, const SparseRow<V>& x, double* w) {
  std::size_t k = 0;
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  // Columns of a row differ, so eight of them can be updated at once.
  const D d;
  const auto factor = hn::Set(d, a);
  for (; k + scalar::kLanes <= x.size; k += scalar::kLanes) {
    const auto columns = load_columns(x.column + k);
    const auto old = hn::GatherIndex(d, w, columns);
    hn::ScatterIndex(hn::Add(old, hn::Mul(factor, load_values(d, x.value + k))), d, w, columns);
  }
#endif
  for (; k < x.size; ++k) w[x.column[k]] += a * static_cast<double>(x.value[k]);
}

template <class V>
void axpy_dense(double a, const DenseRow<V>& x, double* w) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const auto factor = hn::Set(d, a);
  std::size_t k = 0;
  for (; k + width <= x.size; k += width) {
    hn::StoreU(hn::Add(hn::LoadU(d, w + k), hn::Mul(factor, load_values(d, x.value + k))), d, w + k);
  }
  for (; k < x.size; ++k) w[k] += a * static_cast<double>(x.value[k]);
}

const KernelTable& kernel_table() {
  static constexpr KernelTable kTable = {dot_sparse<float>,
                                         dot_sparse<double>,
                                         dot_dense<float>,
                                         dot_dense<double>,
                                         axpy_sparse<float>,
                                         axpy_sparse<double>,
                                         axpy_dense<float>,
                                         axpy_dense<double>,
                                         squared_norm<SparseRow<float>>,
                                         squared_norm<SparseRow<double>>,
                                         squared_norm<DenseRow<float>>,
                                         squared_norm<DenseRow<double>>};
  return kTable;
}

}  // namespace linsep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linsep {

HWY_EXPORT(kernel_table);

const KernelTable& best_kernel_table() { return HWY_DYNAMIC_DISPATCH(kernel_table)(); }

}  // namespace linsep
#endif
