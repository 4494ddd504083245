// The calls of linsep.wasm: text in, one JSON object out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "report/json.h"

/// Makes a function callable from JavaScript under its name.
#define LINSEP_EXPORT(name) extern "C" __attribute__((export_name(#name), visibility("default")))

namespace linsep::wasm {

/// Does the work and keeps its answer for `answer`. Returns 0; 1 where it threw: then the answer is
/// {"error": what `linsep` would say, "file", "line", "column", "option"}, the last four where they are known.
std::int32_t answer_with(const std::function<Json()>& work);

/// An error whose object says more than its message.
struct AnsweredError {
  Json object;
};

/// What was handed over. Throws a usage Error for text that is no JSON object.
Json parsed(const char* text, std::uint32_t size);

/// Fields of such an object; what is missing or null is the fallback. Throws a usage Error for another type.
std::string text_of(const Json& object, const char* name, const std::string& fallback);
bool flag_of(const Json& object, const char* name);
double number_of(const Json& object, const char* name, double fallback);
std::vector<double> numbers_of(const Json& object, const char* name);

}  // namespace linsep::wasm
