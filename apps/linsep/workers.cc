#include "workers.h"

namespace linsep::app {

Comm& workers() {
  static const std::unique_ptr<Comm> comm = solo();
  return *comm;
}

bool first_worker() { return workers().rank() == 0; }

}  // namespace linsep::app
