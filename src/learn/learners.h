// The list of learners. Only a learner in this list exists, and each of them can be trained, since its entry makes it.
#pragma once

#include <span>
#include <string_view>

#include "learn/entry.h"

namespace linsep {

const LearnerEntry& perceptron_entry();       // perceptron/perceptron.cc
const LearnerEntry& dual_perceptron_entry();  // perceptron/dual.cc
const LearnerEntry& basic_entry();            // basic.cc
const LearnerEntry& least_squares_entry();    // least_squares.cc
const LearnerEntry& margin_entry();           // margin/margin.cc
const LearnerEntry& regression_entry();       // perceptron/regression.cc

/// In the order of the manual.
std::span<const LearnerEntry* const> learner_entries();
/// The entry of that name, or nullptr.
const LearnerEntry* find_entry(std::string_view name);
/// Throws a usage Error that names the nearest learner.
const LearnerEntry& learner_entry(std::string_view name);

}  // namespace linsep
