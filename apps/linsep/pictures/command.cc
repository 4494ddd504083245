#include "pictures/command.h"

#include <fmt/format.h>

#include "pictures/inputs.h"
#include "reading.h"

namespace linsep::app {
namespace {

/// A file is named without its folder.
std::string value_words(const DeclaredOption& option, const std::string& value) {
  const bool is_file = option.positional || option.value == "FILE" || option.names.front() == "--init";
  return quoted(is_file && value != "-" ? file_name(value) : value);
}

}  // namespace

std::string command_given(const CommandOptions& options, std::string_view verb) {
  std::string text = fmt::format("linsep {}", verb);
  for (const auto& [option, values] : options.all_given()) {
    const std::string& name = option->names.front();
    if (option->value.empty() && !option->positional) {
      text += " " + name;
      continue;
    }
    for (const std::string& value : values) {
      text += option->positional ? "" : " " + name;
      text += " " + value_words(*option, value);
    }
  }
  return text;
}

}  // namespace linsep::app
