// Tests which class is positive, by the results of `load` and `open_stream` for small files.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/random.h"
#include "format/labels/labels.h"
#include "format/text/test_input.h"
#include "linsep/arrays.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

using Names = std::vector<std::string>;

struct Resolved {
  Names classes;
  std::vector<double> labels;
  std::string error;
};

Resolved resolve(Source& source) {
  Resolved resolved;
  source.rewind(0);
  while (const auto batch = source.next()) {
    resolved.labels.insert(resolved.labels.end(), batch->label.begin(), batch->label.end());
  }
  resolved.classes = source.schema().classes;
  return resolved;
}

/// A file with a row for each of these labels.
Resolved resolve(const Names& labels, const ReadOptions& options = {}, bool streaming = false) {
  std::string text;
  for (const std::string& label : labels) text.append(label).append(" 1:1\n");
  const test::TempFile file(text);
  try {
    return resolve(streaming ? *open_stream(file.path(), options) : *load(file.path(), options));
  } catch (const Error& error) {
    Resolved resolved;
    resolved.error = error.what();
    if (error.kind() != Error::Kind::kUsage) resolved.error.erase(0, file.path().size());
    return resolved;
  }
}

Resolved resolve_stream(const Names& labels, const ReadOptions& options = {}) { return resolve(labels, options, true); }

ReadOptions with_positive(const std::string& positive, Names classes = {}) {
  ReadOptions options;
  options.positive = positive;
  options.classes = std::move(classes);
  return options;
}

using Labels = std::vector<double>;

TEST(Labels, TheGreaterNumberIsPositive) {
  EXPECT_EQ(resolve({"+1", "-1"}).classes, (Names{"-1", "1"}));
  EXPECT_EQ(resolve({"+1", "-1"}).labels, (Labels{1, -1}));
  EXPECT_EQ(resolve({"0", "1", "0"}).classes, (Names{"0", "1"}));
  EXPECT_EQ(resolve({"0", "1", "0"}).labels, (Labels{-1, 1, -1}));
  EXPECT_EQ(resolve({"10", "9", "1e1"}).classes, (Names{"9", "10"}));
  EXPECT_EQ(resolve({"10", "9", "1e1"}).labels, (Labels{1, -1, 1}));
  EXPECT_EQ(resolve({"0.50", "-2.5"}).classes, (Names{"-2.5", "0.5"}));
}

TEST(Labels, IntegersThatDoublesMergeAreClassesOfTheirOwn) {
  EXPECT_EQ(resolve({"9007199254740993", "9007199254740992"}).classes, (Names{"9007199254740992", "9007199254740993"}));
  EXPECT_EQ(resolve({"9007199254740993", "9007199254740992"}).labels, (Labels{1, -1}));
  EXPECT_EQ(resolve({"+9007199254740993.0", "9.007199254740993E15", "09007199254740993", "9007199254740992.0"}).labels,
            (Labels{1, 1, 1, -1}));
  EXPECT_EQ(resolve({"-9007199254740992", "-9007199254740993"}).labels, (Labels{1, -1}));
  EXPECT_EQ(resolve({"18446744073709551617", "-1", "18446744073709551617"}).classes,
            (Names{"-1", "18446744073709551617"}));
  ReadOptions many;
  many.many_classes = true;
  EXPECT_EQ(resolve({"9007199254740993", "7", "9007199254740992", "7", "9007199254740994"}, many).classes,
            (Names{"7", "9007199254740992", "9007199254740993", "9007199254740994"}));
  EXPECT_EQ(resolve({"9007199254740993", "9007199254740992"}, with_positive("9007199254740992")).labels,
            (Labels{-1, 1}));
}

TEST(Labels, TheNameOfANumberIsItsShortestDecimalUnlessItIsAnother) {
  for (const auto& [written, name] :
       std::vector<std::pair<std::string, std::string>>{{"+1.0", "1"},
                                                        {"-0", "0"},
                                                        {"0.10000000000000001", "0.1"},
                                                        {"9007199254740991.0", "9007199254740991"},
                                                        {"10000000000000000000000", "1e+22"},
                                                        {"1e22", "1e+22"},
                                                        {"10000000000000000000001", "10000000000000000000001"},
                                                        {"9007199254740992.50", "9007199254740992.5"},
                                                        {"-90071992547409930e-1", "-9007199254740993"},
                                                        {"ham", "ham"}}) {
    EXPECT_EQ(class_name(written), name) << written;
    EXPECT_EQ(class_name(name), name) << written;
  }
}

