// The list of learners of the R package: what audits train with.
#include <array>

#include "learn/learners.h"

namespace linsep {

std::span<const LearnerEntry* const> learner_entries() {
  static const std::array kEntries = {&margin_entry()};
  return kEntries;
}

}  // namespace linsep
