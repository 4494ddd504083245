// Exact numbers as text, as the checker reads them.
#pragma once

#include <optional>
#include <string_view>

#include "exact/number.h"

namespace linsep {

/// "p", "p/q" or "1.25", perhaps after a minus sign. Nothing if the text is something else, q is 0 or it has more than
/// 100,000 characters.
std::optional<Rational> parse_exact(std::string_view text);

/// The value of a canonical decimal. REQUIRES: it is one.
Rational decimal_value(std::string_view canonical);

}  // namespace linsep
