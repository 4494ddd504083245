// Numbers as sentences and tables of a picture show them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace linsep {

/// A number with at most six figures; a minus sign as such.
std::string figure_text(double number);
/// A weight that is known to within ±error (0: it isn't said), to the digits that are; with a "~" before one digit
/// where not even that is sure.
std::string weight_text(double weight, double error);
/// "1,204"
std::string count_text(std::int64_t number);
/// "1 row", "1,204 rows"
std::string counted_text(std::int64_t number, std::string_view noun);

}  // namespace linsep
