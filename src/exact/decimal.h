// Between doubles, decimals and exact numbers. For finders; the checker has its own.
#pragma once

#include <string>

#include "exact/number.h"

namespace linsep {

/// The dyadic value of a finite number. REQUIRES: it is finite; else throws std::logic_error, for a number that isn't
/// has no place in exact arithmetic, and the libraries below would end the program.
Rational rational_of_double(double value);

/// √value, at most that and within two units of the last place, also where the value is beyond the range of doubles.
/// REQUIRES: value ≥ 0.
double root_below(const Rational& value);

/// The shortest exact text that certificates take: a decimal where it is finite and no longer than "p/q".
std::string exact_text(const Rational& value);

}  // namespace linsep
