#include "os/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace linsep {
namespace {

int number_of(StandardStream stream) {
  return stream == StandardStream::kInput    ? STDIN_FILENO
         : stream == StandardStream::kOutput ? STDOUT_FILENO
                                             : STDERR_FILENO;
}

}  // namespace

bool is_terminal(StandardStream stream) { return ::isatty(number_of(stream)) != 0; }

std::optional<TerminalSize> terminal_size(StandardStream stream) {
  winsize size{};
  if (::ioctl(number_of(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return std::nullopt;
  return TerminalSize{size.ws_col, size.ws_row};
}

int write_all(StandardStream stream, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(number_of(stream), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // Opened for the opposite direction, so that using it stays an error. It gets the lowest number that is free, which
    // is this one.
    (void)!::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
  }
}

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace linsep
