// The exports of the module liblinsep_arrow.so. They are plain C, so no exception and no C++ type passes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linsep/table/arrow.h"

/// Changes whenever an entry below does, so that a module of another build is refused.
#define LINSEP_ARROW_VERSION "linsep arrow 3"

extern "C" {
const char* linsep_arrow_version();

// All others return 0, or else 1 and a text that ends in NUL in `message`, of at most `size` bytes.

/// Opens files and folders as one table, in the order given. A folder's files come sorted by the bytes of their paths.
/// The caller releases the stream. `memory` is how many bytes all streams may hold at a time, including their batches,
/// or 0 for any number. The latest call decides it. Beyond that limit the stream fails with ENOMEM.
int linsep_arrow_open(const char* const* paths, std::size_t count, std::uint64_t memory, struct ArrowArrayStream* out,
                      char* message, std::size_t size);

/// A Parquet file being written from a stream of Arrow's IPC format.
struct LinsepParquet;
/// Takes some bytes of the file. Returns 0 on success.
typedef int (*LinsepArrowSink)(void* context, const char* bytes, std::size_t count);
int linsep_arrow_begin_parquet(LinsepArrowSink sink, void* context, struct LinsepParquet** out, char* message,
                               std::size_t size);
/// Passes the next bytes of the stream, in pieces of any size.
int linsep_arrow_write_parquet(struct LinsepParquet* file, const char* bytes, std::size_t count, char* message,
                               std::size_t size);
/// Writes what is left.
int linsep_arrow_end_parquet(struct LinsepParquet* file, char* message, std::size_t size);
void linsep_arrow_free_parquet(struct LinsepParquet* file);
}
