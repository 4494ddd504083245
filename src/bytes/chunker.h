// Chunker turns bytes into chunks of whole rows. Its cuts depend on the bytes alone, never on threads or timing
// (but see `eager`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "bytes/bytes.h"

namespace linsep {

/// Whole rows of text. At least 64 bytes before and after `text` are readable. The last byte is '\n' unless the input
/// ended without one, in which case a '\n' follows right after `text`.
struct Chunk {
  std::string_view text;
  std::uint64_t first_byte = 0;  ///< of `text` in the decompressed input
};

/// A chunk's memory, with the readable surroundings that `Chunk` promises. Grows, never shrinks.
class ChunkBuffer {
 public:
  static constexpr std::size_t kSurround = 64;

  char* data() { return memory_.get() + kSurround; }
  std::size_t capacity() const { return capacity_; }
  /// Keeps the first `keep` bytes.
  void grow(std::size_t capacity, std::size_t keep);

  std::size_t size = 0;          ///< of the text
  std::uint64_t first_byte = 0;  ///< of the text in the decompressed input

  Chunk chunk() { return {{data(), size}, first_byte}; }

 private:
  std::unique_ptr<char[]> memory_;
  std::size_t capacity_ = 0;
};

/// The usual length of a chunk. A longer row makes its chunk longer.
inline constexpr std::size_t kChunkBytes = 256 * 1024;

class Chunker {
 public:
  using WholeRows = std::function<std::size_t(std::string_view)>;
  using LongRow = std::function<void(std::size_t)>;

  /// `head` holds bytes that were already read, and they come first. The first of them is byte number `first_byte`. If
  /// `eager`, cuts as soon as the input pauses after a whole row instead of waiting for a full chunk. `long_row`, if
  /// any, is called with the length of an unfinished row before room is made for more of it. It may throw.
  Chunker(ReadBytes read, WholeRows whole_rows, std::string head, std::uint64_t first_byte, std::size_t chunk_bytes,
          bool eager, LongRow long_row = {});

  /// Fills the buffer with the next whole rows. Returns false at the end. If reading fails, the whole rows before the
  /// failure are returned first, and the next call throws.
  bool next(ChunkBuffer& buffer);

 private:
  bool read_more(ChunkBuffer& buffer, std::size_t end);

  ReadBytes read_;
  WholeRows whole_rows_;
  LongRow long_row_;
  std::string carry_;  ///< what was read after the last whole row
  std::uint64_t first_byte_;
  std::size_t chunk_bytes_;
  bool eager_;
  bool ended_ = false;
  std::exception_ptr failure_;
};

}  // namespace linsep
