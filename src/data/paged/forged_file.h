// For tests: a page file taken apart, changed, and put back together with correct checksums.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "data/paged/page_file.h"

namespace linsep {

struct ForgedFile {
  PageIndex index;
  std::vector<std::string> pages;
  std::string tail;  ///< header and index as bytes, or "" to make them from `index`

  /// REQUIRES: a good page file.
  explicit ForgedFile(std::string_view file) {
    ByteReader prelude(file.substr(kPageMagic.size() + 4));
    const auto version = prelude.number<std::uint32_t>();
    const auto place = prelude.number<std::uint64_t>(), size = prelude.number<std::uint64_t>();
    index = parse_index(file.substr(place, size));
    index.header.version = version;
    for (const PageEntry& entry : index.entries) pages.emplace_back(file.substr(entry.place, entry.bytes));
  }

  PageArrays places(std::size_t page) const {
    const PageEntry& entry = index.entries[page];
    return {index.header.layout, entry.rows, entry.values};
  }
  /// Element `i` of the array that begins at `place` in a page.
  template <class T>
  void put(std::size_t page, std::uint64_t place, std::size_t i, T value) {
    pages[page].replace(place + i * sizeof value, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::string tail_bytes() const {
    ByteWriter out;
    out.number(index.header.shape.rows);
    out.number(index.header.shape.features);
    out.number(index.header.shape.nonzeros);
    const PageLayout& layout = index.header.layout;
    for (const bool flag : {layout.dense, layout.is_float, layout.labelled, layout.weighted, layout.numbered}) {
      out.number(static_cast<std::uint8_t>(flag));
    }
    out.number(layout.stride);
    out.text(index.header.origin);
    out.number<std::uint64_t>(index.entries.size());
    for (std::size_t p = 0; p < index.entries.size(); ++p) {
      const PageEntry& entry = index.entries[p];
      for (const std::uint64_t x : {entry.place, entry.bytes, entry.first_row, entry.rows, entry.values,
                                    entry.first_byte, entry.text_bytes, entry.first_line, entry.lines}) {
        out.number(x);
      }
      out.number(p < pages.size() ? page_checksum(pages[p]) : 0);
      out.number(entry.features);
      out.number(entry.words);
    }
    return out.take();
  }

  std::string bytes() const {
    std::string body;
    for (const std::string& page : pages) body += page;
    const std::string end = tail.empty() ? tail_bytes() : tail;
    ByteWriter prelude;
    prelude.number<std::uint32_t>(0x01020304);
    prelude.number(index.header.version);
    prelude.number<std::uint64_t>(kPageUnit + body.size());
    prelude.number<std::uint64_t>(end.size());
    prelude.number(page_checksum(end));
    std::string block = std::string(kPageMagic) + prelude.bytes();
    block.resize(kPageUnit - 8, '\0');
    ByteWriter sum;
    sum.number(page_checksum(block));
    return block + sum.bytes() + body + end;
  }
};

}  // namespace linsep
