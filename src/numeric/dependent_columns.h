// Columns that are nearly sums of others, found from their matrix Σ w·x·xᵀ in floating point.
#pragma once

#include <cstddef>
#include <vector>

#include "numeric/symmetric_matrix.h"

namespace linsep {

/// A column that depends on those before it, but for 3 parts in a million of its length: x[column] = Σ weight·x. Others
/// leave so little of it that standard errors grow a hundred thousand fold.
struct DependentColumn {
  std::size_t column = 0;
  std::vector<double> relation;  ///< by column: 1 at its own, −weight at the others

  /// The columns that it is a sum of. REQUIRES: columns of about one length, so that a small weight means nothing.
  std::vector<std::size_t> summands() const;
};

/// Looks at the marked columns in their order. Those that are found are unmarked. REQUIRES: as many marks as columns; a
/// column of zeros depends on none.
std::vector<DependentColumn> find_dependent_columns(const SymmetricMatrix& matrix, std::vector<char>& active);

}  // namespace linsep
