#include "manual/described.h"

#include <CLI/CLI.hpp>
#include <map>
#include <set>

#include "help.h"
#include "linsep/read.h"
#include "linsep/tools/generate.h"
#include "linsep/train.h"
#include "options/learner_choice.h"
#include "verb.h"

namespace linsep::app {
namespace {

/// Option → the words it takes, over all learners and generators.
std::map<std::string, std::set<std::string>> choices() {
  std::map<std::string, std::set<std::string>> words;
  const auto add = [&](const OptionTable& table) {
    for (const OptionSpec& spec : table) {
      for (const std::string_view choice : spec.choices) words["--" + std::string(spec.name)].emplace(choice);
    }
  };
  for (const LearnerInfo& info : learners()) {
    words["--learner"].emplace(info.name);
    add(info.table);
  }
  for (const LearnerAlias& alias : learner_aliases()) words["--learner"].emplace(alias.name);
  for (const GeneratorInfo& info : generators()) add(info.table);
  words["--map"] = {"none", "products", "polynomial:2"};
  for (const std::string& format : format_names()) words["--format"].insert(format);
  return words;
}

DescribedOption described(const CLI::Option& option, const std::map<std::string, std::set<std::string>>& words) {
  DescribedOption plain;
  for (const std::string& name : option.get_snames()) plain.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) plain.names.push_back("--" + name);
  if (option.get_type_size() != 0) plain.value = option.get_type_name();
  plain.help = option.get_description();
  plain.group = option.get_group();
  const auto found = words.find(plain.names.back());
  if (found != words.end()) plain.choices.assign(found->second.begin(), found->second.end());
  return plain;
}

}  // namespace

std::vector<DescribedCommand> described_commands() {
  const auto words = choices();
  std::vector<DescribedCommand> commands;
  for (const Verb& verb : verbs()) {
    DescribedCommand command{std::string(verb.name), std::string(verb.help), std::string(verb.examples), {}, {}, {}};
    CLI::App app;
    set_up_help(app, verb);
    const auto run = verb.declare(app);  // keeps what the options are bound to
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional()) {
        const std::string name = option->get_name(true, false) + (option->get_expected_max() > 1 ? "..." : "");
        command.arguments.emplace_back(name, option->get_description());
      } else {
        command.options.push_back(described(*option, words));
      }
    }
    command.words.assign(verb.words.begin(), verb.words.end());
    commands.push_back(std::move(command));
  }
  return commands;
}

std::string first_sentence(std::string_view text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool last = k + 1 == text.size();
    if (text[k] == '\n') return std::string(text.substr(0, k));
    if (text[k] == '.' && (last || text[k + 1] == ' ' || text[k + 1] == '\n')) return std::string(text.substr(0, k));
  }
  return std::string(text);
}

}  // namespace linsep::app
