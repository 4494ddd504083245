// From a chunk of svmlight text to a page: what the versions of the parser share.
#pragma once

#include <cstdint>
#include <memory>

#include "format/pages/memory.h"
#include "format/svmlight/strict.h"
#include "format/text/format.h"

namespace linsep::svmlight {

/// Numbers written anew for each chunk. Only what is written takes memory.
class Scratch {
 public:
  std::uint32_t* reserve(std::size_t size) {
    if (size > size_) {
      numbers_.reset(new std::uint32_t[size]);
      size_ = size;
    }
    return numbers_.get();
  }

 private:
  std::unique_ptr<std::uint32_t[]> numbers_;
  std::size_t size_ = 0;
};

/// What a thread needs to parse a chunk, kept from one chunk to the next.
struct Workshop {
  explicit Workshop(std::size_t largest_block) : memory(largest_block) {}

  PageMemory memory;
  Scratch mark, line_end, line_mark, line_colon;  ///< of the fast versions, see fast.h
};

/// This many entries may be written beyond the last one: fast versions write whole vectors.
inline constexpr std::uint64_t kSpareEntries = 16;

/// A page being made: room for at most `most_rows` and `most_entries`, cut to what was used.
template <class V>
class PageMaker {
 public:
  PageMaker(Workshop& workshop, std::uint64_t most_rows, std::uint64_t most_entries);

  Rows<V> rows;

  /// The page of what is in `rows`. `lines` are those of the chunk.
  ParsedPage finish(const Chunk& chunk, std::uint64_t lines);

 private:
  Workshop& workshop_;
  std::byte* memory_;
  double* label_;
};

/// The versions of the parser. All throw TextError at the same position with the same message.
template <class V>
ParsedPage parse_scalar(const Chunk& chunk, const Rules& rules, Workshop& workshop);
template <class V>
ParsedPage parse_avx2(const Chunk& chunk, const Rules& rules, Workshop& workshop);
template <class V>
ParsedPage parse_avx512(const Chunk& chunk, const Rules& rules, Workshop& workshop);

/// Whether this processor (and this build) can run them.
bool has_avx2();
bool has_avx512();

}  // namespace linsep::svmlight
