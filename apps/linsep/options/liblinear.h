// LIBLINEAR's command line, translated: what to say to someone who types `-s 3 -c 1 -B 1`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace linsep::app {

/// The arguments of `linsep train` as a command of linsep's own, where one of them is an option of LIBLINEAR's train
/// that means something else or nothing here; nothing otherwise. A sentence or two for people; file names in it are
/// quoted for a shell.
std::optional<std::string> translate_liblinear(const std::vector<std::string>& arguments);

/// The same where the second of two files to train on is the one that the model should be written to: it isn't there
/// and has another ending than the first, or it is called `.model`. Nothing otherwise.
std::optional<std::string> translate_liblinear_files(const std::vector<std::string>& files);

}  // namespace linsep::app
