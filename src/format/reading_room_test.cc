// Rows that can't be held are refused while they are read, and only they.
#include "format/reading_room.h"

#include <gtest/gtest.h>

#include "linsep/error.h"

namespace linsep {
namespace {

constexpr std::uint64_t kMega = std::uint64_t{1} << 20;

/// A page of `text` bytes of text that takes `text` bytes of memory.
struct Piecemeal {
  explicit Piecemeal(std::uint64_t text) : value(text / sizeof(float)) {
    page.batch.value32 = value;
    page.bytes = text;
  }
  std::vector<float> value;
  Page page;
};

std::string refusal(std::optional<std::uint64_t> text, std::uint64_t left, int pages) {
  const Piecemeal one(kMega);
  ReadingRoom room(text, "rows.svm", [&] { return MemoryLeft{left, MemoryLeft::By::kContainer}; }, 4 * kMega);
  try {
    for (int k = 0; k < pages; ++k) room.take(one.page);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    return error.spelled("--", "");
  }
  return "";
}

TEST(ReadingRoom, RowsThatFitAreTaken) {
  EXPECT_EQ(refusal(1000 * kMega, 1000 * kMega, 100), "");
  EXPECT_EQ(refusal(1000 * kMega, 900 * kMega, 100), "") << "the rows to come might take less";
  EXPECT_EQ(refusal(std::nullopt, 100 * kMega, 100), "") << "nobody knows how many there are";
  EXPECT_EQ(refusal(100 * kMega, 80 * kMega, 60), "");
}

TEST(ReadingRoom, RowsThatCannotFitAreRefusedAtTheFirstLook) {
  EXPECT_EQ(refusal(1000 * kMega, 700 * kMega, 3), "") << "not looked yet";
  EXPECT_EQ(refusal(1000 * kMega, 700 * kMega, 4),
            "rows.svm: its rows need about 996M of memory more, and the container's limit leaves 700M: --memory 1G, "
            "say, keeps rows on disk; `linsep convert` makes pages of them once for all runs; `linsep train --online` "
            "goes through them once");
}

TEST(ReadingRoom, AnInputOfUnknownLengthIsRefusedWhenNothingIsLeft) {
  EXPECT_NE(refusal(std::nullopt, 40 * kMega, 8).find("its rows have taken 4M of memory so far"), std::string::npos);
}

}  // namespace
}  // namespace linsep
