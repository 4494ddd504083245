#include "format/load.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "core/random.h"
#include "data/memory_source.h"
#include "format/text/drawn_text.h"
#include "format/text/test_input.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "os/memory.h"

namespace linsep {
namespace {

using test::gzipped;
using test::PlainRows;
using test::rows_of;
using test::StandardInput;
using test::TempFile;
using test::zstd_packed;

/// Some hundred rows with comments and blank lines between them.
std::string some_text(int rows = 400) {
  Random random(7);
  std::string text = "# made for a test\n";
  for (int i = 0; i < rows; ++i) {
    text += random.below(2) == 0 ? "1" : "-1";
    std::uint64_t index = 0;
    for (std::uint64_t k = random.below(30); k > 0; --k) {
      index += 1 + random.below(50);
      text += test::joined(" ", std::to_string(index), ":", test::drawn_value(random, test::Oddity::kPlain));
    }
    text += random.below(10) == 0 ? " # c\n\n" : "\n";
  }
  return text;
}

Stations with_chunks(std::size_t bytes) {
  Stations stations;
  stations.chunk_bytes = bytes;
  return stations;
}

ReadOptions with_threads(int threads) {
  ReadOptions options;
  options.threads = threads;
  return options;
}

std::string error_of(const std::string& path, const ReadOptions& options, std::size_t chunk_bytes, bool streaming) {
  try {
    const auto stations = with_chunks(chunk_bytes);
    const auto source = streaming ? open_stream_with(path, options, stations) : load_with(path, options, stations);
    rows_of(*source);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Load, RowsDependNeitherOnThreadsNorOnChunksNorOnCompression) {
  const std::string text = some_text();
  const TempFile plain(text);
  const PlainRows expected = rows_of(*load(plain.path(), with_threads(1)));
  ASSERT_EQ(expected.size(), 400U);
  const TempFile gzip(gzipped(text), ".svm.gz");
  const TempFile zstd(zstd_packed(text), ".svm.zst");
  for (const int threads : {1, 2, 4}) {
    for (const std::size_t bytes : {1, 50, 1000, 100000}) {
      for (const TempFile* file : {&plain, &gzip, &zstd}) {
        EXPECT_EQ(rows_of(*load_with(file->path(), with_threads(threads), with_chunks(bytes))), expected);
        const auto stream = open_stream_with(file->path(), with_threads(threads), with_chunks(bytes));
        EXPECT_EQ(rows_of(*stream), expected);
        EXPECT_EQ(rows_of(*stream), expected) << "in the second pass";
      }
    }
  }
}

TEST(Load, PagesAreTheSameForAnyNumberOfThreads) {
  const TempFile file(some_text());
  const auto one = load_with(file.path(), with_threads(1), with_chunks(1000));
  const auto four = load_with(file.path(), with_threads(4), with_chunks(1000));
  const auto& a = dynamic_cast<MemorySource&>(*one).pages();
  const auto& b = dynamic_cast<MemorySource&>(*four).pages();
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GT(a.size(), 10U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].batch.first_row, b[i].batch.first_row);
    EXPECT_EQ(a[i].first_byte, b[i].first_byte);
    EXPECT_EQ(a[i].bytes, b[i].bytes);
    EXPECT_EQ(a[i].first_line, b[i].first_line);
  }
}

TEST(Load, TheFirstBadByteWinsWhateverTheThreads) {
  std::string text = some_text();
  std::size_t at = text.size() / 2;
  at = text.find('\n', at) + 1;
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  text.insert(at, "1 7:x\n1 1:1 1:1\n");
  text += "1 0:1\n";
  for (const std::string& bytes : {text, gzipped(text), zstd_packed(text)}) {
    const TempFile file(bytes);
    const std::string expected =
        test::joined(file.path(), ":", std::to_string(line), ":5: expected a number, found 'x'");
    for (const int threads : {1, 2, 4}) {
      for (const std::size_t chunk_bytes : {10, 100, 3000, 1000000}) {
        EXPECT_EQ(error_of(file.path(), with_threads(threads), chunk_bytes, false), expected);
        EXPECT_EQ(error_of(file.path(), with_threads(threads), chunk_bytes, true), expected);
      }
    }
  }
}

TEST(Load, RowsBeforeDamagedBytesAreReadFirst) {
  const std::string good = gzipped(some_text());
  const TempFile damaged(good.substr(0, good.size() - 3));
  EXPECT_NE(error_of(damaged.path(), {}, 100, true).find("ends too early"), std::string::npos);
  const std::string bad = gzipped("1 1:1\n1 x\n");
  const TempFile both(bad.substr(0, bad.size() - 3));
  EXPECT_NE(error_of(both.path(), {}, 100, false).find(":2:3: expected an index"), std::string::npos);
}

TEST(Load, StandardInputIsReadOnce) {
  const std::string text = some_text(100);
  const TempFile file(text);
  const PlainRows expected = rows_of(*load(file.path(), {}));
  for (const std::string& bytes : {text, gzipped(text), zstd_packed(text)}) {
    for (const int threads : {1, 3}) {
      {
        const StandardInput input(bytes);
        const auto loaded = load("-", with_threads(threads));
        EXPECT_EQ(rows_of(*loaded), expected);
        EXPECT_EQ(rows_of(*loaded), expected);
        const std::int64_t row = 0;
        EXPECT_THROW(loaded->written({&row, 1}), Error);
      }
      const StandardInput input(bytes);
      const auto stream = open_stream("-", with_threads(threads));
      EXPECT_EQ(rows_of(*stream), expected);
      try {
        stream->rewind(1);
        FAIL();
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::kUsage);
        EXPECT_STREQ(error.what(), "standard input can be read only once: give a file");
      }
    }
  }
}

