// What stands in for this room where there are no files and no threads: in a browser.
#include "core/parallel.h"
#include "os/memory.h"

namespace linsep {

MemoryLeft memory_left(const std::string& /*root*/) { return {}; }

std::string memory_words(const MemoryLeft& /*left*/) { return "there is less"; }

std::uint64_t resident_bytes() { return 0; }

int thread_count(int /*wanted*/) { return 1; }

void parallel_for(std::size_t count, int /*threads*/, double /*nanoseconds*/,
                  const std::function<void(std::size_t index, std::size_t worker)>& f) {
  for (std::size_t index = 0; index < count; ++index) f(index, 0);
}

void run_aside(std::function<void()> work) { work(); }

std::uint64_t threads_started() { return 0; }

}  // namespace linsep
