#include "interrupt.h"

#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <string_view>

#include "verb.h"

namespace linsep::app {
namespace {

std::atomic<bool> flag{false}, terminated{false}, woken{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void on_interrupt(int signal) {
  if (signal == SIGTERM) terminated.store(true, std::memory_order_relaxed);
  flag.store(true, std::memory_order_relaxed);
  woken.store(true, std::memory_order_relaxed);
}

/// A page of a mapped file isn't there any more. Anything else that raises the signal ends the program as ever.
extern "C" void on_lost_page(int signal, siginfo_t* info, void* /*context*/) {
  if (info->si_code != BUS_ADRERR) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  constexpr std::string_view kMessage = "linsep: a page file became shorter, or its disk failed, while it was in use\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  ::_exit(kSystemFailure);
}
extern "C" void on_alarm(int /*signal*/) { woken.store(true, std::memory_order_relaxed); }

}  // namespace

void catch_lost_pages() {
  struct sigaction action{};
  action.sa_sigaction = on_lost_page;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

void catch_interrupt() {
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

const std::atomic<bool>& interrupt_flag() { return flag; }

const std::atomic<bool>& wake_flag() { return woken; }

void wake_after(double seconds) {
  constexpr double kMicroseconds = 1e6;
  struct sigaction action{};
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const double whole = std::floor(seconds);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - whole) * kMicroseconds) + 1;
  if (timer.it_value.tv_usec >= static_cast<suseconds_t>(kMicroseconds)) timer.it_value.tv_usec = 999999;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

bool was_terminated() { return terminated.load(std::memory_order_relaxed); }

int interrupted_code(bool by_term) { return by_term ? kTerminatedCode : kInterruptedCode; }

}  // namespace linsep::app
