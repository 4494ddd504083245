#include "bytes/chunker.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace linsep {

void ChunkBuffer::grow(std::size_t capacity, std::size_t keep) {
  if (capacity <= capacity_) return;
  const std::size_t all = kSurround + capacity + kSurround;
  std::unique_ptr<char[]> larger(new char[all]);
  std::memset(larger.get(), ' ', kSurround);
  if (keep > 0) std::memcpy(larger.get() + kSurround, data(), keep);
  std::memset(larger.get() + kSurround + capacity, ' ', kSurround);
  memory_ = std::move(larger);
  capacity_ = capacity;
}

Chunker::Chunker(ReadBytes read, WholeRows whole_rows, std::string head, std::uint64_t first_byte,
                 std::size_t chunk_bytes, bool eager, LongRow long_row)
    : read_(std::move(read)),
      whole_rows_(std::move(whole_rows)),
      long_row_(std::move(long_row)),
      carry_(std::move(head)),
      first_byte_(first_byte),
      chunk_bytes_(std::max<std::size_t>(chunk_bytes, 1)),
      eager_(eager) {}

/// Appends to the `buffer.size` bytes that are already in the buffer, up to `end`. Returns true if the input pauses.
bool Chunker::read_more(ChunkBuffer& buffer, std::size_t end) {
  try {
    while (buffer.size < end) {
      const std::size_t asked = end - buffer.size;
      const std::size_t got = read_({buffer.data() + buffer.size, asked});
      buffer.size += got;
      if (got == 0) {
        ended_ = true;
        return false;
      }
      if (eager_ && got < asked) return true;
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  return false;
}

bool Chunker::next(ChunkBuffer& buffer) {
  buffer.size = 0;
  buffer.first_byte = first_byte_;
  std::size_t end = chunk_bytes_;
  std::size_t taken = 0;   // of the carry, which may be longer than a chunk
  std::size_t looked = 0;  // bytes in which there is no end of a row
  for (;;) {
    buffer.grow(end + 1, buffer.size);  // one more for the '\n' behind an unfinished last row
    const std::size_t more = std::min(carry_.size() - taken, end - buffer.size);
    std::memcpy(buffer.data() + buffer.size, carry_.data() + taken, more);
    buffer.size += more;
    taken += more;
    const bool paused = buffer.size < end && !ended_ && !failure_ && read_more(buffer, end);
    const bool all_there = taken == carry_.size();
    if (ended_ && all_there && buffer.size < end) break;  // the rest, whether its last row is finished or not
    // Only another newline can complete a row. So a long line is searched once, however slowly it arrives.
    const std::string_view text(buffer.data(), buffer.size);
    const bool may_end = text.find('\n', looked) != std::string_view::npos;
    looked = text.size();
    const std::size_t whole = may_end ? whole_rows_(text) : 0;
    if (whole > 0) {
      carry_.replace(0, taken, buffer.data() + whole, buffer.size - whole);
      buffer.size = whole;
      first_byte_ += whole;
      return true;
    }
    if (failure_ && all_there) std::rethrow_exception(failure_);
    if (ended_ && all_there) break;
    if (long_row_) long_row_(buffer.size);
    if (!paused) end *= 2;
  }
  carry_.clear();
  first_byte_ += buffer.size;
  buffer.data()[buffer.size] = '\n';
  return buffer.size > 0;
}

}  // namespace linsep
