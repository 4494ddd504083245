// Numbers that a call leaves for JavaScript to read at once, instead of JSON.
#pragma once

#include <vector>

namespace linsep::wasm {

/// What `numbers` and `number_count` speak of.
std::vector<double>& last_numbers();

}  // namespace linsep::wasm
