// What standard output is.
#pragma once

namespace linsep::app {

struct Terminal {
  int width = 80, height = 24;  ///< where it isn't a terminal, or doesn't tell its size
  bool colour = false;          ///< a terminal, and NO_COLOR and TERM=dumb don't forbid it
};
Terminal standard_terminal();

}  // namespace linsep::app
