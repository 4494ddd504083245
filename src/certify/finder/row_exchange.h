// Rows that several workers look at together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "certify/exact/rows.h"
#include "certify/finder/state.h"
#include "linsep/comm.h"

namespace linsep {

/// What a worker sent, as a ByteReader takes it.
inline std::string_view as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Rows (ascending) of all workers exactly. Collective; REQUIRES: the same rows on every worker.
std::vector<ExactRow> read_exactly(const FinderState& state, const std::vector<std::int64_t>& rows, Comm& comm);

/// The least of the workers' row numbers; −1 is none. Collective.
std::int64_t first_of_all(std::int64_t row, Comm& comm);

/// The first `limit` of all workers' row numbers, ascending, each once. Collective.
std::vector<std::int64_t> gather_rows(const std::vector<std::int64_t>& mine, Comm& comm, std::size_t limit);

}  // namespace linsep
