// Translates LIBLINEAR's command line, to answer someone who types `-s 3 -c 1 -B 1`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace linsep::app {

/// The arguments of `linsep train` as a command of linsep's own, if one of them is an option of LIBLINEAR's train that
/// means something else or nothing here. Otherwise nothing. A sentence or two for people, with file names quoted for a
/// shell.
std::optional<std::string> translate_liblinear(const std::vector<std::string>& arguments);

/// The same if the second of two files to train on is the one that the model should be written to. That is so if it
/// doesn't exist and has another ending than the first, or if it is called `.model`. Otherwise nothing.
std::optional<std::string> translate_liblinear_files(const std::vector<std::string>& files);

}  // namespace linsep::app
