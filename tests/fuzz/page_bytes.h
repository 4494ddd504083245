// Page files in few bytes, for fuzzing: without the zeros that fill pages up, and with every checksum left out.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "data/paged/page_file.h"
#include "packed_text.h"
#include "target.h"

namespace linsep::fuzz {

/// Where things stand in the header (docs/reference/formats/pages.md).
inline constexpr std::size_t kBeforeOrigin = 29, kEntryBytes = 88, kChecksumInEntry = 72;

template <class T>
T number_at(std::string_view bytes, std::size_t place) {
  T value{};
  if (place <= bytes.size() && sizeof value <= bytes.size() - place)
    std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

/// Calls `f(place of the entry in the header)` for every page that the header has room for.
template <class F>
void for_each_entry_of(std::string_view header, F&& f) {
  const auto origin = number_at<std::uint64_t>(header, kBeforeOrigin);
  if (origin > header.size()) return;
  std::size_t place = kBeforeOrigin + 8 + static_cast<std::size_t>(origin);
  auto left = number_at<std::uint64_t>(header, place);
  for (place += 8; left > 0 && place <= header.size() && header.size() - place >= kEntryBytes; --left) {
    f(place);
    place += kEntryBytes;
  }
}

/// Puts the right checksum of each page into the header.
inline void repair_pages(std::string_view file, std::string& header) {
  for_each_entry_of(header, [&](std::size_t entry) {
    const auto place = number_at<std::uint64_t>(header, entry), size = number_at<std::uint64_t>(header, entry + 8);
    if (place > file.size() || size > file.size() - place) return;
    const std::uint64_t sum = page_checksum(file.substr(place, size));
    std::memcpy(header.data() + entry + kChecksumInEntry, &sum, sizeof sum);
  });
}

/// A file of these pages and this header. `place` and `size` of the header as the first block says them; 0: the truth.
inline std::string assembled(std::string_view pages, std::string header, std::uint64_t place, std::uint64_t size) {
  std::string file(kPageUnit, '\0');
  file += pages;
  repair_pages(file, header);
  std::string first(kPageMagic);
  put(first, 0x01020304, 4);
  put(first, kPageVersion, 4);
  put(first, place != 0 ? place : file.size(), 8);
  put(first, size != 0 ? size : header.size(), 8);
  put(first, page_checksum(header), 8);
  first.resize(kPageUnit - 8, '\0');
  put(first, page_checksum(first), 8);
  file.replace(0, kPageUnit, first);
  return file + header;
}

/// Short form: the header's length (2 bytes), the header, then of each page its length up to the last byte that isn't 0
/// (2 bytes) and these bytes. A length with its highest bit set stands for one that is said otherwise in the first
/// block.
inline std::string long_form(Front& front) {
  const std::size_t size = front.word();
  std::uint64_t place_said = 0, size_said = 0;
  if ((size & 0x8000U) != 0) {
    place_said = number_at<std::uint64_t>(front.bytes(8), 0);
    size_said = number_at<std::uint64_t>(front.bytes(8), 0);
  }
  std::string header(front.bytes(size & 0x7fffU));
  std::string pages;
  constexpr std::size_t kMost = 4;
  for (std::size_t page = 0; page < kMost && !front.rest().empty(); ++page) {
    const std::size_t length = front.word() % (2 * kPageUnit);
    pages += front.bytes(length);
    pages.resize((pages.size() + kPageUnit - 1) / kPageUnit * kPageUnit, '\0');
  }
  return assembled(pages, std::move(header), place_said, size_said);
}

/// The short form of a whole file.
inline std::string short_form(std::string_view file) {
  const auto place = number_at<std::uint64_t>(file, 24), size = number_at<std::uint64_t>(file, 32);
  const std::string_view header = file.substr(place, size);
  std::string bytes;
  put(bytes, header.size(), 2);
  bytes += header;
  for_each_entry_of(header, [&](std::size_t entry) {
    std::string_view page =
        file.substr(number_at<std::uint64_t>(header, entry), number_at<std::uint64_t>(header, entry + 8));
    while (!page.empty() && page.back() == '\0') page.remove_suffix(1);
    put(bytes, page.size(), 2);
    bytes += page;
  });
  return bytes;
}

}  // namespace linsep::fuzz
