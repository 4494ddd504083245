// ReadingRoom: whether the rows of a text that is read into memory will fit, told while they are read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/page.h"
#include "format/shards/piece_reader.h"
#include "os/available.h"

namespace linsep {

/// The bytes of text in these pieces; nothing where that isn't known: standard input, compressed files.
std::optional<std::uint64_t> text_bytes(const std::vector<Piece>& pieces);

/// Refuses rows that can't be held, before the system ends the process: by what the rows so far take and how much text
/// is to come, as soon as that can be told, and whenever nearly nothing is left. The text to come is reckoned to take
/// less than that so far, so that nothing that fits is refused.
class ReadingRoom {
 public:
  using Left = std::function<MemoryLeft()>;

  /// `text`: see text_bytes. `name`: of all files, for messages. The system is asked each time that `look` bytes more
  /// are held.
  ReadingRoom(
      std::optional<std::uint64_t> text, std::string name, Left left = [] { return memory_left(); },
      std::uint64_t look = std::uint64_t{32} << 20);

  /// A page that was read. Throws a usage Error that says what helps.
  void take(const Page& page);

 private:
  std::optional<std::uint64_t> text_;
  std::string name_;
  Left left_;
  std::uint64_t look_;
  std::uint64_t read_ = 0, held_ = 0, looked_ = 0;
};

}  // namespace linsep
