#include "linsep/error.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

std::string placed(const Place& place, const std::string& message) {
  if (place.file.empty()) return message;
  const std::string file = shown_text(place.file);
  if (place.line == 0) return fmt::format("{}: {}", file, message);
  if (place.column == 0) return fmt::format("{}:{}: {}", file, place.line, message);
  return fmt::format("{}:{}:{}: {}", file, place.line, place.column, message);
}

std::string filled(const std::string& sentence, const std::vector<std::string>& options, std::string_view before,
                   std::string_view after) {
  std::string text;
  std::size_t begin = 0;
  for (const std::string& option : options) {
    const std::size_t mark = sentence.find("{}", begin);
    if (mark == std::string::npos) break;
    text += sentence.substr(begin, mark - begin);
    text += before;
    text += option;
    text += after;
    begin = mark + 2;
  }
  return shown_text(text + sentence.substr(begin));
}

}  // namespace

Error::Error(Kind kind, const std::string& message) : Error(kind, Place{}, {}, message) {}

Error::Error(Place place, const std::string& message) : Error(Kind::kInput, std::move(place), {}, message) {}

Error::Error(Kind kind, Place place, std::vector<std::string> options, std::string sentence)
    : std::runtime_error(placed(place, filled(sentence, options, "'", "'"))),
      kind_(kind),
      place_(std::move(place)),
      options_(std::move(options)),
      sentence_(cut_to_screen(std::move(sentence))) {}

std::string Error::sentence_with(std::string_view before, std::string_view after) const {
  return filled(sentence_, options_, before, after);
}

std::string Error::spelled(std::string_view before, std::string_view after) const {
  return placed(place_, sentence_with(before, after));
}

Error usage_error(const std::string& message) { return {Error::Kind::kUsage, message}; }
Error input_error(const std::string& message) { return {Error::Kind::kInput, message}; }
Error system_error(const std::string& message) { return {Error::Kind::kSystem, message}; }
Error bug_error(const std::string& message) { return {Error::Kind::kBug, message}; }
Error option_error(std::string option, std::string sentence) {
  return options_error({std::move(option)}, std::move(sentence));
}
Error options_error(std::vector<std::string> options, std::string sentence) {
  return {Error::Kind::kUsage, Place{}, std::move(options), std::move(sentence)};
}
Error interrupted_error() { return {Error::Kind::kInterrupted, "interrupted"}; }

}  // namespace linsep
