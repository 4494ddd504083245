// Turns a chunk of svmlight text into a page. Shared by the versions of the parser, with the memory that holds pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "format/svmlight/strict.h"
#include "format/text/format.h"

namespace linsep {

class PageMemory {
 public:
  /// Blocks double up to `largest_block`.
  explicit PageMemory(std::size_t largest_block) : largest_block_(largest_block) {}

  /// Returns room for `bytes` bytes, aligned to 64. It is valid until the next call of `reserve`, or for good once
  /// kept.
  std::byte* reserve(std::size_t bytes);
  /// Keeps the first `bytes` bytes of the latest reservation. The result owns them.
  std::shared_ptr<void> keep(std::size_t bytes);

 private:
  std::shared_ptr<std::byte> block_;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
  std::size_t largest_block_;
};
}  // namespace linsep

namespace linsep::svmlight {

/// Numbers that are overwritten for each chunk. Only those that are written take memory.
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
struct ParserScratch {
  explicit ParserScratch(std::size_t largest_block) : memory(largest_block) {}

  PageMemory memory;
  Scratch mark, line_end, line_mark, line_colon;  ///< for the fast versions, see fast.h
};

/// This many entries may be written beyond the last one, because fast versions write whole vectors.
inline constexpr std::uint64_t kSpareEntries = 16;

/// A page under construction, with room for at most `most_rows` and `most_entries`. It is cut to what was used.
template <class V>
class PageMaker {
 public:
  PageMaker(ParserScratch& scratch, std::uint64_t most_rows, std::uint64_t most_entries);

  Rows<V> rows;

  /// Makes the page from the contents of `rows`. `lines` are those of the chunk.
  ParsedPage finish(const Chunk& chunk, std::uint64_t lines);

 private:
  ParserScratch& scratch_;
  std::byte* memory_;
  double* label_;
};

/// The versions of the parser. All throw TextError at the same position with the same message.
template <class V>
ParsedPage parse_scalar(const Chunk& chunk, const Rules& rules, ParserScratch& scratch);
template <class V>
ParsedPage parse_avx2(const Chunk& chunk, const Rules& rules, ParserScratch& scratch);
template <class V>
ParsedPage parse_avx512(const Chunk& chunk, const Rules& rules, ParserScratch& scratch);

/// Whether this processor (and this build) can run them.
bool has_avx2();
bool has_avx512();

}  // namespace linsep::svmlight
