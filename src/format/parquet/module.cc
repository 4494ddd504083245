// The entries of liblinsep_arrow.so. Arrow's own declaration of the C interface has the same guards as ours.
#include "format/parquet/module.h"

#include <arrow/c/bridge.h>

#include <algorithm>
#include <exception>
#include <string_view>

#include "format/parquet/files.h"
#include "format/parquet/writer.h"

struct LinsepParquet {
  linsep_arrow::ParquetFile file;
};

namespace {

int fail(std::string_view text, char* message, std::size_t size) {
  if (size == 0) return 1;
  const std::size_t length = std::min(text.size(), size - 1);
  std::copy_n(text.data(), length, message);
  message[length] = 0;
  return 1;
}

/// 0 where `f` returns a good status; whatever else happens is told.
template <class F>
int told(char* message, std::size_t size, F&& f) {
  try {
    const arrow::Status status = f();
    return status.ok() ? 0 : fail(status.message(), message, size);
  } catch (const std::exception& error) {
    return fail(error.what(), message, size);
  }
}

}  // namespace

const char* linsep_arrow_version() { return LINSEP_ARROW_VERSION; }

int linsep_arrow_open(const char* const* paths, std::size_t count, ArrowArrayStream* out, char* message,
                      std::size_t size) {
  return told(message, size, [&] {
    ARROW_ASSIGN_OR_RAISE(auto reader, linsep_arrow::open_files({paths, paths + count}));
    return arrow::ExportRecordBatchReader(std::move(reader), out);
  });
}

int linsep_arrow_begin_parquet(LinsepArrowSink sink, void* context, LinsepParquet** out, char* message,
                               std::size_t size) {
  return told(message, size, [&] {
    *out = new LinsepParquet{linsep_arrow::ParquetFile(sink, context)};
    return arrow::Status::OK();
  });
}

int linsep_arrow_write_parquet(LinsepParquet* file, const char* bytes, std::size_t count, char* message,
                               std::size_t size) {
  return told(message, size, [&] { return file->file.write({bytes, count}); });
}

int linsep_arrow_end_parquet(LinsepParquet* file, char* message, std::size_t size) {
  return told(message, size, [&] { return file->file.end(); });
}

void linsep_arrow_free_parquet(LinsepParquet* file) { delete file; }
