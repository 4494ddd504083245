#include "os/memory.h"

#include <malloc.h>

#include <algorithm>
#include <new>

#include "os/windows/system.h"
// After Windows.h, which it needs.
#include <psapi.h>

namespace linsep {
namespace {

PROCESS_MEMORY_COUNTERS held() {
  PROCESS_MEMORY_COUNTERS counters{};
  counters.cb = sizeof counters;
  ::K32GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters);
  return counters;
}

std::uint64_t less(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

}  // namespace

/// A container is a job here, and so is what some shells start a program in.
MemoryLeft memory_left(const std::string& /*root*/) {
  MemoryLeft left;
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (::GlobalMemoryStatusEx(&status) != 0) left.bytes = status.ullAvailPageFile;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION job{};
  if (::QueryInformationJobObject(nullptr, JobObjectExtendedLimitInformation, &job, sizeof job, nullptr) == 0) {
    return left;
  }
  const auto limit = [&](DWORD kind, std::uint64_t most, MemoryLeft::By by) {
    if ((job.BasicLimitInformation.LimitFlags & kind) == 0) return;
    const std::uint64_t here = less(most, held().PagefileUsage);
    if (here < left.bytes) left = {here, by};
  };
  limit(JOB_OBJECT_LIMIT_JOB_MEMORY, job.JobMemoryLimit, MemoryLeft::By::kContainer);
  limit(JOB_OBJECT_LIMIT_PROCESS_MEMORY, job.ProcessMemoryLimit, MemoryLeft::By::kProcess);
  return left;
}

std::uint64_t resident_bytes() { return held().WorkingSetSize; }

void give_freed_memory_back() {}  // the system's heap does

void* allocate_aligned(std::size_t alignment, std::size_t bytes) {
  void* memory = ::_aligned_malloc(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void free_aligned(void* memory) { ::_aligned_free(memory); }

void* allocate_pages(std::size_t bytes) {
  void* memory = ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void free_pages(void* memory, std::size_t /*bytes*/) { ::VirtualFree(memory, 0, MEM_RELEASE); }

void prefer_huge_pages(void* /*memory*/, std::size_t /*bytes*/) {}  // a privilege that users don't have

void gather_huge_pages(void* /*memory*/, std::size_t /*bytes*/) {}

}  // namespace linsep
