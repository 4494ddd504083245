// Where a row stands in its chunk, for messages.
#pragma once

#include <cstdint>

#include "format/text/format.h"

namespace linsep {

/// The number of lines (from 0) before row `row` (from 0) of a chunk that parses. Parses parts of it again.
std::uint64_t line_of_row(const TextFormat& format, const Chunk& chunk, std::int64_t row);

}  // namespace linsep
