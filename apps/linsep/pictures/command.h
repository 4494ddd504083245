// The command as it was given, for a report to tell.
#pragma once

#include <string>
#include <string_view>

#include "options/command_options.h"

namespace linsep::app {

/// "linsep train and.svm --learner perceptron -o and.json": files without their folders, options in the order given.
/// REQUIRES: `options` have been parsed.
std::string command_given(const CommandOptions& options, std::string_view verb);

}  // namespace linsep::app
