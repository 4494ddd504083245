#include "os/process.h"

#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <fcntl.h>
#include <spawn.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <limits>
#include <system_error>
#include <thread>

#include "linsep/error.h"
#include "os/posix/control_groups.h"

extern "C" char** environ;  // no header of macOS declares it

namespace linsep {
namespace {

std::atomic<bool> flag{false}, terminated{false}, woken{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

const char* lost_page_message = "";
int lost_page_code = 1;

extern "C" void on_interrupt(int signal) {
  if (signal == SIGTERM) terminated.store(true, std::memory_order_relaxed);
  flag.store(true, std::memory_order_relaxed);
  woken.store(true, std::memory_order_relaxed);
}

/// A page of a mapped file has gone. Anything else that raises the signal ends the program as before.
extern "C" void on_lost_page(int signal, siginfo_t* info, void* /*context*/) {
  if (info->si_code != BUS_ADRERR) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, lost_page_message, std::strlen(lost_page_message));
  ::_exit(lost_page_code);
}
extern "C" void on_alarm(int /*signal*/) { woken.store(true, std::memory_order_relaxed); }

}  // namespace

void catch_lost_pages(const char* message, int code) {
  lost_page_message = message;
  lost_page_code = code;
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

std::int64_t process_id() { return ::getpid(); }

void end_process(int code) { ::_exit(code); }

namespace {

thread_local sigset_t before_start;

}  // namespace

QuietStart::QuietStart() {
  sigset_t quiet;
  sigfillset(&quiet);
  for (const int own : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP}) sigdelset(&quiet, own);
  pthread_sigmask(SIG_SETMASK, &quiet, &before_start);
}

QuietStart::~QuietStart() { pthread_sigmask(SIG_SETMASK, &before_start, nullptr); }

void begin_forks_with(void (*function)()) { pthread_atfork(nullptr, nullptr, function); }

namespace {

int quota_of(double microseconds, double period) {
  constexpr int kNone = std::numeric_limits<int>::max();
  const bool limited = microseconds > 0 && period > 0 && microseconds / period < kNone;
  return limited ? std::max(1, static_cast<int>(std::ceil(microseconds / period))) : kNone;
}

}  // namespace

int cpu_quota(const std::string& root) {
  const ControlGroups groups = control_groups(root, "cpu");
  int least = std::numeric_limits<int>::max();
  for (const std::string& folder : groups.first) {  // -1 means no quota
    double quota = -1, period = 0;
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
    least = std::min(least, quota_of(quota, period));
  }
  for (const std::string& folder : groups.second) {  // "max 100000" means no quota
    double quota = -1, period = 0;
    if (!(std::ifstream(folder + "/cpu.max") >> quota >> period)) continue;
    least = std::min(least, quota_of(quota, period));
  }
  return least;
}

int allowed_cpus() {
  int cpus = static_cast<int>(std::thread::hardware_concurrency());
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) cpus = CPU_COUNT(&allowed);
  static const int quota = cpu_quota();  // loops ask often
  cpus = std::min(cpus, quota);
#endif
  return std::max(1, cpus);
}

namespace {

/// Starts a program in a session of its own, without standard streams. 0 if it can't be started.
pid_t start_apart(const char* program, const std::string& argument) {
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&streams, stream, "/dev/null", O_RDWR, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  std::string words[] = {program, argument};
  const std::array<char*, 3> arguments = {words[0].data(), words[1].data(), nullptr};
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, program, &streams, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&streams);
  return failure == 0 ? child : 0;
}

}  // namespace

bool open_in_browser(const std::string& path) {
#ifdef __APPLE__
  const pid_t child = start_apart("open", path);
#else
  const pid_t child = start_apart("xdg-open", path);
#endif
  if (child == 0) return false;
  // It ends soon, unless it is the browser itself by then.
  constexpr int kLooks = 60;
  int status = 0;
  for (int look = 0; look < kLooks; ++look) {
    if (::waitpid(child, &status, WNOHANG) != 0) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

std::string host_name() {
  char name[256] = "";
  if (::gethostname(name, sizeof name - 1) != 0 || name[0] == 0) return "unknown host";
  return name;
}

void fill_randomly(void* bytes, std::size_t size) {
  if (::getentropy(bytes, size) == 0) return;
  throw system_error("no random numbers: " + std::generic_category().message(errno));
}

}  // namespace linsep
