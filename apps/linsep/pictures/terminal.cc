#include "pictures/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace linsep::app {

Terminal standard_terminal() {
  Terminal terminal;
  if (isatty(STDOUT_FILENO) == 0) return terminal;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    terminal.width = size.ws_col;
    terminal.height = size.ws_row - 1;  // the prompt comes below
  }
  const char* const kind = std::getenv("TERM");
  const char* const plain = std::getenv("NO_COLOR");
  terminal.colour = (plain == nullptr || *plain == '\0') && (kind == nullptr || std::string_view(kind) != "dumb");
  return terminal;
}

}  // namespace linsep::app