TEST(Labels, TheLaterWordIsPositive) {
  EXPECT_EQ(resolve({"spam", "ham", "ham"}).classes, (Names{"ham", "spam"}));
  EXPECT_EQ(resolve({"spam", "ham", "ham"}).labels, (Labels{1, -1, -1}));
  EXPECT_EQ(resolve({"1", "yes", "+1"}).labels, (Labels{-1, 1, -1}));
  EXPECT_EQ(resolve({"yes", "1", "+1"}).classes, (Names{"1", "yes"}));
}

TEST(Labels, ThePositiveClassCanBeChosen) {
  EXPECT_EQ(resolve({"spam", "ham"}, with_positive("ham")).classes, (Names{"spam", "ham"}));
  EXPECT_EQ(resolve({"spam", "ham"}, with_positive("ham")).labels, (Labels{-1, 1}));
  EXPECT_EQ(resolve({"1", "-1"}, with_positive("-1.0")).labels, (Labels{-1, 1}));
  EXPECT_EQ(resolve({"spam", "ham"}, with_positive("eggs")).error,
            "there is no class 'eggs': the classes are 'ham' and 'spam'");
}

TEST(Labels, ClassesCanBeGiven) {
  EXPECT_EQ(resolve({"a", "b"}, with_positive("", {"b", "a"})).labels, (Labels{1, -1}));
  EXPECT_EQ(resolve({"a", "a"}, with_positive("", {"b", "a"})).classes, (Names{"b", "a"}));
  EXPECT_EQ(resolve({"a"}, with_positive("b", {"b", "a"})).classes, (Names{"a", "b"}));
  EXPECT_EQ(resolve({"+1", "2"}, with_positive("", {"2", "+1"})).labels, (Labels{1, -1}));
  EXPECT_EQ(resolve({"a", "b", "c"}, with_positive("", {"b", "a"})).error,
            ":3: expected the label 'b' or 'a', found 'c'");
  EXPECT_EQ(resolve({"a"}, with_positive("", {"a"})).error, "name two different classes, not 'a'");
  EXPECT_EQ(resolve({"a"}, with_positive("", {"1", "+1"})).error, "name two different classes, not '1', '+1'");
}

TEST(Labels, BooleansAreComparedAsSuch) {
  for (const Names& given : {Names{"False", "True"}, Names{"false", "True"}, Names{"FALSE", "TRUE"}}) {
    for (const bool streaming : {false, true}) {
      const Resolved got = resolve({"true", "False", "TRUE", "false"}, with_positive("", given), streaming);
      EXPECT_EQ(got.labels, (std::vector<double>{1, -1, 1, -1})) << got.error;
      EXPECT_EQ(got.classes, given);
    }
  }
  EXPECT_EQ(resolve({"true", "false"}, with_positive("", {"True", "False"})).labels, (std::vector<double>{-1, 1}));
  EXPECT_EQ(resolve({"True", "False"}, with_positive("false")).labels, (std::vector<double>{-1, 1}));
  EXPECT_EQ(resolve({"True", "False"}, with_positive("false")).classes, (Names{"True", "False"}));
}

TEST(Labels, WhereTheClassesAreOtherWordsBooleansAreWords) {
  const auto refused = [](const Names& labels, const Names& classes) {
    return resolve(labels, with_positive("", classes)).error;
  };
  EXPECT_EQ(refused({"yes", "true"}, {"yes", "True"}), ":2: expected the label 'yes' or 'True', found 'true'");
  EXPECT_EQ(refused({"TRUE"}, {"true", "True"}), ":1: expected the label 'true' or 'True', found 'TRUE'");
  EXPECT_EQ(refused({"tRUE"}, {"false", "true"}), ":1: expected the label 'false' or 'true', found 'tRUE'");
  EXPECT_EQ(refused({"1"}, {"false", "true"}), ":1: expected the label 'false' or 'true', found '1'");
  EXPECT_EQ(resolve({"True", "true"}).classes, (Names{"True", "true"}));
  ReadOptions many = with_positive("", {"False", "True", "maybe"});
  many.many_classes = true;
  EXPECT_EQ(resolve({"false"}, many).error, ":1: expected one of 3 classes from 'False' to 'maybe', found 'false'");
  ReadOptions exact = with_positive("", {"False", "True"});
  exact.exact_values = exact.double_values = true;  // a proof names classes the way they are written
  EXPECT_EQ(resolve({"false"}, exact).error, ":1: expected the label 'False' or 'True', found 'false'");
}

