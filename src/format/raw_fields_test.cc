// Fields stay in step with the batches of a stream, whatever is left out of them.
#include <gtest/gtest.h>

#include "format/text/test_input.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/tools/fields.h"

namespace linsep {
namespace {

using test::TempFile;

using Words = std::vector<std::string>;

/// All fields of a pass.
Words fields_of(Source& source, const Words& columns) {
  Words all;
  source.rewind(0);
  while (const auto batch = source.next()) {
    const Words fields = fields_of_batch(source, columns);
    EXPECT_EQ(fields.size(), static_cast<std::size_t>(batch->rows) * columns.size());
    all.insert(all.end(), fields.begin(), fields.end());
  }
  return all;
}

ReadOptions csv_options() {
  ReadOptions options;
  options.format = ReadOptions::Format::kCsv;
  options.classes = {"n", "y"};
  options.id = "who";
  return options;
}

TEST(RawFields, AreThoseOfTheRowsHandedOut) {
  std::string text = "who,x,class\n";
  Words expected;
  for (int i = 0; i < 60000; ++i) {
    const std::string name = i % 7 == 0 ? "a \"" + std::to_string(i) + "\",\n b" : " " + std::to_string(i) + " ";
    text += (i % 7 == 0 ? "\"a \"\"" + std::to_string(i) + "\"\",\n b\"" : name) + "," + std::to_string(i) + ",y\n";
    expected.push_back(i % 7 == 0 ? name : std::to_string(i));
    expected.push_back(std::to_string(i));
  }
  const TempFile file(text);
  const Words columns = {"who", "2"};
  for (const int threads : {1, 3}) {
    ReadOptions options = csv_options();
    options.threads = threads;
    const auto source = open_stream(file.path(), options);
    EXPECT_EQ(field_names(*source, columns), (Words{"who", "x"}));
    EXPECT_EQ(fields_of(*source, columns), expected);
    EXPECT_EQ(fields_of(*source, columns), expected) << "in every pass";
  }
}

TEST(RawFields, OfRowsLeftOutAreLeftOut) {
  const TempFile file("who,x,class\na,1,y\n\nb,2,\nc,3,n\nd,4,NA\n");
  ReadOptions options = csv_options();
  options.drop_missing_labels = true;
  const auto source = open_stream(file.path(), options);
  EXPECT_EQ(fields_of(*source, Words{"who"}), (Words{"a", "c"}));
}

TEST(RawFields, WithoutAHeaderAreCalledByNumber) {
  const TempFile file("a,1,y\nb,2,n\n");
  ReadOptions options = csv_options();
  options.id = "1";
  options.header = false;
  const auto source = open_stream(file.path(), options);
  EXPECT_EQ(field_names(*source, Words{"1"}), Words{"column 1"});
  EXPECT_THROW(field_names(*source, Words{"4"}), Error);
}

TEST(RawFields, NeedAText) {
  const TempFile file("1 1:2\n");
  const auto stream = open_stream(file.path(), {});
  EXPECT_THROW(field_names(*stream, Words{"1"}), Error);
  const auto loaded = load(file.path(), {});
  EXPECT_THROW(field_names(*loaded, Words{"1"}), Error);
}

}  // namespace
}  // namespace linsep
