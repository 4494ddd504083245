#include "bytes/chunker.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace linsep {
namespace {

std::size_t whole_lines(std::string_view text) { return text.rfind('\n') + 1; }

/// Reads at most `step` bytes at a time. If `fails`, throws after the end.
ReadBytes steps_of(std::string text, std::size_t step, bool fails = false) {
  return [text = std::move(text), step, fails, at = std::size_t{0}](std::span<char> to) mutable {
    const std::size_t size = std::min({to.size(), step, text.size() - at});
    if (size == 0 && fails) throw std::runtime_error("the disk is gone");
    std::memcpy(to.data(), text.data() + at, size);
    at += size;
    return size;
  };
}

std::vector<std::string> chunks_of(Chunker chunker) {
  std::vector<std::string> chunks;
  ChunkBuffer buffer;
  std::uint64_t at = 0;
  while (chunker.next(buffer)) {
    const Chunk chunk = buffer.chunk();
    EXPECT_EQ(chunk.first_byte, at);
    at += chunk.text.size();
    chunks.emplace_back(chunk.text);
    if (chunk.text.back() != '\n') {
      EXPECT_EQ(chunk.text.data()[chunk.text.size()], '\n');
    }
  }
  return chunks;
}

using Strings = std::vector<std::string>;

TEST(Chunker, CutsBehindWholeRows) {
  EXPECT_EQ(chunks_of({steps_of("aa\nbb\ncc\n", 100), whole_lines, "", 0, 7, false}), (Strings{"aa\nbb\n", "cc\n"}));
}

TEST(Chunker, ALongRowMakesALongChunk) {
  const std::string row = fmt::format("{}\n", std::string(1000, 'x'));
  EXPECT_EQ(chunks_of({steps_of("a\n" + row, 100), whole_lines, "", 0, 4, false}), (Strings{"a\n", row}));
}

TEST(Chunker, ALongRowIsGoneThroughOnceHoweverSlowlyItComes) {
  const std::string row = fmt::format("{}\n", std::string(100000, 'x'));
  for (const bool eager : {false, true}) {
    std::size_t seen = 0;
    const auto counted = [&](std::string_view text) {
      seen += text.size();
      return whole_lines(text);
    };
    EXPECT_EQ(chunks_of({steps_of("a\n" + row + row, 10), counted, "", 0, 16, eager}), (Strings{"a\n", row, row}));
    EXPECT_LT(seen, 4 * row.size());
  }
}

TEST(Chunker, TheLastRowNeedsNoNewline) {
  EXPECT_EQ(chunks_of({steps_of("a\nb", 100), whole_lines, "", 0, 100, false}), (Strings{"a\nb"}));
  EXPECT_EQ(chunks_of({steps_of("", 100), whole_lines, "", 0, 100, false}), Strings{});
}

TEST(Chunker, CutsDoNotDependOnHowTheBytesArriveOrWhatWasReadBefore) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += std::string(static_cast<std::size_t>(i * 7 % 13), 'x') + "\n";
  for (std::size_t size = 1; size < 40; ++size) {
    const Strings expected = chunks_of({steps_of(text, 1000), whole_lines, "", 0, size, false});
    for (const std::size_t step : {1, 2, 3, 17}) {
      EXPECT_EQ(chunks_of({steps_of(text, step), whole_lines, "", 0, size, false}), expected);
      const std::size_t head = std::min<std::size_t>(step * 20, text.size());
      EXPECT_EQ(chunks_of({steps_of(text.substr(head), step), whole_lines, text.substr(0, head), 0, size, false}),
                expected);
    }
  }
}

TEST(Chunker, AnEagerOneGivesRowsAsSoonAsTheInputPauses) {
  EXPECT_EQ(chunks_of({steps_of("a\nbb\nc\n", 3), whole_lines, "", 0, 100, true}), (Strings{"a\n", "bb\n", "c\n"}));
}

TEST(Chunker, RowsBeforeAFailureComeFirst) {
  Chunker chunker(steps_of("a\nb\nc", 100, true), whole_lines, "", 0, 100, false);
  ChunkBuffer buffer;
  ASSERT_TRUE(chunker.next(buffer));
  EXPECT_EQ(buffer.chunk().text, "a\nb\n");
  EXPECT_THROW(chunker.next(buffer), std::runtime_error);
}

}  // namespace
}  // namespace linsep
