// Between doubles, decimals and exact numbers. For finders; the checker has its own.
#pragma once

#include <string>

#include "exact/number.h"

namespace linsep {

/// The dyadic value of a finite number. REQUIRES: it is finite.
Rational rational_of_double(double value);

/// The shortest exact text that certificates take: a decimal where it is finite and no longer than "p/q".
std::string exact_text(const Rational& value);

}  // namespace linsep