TEST(Labels, OneClassAloneIsEnoughForTheUsualNumbers) {
  EXPECT_EQ(resolve({"1", "+1"}).classes, (Names{"-1", "1"}));
  EXPECT_EQ(resolve({"1", "+1"}).labels, (Labels{1, 1}));
  EXPECT_EQ(resolve({"-1"}).classes, (Names{"-1", "1"}));
  EXPECT_EQ(resolve({"-1"}).labels, (Labels{-1}));
  EXPECT_EQ(resolve({"0"}).classes, (Names{"0", "1"}));
  EXPECT_EQ(resolve({"0"}).labels, (Labels{-1}));
  EXPECT_EQ(resolve({"ham"}, with_positive("spam")).labels, (Labels{-1}));
  EXPECT_EQ(resolve({"spam"}).error, ": expected two classes, found 'spam' in every row: name both classes");
  EXPECT_EQ(resolve({"2"}).error, ": expected two classes, found '2' in every row: name both classes");
}

TEST(Labels, AThirdClassIsAnErrorAtItsFirstRow) {
  EXPECT_EQ(resolve({"1", "# c\n\n2", "1", "3"}).error,
            ":6: expected two classes, found a third: '3' after '1' and '2'");
  EXPECT_EQ(resolve({"a", "b", "c"}).error, ":3: expected two classes, found a third: 'c' after 'a' and 'b'");
}

TEST(Labels, NoRowsAreAnError) { EXPECT_EQ(resolve(Names{}).error, ": there are no rows"); }

TEST(Labels, AStreamKnowsTheUsualNumbers) {
  EXPECT_EQ(resolve_stream({"+1", "-1"}).labels, (Labels{1, -1}));
  EXPECT_EQ(resolve_stream({"+1", "-1"}).classes, (Names{"-1", "1"}));
  EXPECT_EQ(resolve_stream({"1", "0"}).labels, (Labels{1, -1}));
  EXPECT_EQ(resolve_stream({"1", "0"}).classes, (Names{"0", "1"}));
  EXPECT_EQ(resolve_stream({"1", "0"}, with_positive("0")).labels, (Labels{-1, 1}));
  EXPECT_EQ(resolve_stream({"1", "-1"}, with_positive("-1")).classes, (Names{"1", "-1"}));
  EXPECT_EQ(
      resolve_stream({"-1", "0"}).error,
      ":2: expected the label '-1' or '1', found '0' (the rows are read only once: name both classes beforehand)");
  EXPECT_EQ(resolve_stream({"1", "spam"}).error,
            ":2: expected the label '-1' or '0' or '1', found 'spam' (the rows are read only once: name both classes "
            "beforehand)");
}

TEST(Labels, AStreamTakesOtherClassesWhenTheyAreGiven) {
  EXPECT_EQ(resolve_stream({"spam", "ham"}, with_positive("", {"ham", "spam"})).labels, (Labels{1, -1}));
  EXPECT_EQ(resolve_stream({"2", "1"}, with_positive("", {"1", "2"})).labels, (Labels{1, -1}));
  EXPECT_EQ(resolve_stream({"spam"}, with_positive("spam")).error,
            "the rows are read only once: name both classes, not only 'spam'");
}

TEST(Labels, ARegressionKeepsTheNumbers) {
  ReadOptions options;
  options.regression = true;
  EXPECT_EQ(resolve({"0.5", "-3", "1e3"}, options).labels, (Labels{0.5, -3, 1000}));
  EXPECT_EQ(resolve({"0.5", "9007199254740993"}, options).labels, (Labels{0.5, 9007199254740992}));
  EXPECT_EQ(resolve({"0.5"}, options).classes, Names{});
}

TEST(Labels, UnlabelledRowsHaveZeros) {
  ReadOptions options;
  options.labelled = false;
  EXPECT_EQ(resolve({"a", "b", "c"}, options).labels, (Labels{0, 0, 0}));
}

ReadOptions with_many(Names classes = {}) {
  ReadOptions options;
  options.many_classes = true;
  options.classes = std::move(classes);
  return options;
}

TEST(Labels, MoreThanTwoClassesAreNumberedInTheirOrder) {
  EXPECT_EQ(resolve({"10", "2", "-3", "1e1"}, with_many()).classes, (Names{"-3", "2", "10"}));
  EXPECT_EQ(resolve({"10", "2", "-3", "1e1"}, with_many()).labels, (Labels{2, 1, 0, 2}));
  EXPECT_EQ(resolve({"pear", "fig", "apple", "fig"}, with_many()).classes, (Names{"apple", "fig", "pear"}));
  EXPECT_EQ(resolve({"pear", "fig", "apple", "fig"}, with_many()).labels, (Labels{2, 1, 0, 1}));
  // A single word makes all of them words.
  EXPECT_EQ(resolve({"10", "9", "x"}, with_many()).classes, (Names{"10", "9", "x"}));
}

