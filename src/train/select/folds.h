// Which rows a fold of a cross-validation holds out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace linsep {

/// The fold of each row, from 0 to count − 1. Each class is dealt out in the order of a keyed hash of seed and row
/// number, so neither folds nor a class's shares of them differ by more than one row. `positive` is by row: 1 or 0.
/// Throws a usage Error where there are fewer rows than folds.
std::vector<std::uint16_t> deal_folds(std::span<const std::uint8_t> positive, std::int64_t count, std::uint64_t seed);

}  // namespace linsep
