// Principal components of some rows, by power iterations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "picture/gathered.h"

namespace linsep {

struct SampledRow {
  std::int64_t row = 0;
  std::vector<std::uint32_t> column;
  std::vector<double> value;
};

/// The unit direction of the greatest variance among those across every vector of `across` (unit vectors over
/// `features`, across one another); its heaviest entry is positive. Empty where the rows don't vary there. The same
/// bits on every machine.
Direction principal_component(std::span<const SampledRow> rows, std::uint32_t features,
                              std::span<const std::vector<double>> across);

}  // namespace linsep
