// Verb is one command of the program. A new verb is a file that defines NAME_verb() and its line in verb.cc.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linsep::app {

class CommandOptions;

struct Verb {
  std::string_view name;
  std::string_view help;      ///< one sentence
  std::string_view examples;  ///< shown at the end of the verb's help, with one command per line
  /// Declares the verb's options and returns what to run once they are parsed, which in turn returns an exit code.
  std::function<std::function<int()>(CommandOptions& options)> declare;
  /// Arguments that another program's users would give, in our words, or nothing if they aren't such. May be empty.
  std::function<std::optional<std::string>(const std::vector<std::string>& arguments)> foreign = {};
  std::vector<std::string_view> words = {};  ///< words that its first argument can be, for completion. If empty, a file
};

/// Every verb, in the order in which help lists them.
const std::vector<Verb>& verbs();

/// The program's exit codes. Any verb may also throw Error.
enum ExitCode {
  kDone = 0,
  kCheckFailed = 1,
  kUsage = 2,
  kBadInput = 3,
  kSystemFailure = 4,
  kBugFound = 5,
  kUnfinished = 6,
  kInterruptedCode = 130,
  kTerminatedCode = 143,
};

/// The exit code of a run that didn't come to its own end, so that `train && deploy` stops.
inline int interrupted_code(bool terminated) { return terminated ? kTerminatedCode : kInterruptedCode; }

}  // namespace linsep::app
