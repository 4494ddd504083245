// Compressed bytes in, plain bytes out: gzip by zlib, zstd by libzstd, recognised by their first bytes.
#pragma once

#include <string>
#include <string_view>

#include "format/text/bytes.h"

namespace linsep {

enum class Compression { kNone, kGzip, kZstd };

/// This many first bytes tell the compression.
inline constexpr std::size_t kMagicBytes = 4;
Compression compression_of(std::string_view first_bytes);

/// Members (gzip) or frames (zstd) that follow one another are read as one text; zero bytes behind the last gzip member
/// are padding. Throws an input Error named by the file when the data is damaged or cut off; what came out before the
/// damage has been returned by then.
ReadBytes read_gzip(ReadBytes compressed, std::string name);
ReadBytes read_zstd(ReadBytes compressed, std::string name);

}  // namespace linsep
