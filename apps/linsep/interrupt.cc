#include "interrupt.h"

#include <csignal>

#include "verb.h"

namespace linsep::app {
namespace {

std::atomic<bool> flag{false}, terminated{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void on_interrupt(int signal) {
  if (signal == SIGTERM) terminated.store(true, std::memory_order_relaxed);
  flag.store(true, std::memory_order_relaxed);
}

}  // namespace

void catch_interrupt() {
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

const std::atomic<bool>& interrupt_flag() { return flag; }

bool was_terminated() { return terminated.load(std::memory_order_relaxed); }

int interrupted_code(bool by_term) { return by_term ? kTerminatedCode : kInterruptedCode; }

}  // namespace linsep::app
