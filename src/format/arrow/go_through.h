// All slices of a table by any number of threads, with the Error of the first slice that has one.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <vector>

#include "core/parallel.h"
#include "format/arrow/batches.h"
#include "format/csv/parse.h"
#include "linsep/error.h"

namespace linsep::arrow {

inline constexpr std::int64_t kSliceRows = 8192;

/// How rows are read: columns by name, as from CSV with a header.
csv::Layout layout_of(const ArrowTable::Batches& batches, const ReadOptions& options,
                      std::shared_ptr<const csv::TableColumns> table);

/// Calls `f(slice, worker)` for each slice; what is thrown is that of the first slice, whatever the threads.
inline void go_through(std::size_t slices, const ReadOptions& options,
                       const std::function<void(std::size_t slice, std::size_t worker)>& f) {
  std::atomic<std::size_t> failed = slices;
  std::vector<std::exception_ptr> failure(slices);
  parallel_for(slices, thread_count(options.threads), [&](std::size_t slice, std::size_t worker) {
    if (slice > failed.load()) return;
    if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed)) throw interrupted_error();
    try {
      f(slice, worker);
    } catch (...) {
      failure[slice] = std::current_exception();
      std::size_t first = failed.load();
      while (slice < first && !failed.compare_exchange_weak(first, slice)) {
      }
    }
  });
  if (failed.load() < slices) std::rethrow_exception(failure[failed.load()]);
}

}  // namespace linsep::arrow
