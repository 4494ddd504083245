// SupportSearch: few rows that no w separates, among many sparse ones, with their weights in floating point.
//
// A witness in general position has as many rows as its rows have columns, and one more; so rows that use few columns
// come first. Method: rows in the order of their rarest column (by_rarest_column); of its beginnings the shortest, but
// for a sixteenth, that aren't separable: doubling, then halving, each time sign peeling and the least squared hinge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "certify/sparse/unit_rows.h"

namespace linsep {

/// Rows (ascending) with slack, and nearly Σ share_i·z_i = 0.
struct Support {
  std::vector<std::int64_t> row;
  std::vector<double> slack;  ///< share·‖z‖
  std::vector<double> share;
  std::size_t columns = 0;  ///< that the rows use
};

struct SupportSearch {
  bool stopped = false;
  std::vector<Support> found;  ///< of beginnings that aren't separable, the shortest first; none: all may be separable
};
SupportSearch find_supports(const UnitRows& rows, const std::function<bool()>& stop);

/// The support in all rows at once.
SupportSearch support_of_all(const UnitRows& rows, const std::function<bool()>& stop);

}  // namespace linsep
