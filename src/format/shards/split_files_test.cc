#include "format/shards/split_files.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace linsep {
namespace {

constexpr std::uint64_t kEnd = TextRange::kEndOfFile;
using Parts = std::vector<std::vector<FilePart>>;

TEST(SplitFiles, CutsBytesEvenly) {
  const std::vector<SizedFile> one{{100, false}};
  EXPECT_EQ(split_files(one, 1), (Parts{{{0, {0, kEnd}}}}));
  EXPECT_EQ(split_files(one, 2), (Parts{{{0, {0, 50}}}, {{0, {50, kEnd}}}}));
  const std::vector<SizedFile> two{{10, false}, {30, false}};
  EXPECT_EQ(split_files(two, 2), (Parts{{{0, {0, kEnd}}, {1, {0, 10}}}, {{1, {10, kEnd}}}}));
}

TEST(SplitFiles, LeavesWholeFilesWholeAndGivesEveryWorkerOne) {
  const std::vector<SizedFile> files{{1, true}, {1, true}, {1, true}, {97, true}};
  EXPECT_EQ(split_files(files, 2), (Parts{{{0, {0, kEnd}}, {1, {0, kEnd}}, {2, {0, kEnd}}}, {{3, {0, kEnd}}}}));
  const Parts four = split_files(files, 4);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(four[k], (std::vector<FilePart>{{k, {0, kEnd}}}));
  const std::vector<SizedFile> large_first{{97, true}, {1, true}, {1, true}};
  const Parts three = split_files(large_first, 3);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(three[k], (std::vector<FilePart>{{k, {0, kEnd}}}));
}

TEST(SplitFiles, SharesEveryByteOutOnceAndInOrder) {
  Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<SizedFile> files(1 + random.below(5));
    for (SizedFile& file : files) file = {random.below(20), random.below(3) == 0};
    const Parts parts = split_files(files, static_cast<int>(1 + random.below(8)));
    std::size_t file = 0;
    std::uint64_t byte = 0;
    for (const auto& worker : parts) {
      ASSERT_FALSE(worker.empty());
      for (const FilePart& part : worker) {
        if (part.range.empty()) continue;
        if (part.file != file) {
          ASSERT_EQ(part.file, file + 1);
          ASSERT_EQ(byte, kEnd);
          ++file;
          byte = 0;
        }
        ASSERT_EQ(part.range.first_byte, byte);
        byte = part.range.end_byte;
        ASSERT_TRUE(!files[file].whole || part.range.whole());
      }
    }
    ASSERT_EQ(file, files.size() - 1);
    ASSERT_EQ(byte, kEnd);
  }
}

}  // namespace
}  // namespace linsep
