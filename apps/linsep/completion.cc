// linsep completion: a script that completes commands, options and their words in a shell, made from the tables.
#include <fmt/format.h>

#include <memory>
#include <set>

#include "help.h"
#include "linsep/error.h"
#include "linsep/tools/generate.h"
#include "linsep/train.h"
#include "output.h"
#include "verb.h"

namespace linsep::app {
namespace {

std::string verb_options(const Verb& verb) {
  CLI::App app;
  set_up_help(app, verb);
  const auto run = verb.declare(app);
  std::string words;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words += fmt::format(" --{}", name);
  }
  return words;
}

// Option → the words it takes, over all learners and generators.
std::map<std::string, std::set<std::string_view>> choices() {
  std::map<std::string, std::set<std::string_view>> words;
  const auto add = [&](const OptionTable& table) {
    for (const OptionSpec& spec : table) {
      for (const std::string_view choice : spec.choices) words[std::string(spec.name)].insert(choice);
    }
  };
  for (const LearnerInfo& info : learners()) {
    words["learner"].insert(info.name);
    add(info.table);
  }
  for (const GeneratorInfo& info : generators()) add(info.table);
  words["map"] = {"none", "products", "polynomial:2"};
  words["format"] = {"svmlight", "csv", "tsv"};
  return words;
}

std::string bash_script() {
  std::string names, sets;
  for (const Verb& verb : verbs()) names += fmt::format(" {}", verb.name);
  for (const GeneratorInfo& info : generators()) sets += fmt::format(" {}", info.name);
  std::string script =
      "# bash completion for linsep. To use it now: eval \"$(linsep completion bash)\"\n"
      "_linsep() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
      "  COMPREPLY=()\n";
  script += fmt::format("  if [ \"$COMP_CWORD\" = 1 ]; then\n    words='{} help --help --version'\n  else\n",
                        names.substr(1));
  script += "    case $before in\n";
  for (const auto& [option, words] : choices()) {
    script += fmt::format("      --{}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", option,
                          fmt::join(words, " "));
  }
  script += fmt::format("      generate) words='{}' ;;\n", sets.substr(1));
  script += "    esac\n    case $word in -*)\n      case ${COMP_WORDS[1]} in\n";
  for (const Verb& verb : verbs())
    script += fmt::format("        {}) words='{}' ;;\n", verb.name, verb_options(verb).substr(1));
  script +=
      "      esac ;;\n    esac\n  fi\n"
      "  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
      "}\n"
      "complete -o filenames -F _linsep linsep\n";
  return script;
}

}  // namespace

Verb completion_verb() {
  return {"completion", "Print a script that completes linsep's words in a shell.",
          "  eval \"$(linsep completion bash)\"\n"
          "      For this shell.\n"
          "  linsep completion bash > ~/.local/share/bash-completion/completions/linsep\n"
          "      For every new one.\n",
          [](CLI::App& app) -> std::function<int()> {
            auto shell = std::make_shared<std::string>();
            app.add_option("SHELL", *shell, "bash.");
            return [shell] {
              if (*shell != "bash") throw usage_error("SHELL is missing: only bash is known");
              print(bash_script());
              return static_cast<int>(kDone);
            };
          }};
}

}  // namespace linsep::app
