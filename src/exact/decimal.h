// Conversions between doubles, decimals and exact numbers. For finders only, since the checker has its own.
#pragma once

#include <string>

#include "exact/number.h"

namespace linsep {

/// The dyadic value of a finite number. REQUIRES: it is finite. Throws std::logic_error if it isn't, because such a
/// number has no place in exact arithmetic and the libraries below would end the program.
Rational rational_of_double(double value);

/// √value rounded down, to within two units of the last place, even if the value is beyond the range of doubles.
/// REQUIRES: value ≥ 0.
double root_below(const Rational& value);

/// The shortest exact text that certificates take. It is a decimal if that is finite and no longer than "p/q".
std::string exact_text(const Rational& value);

}  // namespace linsep
