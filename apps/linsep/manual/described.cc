#include "manual/described.h"

#include <map>
#include <set>

#include "linsep/read.h"
#include "linsep/tools/generate.h"
#include "linsep/train.h"
#include "options/learner_choice.h"
#include "verb.h"

namespace linsep::app {
namespace {

/// Maps an option to the words it takes, over all learners and generators.
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

DescribedOption described(const DeclaredOption& option, const std::map<std::string, std::set<std::string>>& words) {
  DescribedOption with_words{option, {}};
  const auto found = words.find(option.names.back());
  if (found != words.end()) with_words.choices.assign(found->second.begin(), found->second.end());
  return with_words;
}

}  // namespace

std::vector<DescribedCommand> described_commands() {
  const auto words = choices();
  std::vector<DescribedCommand> commands;
  for (const Verb& verb : verbs()) {
    DescribedCommand command{std::string(verb.name), std::string(verb.help), std::string(verb.examples), {}, {}, {}};
    CommandOptions options;
    const auto run = verb.declare(options);  // keeps alive the variables that the options are bound to
    for (const DeclaredOption& option : options.declared()) {
      if (option.positional) {
        command.arguments.emplace_back(option.names.front() + (option.repeated ? "..." : ""), option.help);
      } else {
        command.options.push_back(described(option, words));
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
