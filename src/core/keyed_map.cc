#include "core/keyed_map.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace linsep {

const SipBits& process_key() {
  static const SipBits key = [] {
    // The system puts the program, its stack and its heap at addresses of its own choice.
    static const char program = 0;
    const char stack = 0;
    const auto heap = std::make_unique_for_overwrite<char[]>(std::size_t{1} << 20);
    std::uint64_t mixed = 0;
    for (const char* at : {&program, &stack, static_cast<const char*>(heap.get())}) {
      mixed = keyed_hash(mixed, reinterpret_cast<std::uintptr_t>(at));
    }
    return SipBits{keyed_hash(mixed, 0), keyed_hash(mixed, 1)};
  }();
  return key;
}

}  // namespace linsep
