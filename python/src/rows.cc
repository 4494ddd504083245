#include "rows.h"

#include <span>
#include <string>

#include "convert.h"
#include "linsep/error.h"

namespace linsep::python {
namespace {

template <class T>
std::span<const T> part(std::span<const T> all, std::uint64_t first, std::uint64_t count) {
  return all.empty() ? all : all.subspan(first, count);
}

}  // namespace

RowsLock::RowsLock(Rows& rows) : rows_(rows) {
  if (rows.used_.exchange(true)) {
    throw usage_error("these rows are in use by another call, in a thread or a callback: make separate rows for it");
  }
  try {
    const nb::gil_scoped_release others_may_run;
    rows.store().require_unchanged();
  } catch (...) {
    rows.used_ = false;
    throw;
  }
}

void warn_of_columns(Rows& rows) {
  for (const std::string& sentence : rows.store().take_warnings()) {
    nb::module_::import_("linsep.errors").attr("warn_of_column")(to_str(sentence));
  }
}

Batch slice_of(const Batch& batch, std::int64_t first, std::int64_t count) {
  Batch slice = batch;
  const auto from = static_cast<std::uint64_t>(first);
  const auto size = static_cast<std::uint64_t>(count);
  slice.first_row = batch.first_row + first;
  slice.rows = count;
  if (batch.dense) {
    const std::uint64_t values = size == 0 ? 0 : (size - 1) * batch.stride + batch.features;
    slice.value32 = part(batch.value32, from * batch.stride, values);
    slice.value64 = part(batch.value64, from * batch.stride, values);
  } else {
    slice.start = batch.start.subspan(from, size + 1);
  }
  slice.label = part(batch.label, from, size);
  slice.label8 = part(batch.label8, from, size);
  slice.weight = part(batch.weight, from, size);
  slice.row_number = part(batch.row_number, from, size);
  return slice;
}

}  // namespace linsep::python
