// Pieces of Arrow's IPC format. That other programs can read them is tested in tests/arrow.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/utf8.h"
#include "linsep/tools/arrow_writer.h"

namespace linsep {
namespace {

const std::vector<ArrowField> kFields = {{"name"}, {"score", FieldType::kNumber}};

std::string batch_of(std::size_t rows) {
  std::vector<ArrowColumn> columns(2);
  columns[0].text.assign(rows, "abc");
  columns[1].number.assign(rows, 0.5);
  return arrow_batch(kFields, columns);
}

TEST(ArrowWriter, EveryPieceIsAMultipleOfEightBytes) {
  EXPECT_EQ(arrow_stream_begin(kFields).size() % 8, 0U);
  EXPECT_EQ(arrow_file_begin(kFields).size() % 8, 0U);
  for (std::size_t rows = 0; rows < 20; ++rows) EXPECT_EQ(batch_of(rows).size() % 8, 0U) << rows;
}

TEST(ArrowWriter, AFileBeginsAndEndsWithItsMark) {
  const std::vector<std::uint64_t> sizes = {batch_of(3).size(), batch_of(1).size()};
  EXPECT_TRUE(arrow_file_begin(kFields).starts_with("ARROW1"));
  EXPECT_TRUE(arrow_file_end(kFields, sizes).ends_with("ARROW1"));
  EXPECT_GT(arrow_file_end(kFields, sizes).size(), arrow_file_end(kFields, {}).size());
}

TEST(ArrowWriter, ReplacesBytesThatAreNoText) {
  EXPECT_EQ(valid_utf8("a\xff"
                       "b"),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(valid_utf8("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(valid_utf8("día 😀"), "día 😀");
}

}  // namespace
}  // namespace linsep
