// Manual pages in roff, made from the same tables as the help.
#include <fmt/format.h>

#include "linsep/error.h"
#include "manual/described.h"

namespace linsep::app {
namespace {

/// Text as roff shows it. Backslashes, dashes and a point at the start of a line have a meaning there.
std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char letter : text) {
    if (line_begins && (letter == '.' || letter == '\'')) out += "\\&";
    line_begins = letter == '\n';
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else if (letter == '\n') {
      out += "\n.br\n";
    } else {
      out += letter;
    }
  }
  return out;
}

std::string heading(const std::string& command) {
  const std::string name = command.empty() ? "linsep" : "linsep-" + command;
  return fmt::format(".TH \"{}\" 1 \"\" \"linsep {}\" \"linsep manual\"\n", roff(name), LINSEP_VERSION);
}

std::string option_entry(const DescribedOption& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
  if (!option.value.empty()) names += fmt::format(" \\fI{}\\fR", roff(option.value));
  return fmt::format(".TP\n{}\n{}\n", names, roff(option.help));
}

/// The examples of a verb, which are commands, each followed by an indented sentence.
std::string example_entries(std::string_view examples) {
  std::string out;
  for (std::size_t begin = 0; begin < examples.size();) {
    const std::size_t end = std::min(examples.find('\n', begin), examples.size());
    const std::string_view line = examples.substr(begin, end - begin);
    const std::size_t text = std::min(line.find_first_not_of(' '), line.size());
    const bool sentence = text > 2;
    out += sentence ? fmt::format("{}\n", roff(line.substr(text)))
                    : fmt::format(".TP\n\\fB{}\\fR\n", roff(line.substr(text)));
    begin = end + 1;
  }
  return out;
}

std::string command_page(const DescribedCommand& command) {
  std::string page = heading(command.name) +
                     fmt::format(".SH NAME\nlinsep\\-{} \\- {}\n", command.name, roff(first_sentence(command.help)));
  page += fmt::format(".SH SYNOPSIS\n.B linsep {}\n", command.name);
  for (const auto& [name, help] : command.arguments) page += fmt::format(".I {}\n", roff(name));
  page += "[options]\n.SH DESCRIPTION\n" + roff(command.help) + "\n";
  for (const auto& [name, help] : command.arguments) page += fmt::format(".TP\n.I {}\n{}\n", roff(name), roff(help));
  std::string group;
  for (const DescribedOption& option : command.options) {
    if (option.group != group) page += fmt::format(".SH \"{}\"\n", roff(option.group));
    group = option.group;
    page += option_entry(option);
  }
  if (!command.examples.empty()) page += ".SH EXAMPLES\n" + example_entries(command.examples);
  return page + ".SH \"SEE ALSO\"\n.BR linsep (1)\n";
}

std::string program_page(const std::vector<DescribedCommand>& commands) {
  std::string page =
      heading("") +
      ".SH NAME\nlinsep \\- linear classification that proves its answer\n"
      ".SH SYNOPSIS\n.B linsep\n.I COMMAND\n[options]\n.SH DESCRIPTION\n"
      "Trains linear classifiers on labeled rows, proves how close to optimal they are, and decides whether any "
      "linear classifier separates the rows, with a certificate that anyone can check.\n.SH COMMANDS\n";
  for (const DescribedCommand& command : commands) {
    page += fmt::format(".TP\n.BR linsep\\-{} (1)\n{}\n", command.name, roff(command.help));
  }
  page +=
      ".SH \"EXIT STATUS\"\n"
      ".TP\n.B 0\nSuccess.\n"
      ".TP\n.B 1\nA proof was refused.\n"
      ".TP\n.B 2\nWrong usage.\n"
      ".TP\n.B 3\nInvalid data, model or proof.\n"
      ".TP\n.B 4\nThe disk, the memory or another worker failed.\n"
      ".TP\n.B 5\nA bug in linsep: its own checker refused what it found.\n"
      ".TP\n.B 6\nTraining ended too early to leave a model.\n"
      ".TP\n.BR 130 \", \" 143\nInterrupted by SIGINT or SIGTERM.\n"
      ".SH ENVIRONMENT\n"
      ".TP\n.B NO_COLOR\nProgress bars without color.\n"
      ".TP\n.B LINSEP_KERNEL\nThe SIMD version to use; all give the same bits.\n";
  return page;
}

}  // namespace

std::string manual_page(const std::string& command) {
  const std::vector<DescribedCommand> commands = described_commands();
  if (command.empty()) return program_page(commands);
  for (const DescribedCommand& one : commands) {
    if (one.name == command) return command_page(one);
  }
  throw usage_error(fmt::format("there is no command {}", command));
}

}  // namespace linsep::app
