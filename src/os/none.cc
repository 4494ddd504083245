// Stands in for this room in a browser, which has no files and no threads.
#include <cstddef>
#include <cstdlib>
#include <new>

#include "core/parallel.h"
#include "os/memory.h"

namespace linsep {

MemoryLeft memory_left(const std::string& /*root*/) { return {}; }

std::string memory_words(const MemoryLeft& /*left*/) { return "there is less"; }

std::uint64_t resident_bytes() { return 0; }

void* allocate_aligned(std::size_t alignment, std::size_t bytes) {
  void* memory = alignment <= alignof(std::max_align_t) ? std::malloc(bytes) : std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void free_aligned(void* memory) { std::free(memory); }

void* allocate_pages(std::size_t bytes) { return allocate_aligned(64, (bytes + 63) / 64 * 64); }

void free_pages(void* memory, std::size_t /*bytes*/) { free_aligned(memory); }

void prefer_huge_pages(void* /*memory*/, std::size_t /*bytes*/) {}

void gather_huge_pages(void* /*memory*/, std::size_t /*bytes*/) {}

int thread_count(int /*wanted*/) { return 1; }

void parallel_for(std::size_t count, int /*threads*/, double /*nanoseconds*/,
                  const std::function<void(std::size_t index, std::size_t worker)>& f) {
  for (std::size_t index = 0; index < count; ++index) f(index, 0);
}

void run_aside(std::function<void()> work) { work(); }

std::uint64_t threads_started() { return 0; }

}  // namespace linsep
