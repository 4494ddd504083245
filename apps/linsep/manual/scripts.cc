// Completion scripts for bash, zsh and fish.
#include <fmt/format.h>

#include <algorithm>

#include "manual/described.h"

namespace linsep::app {
namespace {

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

/// The text between single quotes, as POSIX shells read it.
std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char letter : text) out += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return out + "'";
}

/// fish has two escapes within single quotes.
std::string in_fish_quotes(const std::string& text) {
  std::string out = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + "'";
}

/// The text for zsh's _arguments and _describe, in which brackets and colons have a meaning.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (std::string_view("[]:\\").find(letter) != std::string_view::npos) out += '\\';
    out += letter;
  }
  return out;
}

std::string zsh_value(const DescribedOption& option) {
  if (option.value.empty()) return "";
  if (!option.choices.empty()) return fmt::format(":{}:({})", zsh_text(option.value), joined(option.choices));
  return fmt::format(":{}:{}", zsh_text(option.value), option.takes_file() ? "_files" : "");
}

std::string zsh_arguments(const DescribedCommand& command) {
  std::string text = fmt::format("    {})\n      _arguments -s", command.name);
  for (const DescribedOption& option : command.options) {
    for (const std::string& name : option.names) {
      text += fmt::format(" \\\n        {}",
                          in_quotes(name + "[" + zsh_text(first_sentence(option.help)) + "]" + zsh_value(option)));
    }
  }
  if (!command.words.empty()) text += fmt::format(" \\\n        '2:word:({})'", joined(command.words));
  return text + " \\\n        '*:file:_files' ;;\n";
}

}  // namespace

std::string bash_script() {
  const std::vector<DescribedCommand> commands = described_commands();
  std::string names;
  for (const DescribedCommand& command : commands) names += command.name + " ";
  std::string script =
      "# bash completion for linsep. To use it now: eval \"$(linsep completion bash)\"\n"
      "_linsep() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
      "  COMPREPLY=()\n";
  script += fmt::format("  if [ \"$COMP_CWORD\" = 1 ]; then\n    words='{}help --help --version'\n  else\n", names);
  script += "    case ${COMP_WORDS[1]}:$before in\n";
  for (const DescribedCommand& command : commands) {
    for (const DescribedOption& option : command.options) {
      if (option.choices.empty()) continue;
      script += fmt::format("      {}:{}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", command.name,
                            option.names.back(), joined(option.choices));
    }
    if (command.words.empty()) continue;
    script += fmt::format("      {0}:{0}) words='{1}' ;;\n", command.name, joined(command.words));
  }
  script += "    esac\n    case $word in -*)\n      case ${COMP_WORDS[1]} in\n";
  for (const DescribedCommand& command : commands) {
    std::string options;
    for (const DescribedOption& option : command.options) options += " " + option.names.back();
    script += fmt::format("        {}) words='{}' ;;\n", command.name, options.substr(1));
  }
  script +=
      "      esac ;;\n    esac\n  fi\n"
      "  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
      "}\n"
      "complete -o filenames -F _linsep linsep\n";
  return script;
}

std::string zsh_script() {
  std::string script =
      "#compdef linsep\n"
      "# zsh completion for linsep. To use it now: eval \"$(linsep completion zsh)\"\n"
      "_linsep() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  const std::vector<DescribedCommand> commands = described_commands();
  for (const DescribedCommand& command : commands) {
    script += "    " + in_quotes(command.name + ":" + zsh_text(first_sentence(command.help))) + "\n";
  }
  script +=
      "  )\n"
      "  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  case $words[2] in\n";
  for (const DescribedCommand& command : commands) script += zsh_arguments(command);
  return script + "  esac\n}\ncompdef _linsep linsep\n";
}

std::string fish_script() {
  std::string script =
      "# fish completion for linsep. To use it now: linsep completion fish | source\n"
      "complete -c linsep -e\n";
  for (const DescribedCommand& command : described_commands()) {
    script += fmt::format("complete -c linsep -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                          in_fish_quotes(first_sentence(command.help)));
    const std::string here = fmt::format("complete -c linsep -n '__fish_seen_subcommand_from {}'", command.name);
    if (!command.words.empty()) script += fmt::format("{} -f -a {}\n", here, in_fish_quotes(joined(command.words)));
    for (const DescribedOption& option : command.options) {
      script += here;
      for (const std::string& name : option.names) {
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!option.value.empty()) script += option.takes_file() ? " -r -F" : " -x";
      if (!option.choices.empty()) script += " -a " + in_fish_quotes(joined(option.choices));
      script += " -d " + in_fish_quotes(first_sentence(option.help)) + "\n";
    }
  }
  return script;
}

}  // namespace linsep::app
