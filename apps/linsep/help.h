// Help that wraps to the terminal, ends in examples, and begins with a first session.
#pragma once

#include <string>
#include <vector>

#include "verb.h"

namespace linsep::app {

/// The text of `linsep VERB --help`.
std::string help_page(const Verb& verb, const CommandOptions& options);

/// The text of `linsep --help`.
std::string first_help();

/// A hint such as "Try: linsep train --help", by what was typed.
std::string help_hint(const std::vector<std::string>& arguments);

}  // namespace linsep::app
