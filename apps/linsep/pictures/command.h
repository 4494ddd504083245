// The command as it was given, for a report to tell.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace linsep::app {

/// "linsep train and.svm --learner perceptron -o and.json": files without their folders, options in the order given.
/// REQUIRES: `app` has been parsed.
std::string command_given(const CLI::App& app, std::string_view verb);

}  // namespace linsep::app