TEST(Labels, TwoClassesAreWhatTheyAreWhereMoreAreWelcome) {
  for (const Names& labels :
       {Names{"+1", "-1"}, Names{"0", "1", "0"}, Names{"ham", "spam"}, Names{"2", "1"}, Names{"1"}}) {
    EXPECT_EQ(resolve(labels, with_many()).classes, resolve(labels).classes);
    EXPECT_EQ(resolve(labels, with_many()).labels, resolve(labels).labels);
  }
}

TEST(Labels, ManyClassesCanBeGiven) {
  const ReadOptions given = with_many({"c", "a", "b"});
  for (const bool streaming : {false, true}) {
    EXPECT_EQ(resolve({"a", "b", "c"}, given, streaming).labels, (Labels{1, 2, 0}));
    EXPECT_EQ(resolve({"a", "b", "c"}, given, streaming).classes, (Names{"c", "a", "b"}));
    EXPECT_EQ(resolve({"a", "d"}, given, streaming).error, ":2: expected one of 3 classes from 'c' to 'b', found 'd'");
  }
  EXPECT_EQ(resolve({"a"}, with_many({"a", "b", "a"})).error, "name at least two different classes, not 'a', 'b', 'a'");
}

TEST(Labels, ClassesOfManyPagesAreOneList) {
  Names labels;
  for (int i = 0; i < 20000; ++i) labels.push_back("c" + std::to_string((i * 7) % 300));
  const Resolved resolved = resolve(labels, with_many());
  ASSERT_EQ(resolved.classes.size(), 300U);
  EXPECT_TRUE(std::ranges::is_sorted(resolved.classes));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ASSERT_EQ(resolved.classes[static_cast<std::size_t>(resolved.labels[i])], labels[i]);
  }
}

TEST(Labels, ManyClassesOfFewRowsLookLikeARegression) {
  Names labels;
  for (int i = 0; i < 62; ++i) labels.push_back(std::to_string(i % 21) + ".5");
  EXPECT_EQ(resolve(labels, with_many()).error,
            ": found 21 classes in 62 rows: if this isn't the label, name its column with --label; "
            "if it is a number to predict, use a regression");
  labels.push_back("0.5");
  EXPECT_EQ(resolve(labels, with_many()).classes.size(), 21U);
}

TEST(Labels, TooManyClassesLookLikeARegression) {
  Names labels;
  for (int i = 0; i <= 10000; ++i) labels.push_back(std::to_string(i));
  EXPECT_NE(resolve(labels, with_many()).error.find("name its column with --label"), std::string::npos);
}

// With label columns, a row's label is an index among the combinations.
struct Columns {
  Schema schema;
  Names rows;  // the combination of each row
  std::string error;
};

Columns resolve_columns(const std::string& text, const ReadOptions& given, bool streaming) {
  const test::TempFile file(text, ".csv");
  Columns found;
  try {
    const auto source = streaming ? open_stream(file.path(), given) : load(file.path(), given);
    source->rewind(0);
    while (const auto batch = source->next()) {
      for (const double label : batch->label) {
        found.rows.push_back(source->schema().combinations[static_cast<std::size_t>(label)]);
      }
    }
    found.schema = source->schema();
  } catch (const Error& error) {
    found.error = error.what();
  }
  return found;
}

TEST(LabelColumns, AreSettledEachByItself) {
  ReadOptions options;
  options.labels = {"rain", "wind"};
  const std::string text = "x,rain,wind\n1,yes,0\n2,no,1\n3,yes,0.0\n4,yes,1\n";
  const Columns found = resolve_columns(text, options, false);
  EXPECT_EQ(found.error, "");
  EXPECT_EQ(found.schema.classes, (Names{"no", "yes", "0", "1"}));
  EXPECT_EQ(found.schema.labels, (Names{"rain", "wind"}));
  EXPECT_EQ(found.schema.feature_names, (Names{"x"}));
  EXPECT_EQ(found.rows, (Names{"10", "01", "10", "11"}));
  options.classes = {"yes", "no", "0", "1"};
  for (const bool streaming : {false, true}) {
    EXPECT_EQ(resolve_columns(text, options, streaming).rows, (Names{"00", "11", "00", "01"}));
  }
}

TEST(LabelColumns, AThirdClassIsFoundInItsColumnAndLine) {
  ReadOptions options;
  options.labels = {"2", "3"};
  const Columns found = resolve_columns("1,a,0\n2,b,1\n3,b,0\n4,b,2\n", options, false);
  EXPECT_NE(found.error.find(":4: label column '3': expected two classes, found a third: '2'"), std::string::npos)
      << found.error;
}

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

/// A text that has some rows without a label, and the same text without those rows.
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
