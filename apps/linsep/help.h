// Help that wraps to the terminal, ends in examples, and begins with a first session.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "verb.h"

namespace linsep::app {

/// Gives `app` the verb's examples and our way of laying out help, and leaves unknown words to refuse_extras.
void set_up_help(CLI::App& app, const Verb& verb);

/// What `linsep --help` shows.
std::string first_help();

/// "Try: linsep train --help", by what was typed.
std::string help_hint(const std::vector<std::string>& arguments);

}  // namespace linsep::app
