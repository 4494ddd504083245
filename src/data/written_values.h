// Rows as they were written, where the input was binary: from the values themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "linsep/source.h"

namespace linsep {

WrittenRow written_from_values(const Schema& schema, const Batch& batch, std::size_t i);

/// Throws a usage Error for a row that isn't between `first` and `end` − 1.
void check_row_numbers(std::span<const std::int64_t> rows, std::int64_t first, std::int64_t end);

}  // namespace linsep
