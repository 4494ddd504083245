// The three standard streams, and the terminal behind them.
#pragma once

#include <optional>
#include <string_view>

namespace linsep {

enum class StandardStream { kInput, kOutput, kError };

bool is_terminal(StandardStream stream);

struct TerminalSize {
  int columns = 80, rows = 24;
};
/// Nothing if the stream is no terminal, or one that doesn't give its size.
std::optional<TerminalSize> terminal_size(StandardStream stream);

/// Writes all bytes, past any buffer. Returns 0 or the number of the system's error.
int write_all(StandardStream stream, std::string_view bytes);

/// Opens standard streams that were closed when the program began, so that no file takes their numbers. Reading and
/// writing them stay errors.
void keep_standard_streams();

/// From now on writing to a pipe that nobody reads is an error, and no longer ends the program.
void ignore_broken_pipes();

}  // namespace linsep
