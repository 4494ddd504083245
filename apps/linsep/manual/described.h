// The commands and their options as plain values, for completion scripts and manual pages.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/command_options.h"

namespace linsep::app {

struct DescribedOption : DeclaredOption {
  std::vector<std::string> choices;  ///< words that it takes. If empty, any, or files

  bool takes_file() const { return value == "FILE"; }
};

struct DescribedCommand {
  std::string name, help, examples;
  std::vector<std::pair<std::string, std::string>> arguments;  ///< "DATA..." and its help
  std::vector<std::string> words;                              ///< choices of its first argument. If empty, files
  std::vector<DescribedOption> options;
};

/// Every command, in the order in which help lists them.
std::vector<DescribedCommand> described_commands();

/// The text up to the end of the first sentence.
std::string first_sentence(std::string_view text);

/// The completion scripts for a shell.
std::string bash_script();
std::string zsh_script();
std::string fish_script();

/// The manual page in roff, of the program ("") or of a command. Throws a usage Error for an unknown one.
std::string manual_page(const std::string& command);

}  // namespace linsep::app
