// This process with its interrupts and timers, the processors it may use, the name of its host, secrets, and the user's
// browser.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace linsep {

/// From now on Ctrl-C (SIGINT) and SIGTERM set the flag, each once. The second one ends the program.
void catch_interrupt();
const std::atomic<bool>& interrupt_flag();
/// Set by these signals too, and when the seconds of `wake_after` are over. Code that waits for input looks at it.
const std::atomic<bool>& wake_flag();
void wake_after(double seconds);
/// SIGTERM was among them.
bool was_terminated();

/// From now on a lost page of a mapped file (the file became shorter, or its disk failed) ends the program with a
/// message and this exit code instead of a signal, from whichever thread met it. `message` must live as long as the
/// process.
void catch_lost_pages(const char* message, int code);

/// A number that no other process of this machine has now.
std::int64_t process_id();

/// Ends the process at once, whatever else it is doing.
[[noreturn]] void end_process(int code);

/// While it lives, threads are started that leave signals to others, except for those about an instruction.
class QuietStart {
 public:
  QuietStart();
  QuietStart(const QuietStart&) = delete;
  QuietStart& operator=(const QuietStart&) = delete;
  ~QuietStart();
};

/// From now on every process that this one forks begins with this call. Not every system forks.
void begin_forks_with(void (*function)());

/// The number of processors that this process may use, at least one. Respects `taskset`, a container's set of
/// processors and its quota of their time.
int allowed_cpus();

/// How many processors' time the quotas of control groups allow, rounded up, or the largest number if there is no
/// quota. `root` is a folder that stands for "/", for tests.
int cpu_quota(const std::string& root = "");

/// Opens a file with the program that shows web pages, which goes on without this one. False if there is none, or it
/// refused.
bool open_in_browser(const std::string& path);

/// The name of this machine.
std::string host_name();

/// Bytes from the system's generator for secrets. Throws a system Error.
void fill_randomly(void* bytes, std::size_t size);

}  // namespace linsep
