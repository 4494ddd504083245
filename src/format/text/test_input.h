// Rows for tests, with the results of a parser or a source as comparable values.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bytes/chunker.h"
#include "bytes/testing.h"
#include "format/text/format.h"
#include "linsep/source.h"

namespace linsep::test {

/// Rows by value. They are equal if and only if every bit is.
struct PlainRow {
  std::uint64_t label = 0;  ///< the bits of the double
  std::string word;         ///< if labels are words
  std::vector<std::uint32_t> column;
  std::vector<std::uint64_t> value;  ///< the bits of the value as a double
  bool operator==(const PlainRow&) const = default;
};
using PlainRows = std::vector<PlainRow>;

inline void append_rows(const Batch& batch, const std::vector<std::string>& words, PlainRows& rows) {
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    PlainRow plain;
    const double label = batch.label[static_cast<std::size_t>(i)];
    if (words.empty()) {
      plain.label = std::bit_cast<std::uint64_t>(label);
    } else {
      plain.word = words.at(static_cast<std::size_t>(label));
    }
    for_each_entry(row, [&](std::uint32_t column, double value) {
      plain.column.push_back(column);
      plain.value.push_back(std::bit_cast<std::uint64_t>(value));
    });
    rows.push_back(std::move(plain));
  });
}

/// All rows of a source from its beginning.
inline PlainRows rows_of(Source& source) {
  PlainRows rows;
  source.rewind(0);
  while (const auto batch = source.next()) {
    EXPECT_EQ(batch->first_row, static_cast<std::int64_t>(rows.size()));
    append_rows(*batch, {}, rows);
  }
  return rows;
}

/// The result of parsing a text given as one chunk: rows, or the error as "line:column: message", with lines from 1.
inline std::variant<PlainRows, std::string> parsed(const TextFormat& format, std::string_view text) {
  ChunkBuffer buffer;
  buffer.grow(text.size() + 1, 0);
  std::copy(text.begin(), text.end(), buffer.data());
  buffer.size = text.size();
  buffer.data()[text.size()] = '\n';
  try {
    const ParsedPage page = format.parse(buffer.chunk());
    PlainRows rows;
    append_rows(page.page.batch, page.label_words, rows);
    return rows;
  } catch (const TextError& error) {
    return std::to_string(error.line + 1) + ":" + std::to_string(error.column) + ": " + error.message;
  }
}

}  // namespace linsep::test
