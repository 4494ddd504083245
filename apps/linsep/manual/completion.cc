// linsep completion and linsep manual print scripts that complete commands and options in a shell, and manual pages.
#include <algorithm>
#include <array>
#include <memory>

#include "linsep/error.h"
#include "manual/described.h"
#include "options/command_options.h"
#include "output.h"
#include "verb.h"

namespace linsep::app {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)();
};
constexpr std::array kShells = {Shell{"bash", bash_script}, Shell{"zsh", zsh_script}, Shell{"fish", fish_script}};

int print_script(const std::string& shell) {
  const auto* found = std::find_if(kShells.begin(), kShells.end(), [&](const Shell& x) { return x.name == shell; });
  if (shell.empty()) throw usage_error("SHELL is missing: bash, zsh or fish?");
  if (found == kShells.end()) throw usage_error("SHELL must be bash, zsh or fish, not " + shell);
  print(found->script());
  return kDone;
}

}  // namespace

Verb completion_verb() {
  return {"completion",
          "Print a completion script for a shell.",
          "  eval \"$(linsep completion bash)\"\n"
          "      For this shell; zsh likewise. In fish: linsep completion fish | source.\n"
          "  linsep completion bash > ~/.local/share/bash-completion/completions/linsep\n"
          "      For every new one.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto shell = std::make_shared<std::string>();
            options.add({{"SHELL", shell.get(), "bash, zsh or fish."}});
            return [shell] { return print_script(*shell); };
          },
          {},
          {"bash", "zsh", "fish"}};
}

Verb manual_verb() {
  return {"manual", "Print a manual page.",
          "  linsep manual train | man -l -\n"
          "      The manual of `linsep train`.\n"
          "  linsep manual > linsep.1\n"
          "      The manual of the program.\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<std::string>();
            options.add({{"COMMAND", command.get(), "The command. [the whole program]"}});
            return [command] {
              print(manual_page(*command));
              return static_cast<int>(kDone);
            };
          }};
}

}  // namespace linsep::app
