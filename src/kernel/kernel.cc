// Written once, compiled for each CPU target by Highway, chosen at run time. The order of additions is the scalar
// oracle's: eight partial sums, whatever the width of a vector.
#include "kernel/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/kernel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/scalar.h"
#include "kernel/table.h"

HWY_BEFORE_NAMESPACE();
namespace linsep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most eight doubles; kParts of them hold the eight partial sums.
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

// Σ_k product(k) with the partial sums of the oracle: `block(k)` gives the products k … k+Lanes−1 as a vector,
// `single(k)` one of them.
template <class Block, class Single>
HWY_INLINE double sum_products(std::size_t size, const Block& block, const Single& single) {
  const D d;
  constexpr std::size_t kWidth = hn::MaxLanes(d);
  constexpr std::size_t kParts = scalar::kLanes / kWidth;
  std::array<double, scalar::kLanes> lane{};
  std::size_t k = 0;
  if (size >= scalar::kLanes) {
    hn::Vec<D> sum[kParts];
    for (auto& part : sum) part = hn::Zero(d);
    for (; k + scalar::kLanes <= size; k += scalar::kLanes) {
      for (std::size_t part = 0; part < kParts; ++part) sum[part] = hn::Add(sum[part], block(k + part * kWidth));
    }
    for (std::size_t part = 0; part < kParts; ++part) hn::StoreU(sum[part], d, lane.data() + part * kWidth);
  }
  for (std::size_t j = 0; k + j < size; ++j) lane[j] += single(k + j);
  return scalar::add_lanes(lane);
}

template <class V>
double dot_sparse(const SparseRow<V>& x, const double* w) {
  const D d;
  return sum_products(
      x.size,
      [&](std::size_t k) {
        return hn::Mul(load_values(d, x.value + k), hn::GatherIndex(d, w, load_columns(x.column + k)));
      },
      [&](std::size_t k) { return static_cast<double>(x.value[k]) * w[x.column[k]]; });
}

template <class V>
double dot_dense(const DenseRow<V>& x, const double* w) {
  const D d;
  return sum_products(
      x.size, [&](std::size_t k) { return hn::Mul(load_values(d, x.value + k), hn::LoadU(d, w + k)); },
      [&](std::size_t k) { return static_cast<double>(x.value[k]) * w[k]; });
}

template <class Row>
double squared_norm(const Row& x) {
  const D d;
  return sum_products(
      x.size,
      [&](std::size_t k) {
        const auto value = load_values(d, x.value + k);
        return hn::Mul(value, value);
      },
      [&](std::size_t k) { return static_cast<double>(x.value[k]) * static_cast<double>(x.value[k]); });
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
                                         scalar::axpy<float>,
                                         scalar::axpy<double>,
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
