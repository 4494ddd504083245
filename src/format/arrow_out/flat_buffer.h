// FlatBuffer: as much of FlatBuffers as the metadata of Arrow needs, written from front to back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace linsep::arrow {

/// Tables come before what they point to: a slot that holds an offset is written as 0 and set once its target is known.
/// All numbers are little endian, and everything is aligned to its size from the first byte on.
class FlatBuffer {
 public:
  /// A field that is there: its number in the table's definition, its size in bytes and its value; 0 for an offset.
  struct Slot {
    int field;
    int size;
    std::uint64_t value = 0;
  };

  /// Begins with the offset of the root table.
  FlatBuffer() : bytes_(4, '\0') {}

  /// Appends a table; returns where its slots are, in the order given.
  std::vector<std::size_t> table(std::initializer_list<Slot> slots);
  /// The root table, likewise.
  std::vector<std::size_t> root(std::initializer_list<Slot> slots);
  /// A table that the offset at `slot` points to, likewise.
  std::vector<std::size_t> table_at(std::size_t slot, std::initializer_list<Slot> slots);
  /// Text that the offset at `slot` points to.
  void text_at(std::size_t slot, std::string_view text);
  /// Offsets of `count` tables that the offset at `slot` points to; returns where they are.
  std::vector<std::size_t> offsets_at(std::size_t slot, std::size_t count);
  /// Structures of 64-bit numbers, `words` each.
  void words_at(std::size_t slot, std::size_t words, const std::vector<std::uint64_t>& numbers);

  /// All bytes, filled up to a multiple of 8.
  std::string finish() &&;

 private:
  void number(std::uint64_t value, int size);
  void set(std::size_t place, std::uint64_t value, int size);
  /// Zeros until the size is `remainder` more than a multiple of `alignment`.
  void fill(std::size_t alignment, std::size_t remainder);
  void point(std::size_t slot) { set(slot, bytes_.size() - slot, 4); }

  std::string bytes_;
  std::size_t last_table_ = 0;
};

}  // namespace linsep::arrow
