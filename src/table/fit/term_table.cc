#include "table/fit/term_table.h"

#include <cstring>

#include "core/random.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::size_t kUnit = 4;  ///< terms begin at multiples of it
constexpr int kUnitBits = 18;     ///< of a place within a block, in units
constexpr std::size_t kMostBlocks = std::size_t{1} << (32 - kUnitBits);

/// Not known to who chooses terms: where this process lies in memory.
std::uint64_t scramble_of_process() {
  static const char here = 0;
  return keyed_hash(reinterpret_cast<std::uintptr_t>(&here), 0) | 1;
}

}  // namespace

TermTable::TermTable() : scramble_(scramble_of_process()) {
  constexpr int kFirstBits = 6;
  slots_.resize(std::size_t{1} << kFirstBits);
  mask_ = slots_.size() - 1;
  shift_ = 64 - kFirstBits;
}

void TermTable::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  mask_ = slots_.size() - 1;
  --shift_;
  for (const Slot& slot : old) {
    if (slot.count == 0) continue;
    std::size_t place = slot_of(slot.key);
    while (slots_[place].count != 0) place = (place + 1) & mask_;
    slots_[place] = slot;
  }
}

std::string_view TermTable::term(const Slot& slot) const {
  const char* at = arena_[slot.bytes >> kUnitBits].get() + (slot.bytes & ((std::uint32_t{1} << kUnitBits) - 1)) * kUnit;
  std::uint32_t length = 0;
  std::memcpy(&length, at, sizeof length);
  return {at + sizeof length, length};
}

void TermTable::set_term(Slot& slot, std::string_view term) {
  if (term.size() > 0xffffffff) throw input_error("a value of more than 4 GB");
  const std::size_t needed = (sizeof(std::uint32_t) + term.size() + kUnit - 1) / kUnit * kUnit;
  if (needed > room_) {
    if (arena_.size() == kMostBlocks) throw input_error("the values of a column take more than 16 GB: hash it");
    const std::size_t size = needed > kBlock ? needed : kBlock;
    arena_.push_back(std::make_unique_for_overwrite<char[]>(size));
    arena_bytes_ += size;
    room_ = size;
  }
  // A block of its own for a long term: nothing else fits in, so places stay below those of a block.
  const std::size_t used = needed > kBlock ? 0 : kBlock - room_;
  char* const at = arena_.back().get() + used;
  const auto length = static_cast<std::uint32_t>(term.size());
  std::memcpy(at, &length, sizeof length);
  if (length > 0) std::memcpy(at + sizeof length, term.data(), length);
  slot.bytes = static_cast<std::uint32_t>(((arena_.size() - 1) << kUnitBits) + used / kUnit);
  room_ -= needed;
}

void TermTable::clear_stamps() {
  for (Slot& slot : slots_) slot.stamp = 0;
}

}  // namespace linsep
