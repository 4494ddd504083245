#include "format/arrow_out/flat_buffer.h"

#include <algorithm>
#include <utility>

namespace linsep::arrow {

void FlatBuffer::number(std::uint64_t value, int size) {
  for (int k = 0; k < size; ++k) bytes_.push_back(static_cast<char>(value >> (8 * k)));
}

void FlatBuffer::set(std::size_t place, std::uint64_t value, int size) {
  for (int k = 0; k < size; ++k) bytes_[place + static_cast<std::size_t>(k)] = static_cast<char>(value >> (8 * k));
}

void FlatBuffer::fill(std::size_t alignment, std::size_t remainder) {
  while (bytes_.size() % alignment != remainder) bytes_.push_back('\0');
}

// First the list of places (its size, the table's size, a place within the table for each field), then the table: the
// way back to that list, and the values by descending size. The table begins 4 bytes after a multiple of 8, its values
// on one.
std::vector<std::size_t> FlatBuffer::table(std::initializer_list<Slot> slots) {
  std::size_t fields = 0, size = 4;
  for (const Slot& slot : slots) {
    fields = std::max(fields, static_cast<std::size_t>(slot.field) + 1);
    size += static_cast<std::size_t>(slot.size);
  }
  const std::size_t list = 4 + 2 * fields;
  fill(2, 0);
  while ((bytes_.size() + list) % 8 != 4) bytes_.push_back('\0');
  const std::size_t begin = bytes_.size(), table = begin + list;
  number(list, 2);
  number(size, 2);
  bytes_.append(2 * fields, '\0');
  number(list, 4);
  std::vector<std::size_t> places(slots.size());
  for (const int width : {8, 4, 2, 1}) {
    std::size_t k = 0;
    for (const Slot& slot : slots) {
      if (slot.size == width) {
        places[k] = bytes_.size();
        set(begin + 4 + 2 * static_cast<std::size_t>(slot.field), bytes_.size() - table, 2);
        number(slot.value, width);
      }
      ++k;
    }
  }
  last_table_ = table;
  return places;
}

std::vector<std::size_t> FlatBuffer::root(std::initializer_list<Slot> slots) {
  std::vector<std::size_t> places = table(slots);
  set(0, last_table_, 4);
  return places;
}

std::vector<std::size_t> FlatBuffer::table_at(std::size_t slot, std::initializer_list<Slot> slots) {
  std::vector<std::size_t> places = table(slots);
  set(slot, last_table_ - slot, 4);
  return places;
}

void FlatBuffer::text_at(std::size_t slot, std::string_view text) {
  fill(4, 0);
  point(slot);
  number(text.size(), 4);
  bytes_.append(text);
  bytes_.push_back('\0');
}

std::vector<std::size_t> FlatBuffer::offsets_at(std::size_t slot, std::size_t count) {
  fill(4, 0);
  point(slot);
  number(count, 4);
  std::vector<std::size_t> places(count);
  for (std::size_t& place : places) {
    place = bytes_.size();
    number(0, 4);
  }
  return places;
}

void FlatBuffer::words_at(std::size_t slot, std::size_t words, const std::vector<std::uint64_t>& numbers) {
  fill(8, 4);
  point(slot);
  number(numbers.size() / words, 4);
  for (const std::uint64_t word : numbers) number(word, 8);
}

std::string FlatBuffer::finish() && {
  fill(8, 0);
  return std::move(bytes_);
}

}  // namespace linsep::arrow
