// How much memory is left to this process, and who says so.
#pragma once

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
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();  ///< the greatest number: nobody tells
  By by = By::kMachine;
};

/// The least of all that limit it. What can be given back (the cache of files) and what swap can take count as left:
/// nothing that fits is ever said not to. `root`: a folder that stands for "/", for tests.
MemoryLeft memory_left(const std::string& root = "");

/// For messages: "the machine has 3.2G left", "the container's limit leaves 500M".
std::string memory_words(const MemoryLeft& left);

// How much memory this process holds.

/// The resident set in bytes: everything the process holds in memory at this moment, program and libraries included. 0
/// where the system doesn't tell.
std::uint64_t resident_bytes();

}  // namespace linsep
