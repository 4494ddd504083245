#include "picture/told/options.h"

#include <fmt/format.h>

#include "linsep/learner_info.h"
#include "picture/parts.h"

namespace linsep {

std::string options_not_default(const Model& model) {
  const LearnerInfo* learner = find_learner(model.learner);
  if (learner == nullptr) return "";
  const Options defaults = complete_options(learner->table, {});
  std::string text;
  for (const auto& [name, value] : model.options) {
    const auto usual = defaults.find(name);
    if (usual == defaults.end() || usual->second == value) continue;
    text += text.empty() ? "" : ", ";
    const bool* flag = std::get_if<bool>(&value);
    text += flag != nullptr && *flag ? name : fmt::format("{} {}", name, short_name(option_text(value)));
  }
  return text;
}

}  // namespace linsep
