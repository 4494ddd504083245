#include "numeric/scatter.h"

#include <algorithm>
#include <span>

#include "kernel/kernel.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

/// Dense rows that are gone through together: a row of the matrix stays in cache meanwhile.
constexpr std::int64_t kBlock = 64;

}  // namespace

void Scatter::widen(std::size_t features) {
  if (features <= features_) return;
  features_ = features;
  entry_.resize(features * (features + 1) / 2);
}

void Scatter::add(const Batch& batch, const StopPoint& stop) {
  Pace pace(&stop);
  widen(batch.features);
  if (!batch.dense) {
    for_each_row(batch, [&](const auto& x, std::int64_t i) {
      if constexpr (requires { x.column; }) {
        const double w = batch.weight_of(i);
        pace.after(x.size * x.size / 2);
        for (std::size_t k = 0; k < x.size; ++k) {
          auto head = x;
          head.size = k + 1;
          axpy(w * static_cast<double>(x.value[k]), head, row(x.column[k]));
        }
      }
    });
    return;
  }
  const auto add_dense = [&](const auto* value) {
    using V = std::remove_cvref_t<decltype(*value)>;
    for (std::int64_t begin = 0; begin < batch.rows; begin += kBlock) {
      const std::int64_t end = std::min(begin + kBlock, batch.rows);
      for (std::size_t j = 0; j < batch.features; ++j) {
        pace.after((j + 1) * static_cast<std::size_t>(end - begin));
        for (std::int64_t i = begin; i < end; ++i) {
          const V* x = value + static_cast<std::uint64_t>(i) * batch.stride;
          if (x[j] != 0) axpy(batch.weight_of(i) * static_cast<double>(x[j]), DenseRow<V>{x, j + 1}, row(j));
        }
      }
    }
  };
  if (batch.is_float) {
    add_dense(batch.value32.data());
  } else {
    add_dense(batch.value64.data());
  }
}

void Scatter::synchronise(Comm& comm) { exact_all_reduce(comm, std::span<double>(entry_)); }

void Scatter::set_entries(std::size_t features, std::vector<double> entries) {
  require_state(features <= std::size_t{1} << 31 && entries.size() == features * (features + 1) / 2);
  features_ = features;
  entry_ = std::move(entries);
}

}  // namespace linsep
