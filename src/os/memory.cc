// The parts that are the same on every system.
#include "os/memory.h"

#include <fmt/format.h>

#include "linsep/limits.h"

namespace linsep {

std::string memory_words(const MemoryLeft& left) {
  const std::string size = size_words(left.bytes);
  switch (left.by) {
    case MemoryLeft::By::kMachine:
      return fmt::format("the machine has {} left", size);
    case MemoryLeft::By::kContainer:
      return fmt::format("the container's limit leaves {}", size);
    case MemoryLeft::By::kProcess:
      return fmt::format("the process's limit of address space leaves {}", size);
  }
  return size;
}

}  // namespace linsep
