// Dense systems over the integers in steps that poll (core/poll.h).
//
// Problem: X with A·X = B. Method: Dixon's (1982), as in sparse/lifting.h: A factored modulo p once, then digit by
// digit for each right side, with products of A's limbs in machine integers; fractions recovered now and then. A
// recovered fraction counts once A·x − b, which is 0 modulo p^k, is known to be below p^k. Cost: n³/3 products, then
// (limbs + 1)·n² per digit.
#pragma once

#include <optional>

#include "exact/integer_solve.h"

namespace linsep {

/// What solve_exactly returns; of larger systems by steps that poll.
std::optional<ExactSolution> solve_in_steps(const IntegerRows& a, const IntegerRows& b);

}  // namespace linsep
