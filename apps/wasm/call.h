// The calls of linsep.wasm, with text in and one JSON object out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "report/json.h"

/// Makes a function callable from JavaScript under its name.
#define LINSEP_EXPORT(name) extern "C" __attribute__((export_name(#name), visibility("default")))

namespace linsep::wasm {

/// Does the work and keeps its answer for `answer`. Returns 0, or 1 if it threw. Then the answer is {"error": what
/// `linsep` would print, "file", "line", "column", "option"}, with the last four only if they are known.
std::int32_t answer_with(const std::function<Json()>& work);

/// An error whose object has more than its message.
struct AnsweredError {
  Json object;
};

/// The object that was handed over. Throws a usage Error for text that is no JSON object.
Json parsed(const char* text, std::uint32_t size);

/// Fields of such an object. A field that is missing or null is the fallback. Throws a usage Error for another type.
std::string text_of(const Json& object, const char* name, const std::string& fallback);
bool flag_of(const Json& object, const char* name);
double number_of(const Json& object, const char* name, double fallback);
std::vector<double> numbers_of(const Json& object, const char* name);

}  // namespace linsep::wasm
