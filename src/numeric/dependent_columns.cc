#include "numeric/dependent_columns.h"

#include <cmath>
#include <utility>

namespace linsep {
namespace {

/// A column depends on those before it if the part that they leave of it is below this share of its length.
constexpr double kLeastRest = 3e-6;

}  // namespace

std::vector<std::size_t> DependentColumn::summands() const {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < relation.size(); ++c) {
    if (c != column && std::abs(relation[c]) > kLeastRest) columns.push_back(c);
  }
  return columns;
}

/// Cholesky's factor, column after column, says how much of each column those before it explain.
std::vector<DependentColumn> find_dependent_columns(const SymmetricMatrix& matrix, std::vector<char>& active) {
  const auto entry_of = [&](std::size_t l, std::size_t k) { return matrix.entries()[l * matrix.stride() + k]; };
  std::vector<DependentColumn> found;
  std::vector<std::vector<double>> row(matrix.size());
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    if (active[k] == 0) continue;
    row[k].assign(k + 1, 0);
    double rest = entry_of(k, k);
    for (std::size_t l = 0; l < k; ++l) {
      if (active[l] == 0) continue;
      double entry = entry_of(l, k);
      for (std::size_t m = 0; m < l; ++m) entry -= row[k][m] * row[l][m];
      row[k][l] = entry / row[l][l];
      rest -= row[k][l] * row[k][l];
    }
    if (rest > kLeastRest * kLeastRest * entry_of(k, k)) {
      row[k][k] = std::sqrt(rest);
      continue;
    }
    active[k] = 0;
    DependentColumn dependent{k, std::vector<double>(matrix.size(), 0)};
    std::vector<double>& relation = dependent.relation;
    for (std::size_t l = k; l-- > 0;) {
      if (active[l] == 0) continue;
      double weight = -row[k][l];
      for (std::size_t m = l + 1; m < k; ++m) weight -= active[m] != 0 ? relation[m] * row[m][l] : 0;
      relation[l] = weight / row[l][l];
    }
    relation[k] = 1;
    found.push_back(std::move(dependent));
  }
  return found;
}

}  // namespace linsep
