// Elimination decides whether a square matrix of residues is regular.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "exact/number.h"

namespace linsep {

/// Arithmetic modulo p < 2⁶². Throws Refusal if there is no inverse.
struct Modulus {
  std::uint64_t p;

  std::uint64_t multiply(std::uint64_t a, std::uint64_t b) const;
  std::uint64_t inverse(std::uint64_t a) const;
  std::uint64_t residue(const Rational& a) const;
  bool is_prime() const;
};

/// A row of residues with the columns in which it isn't 0, ascending.
using SparseResidues = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

/// Throws Refusal if elimination doesn't show that the matrix is regular. Modulo a prime this happens exactly if the
/// matrix is singular. Modulo another number the order of pivots matters. It is the order of the format's page, and a
/// matrix of more than 1,000 rows is refused. The matrix may take `memory` bytes (0: any number), and a usage Error is
/// thrown if it needs more.
void check_regular(std::vector<SparseResidues> matrix, const Modulus& modulus, std::uint64_t memory);

}  // namespace linsep
