// The entries of liblinsep_arrow.so. Arrow's own declaration of the C interface has the same guards as ours.
#include "format/parquet/module.h"

#include <arrow/c/bridge.h>

#include <algorithm>
#include <exception>
#include <string_view>

#include "format/parquet/files.h"

namespace {

int fail(std::string_view text, char* message, std::size_t size) {
  if (size == 0) return 1;
  const std::size_t length = std::min(text.size(), size - 1);
  std::copy_n(text.data(), length, message);
  message[length] = 0;
  return 1;
}

}  // namespace

const char* linsep_arrow_version() { return LINSEP_ARROW_VERSION; }

int linsep_arrow_open(const char* const* paths, std::size_t count, ArrowArrayStream* out, char* message,
                      std::size_t size) {
  try {
    auto reader = linsep_arrow::open_files({paths, paths + count});
    if (!reader.ok()) return fail(reader.status().message(), message, size);
    const arrow::Status status = arrow::ExportRecordBatchReader(*std::move(reader), out);
    return status.ok() ? 0 : fail(status.message(), message, size);
  } catch (const std::exception& error) {
    return fail(error.what(), message, size);
  }
}
