// The learners that there are. The R package has a list of its own (src/train/margin_alone).
#include <array>

#include "learn/learners.h"

namespace linsep {

std::span<const LearnerEntry* const> learner_entries() {
  static const std::array kEntries = {&perceptron_entry(),    &dual_perceptron_entry(), &basic_entry(),
                                      &least_squares_entry(), &margin_entry(),          &regression_entry()};
  return kEntries;
}

}  // namespace linsep
