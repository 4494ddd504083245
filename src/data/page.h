// Page: rows that own their memory, as a reader makes them: one page per chunk of text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "linsep/batch.h"

namespace linsep {

struct Page {
  Batch batch;                    ///< views into `storage`; first_row counts within the whole source
  std::shared_ptr<void> storage;  ///< keeps what `batch` points to, as far as it isn't borrowed
  bool borrowed = false;          ///< the values are somebody else's arrays
  std::span<double> label;        ///< the same labels as `batch.label`, writable: classes are resolved after reading
  std::uint64_t first_byte = 0;   ///< where the page's text begins in the (decompressed) input
  std::uint64_t bytes = 0;        ///< and how long it is
  std::uint64_t first_line = 1;   ///< the number of its first line, of those that the input read has
  std::uint64_t lines = 0;
};

}  // namespace linsep
