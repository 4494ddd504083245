// Names among others with commas.
#pragma once

#include <string>
#include <string_view>

namespace linsep {

/// `shown_text` of a name, in quotes if it is empty, is "none", has a comma, a semicolon or a quote, or begins or ends
/// with a blank. So it can't be taken for two names or for a word of the sentence.
std::string listed_name(std::string_view name);

}  // namespace linsep
