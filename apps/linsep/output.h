// Where results go: standard output or a file.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace linsep::app {

/// Thrown when nobody reads standard output any more. Not a failure: the program ends quietly.
struct BrokenPipe {};

/// Writes text to standard output (or `stream`) at once; of several workers the first alone does. Throws BrokenPipe or
/// a system Error.
void print(std::string_view text, std::FILE* stream = stdout);

/// Prints words for people: whatever a terminal would obey is escaped (`shown_lines`). What programs read goes to
/// `print`.
void print_words(std::string_view text, std::FILE* stream = stdout);

/// A file being written, or standard output under the names "" and "-". A regular file appears under its name only
/// when `close` is called: a run that fails leaves nothing behind. Of several workers the first alone writes.
class Output {
 public:
  explicit Output(const std::string& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  /// Throws BrokenPipe, or a system Error that names the file.
  void write(std::string_view text);
  /// Writes out everything and gives the file its name.
  void close();
  bool standard() const { return path_.empty(); }

 private:
  void flush();
  [[noreturn]] void fail(int error) const;

  std::string path_;       // "": standard output
  std::string temporary_;  // "": written under its own name
  std::string waiting_;
  bool mute_ = false;
  int descriptor_ = -1;
};

}  // namespace linsep::app
