// From what a data set says to exact numbers. For finders; the checker has its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exact/number.h"
#include "linsep/source.h"

namespace linsep {

/// The value of a decimal as written: "0.1", "+1.50", "15e-1", ".5". Nothing when it isn't one, or its exponent has
/// more than four digits.
std::optional<Rational> rational_of_decimal(std::string_view text);

/// The dyadic value of a finite number. REQUIRES: it is finite.
Rational rational_of_double(double value);

/// Either, as the input has it.
std::optional<Rational> rational_of(const WrittenValue& value);

/// The shortest exact text that certificates take: a decimal where it is finite and shorter than "p/q".
std::string exact_text(const Rational& value);

/// The double nearest to zero's side of the value (truncated), for searching only.
inline double approximate(const Rational& value) { return value.get_d(); }

}  // namespace linsep
