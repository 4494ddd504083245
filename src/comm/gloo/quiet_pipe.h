// QuietPipe: a write to a worker that is gone is an error here, never the signal SIGPIPE, which would end the process.
#pragma once

#include <csignal>
#include <ctime>

namespace linsep {

/// Blocks SIGPIPE in this thread, and for good in threads started meanwhile. One that arrived is discarded.
class QuietPipe {
 public:
  QuietPipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    was_pending_ = pending();
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~QuietPipe() {
    const timespec at_once{};
    if (!was_pending_ && pending()) sigtimedwait(&pipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  QuietPipe(const QuietPipe&) = delete;
  QuietPipe& operator=(const QuietPipe&) = delete;

 private:
  static bool pending() {
    sigset_t waiting;
    sigpending(&waiting);
    return sigismember(&waiting, SIGPIPE) == 1;
  }

  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

}  // namespace linsep
