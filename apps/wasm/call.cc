// Memory, answers and errors of the calls.
#include "call.h"

#include <fmt/format.h>

#include <cstdlib>
#include <new>

#include "linsep/error.h"

namespace linsep::wasm {
namespace {

std::string last_answer;

Json error_object(const Error& error) {
  Json object{{"error", error.spelled("--", "")}};
  if (!error.place().file.empty()) object["file"] = error.place().file;
  if (error.place().line > 0) object["line"] = error.place().line;
  if (error.place().column > 0) object["column"] = error.place().column;
  if (!error.option().empty()) object["option"] = error.option();
  return object;
}

std::int32_t keep(const Json& object, bool failed) {
  last_answer = json_line(object);
  return failed ? 1 : 0;
}

}  // namespace

std::int32_t answer_with(const std::function<Json()>& work) {
  try {
    return keep(work(), false);
  } catch (const AnsweredError& error) {
    return keep(error.object, true);
  } catch (const Error& error) {
    return keep(error_object(error), true);
  } catch (const std::bad_alloc&) {
    return keep({{"error", "there is not enough memory"}}, true);
  } catch (const std::exception& error) {
    return keep({{"error", error.what()}}, true);
  }
}

Json parsed(const char* text, std::uint32_t size) {
  Json object = Json::parse(text, text + size, nullptr, false);
  if (!object.is_object()) throw usage_error("the request isn't a JSON object");
  return object;
}

namespace {

const Json* field(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

[[noreturn]] void refuse(const char* name, const char* wanted) {
  throw usage_error(fmt::format("'{}' must be {}", name, wanted));
}

}  // namespace

std::string text_of(const Json& object, const char* name, const std::string& fallback) {
  const Json* value = field(object, name);
  if (value == nullptr) return fallback;
  if (!value->is_string()) refuse(name, "text");
  return value->get<std::string>();
}

bool flag_of(const Json& object, const char* name) {
  const Json* value = field(object, name);
  if (value == nullptr) return false;
  if (!value->is_boolean()) refuse(name, "true or false");
  return value->get<bool>();
}

double number_of(const Json& object, const char* name, double fallback) {
  const Json* value = field(object, name);
  if (value == nullptr) return fallback;
  if (!value->is_number()) refuse(name, "a number");
  return value->get<double>();
}

std::vector<double> numbers_of(const Json& object, const char* name) {
  const Json* value = field(object, name);
  std::vector<double> numbers;
  if (value == nullptr) return numbers;
  if (!value->is_array()) refuse(name, "numbers");
  for (const Json& one : *value) {
    if (!one.is_number()) refuse(name, "numbers");
    numbers.push_back(one.get<double>());
  }
  return numbers;
}

LINSEP_EXPORT(alloc) void* alloc(std::uint32_t size) { return std::malloc(size); }
LINSEP_EXPORT(release) void release(void* memory) { std::free(memory); }
LINSEP_EXPORT(version) const char* version() { return LINSEP_VERSION; }
LINSEP_EXPORT(answer) const char* answer() { return last_answer.data(); }
LINSEP_EXPORT(answer_size) std::uint32_t answer_size() { return static_cast<std::uint32_t>(last_answer.size()); }

}  // namespace linsep::wasm
