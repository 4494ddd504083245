// Sparse systems over the integers, by lifting.
//
// Problem: x with Σ x_b·row_b = right in the pivot columns of a SparseFactor, over its pivot rows: rationals with one
// denominator. Method: Dixon's (1982): x modulo p, what is missing divided by p, and so on; each digit costs a solution
// modulo p and a product with the sparse rows. Fractions are recovered from the digits by Euclid's algorithm (Wang
// 1981), the first with its denominator, the others nearly always with the same one. Tried from time to time, so short
// solutions are found early; a wrong recovery has a chance below 2⁻⁶⁴, and whoever uses the solution checks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "certify/exact/solve.h"
#include "certify/sparse/sparse_factor.h"

namespace linsep {

__extension__ using WideInteger = __int128;

/// A row of machine integers. |value| < 2⁶².
struct MachineRow {
  std::vector<std::uint32_t> column;
  std::vector<std::int64_t> value;
};

struct Lifted {
  enum class End {
    kSolved,
    kTooLong,  ///< the solution has more digits than were asked for
    kStopped,
  };
  End end = End::kTooLong;
  IntegerVector numerator;  ///< one for each pivot, in their order
  Integer denominator = 1;  ///< above 0
};

/// `rows` are those that were factored; `right` has a number for each column, |right| < 2¹²⁰; at most `most_digits`
/// digits modulo p of every number are computed.
Lifted solve_by_lifting(const SparseFactor& factor, const std::vector<MachineRow>& rows, std::vector<WideInteger> right,
                        std::size_t most_digits, const std::function<bool()>& stop);

/// The numbers with these digits modulo p, the lowest first and as many of each, as fractions over one denominator: a
/// multiple of the solution's own. False: there are too few digits. Polls (core/poll.h).
bool recover_fractions(const std::vector<std::vector<std::uint32_t>>& digits, Lifted& solution,
                       const std::function<bool()>& stop = {});

/// n/d with n ≡ d·residue modulo `modulus`, both so short that by chance there is none. False where there is none.
/// REQUIRES: 0 ≤ residue < modulus.
bool recover_fraction(const Integer& residue, const Integer& modulus, Integer& numerator, Integer& denominator);

}  // namespace linsep
