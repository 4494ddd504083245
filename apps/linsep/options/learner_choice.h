// Which learner a command line means, by its name, by a name that people know it by, or by the options given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linsep/learner_info.h"
#include "linsep/options.h"

namespace linsep::app {

/// A learner with options under a name that people type.
struct LearnerAlias {
  std::string_view name, learner;
  Options options;
  bool fixed = true;  ///< these options can't be given otherwise, because the name would be wrong
};
const std::vector<LearnerAlias>& learner_aliases();

struct LearnerChoice {
  const LearnerInfo* info = nullptr;
  const LearnerAlias* alias = nullptr;
};

/// The learner called `name`, which may be an alias. If `name` is "", the default learner. But if that doesn't have all
/// of the options `given`, the first learner that does. If none does, the default after all. Throws a usage Error for
/// an unknown name.
LearnerChoice choose_learner(const std::string& name, const std::vector<std::string>& given);

/// The options given, with those that the alias stands for. Throws a usage Error if they contradict each other.
Options with_alias(const LearnerChoice& choice, Options given);

/// "svm is margin with --loss hinge".
std::string alias_words(const LearnerAlias& alias);

}  // namespace linsep::app
