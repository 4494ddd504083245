// The command as it was given, for a report.
#pragma once

#include <string>
#include <string_view>

#include "options/command_options.h"

namespace linsep::app {

/// A command such as "linsep train and.svm --learner perceptron -o and.json", with files without their folders and
/// options in the order given. REQUIRES: `options` have been parsed.
std::string command_given(const CommandOptions& options, std::string_view verb);

}  // namespace linsep::app
