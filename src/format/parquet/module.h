// What the module liblinsep_arrow.so exports. Plain C: no exception and no C++ type passes.
#pragma once

#include <cstddef>

#include "linsep/table/arrow.h"

/// Changes whenever an entry below does: a module of another build is refused.
#define LINSEP_ARROW_VERSION "linsep arrow 1"

extern "C" {
const char* linsep_arrow_version();
/// Files and folders as one table, in the order given; of a folder its files by the bytes of their paths. 0; else 1,
/// and a text that ends in NUL in `message`, of at most `size` bytes. The caller releases the stream.
int linsep_arrow_open(const char* const* paths, std::size_t count, struct ArrowArrayStream* out, char* message,
                      std::size_t size);
}
