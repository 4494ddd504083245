// Counts as sentences and tables of a picture show them; other numbers by linsep/tools/number_words.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "linsep/tools/number_words.h"  // IWYU pragma: export

namespace linsep {

/// "1,204"
std::string count_text(std::int64_t number);
/// "1 row", "1,204 rows"
std::string counted_text(std::int64_t number, std::string_view noun);

}  // namespace linsep
