// Numbers and names as charts show them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linsep {

/// Six significant digits: "-0.25", "1e+06".
std::string tick_text(double value);

/// Columns that UTF-8 text takes on a terminal.
std::size_t columns_of(std::string_view text);
/// The text, or as much of it as fits before "…" (in ASCII "...").
std::string cut_to(std::string_view text, std::size_t columns, bool ascii = false);
/// The text broken at blanks into at most `most` lines of at most `columns` columns. The last is cut.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns, std::size_t most, bool ascii = false);
/// Letters and signs that messages use in ASCII ("θ" is "theta", "≤" is "<="), with "?" for any other.
std::string in_ascii(std::string_view text);

}  // namespace linsep
