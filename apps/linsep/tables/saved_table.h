// A table's map in a file of its own, or in a model.
#pragma once

#include <cstdint>
#include <string>

#include "linsep/table/map.h"

namespace linsep::app {

/// Reads the table of a model, or a file that `save_table` wrote. Throws an input Error, even for a model without a
/// table. `memory` is the most that a model may take, or 0 for any.
TableMap load_table(const std::string& path, std::uint64_t memory = 0);

/// Writes the map's JSON.
void save_table(const TableMap& map, const std::string& path);

}  // namespace linsep::app
