#include "data/paged/page_checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace linsep {

std::uint64_t page_checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace linsep
