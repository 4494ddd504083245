// Chunker: bytes in, chunks of whole rows out. Where it cuts depends on the bytes alone, never on threads or timing
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

/// Whole rows of text. At least 64 bytes before and after `text` are readable; the last byte is '\n' unless the input
/// ended without one (then a '\n' stands right behind `text` as well).
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

/// An ordinary chunk's length. A row that is longer makes its chunk longer.
inline constexpr std::size_t kChunkBytes = 256 * 1024;

class Chunker {
 public:
  using WholeRows = std::function<std::size_t(std::string_view)>;
  using LongRow = std::function<void(std::size_t)>;

  /// `head` are bytes that were read already and come first; the first of them is number `first_byte`.
  /// `eager`: cut as soon as the input pauses behind a whole row instead of waiting for a full chunk.
  /// `long_row`, if any, is told how many bytes of a row are there, before there is room for more; it may throw.
  Chunker(ReadBytes read, WholeRows whole_rows, std::string head, std::uint64_t first_byte, std::size_t chunk_bytes,
          bool eager, LongRow long_row = {});

  /// Fills the buffer with the next whole rows; false at the end. When reading fails, the whole rows before the
  /// failure come first; the call after them throws.
  bool next(ChunkBuffer& buffer);

 private:
  bool read_more(ChunkBuffer& buffer, std::size_t end);

  ReadBytes read_;
  WholeRows whole_rows_;
  LongRow long_row_;
  std::string carry_;  ///< what was read behind the last whole row
  std::uint64_t first_byte_;
  std::size_t chunk_bytes_;
  bool eager_;
  bool ended_ = false;
  std::exception_ptr failure_;
};

}  // namespace linsep
