#include "os/memory.h"

#include <fmt/format.h>
#ifdef __APPLE__
#include <mach/mach.h>
#include <sys/sysctl.h>
#else
#include <malloc.h>
#endif
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <sstream>
#include <string_view>

#include "os/posix/control_groups.h"

namespace linsep {
namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

std::uint64_t less(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }
std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a > kNone - b ? kNone : a + b; }

/// The number that a file consists of, or kNone if there is no such file or it holds a word ("max").
std::uint64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : kNone;
}

/// The sum of the numbers after these words, in a file with a word and a number per line.
std::uint64_t numbers_behind(const std::string& path, std::initializer_list<std::string_view> words) {
  std::ifstream file(path);
  std::uint64_t all = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream parts(line);
    std::string word;
    std::uint64_t number = 0;
    if (parts >> word >> number && std::ranges::find(words, word) != words.end()) all += number;
  }
  return all;
}

/// The files of one version of control groups.
struct Names {
  const char *limit, *used, *swap_limit;
  std::string_view active, inactive;
};
constexpr Names kFirst{"memory.limit_in_bytes", "memory.usage_in_bytes", "memory.memsw.limit_in_bytes",
                       "total_active_file", "total_inactive_file"};
constexpr Names kSecond{"memory.max", "memory.current", "memory.swap.max", "active_file", "inactive_file"};

/// The memory that one group leaves. `swap` is what the machine has left of it.
std::uint64_t left_by(const std::string& folder, const Names& names, std::uint64_t swap) {
  const auto in = [&](const char* name) { return number_in(folder + "/" + name); };
  const std::uint64_t limit = in(names.limit);
  const std::uint64_t used = in(names.used);
  if (limit == kNone || used == kNone) return kNone;
  const std::uint64_t cache = numbers_behind(folder + "/memory.stat", {names.active, names.inactive});
  // The first version limits memory and swap together, the second swap alone.
  const std::uint64_t most_swap = less(in(names.swap_limit), &names == &kFirst ? limit : 0);
  return sum(less(limit, less(used, cache)), std::min(swap, most_swap));
}

std::uint64_t left_in_container(const std::string& root, std::uint64_t swap) {
  const ControlGroups groups = control_groups(root, "memory");
  std::uint64_t least = kNone;
  for (const std::string& folder : groups.first) least = std::min(least, left_by(folder, kFirst, swap));
  for (const std::string& folder : groups.second) least = std::min(least, left_by(folder, kSecond, swap));
  return least;
}

/// What the limit on the address space leaves.
std::uint64_t left_to_process() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNone;
  const std::uint64_t pages = number_in("/proc/self/statm");
  if (pages == kNone) return kNone;
  return less(limit.rlim_cur, pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

#ifdef __APPLE__
/// All but what can't be given back, or kNone if the system doesn't give it.
std::uint64_t left_on_machine() {
  std::uint64_t all = 0;
  std::size_t size = sizeof all;
  vm_statistics64_data_t pages{};
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  if (::sysctlbyname("hw.memsize", &all, &size, nullptr, 0) != 0) return kNone;
  if (host_statistics64(mach_host_self(), HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&pages), &count) != 0) {
    return kNone;
  }
  return less(all, std::uint64_t{pages.wire_count} * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}
#endif

}  // namespace

MemoryLeft memory_left(const std::string& root) {
  constexpr std::uint64_t kKilo = 1024;
  const std::string about = root + "/proc/meminfo";
  const std::uint64_t available = numbers_behind(about, {"MemAvailable:"});
  const std::uint64_t swap = numbers_behind(about, {"SwapFree:"}) * kKilo;
  MemoryLeft left;
  if (available > 0) left.bytes = sum(available * kKilo, swap);
#ifdef __APPLE__
  left.bytes = left_on_machine();
#endif
  if (const std::uint64_t here = left_in_container(root, swap); here < left.bytes) {
    left = {here, MemoryLeft::By::kContainer};
  }
  if (const std::uint64_t here = left_to_process(); here < left.bytes) left = {here, MemoryLeft::By::kProcess};
  return left;
}

#ifdef __APPLE__
std::uint64_t resident_bytes() {
  mach_task_basic_info info{};
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  const auto to = reinterpret_cast<task_info_t>(&info);
  return task_info(mach_task_self(), MACH_TASK_BASIC_INFO, to, &count) == 0 ? info.resident_size : 0;
}
#else
std::uint64_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long long size = 0, resident = 0;
  const bool read = std::fscanf(file, "%llu %llu", &size, &resident) == 2;
  std::fclose(file);
  return read ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}
#endif

void give_freed_memory_back() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

void* allocate_aligned(std::size_t alignment, std::size_t bytes) {
  void* memory = alignment <= alignof(std::max_align_t) ? std::malloc(bytes) : std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void free_aligned(void* memory) { std::free(memory); }

void* allocate_pages(std::size_t bytes) {
  void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  prefer_huge_pages(mapped, bytes);
  return mapped;
}

void free_pages(void* memory, std::size_t bytes) { ::munmap(memory, bytes); }

void prefer_huge_pages(void* memory, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  ::madvise(memory, bytes, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}

void gather_huge_pages(void* memory, std::size_t bytes) {
#ifdef MADV_COLLAPSE
  ::madvise(memory, bytes, MADV_COLLAPSE);
#else
  (void)memory, (void)bytes;
#endif
}

}  // namespace linsep
