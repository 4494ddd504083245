// How the memory that a run may use is shared between what a learner keeps and the pages of its rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "learn/entry.h"
#include "linsep/source.h"
#include "linsep/train.h"

namespace linsep {

/// Bytes for data of this (mapped) shape. `parts`: classifiers trained together, 0 for one.
std::uint64_t bytes_needed(const MemoryRates& rates, const Shape& shape, std::size_t parts);
std::uint64_t certify_bytes(const Shape& shape);

/// How often what a learner keeps is there at a time: a checkpoint on its way to the disk is two copies more.
inline std::uint64_t copies_of_state(const TrainOptions& options) { return options.checkpoint.path.empty() ? 1 : 3; }

/// Gives the pages of `source` what is left of `memory` bytes when `need` are taken. Nothing happens where memory is 0
/// or the rows don't come from pages. Throws a usage Error where it isn't enough, with what would be.
void share_memory(Source& source, std::uint64_t need, std::uint64_t memory);

}  // namespace linsep
