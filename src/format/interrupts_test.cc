// Reading can be interrupted at any point, because each loop over untrusted input polls.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/zip.h"
#include "core/deadline.h"
#include "format/arrays/array_file.h"
#include "format/arrays/testing.h"
#include "format/csv/columns.h"
#include "format/csv/csv.h"
#include "format/csv/fields.h"
#include "format/svmlight/svmlight.h"
#include "format/text/test_input.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/table/fit.h"
#include "table/terms.h"

namespace linsep {
namespace {

/// Whether work stops if it is interrupted before it begins.
bool is_left(const std::function<void()>& work) {
  const std::atomic<bool> interrupt = true;
  try {
    interruptible(&interrupt, work);
  } catch (const Error& error) {
    return error.kind() == Error::Kind::kInterrupted;
  }
  return false;
}

/// `first`, followed by `part` this many times.
std::string repeated(std::string first, std::string_view part, std::size_t times = 200'000) {
  for (std::size_t i = 0; i < times; ++i) first += part;
  return first;
}

TEST(Interrupts, LeaveARowOfAnyLength) {
  std::string entries = "1";
  for (int i = 1; i < 100'000; ++i) entries += fmt::format(" {}:1", i);
  for (const std::string_view version : svmlight_versions()) {
    use_svmlight_version(version);
    const TextFormat format = svmlight_format("", {}, 1 << 20);
    EXPECT_TRUE(is_left([&] { test::parsed(format, entries); })) << version;
  }
  use_svmlight_version("");

  ReadOptions plain;
  plain.header = false;
  plain.format = ReadOptions::Format::kCsv;
  const std::string numbers = repeated("1", ",2.5"), words = repeated("1", ",1e1");
  for (const std::string& row : {numbers, words}) {
    const TextFormat format = csv_format(row, plain);
    EXPECT_TRUE(is_left([&] { test::parsed(format, row); }));
  }
}

TEST(Interrupts, LeaveAHeaderOfAnyLength) {
  ReadOptions options;
  options.format = ReadOptions::Format::kCsv;
  std::string header = "label";
  for (int i = 0; i < 50'000; ++i) header += fmt::format(",x{}", i);
  EXPECT_TRUE(is_left([&] { csv_format(header + "\n", options); }));
  const std::vector<std::string> same(50'000, "x");
  std::vector<std::string> repeats;
  EXPECT_TRUE(is_left([&] { csv::unique_names(same, repeats); }));
}

TEST(Interrupts, LeaveTheSearchForWholeRows) {
  const std::string quoted = repeated("", "\"a\",");
  EXPECT_TRUE(is_left([&] { csv::whole_rows({','}, quoted); }));
}

TEST(Interrupts, LeaveChecksumsAndArrays) {
  const std::string array = test::npy("|u1", "(1000, 1000)", std::string(1'000'000, '\1'));
  const std::string archive = test::npz({{"X", array}});
  EXPECT_EQ(parse_npz(archive, "X").bytes.size(), 1'000'000U);
  EXPECT_TRUE(is_left([&] { parse_npz(archive, "X"); }));
  const std::vector<float> values(1'000'000, 1);
  Batch rows;
  rows.rows = 1000;
  rows.features = 1000;
  rows.stride = 1000;
  rows.dense = true;
  rows.value32 = values;
  for (const int threads : {1, 3}) EXPECT_TRUE(is_left([&] { check_rows(rows, {}, threads); }));
}

TEST(Interrupts, LeaveTextOfAnyLength) {
  const std::string ascii = repeated("", "word "), other = repeated("", "wörd ");
  for (const std::string& text : {ascii, other}) {
    for (const bool characters : {false, true}) {
      TermReader reader(characters ? TermRange{} : TermRange{1, 3}, characters ? TermRange{3, 5} : TermRange{});
      EXPECT_TRUE(is_left([&] { reader.read(text); })) << characters;
    }
  }
}

/// Reads a table to the end of the file, and interrupts what happens after that.
TEST(Interrupts, LeaveAVocabularyThatIsPutInOrder) {
  std::string text = "word,label\n";
  for (int i = 0; i < 50'000; ++i) text += fmt::format("w{},{}\n", (i * 7919) % 50'000, i % 2);
  const test::TempFile file(text);
  std::atomic<bool> interrupt = false;
  ReadOptions options;
  options.format = ReadOptions::Format::kCsv;
  options.interrupt = &interrupt;
  TableSpec spec;
  spec.category = {"word"};
  const std::string path = file.path();
  const auto fit = [&](std::int64_t rows) {
    interrupt = false;
    fit_table(std::span(&path, 1), options, spec, *solo(), [&](const Progress& progress) {
      if (progress.rows >= rows) interrupt = true;
    });
  };
  EXPECT_NO_THROW(fit(60'000));
  try {
    fit(50'000);  // the last row has been read
    FAIL() << "nothing looked at the interrupt afterwards";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInterrupted);
  }
}

}  // namespace
}  // namespace linsep