TEST(Load, AStreamLeftInTheMidstOfAPassIsBegunAnew) {
  const TempFile file(some_text());
  const auto stream = open_stream_with(file.path(), with_threads(3), with_chunks(200));
  const PlainRows expected = rows_of(*stream);
  stream->rewind(1);
  ASSERT_TRUE(stream->next().has_value());
  EXPECT_EQ(rows_of(*stream), expected);
}

TEST(Load, AnyRowCanBeReadAgainAsItWasWritten) {
  const std::string text = some_text();
  for (const std::string& bytes : {text, gzipped(text), zstd_packed(text)}) {
    const TempFile file(bytes);
    for (const bool streaming : {false, true}) {
      const auto source = streaming ? open_stream_with(file.path(), {}, with_chunks(500))
                                    : load_with(file.path(), {}, with_chunks(500));
      const PlainRows rows = rows_of(*source);
      const std::vector<std::int64_t> wanted{0, 1, 2, 57, 200, 201, 398, 399};
      const auto written = source->written(wanted);
      ASSERT_EQ(written.size(), wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& row = rows.at(static_cast<std::size_t>(wanted[i]));
        EXPECT_EQ(written[i].row, wanted[i]);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(std::stod(written[i].label)), row.label);
        ASSERT_EQ(written[i].values.size(), row.column.size());
        for (std::size_t k = 0; k < row.column.size(); ++k) {
          EXPECT_EQ(written[i].values[k].column, row.column[k]);
          const double value = std::stof(written[i].values[k].decimal);
          EXPECT_EQ(std::bit_cast<std::uint64_t>(value), row.value[k]);
        }
      }
      EXPECT_THROW(source->written(std::vector<std::int64_t>{400}), Error);
      EXPECT_EQ(rows_of(*source), rows) << "after reading again";
    }
  }
}

TEST(Load, AFileThatHasChangedIsNotReadAgain) {
  const TempFile file(some_text());
  const auto source = load(file.path(), {});
  file.write(some_text(300));
  EXPECT_THROW(source->written(std::vector<std::int64_t>{5}), Error);
}

TEST(Load, ShapeCountsRowsFeaturesAndNonzeros) {
  const TempFile file("1 3:1 9:2\n-1 2:5\n");
  ReadOptions options;
  const auto source = load(file.path(), options);
  EXPECT_EQ(source->shape().rows, 2);
  EXPECT_EQ(source->shape().features, 9U);
  EXPECT_EQ(source->shape().nonzeros, 3);
  options.features = 20;
  EXPECT_EQ(load(file.path(), options)->shape().features, 20U);
  const auto stream = open_stream(file.path(), options);
  EXPECT_EQ(stream->shape().rows, -1);
  EXPECT_EQ(stream->shape().features, 20U);
  EXPECT_EQ(stream->next()->features, 20U);
}

TEST(Load, TheObserverSeesRowsSoFar) {
  const TempFile file(some_text());
  std::vector<std::int64_t> rows;
  load_with(file.path(), with_threads(2), with_chunks(1000), [&](const Progress& p) { rows.push_back(p.rows); });
  EXPECT_GT(rows.size(), 10U);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(rows.back(), 400);
}

TEST(Load, AnObserverThatThrowsEndsTheReading) {
  const TempFile file(some_text());
  EXPECT_THROW(load_with(file.path(), with_threads(4), with_chunks(100),
                         [](const Progress& p) {
                           if (p.rows > 50) throw std::runtime_error("enough");
                         }),
               std::runtime_error);
}

