#include "pictures/command.h"

#include <fmt/format.h>

#include <set>

#include "pictures/inputs.h"
#include "reading.h"

namespace linsep::app {
namespace {

/// A file is named without its folder.
std::string value_words(const CLI::Option& option, const std::string& value) {
  const bool is_file = option.get_positional() || option.get_type_name() == "FILE" || option.check_name("--init");
  return quoted(is_file && value != "-" ? file_name(value) : value);
}

}  // namespace

std::string command_given(const CLI::App& app, std::string_view verb) {
  std::string text = fmt::format("linsep {}", verb);
  std::set<const CLI::Option*> seen;
  for (const CLI::Option* option : app.parse_order()) {
    if (!seen.insert(option).second) continue;
    const bool flag = option->get_expected_min() == 0;
    const bool positional = option->get_positional();
    const std::string name = option->get_snames().empty() || option->get_snames().front().empty()
                                 ? option->get_name()
                                 : "-" + option->get_snames().front();
    if (flag) {
      text += " " + name;
      continue;
    }
    for (const std::string& value : option->results()) {
      text += positional ? "" : " " + name;
      text += " " + value_words(*option, value);
    }
  }
  return text;
}

}  // namespace linsep::app
