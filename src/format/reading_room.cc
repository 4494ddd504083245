#include "format/reading_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "format/text/bytes.h"
#include "linsep/error.h"
#include "linsep/limits.h"

namespace linsep {
namespace {

/// With less than this nothing goes on for long.
constexpr std::uint64_t kNearlyNothing = std::uint64_t{48} << 20;
/// What rows to come take at least, as a share of what the text so far has taken.
constexpr double kLeastShare = 0.8;

std::uint64_t bytes_of(const Page& page) {
  const Batch& batch = page.batch;
  return batch.start.size_bytes() + batch.column.size_bytes() + batch.value32.size_bytes() +
         batch.value64.size_bytes() + batch.label.size_bytes() + batch.weight.size_bytes();
}

}  // namespace

std::optional<std::uint64_t> text_bytes(const std::vector<Piece>& pieces) {
  std::uint64_t all = 0;
  for (const Piece& piece : pieces) {
    if (is_standard_input(piece.path) || !can_be_opened_again(piece.path)) return std::nullopt;
    const ByteInput input = open_bytes(piece.path);
    if (!input.regular || input.compressed) return std::nullopt;
    all += piece.range.bytes_of(input.stamp.bytes);
  }
  return all;
}

ReadingRoom::ReadingRoom(std::optional<std::uint64_t> text, std::string name, Left left, std::uint64_t look)
    : text_(text), name_(std::move(name)), left_(std::move(left)), look_(look) {}

void ReadingRoom::take(const Page& page) {
  read_ += page.bytes;
  held_ += bytes_of(page);
  if (held_ - looked_ < look_) return;
  looked_ = held_;
  const MemoryLeft left = left_();
  double to_come = 0;
  if (text_ && *text_ > read_) {
    to_come = static_cast<double>(held_) * (static_cast<double>(*text_ - read_) / static_cast<double>(read_));
  }
  const bool too_much = kLeastShare * to_come > static_cast<double>(left.bytes);
  if (!too_much && left.bytes >= kNearlyNothing) return;
  const std::string need = to_come > 0 ? fmt::format("its rows need about {} of memory more",
                                                     size_words(static_cast<std::uint64_t>(to_come)))
                                       : fmt::format("its rows have taken {} of memory so far", size_words(held_));
  throw Error(Error::Kind::kUsage, Place{name_, 0, 0}, {"memory"},
              fmt::format("{}, and {}: {{}} 1G, say, keeps rows on disk; `linsep convert` makes pages of them once for "
                          "all runs; `linsep train --online` goes through them once",
                          need, memory_words(left)));
}

}  // namespace linsep