TEST(Load, AnInterruptEndsTheReading) {
  const TempFile file("1 1:1\n-1 1:2\n");
  std::atomic<bool> stop = false;
  ReadOptions options;
  options.interrupt = &stop;
  EXPECT_EQ(load(file.path(), options)->shape().rows, 2);
  stop = true;
  const std::string pages = file.path() + ".lsp";
  for (const bool converting : {false, true}) {
    try {
      if (converting) {
        convert(file.path(), pages, options);
      } else {
        load(file.path(), options);
      }
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::kInterrupted);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(pages)) << "a page file appears whole or not at all";
}

TEST(Load, ForAModelTakesItsClassesAndFeatures) {
  Model model;
  model.features = 5;
  model.schema = {{"ham", "spam"}, {"a", "b"}};
  ReadOptions base;
  base.threads = 3;
  const ReadOptions options = read_options_for(model, base);
  EXPECT_EQ(options.features, 5U);
  EXPECT_EQ(options.classes, model.schema.classes);
  EXPECT_EQ(options.feature_names, model.schema.feature_names);
  EXPECT_EQ(options.threads, 3);
  EXPECT_FALSE(options.many_classes);
  const TempFile file("a,c,label\n1,2,ham\n2,3,spam\n", ".csv");
  const auto source = load(file.path(), {});
  EXPECT_THROW(check_feature_names(model, *source, file.path()), Error);
  model.schema.feature_names = {"a", "c"};
  EXPECT_NO_THROW(check_feature_names(model, *source, file.path()));
}

TEST(Load, TheFormatIsFoundByNameOrByTheFirstLine) {
  using Format = ReadOptions::Format;
  EXPECT_EQ(guess_format("a.csv", "1 1:2\n"), Format::kCsv);
  EXPECT_EQ(guess_format("a.CSV.gz", ""), Format::kCsv);
  EXPECT_EQ(guess_format("a.tsv.zst", ""), Format::kTsv);
  EXPECT_EQ(guess_format("a.svm", "1,2\n"), Format::kSvmlight);
  EXPECT_EQ(guess_format("a", "# c, d\n\n1 1:2 3:4\n"), Format::kSvmlight);
  EXPECT_EQ(guess_format("a", "spam qid:1 1:2\n"), Format::kSvmlight);
  EXPECT_EQ(guess_format("a", "1:2 3:4\n"), Format::kSvmlight);
  EXPECT_EQ(guess_format("a", "width,height,label\n1,2,x\n"), Format::kCsv);
  EXPECT_EQ(guess_format("a", "12:30,5,x\n"), Format::kCsv);
  EXPECT_EQ(guess_format("a", "a\tb\n"), Format::kTsv);
  EXPECT_EQ(guess_format("a", ""), Format::kSvmlight);
  const TempFile csv("1,2,yes\n3,4,no\n", "");
  EXPECT_EQ(rows_of(*load(csv.path(), {})).size(), 2U);
}

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
  MemoryGuard guard(text, "rows.svm", [&] { return MemoryLeft{left, MemoryLeft::By::kContainer}; }, 4 * kMega);
  try {
    for (int k = 0; k < pages; ++k) guard.take(one.page);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kSystem);
    return error.spelled("--", "");
  }
  return "";
}

TEST(MemoryGuard, RowsThatFitAreTaken) {
  EXPECT_EQ(refusal(1000 * kMega, 1000 * kMega, 100), "");
  EXPECT_EQ(refusal(1000 * kMega, 900 * kMega, 100), "") << "the rows to come might take less";
  EXPECT_EQ(refusal(std::nullopt, 100 * kMega, 100), "") << "nobody knows how many there are";
  EXPECT_EQ(refusal(100 * kMega, 80 * kMega, 60), "");
}

TEST(MemoryGuard, RowsThatCannotFitAreRefusedAtTheFirstLook) {
  EXPECT_EQ(refusal(1000 * kMega, 700 * kMega, 3), "") << "not looked yet";
  const std::string said = refusal(1000 * kMega, 700 * kMega, 4);
  const std::string begin =
      "rows.svm: its rows need about 996M more memory, but the container's limit leaves 700M: --memory ";
  ASSERT_EQ(said.substr(0, begin.size()), begin);
  const auto advised = std::stoull(said.substr(begin.size())) * kMega;
  EXPECT_GE(advised, 512 * kMega);
  EXPECT_LT(advised, 700 * kMega + resident_bytes()) << "the advice fits";
  EXPECT_NE(said.find("M, for instance, keeps rows on disk; `linsep convert` writes a page file for all runs; `linsep "
                      "train --online` reads the rows only once"),
            std::string::npos);
}

TEST(MemoryGuard, AnInputOfUnknownLengthIsRefusedWhenNothingIsLeft) {
  EXPECT_NE(refusal(std::nullopt, 40 * kMega, 8).find("its rows have taken 4M of memory so far"), std::string::npos);
}

}  // namespace
}  // namespace linsep
