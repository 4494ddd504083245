// A table's encoders in words.
#pragma once

#include <string>

#include "linsep/table/map.h"

namespace linsep {

/// What an encoder does with a value: "as written", "divided by 59.9", "12 values and (rare)", "words 1-2: 800 terms;
/// count".
std::string encoder_words(const Encoder& encoder);

}  // namespace linsep
