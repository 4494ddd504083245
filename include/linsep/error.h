// Error is the library's one exception, for bad input, bad usage, a failing system or an interrupt. It has the place
// where the trouble was found and the option that it is about.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace linsep {

/// A place in an input. Lines and columns count from 1, and 0 means "not known".
struct Place {
  std::string file;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  bool operator==(const Place&) const = default;
};

/// Thrown for bad input, never for the outcome of a solver. what(), reason() and spelled() are escaped as by
/// `shown_text`, because they quote names and contents of files. So each is one line, whatever it quotes.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    kUsage,        ///< an option or a call that makes no sense (exit code 2)
    kInput,        ///< data or a file that can't be read as expected (exit code 3)
    kSystem,       ///< disk, memory or another worker failed (exit code 4)
    kBug,          ///< the program's own checker refused what it found (exit code 5)
    kInterrupted,  ///< the caller's `interrupt` was set before there was anything to return: reading, sealing, checking
  };

  Error(Kind kind, const std::string& message);
  /// Bad input at a place. what() reads "file:line:column: message".
  Error(Place place, const std::string& message);
  /// A message about options. Each "{}" of `sentence` stands for the next of `options`, by its name in the option
  /// tables ("order") or in ReadOptions. A "{}" after the last option is text. what() has the names in quotes. A
  /// `place` without a file is none.
  Error(Kind kind, Place place, std::vector<std::string> options, std::string sentence);

  Kind kind() const { return kind_; }
  const Place& place() const { return place_; }
  /// The option at fault, as its table names it, or "" if the message is about none.
  std::string option() const { return options_.empty() ? "" : options_.front(); }
  /// Every option that the message names, in its order.
  const std::vector<std::string>& options() const { return options_; }
  /// The message without the place.
  std::string reason() const { return sentence_with("'", "'"); }
  /// The sentence with its "{}".
  const std::string& sentence() const { return sentence_; }
  /// what() with options in the form that a program's users know, with `before` and `after` around each name ("--" and
  /// "" on the command line).
  std::string spelled(std::string_view before, std::string_view after) const;

 private:
  std::string sentence_with(std::string_view before, std::string_view after) const;

  Kind kind_;
  Place place_;
  std::vector<std::string> options_;
  std::string sentence_;
};

Error usage_error(const std::string& message);
Error input_error(const std::string& message);
Error system_error(const std::string& message);
Error bug_error(const std::string& message);
/// A usage Error about one or several options. "{}" in the sentence stands for their names, in order.
Error option_error(std::string option, std::string sentence);
Error options_error(std::vector<std::string> options, std::string sentence);
/// "interrupted", of kind kInterrupted.
Error interrupted_error();

}  // namespace linsep
