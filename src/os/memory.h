// How much memory is left to this process, and what sets the limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace linsep {

struct MemoryLeft {
  enum class By {
    kMachine,    ///< what the machine has available
    kContainer,  ///< a control group's limit, of this process's group or one that it lies in
    kProcess,    ///< the limit of this process's address space (`ulimit -v`)
  };
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();  ///< the largest number if nothing gives a limit
  By by = By::kMachine;
};

/// The lowest of all its limits. What can be given back (the cache of files) and what swap can take count as left, so
/// nothing that fits is ever refused. `root` is a folder that stands for "/", for tests.
MemoryLeft memory_left(const std::string& root = "");

/// For messages: "the machine has 3.2G left", "the container's limit leaves 500M".
std::string memory_words(const MemoryLeft& left);

// How much memory this process holds.

/// The resident set in bytes, which is everything the process holds in memory at this moment, program and libraries
/// included. 0 if the system doesn't give it.
std::uint64_t resident_bytes();

/// From now on memory that is freed goes back to the system at once, if its allocator can do that. So a limit on memory
/// holds for what is in use.
void give_freed_memory_back();

// Large blocks of memory.

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// `bytes` of memory at a multiple of `alignment`, neither set to zero nor touched. Throws std::bad_alloc. REQUIRES:
/// `alignment` is a power of two, and if it is beyond that of any object, `bytes` is a multiple of it.
void* allocate_aligned(std::size_t alignment, std::size_t bytes);
void free_aligned(void* memory);

/// Memory straight from the system, at a multiple of 64, in huge pages if it has them. Throws std::bad_alloc.
void* allocate_pages(std::size_t bytes);
void free_pages(void* memory, std::size_t bytes);

/// Only advice. The first asks for huge pages from now on, the second gathers small pages that were used into huge
/// ones.
void prefer_huge_pages(void* memory, std::size_t bytes);
void gather_huge_pages(void* memory, std::size_t bytes);

}  // namespace linsep
