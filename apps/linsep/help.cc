#include "help.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "options/command_options.h"
#include "os/terminal.h"
#include "report/words.h"

namespace linsep::app {
namespace {

constexpr std::size_t kNameColumn = 28;

std::size_t terminal_width() {
  constexpr std::size_t kWithoutTerminal = 100;
  const auto size = terminal_size(StandardStream::kOutput);
  return size ? static_cast<std::size_t>(std::clamp(size->columns, 60, 110)) : kWithoutTerminal;
}

/// `text` in lines of at most `width` columns, each but the first indented by `indent`. Newlines stay.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = indent;
  const auto new_line = [&] {
    out += '\n';
    out.append(indent, ' ');
    column = indent;
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t needed = text_width(word);
    if (column > indent && column + 1 + needed > width) new_line();
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += needed;
    if (end < text.size() && text[end] == '\n') new_line();
    begin = end + 1;
  }
  return out;
}

/// "  name      description", with the description wrapped in its own column.
std::string entry(const std::string& name, std::string_view text) {
  std::string out = "  " + name;
  const std::size_t used = text_width(out);
  if (used + 2 > kNameColumn) {
    out += '\n';
    out.append(kNameColumn, ' ');
  } else {
    out.append(kNameColumn - used, ' ');
  }
  return out + wrapped(text, kNameColumn, terminal_width()) + '\n';
}

std::string named_group(const std::vector<DeclaredOption>& options, const std::string& group) {
  std::string out;
  for (const DeclaredOption& option : options) {
    if (option.group != group || option.positional) continue;
    const std::string names = fmt::format("{}", fmt::join(option.names, " "));
    out += entry(option.value.empty() ? names : names + " " + option.value, option.help);
  }
  return out.empty() ? out : fmt::format("\n{}:\n{}", group, out);
}

}  // namespace

std::string help_page(const Verb& verb, const CommandOptions& options) {
  std::string out = fmt::format("{}\n\nUsage: linsep {}", wrapped(verb.help, 0, terminal_width()), verb.name);
  std::string positionals;
  std::vector<std::string> groups;
  for (const DeclaredOption& option : options.declared()) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
    if (!option.positional) continue;
    out += " " + option.names.front() + (option.repeated ? "..." : "");
    positionals += entry(option.names.front(), option.help);
  }
  out += " [options]\n";
  if (!positionals.empty()) out += '\n' + positionals;
  for (const std::string& group : groups) out += named_group(options.declared(), group);
  return verb.examples.empty() ? out : fmt::format("{}\nExamples:\n{}", out, verb.examples);
}

std::string first_help() {
  std::string out =
      "linsep: linear classification that proves its answers.\n\n"
      "Usage: linsep COMMAND [options]\n\n";
  for (const Verb& verb : verbs()) out += entry(std::string(verb.name), verb.help);
  out +=
      "\nA first session:\n"
      "  linsep generate and -o and.svm           # four rows: the truth table of AND\n"
      "  linsep train and.svm -o and.json         # the classifier with the largest margin\n"
      "  linsep evaluate and.svm -m and.json      # how many rows it gets right\n"
      "  linsep predict and.svm -m and.json       # its answer for every row\n"
      "  linsep inspect and.json                  # what it learned\n"
      "  linsep certify and.svm -o proof.json     # can any line separate the rows? proves it\n"
      "  linsep verify proof.json and.svm         # check the proof, exactly\n"
      "  linsep train and.svm --learner perceptron   # until a pass makes no mistake\n"
      "  linsep generate xor | linsep train - --learner perceptron --map products\n"
      "                                           # no line separates these rows, but products do\n"
      "\nData: svmlight, CSV, TSV, Parquet or Arrow files, or a folder of them. Text may be compressed with gzip or "
      "zstd;\n"
      "`-` is standard input.\n"
      "`linsep COMMAND --help` explains a command; with --json, each prints one object for programs.\n";
  return out;
}

std::string help_hint(const std::vector<std::string>& arguments) {
  for (const Verb& verb : verbs()) {
    if (!arguments.empty() && verb.name == arguments.front()) return fmt::format("Try: linsep {} --help\n", verb.name);
  }
  return "Try: linsep --help\n";
}

}  // namespace linsep::app
