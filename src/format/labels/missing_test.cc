// Rows without a label: refused with their place, or left out as if they weren't in the file.
#include "format/labels/missing.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "core/random.h"
#include "format/text/test_input.h"
#include "linsep/arrays.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

using test::TempFile;

ReadOptions dropping() {
  ReadOptions options;
  options.drop_missing_labels = true;
  return options;
}

TEST(MissingLabels, AreAFewWordsInAnyLetterCase) {
  for (const char* word : {"", "NA", "na", "Na", "N/A", "n/a", "NaN", "nan", "NULL", "Null", "?"}) {
    EXPECT_TRUE(looks_missing(word)) << word;
  }
  for (const char* word : {"0", "a", "n", "none", "nana", "??", "N", "nul", "null!", "N-A", " "}) {
    EXPECT_FALSE(looks_missing(word)) << word;
  }
}

TEST(MissingLabels, AClassThatIsNamedIsNone) {
  ReadOptions options;
  EXPECT_TRUE(MissingLabels(options).is_missing("NA"));
  options.classes = {"NA", "b"};
  EXPECT_FALSE(MissingLabels(options).is_missing("NA"));
  EXPECT_TRUE(MissingLabels(options).is_missing("na")) << "it was named in capitals";
  options.classes.clear();
  options.positive = "?";
  EXPECT_FALSE(MissingLabels(options).is_missing("?"));
  options.labelled = false;
  EXPECT_FALSE(MissingLabels(options).is_missing("NA")) << "labels aren't wanted";
}

/// A text of some rows without a label, and the same text without them.
struct Texts {
  std::string all, kept;
  std::int64_t dropped = 0;
};

Texts drawn_texts(std::uint64_t seed, bool csv) {
  Random random(seed);
  Texts texts;
  const char* const missing[] = {"NA", "?", "null", "NaN", "n/a"};
  const std::uint64_t rows = 1 + random.below(300);
  for (std::uint64_t i = 0; i < rows; ++i) {
    const bool keep = i == 0 || random.below(3) != 0;
    std::string label = keep ? (random.below(2) == 0 ? "a" : "b") : missing[random.below(5)];
    if (!keep && csv && random.below(2) == 0) label = "";
    const std::string x = std::to_string(random.below(100)), y = std::to_string(random.below(100));
    const std::string line = csv ? x + "," + label + "," + y + "\n" : label + " 1:" + x + " 3:" + y + "\n";
    texts.all += line;
    if (keep) texts.kept += line;
    if (!keep) ++texts.dropped;
  }
  return texts;
}

TEST(MissingLabels, RowsThatAreLeftAreThoseOfATextWithoutTheOthers) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const bool csv = seed % 2 == 0;
    const Texts texts = drawn_texts(seed, csv);
    const TempFile all(texts.all, csv ? ".csv" : ".svm"), kept(texts.kept, csv ? ".csv" : ".svm");
    ReadOptions options = dropping();
    options.many_classes = true;
    options.classes = {"a", "b"};
    if (csv) options.label = "2";
    const auto some = load(all.path(), options), whole = load(kept.path(), options);
    EXPECT_EQ(test::rows_of(*some), test::rows_of(*whole));
    EXPECT_EQ(some->schema().dropped, texts.dropped);
    EXPECT_EQ(whole->schema().dropped, 0);
    EXPECT_TRUE(some->schema().reading.drop_missing_labels);
    std::vector<std::int64_t> numbers;
    for (std::int64_t row = 0; row < whole->shape().rows; ++row) numbers.push_back(row);
    const auto ours = some->written(numbers), theirs = whole->written(numbers);
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_EQ(ours[i].label, theirs[i].label);
      EXPECT_EQ(ours[i].values.size(), theirs[i].values.size());
      EXPECT_EQ(ours[i].values[0].decimal, theirs[i].values[0].decimal);
    }
    const auto stream = open_stream(all.path(), options);
    EXPECT_EQ(test::rows_of(*stream), test::rows_of(*whole));
    EXPECT_EQ(stream->schema().dropped, texts.dropped);
  }
}

TEST(MissingLabels, AreCountedByTheWorkersWhoReadThem) {
  const Texts texts = drawn_texts(7, false);
  const TempFile all(texts.all), kept(texts.kept);
  const auto whole = load(kept.path(), {});
  const std::vector<std::string> paths{all.path()};
  for (const int workers : {2, 3, 5}) {
    run_threads(workers, [&](Comm& comm) {
      const auto shard = load(paths, dropping(), comm);
      EXPECT_EQ(all_reduce_sum(comm, shard->schema().dropped), texts.dropped);
      EXPECT_EQ(all_reduce_sum(comm, shard->shape().rows), whole->shape().rows);
    });
  }
}

TEST(MissingLabels, AreRefusedWithTheirPlace) {
  const TempFile file("a 1:1\nb 1:2\n  NA 1:3\n");
  try {
    load(file.path(), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInput);
    EXPECT_EQ(error.place().line, 3U);
    EXPECT_EQ(error.place().column, 3U);
    EXPECT_EQ(error.option(), "missing-label");
  }
}

TEST(MissingLabels, OfArraysAreRefusedAsWell) {
  const std::vector<double> x = {1, 2, 3};
  const std::vector<std::string> words = {"a", "NA", "b"};
  EXPECT_THROW(label_rows(dense_rows(x, 1), words), Error);
  const std::vector<double> numbers = {1, std::numeric_limits<double>::quiet_NaN(), 0};
  EXPECT_THROW(label_rows(dense_rows(x, 1), numbers), Error);
}

}  // namespace
}  // namespace linsep
