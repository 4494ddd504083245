// Output of results to standard output or a file.
#pragma once

#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/tools/file.h"
#include "report/json.h"

namespace linsep::app {

/// Thrown when nobody reads standard output. That is no failure, and the program ends quietly.
struct BrokenPipe {};

/// Writes text to standard output (or `stream`) at once. With several workers, only the first does. Throws BrokenPipe
/// or a system Error, but nothing for standard error, which may be full or closed.
void print(std::string_view text, std::FILE* stream = stdout);

/// Prints words for people, with everything escaped that a terminal would obey (`shown_lines`). Text for programs goes
/// to `print`.
void print_words(std::string_view text, std::FILE* stream = stdout);

/// Prints a sentence (or nothing if it is "") on standard error, once for all workers. A failure to write it is no
/// reason to end.
void tell(const std::string& sentence);

/// The object that a verb prints under --json.
void print_json(const Json& value);

/// Writes "linsep: TEXT" as a line of standard error, escaped likewise, on any worker. Never throws.
void notice(std::string_view text) noexcept;

/// Remembers the words of the command line. Call it first.
void take_command_line(const std::vector<std::string>& words);
/// Throws a usage Error if the command line also names this file elsewhere, by whatever name or link, because a command
/// writes no file that it reads. "" and "-" are left out.
void refuse_own_input(const std::string& path);

/// Tries every file that is to be written at the end, before the work is done. "" and "-" are left out. Throws a system
/// Error on every worker, and the usage Error of `refuse_own_input`. Collective.
void try_outputs(std::initializer_list<std::string> paths);

/// A file being written, or standard output under the names "" and "-". A regular file appears under its name only when
/// `close` is called, so a run that fails leaves nothing behind. With several workers, only the first writes.
class Output {
 public:
  /// Throws as `refuse_own_input` does, or a system Error.
  explicit Output(const std::string& path);

  /// Throws BrokenPipe, or a system Error that names the file.
  void write(std::string_view text);
  /// Writes out everything and gives the file its name.
  void close();
  bool standard() const { return standard_; }

 private:
  void flush(std::string_view text);

  bool standard_ = false, mute_ = false;
  std::optional<StreamedFile> file_;
  std::string waiting_;
};

}  // namespace linsep::app
