#include "options/learner_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "linsep/error.h"
#include "linsep/train.h"

namespace linsep::app {
namespace {

bool has_all(const LearnerInfo& info, const std::vector<std::string>& given) {
  return std::ranges::all_of(given, [&](const std::string& name) { return find_option(info.table, name) != nullptr; });
}

const LearnerInfo& first_with(const std::vector<std::string>& given) {
  const LearnerInfo& preferred = learner_info(TrainSpec{}.learner);
  if (has_all(preferred, given)) return preferred;
  for (const LearnerInfo& info : learners()) {
    if (has_all(info, given)) return info;
  }
  return preferred;
}

std::string spelled(const Options& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    text += fmt::format("{}--{} {}", text.empty() ? "" : " ", name, option_text(value));
  }
  return text;
}

Error unknown_learner(const std::string& name) {
  std::vector<std::string_view> names;
  for (const LearnerInfo& info : learners()) names.push_back(info.name);
  for (const LearnerAlias& alias : learner_aliases()) names.push_back(alias.name);
  const std::string near = nearest_word(name, names);
  return usage_error(fmt::format("unknown learner {}{}", name,
                                 near.empty() ? fmt::format(": there are {}", fmt::join(names, ", "))
                                              : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace

const std::vector<LearnerAlias>& learner_aliases() {
  static const std::vector<LearnerAlias> kAliases = {
      {"svm", "margin", {{"loss", std::string("hinge")}}},
      {"logistic", "margin", {{"loss", std::string("logistic")}}},
      {"ridge", "least-squares", {{"ridge", 1.0}}, false},
  };
  return kAliases;
}

LearnerChoice choose_learner(const std::string& name, const std::vector<std::string>& given) {
  if (name.empty()) return {&first_with(given), nullptr};
  for (const LearnerAlias& alias : learner_aliases()) {
    if (alias.name == name) return {&learner_info(alias.learner), &alias};
  }
  if (find_learner(name) == nullptr) throw unknown_learner(name);
  return {&learner_info(name), nullptr};
}

Options with_alias(const LearnerChoice& choice, Options given) {
  if (choice.alias == nullptr) return given;
  for (const auto& [name, value] : choice.alias->options) {
    const auto at = given.find(name);
    if (at == given.end()) {
      given[name] = value;
    } else if (choice.alias->fixed && at->second != value) {
      throw usage_error(fmt::format("{}: with --{} {}, use --learner {}", alias_words(*choice.alias), name,
                                    option_text(at->second), choice.alias->learner));
    }
  }
  return given;
}

std::string alias_words(const LearnerAlias& alias) {
  return fmt::format("--learner {} is short for --learner {} {}", alias.name, alias.learner, spelled(alias.options));
}

}  // namespace linsep::app
