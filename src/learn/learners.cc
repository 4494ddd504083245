#include "learn/learners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "linsep/error.h"

namespace linsep {

const LearnerEntry* find_entry(std::string_view name) {
  for (const LearnerEntry* entry : learner_entries()) {
    if (entry->info.name == name) return entry;
  }
  return nullptr;
}

const LearnerEntry& learner_entry(std::string_view name) {
  if (const LearnerEntry* entry = find_entry(name)) return *entry;
  std::vector<std::string_view> names;
  for (const LearnerEntry* entry : learner_entries()) names.push_back(entry->info.name);
  const std::string near = nearest_word(name, names);
  throw usage_error(near.empty()
                        ? fmt::format("there is no learner '{}': choose one of {}", name, fmt::join(names, ", "))
                        : fmt::format("there is no learner '{}'; did you mean '{}'?", name, near));
}

std::span<const LearnerInfo> learners() {
  static const std::vector<LearnerInfo> kInfos = [] {
    std::vector<LearnerInfo> infos;
    for (const LearnerEntry* entry : learner_entries()) infos.push_back(entry->info);
    return infos;
  }();
  return kInfos;
}

const LearnerInfo* find_learner(std::string_view name) {
  const LearnerEntry* entry = find_entry(name);
  return entry != nullptr ? &entry->info : nullptr;
}

const LearnerInfo& learner_info(std::string_view name) { return learner_entry(name).info; }

std::string_view visit_order_name(VisitOrder order) {
  switch (order) {
    case VisitOrder::kGiven:
      return "given";
    case VisitOrder::kShuffled:
      return "shuffled";
    case VisitOrder::kDrawn:
      return "drawn";
    case VisitOrder::kPermuted:
      return "permuted";
  }
  return "";
}

}  // namespace linsep
