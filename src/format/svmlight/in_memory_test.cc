#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "format/text/test_input.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

using test::TempFile;

const char* const kText = "# rows\n+1 1:0.5 3:-2\n\n-1 2:1e-3 # a comment\n+1 1:0.1";

/// Everything that a source returns, as text.
std::string told(Source& source) {
  std::string text;
  for (const std::string& name : source.schema().classes) text += name + ";";
  text += std::to_string(source.shape().rows) + "×" + std::to_string(source.shape().features) + "\n";
  source.rewind(0);
  while (const auto batch = source.next()) {
    for_each_row(*batch, [&](const auto& row, std::int64_t i) {
      text += std::to_string(batch->number_of(i)) + " " + std::to_string(batch->label_of(i));
      for_each_entry(row, [&](std::uint32_t column, double value) {
        text += " " + std::to_string(column) + ":" + std::to_string(std::bit_cast<std::uint64_t>(value));
      });
      text += "\n";
    });
  }
  const std::vector<std::int64_t> some = {0, 2};
  for (const WrittenRow& row : source.written(some)) {
    text += std::to_string(row.row) + row.label;
    for (const WrittenValue& value : row.values) text += " " + std::to_string(value.column) + ":" + value.decimal;
    text += " in line " + std::to_string(source.place_of(row.row).line) + "\n";
  }
  return text;
}

TEST(LoadText, IsWhatAFileWithThatTextIs) {
  const TempFile file(kText);
  for (const bool exact : {false, true}) {
    ReadOptions options;
    options.double_values = options.exact_values = exact;
    EXPECT_EQ(told(*load_text(kText, "data.svm", options)), told(*load(file.path(), options)));
  }
}

TEST(LoadText, NamesTheLineOfWhatItRefuses) {
  const auto message = [](const char* text) -> std::string {
    try {
      load_text(text, "data.svm", {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("+1 1:1\n-1 1:x\n"), "data.svm:2:6: expected a number, found 'x'");
  EXPECT_EQ(message("# nothing\n"), "data.svm: there are no rows");
  EXPECT_TRUE(message("a 1:1\nb 1:1\n\nc 1:1\n").starts_with("data.svm:4: ")) << message("a 1:1\nb 1:1\n\nc 1:1\n");
}

TEST(LoadText, KeepsNumbersToBePredicted) {
  ReadOptions options;
  options.regression = true;
  const auto source = load_text("2.5 1:1\n-1 1:2\n", "data.svm", options);
  source->rewind(0);
  const auto batch = source->next();
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->label[0], 2.5);
  EXPECT_TRUE(source->schema().classes.empty());
}

}  // namespace
}  // namespace linsep
