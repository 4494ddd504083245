#include "os/available.h"
#include "os/resident.h"

namespace linsep {

MemoryLeft memory_left(const std::string& /*root*/) { return {}; }

std::string memory_words(const MemoryLeft& /*left*/) { return "there is less"; }

std::uint64_t resident_bytes() { return 0; }

}  // namespace linsep
