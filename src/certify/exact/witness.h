// Witness: rows that no linear classifier separates, with the weights that show it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "certify/exact/rows.h"
#include "certify/exact/solve.h"

namespace linsep {

/// Rows and weights above 0 with Σ α_i z_i = 0, ascending by row; integers without a common divisor.
using Witness = std::vector<std::pair<std::int64_t, Integer>>;

/// The same ratios as integers without a common divisor.
IntegerVector as_integers(const std::vector<Rational>& values);

/// Whether z_a is a negative multiple of z_b.
bool opposite(const ExactRow& a, const ExactRow& b);

/// The weights, in any order, as a witness has them.
Witness as_witness(std::vector<std::pair<std::int64_t, Rational>> weights);

/// The witness of two opposite rows; empty where they aren't.
Witness witness_of_pair(const ExactRow& a, const ExactRow& b);

}  // namespace linsep
