// Which rows a fold of a cross-validation holds out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linsep/comm.h"

namespace linsep {

/// The fold of each of this worker's rows, from 0 to count − 1. The rows of each label are dealt out in the order of a
/// keyed hash of seed and row number, so neither folds nor a label's shares of them differ by more than one row.
/// `label` is by row, from row number `first_row` on. The same folds for any number of workers; a collective call.
/// Throws a usage Error where there are fewer rows than folds.
std::vector<std::uint16_t> deal_folds(std::span<const std::uint32_t> label, std::int64_t first_row, std::int64_t count,
                                      std::uint64_t seed, Comm& comm);

/// How many folds the caller's numbers name. Throws a usage Error where there isn't one for each row, a number is
/// negative or above 999, there are fewer than two, or one has no row.
std::int64_t count_folds(std::span<const std::int32_t> fold, std::int64_t rows);

}  // namespace linsep
