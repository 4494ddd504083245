// How a piece of bad input is shown in a message.
#pragma once

#include <string>

namespace linsep {

/// What stands at the beginning of [begin, end), a part of one line: a short word in quotes, with everything but
/// visible ASCII escaped, "a blank", or "the end of the line".
std::string shown(const char* begin, const char* end);

/// Whether a word such as "nan", "-inf" or "Infinity" stands at the beginning.
bool looks_infinite(const char* begin, const char* end);

/// The message about a number that isn't 0 as written, but too small for its type; `number` as `shown` shows it.
std::string tiny_message(const std::string& number);

}  // namespace linsep
