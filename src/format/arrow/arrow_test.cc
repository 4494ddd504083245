// Tables from Arrow, with every type and every careless form, and the same table as CSV.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <bit>
#include <functional>
#include <limits>

#include "core/random.h"
#include "format/arrow/batches.h"
#include "format/arrow/testing.h"
#include "format/arrow/value.h"
#include "format/text/test_input.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/table/arrow.h"

namespace linsep {
namespace {

using test::bits;
using test::bytes;
using test::MadeColumn;
using test::numbers;
using test::Released;
using test::rows_of;
using test::strings;
using test::views;

Released unwatched;

ArrowTable table_of(test::MadeBatches batches, std::int64_t offset = 0) {
  ArrowArrayStream stream = stream_of(std::move(batches), unwatched, offset);
  return ArrowTable(&stream);
}

/// The values of the only column in written form, with "null" for nulls.
std::vector<std::string> values_of(const MadeColumn& column, std::int64_t offset = 0) {
  const ArrowTable table = table_of({{column}}, offset);
  std::vector<std::string> out;
  for (const arrow::Slice& slice : arrow::slices_of(*table.batches(), 100)) {
    for (std::int64_t row = 0; row < slice.rows; ++row) {
      const arrow::Cell cell =
          arrow::cell_at(table.batches()->columns[0], *slice.array->children[0], slice.child_row(row));
      out.push_back(cell.null ? "null" : arrow::written_of(cell));
    }
  }
  return out;
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.spelled("--", "");
  }
  return "no error";
}

std::string error_of(const MadeColumn& column, std::int64_t offset = 0) {
  return error_of([&] { table_of({{column}}, offset); });
}

using Words = std::vector<std::string>;

TEST(ArrowValues, IntegersOfEveryWidthAndSign) {
  EXPECT_EQ(values_of(numbers<std::int8_t>("x", "c", {-128, 127})), (Words{"-128", "127"}));
  EXPECT_EQ(values_of(numbers<std::uint8_t>("x", "C", {0, 255})), (Words{"0", "255"}));
  EXPECT_EQ(values_of(numbers<std::int16_t>("x", "s", {-32768})), (Words{"-32768"}));
  EXPECT_EQ(values_of(numbers<std::uint16_t>("x", "S", {65535})), (Words{"65535"}));
  EXPECT_EQ(values_of(numbers<std::int32_t>("x", "i", {-7})), (Words{"-7"}));
  EXPECT_EQ(values_of(numbers<std::uint32_t>("x", "I", {4294967295})), (Words{"4294967295"}));
  EXPECT_EQ(values_of(numbers<std::int64_t>("x", "l", {std::numeric_limits<std::int64_t>::min()})),
            (Words{"-9223372036854775808"}));
  EXPECT_EQ(values_of(numbers<std::uint64_t>("x", "L", {18446744073709551615U})), (Words{"18446744073709551615"}));
}

TEST(ArrowValues, FloatingPointNumbersAndBool) {
  EXPECT_EQ(values_of(numbers<std::uint16_t>("x", "e", {0x3c00, 0xc000, 0x0001, 0x7bff})),
            (Words{"1", "-2", "5.9604645e-08", "65504"}));
  EXPECT_EQ(values_of(numbers<float>("x", "f", {0.1F, -3})), (Words{"0.1", "-3"}));
  EXPECT_EQ(values_of(numbers<double>("x", "g", {0.1, 1e300})), (Words{"0.1", "1e+300"}));
  EXPECT_EQ(values_of({"x", "b", 3, {std::nullopt, bits({1, 0, 1})}}), (Words{"true", "false", "true"}));
}

TEST(ArrowValues, DecimalsOfEveryWidthAreExact) {
  EXPECT_EQ(values_of(numbers<std::int32_t>("x", "d:9,2,32", {-12345, 5, 0})), (Words{"-123.45", "0.05", "0.00"}));
  EXPECT_EQ(values_of(numbers<std::int64_t>("x", "d:18,0,64", {1000000000000000000})), (Words{"1000000000000000000"}));
  EXPECT_EQ(values_of({"x", "d:38,3", 1, {std::nullopt, bytes<std::uint64_t>({0, 1})}}),
            (Words{"18446744073709551.616"}));
  EXPECT_EQ(values_of({"x", "d:38,-2", 1, {std::nullopt, bytes<std::int64_t>({-7, -1})}}), (Words{"-700"}));
  EXPECT_EQ(values_of({"x", "d:76,1,256", 1, {std::nullopt, bytes<std::uint64_t>({0, 0, 0, 1})}}),
            (Words{"627710173538668076383578942320766641610235544446403451289.6"}));
}

TEST(ArrowValues, StringsOfEveryLayout) {
  const std::vector<std::optional<std::string>> some{"a", std::nullopt, "", "böse"};
  EXPECT_EQ(values_of(strings("x", some)), (Words{"a", "null", "", "böse"}));
  EXPECT_EQ(values_of(strings("x", some, "U")), (Words{"a", "null", "", "böse"}));
  EXPECT_EQ(values_of(views("x", {"short", "exactly12byt", "longer than twelve", ""})),
            (Words{"short", "exactly12byt", "longer than twelve", ""}));
  MadeColumn dictionary = numbers<std::int8_t>("x", "c", {1, 0, 2, 1});
  dictionary.dictionary = std::make_shared<MadeColumn>(strings("", {"ham", "spam", std::nullopt}));
  EXPECT_EQ(values_of(dictionary), (Words{"spam", "ham", "null", "spam"})) << "a null entry of a dictionary is a null";
  dictionary.dictionary = std::make_shared<MadeColumn>(views("", {"ham", "a word that isn't short", "x"}));
  EXPECT_EQ(values_of(dictionary)[0], "a word that isn't short");
}

TEST(ArrowValues, DatesAndTimesOfEveryUnit) {
  EXPECT_EQ(values_of(numbers<std::int32_t>("x", "tdD", {0, -1, 20000})),
            (Words{"1970-01-01", "1969-12-31", "2024-10-04"}));
  EXPECT_EQ(values_of(numbers<std::int64_t>("x", "tdm", {-1})), (Words{"1969-12-31 23:59:59"}));
  EXPECT_EQ(values_of(numbers<std::int64_t>("x", "tss:", {86399})), (Words{"1970-01-01 23:59:59"}));
  EXPECT_EQ(values_of(numbers<std::int64_t>("x", "tsm:UTC", {1500})), (Words{"1970-01-01 00:00:01"}));
  EXPECT_EQ(values_of(numbers<std::int64_t>("x", "tsu:", {-1})), (Words{"1969-12-31 23:59:59"}));
  EXPECT_EQ(values_of(numbers<std::int64_t>("x", "tss:+02:00", {0})), (Words{"1970-01-01 02:00:00"}));
  EXPECT_EQ(values_of(numbers<std::int64_t>("x", "tss:-0330", {0})), (Words{"1969-12-31 20:30:00"}));
  EXPECT_EQ(values_of(numbers<std::int64_t>("x", "tsn:Europe/Vienna", {1000000000})), (Words{"1970-01-01 00:00:01"}));
}

TEST(ArrowValues, OffsetsOfParentAndChildAddUp) {
  MadeColumn column = numbers<std::int32_t>("x", "i", {0, 1, 2, 3, 4, 5});
  column.offset = 2;
  column.length = 4;
  column.buffers[0] = bits({1, 1, 1, 1, 0, 1});
  EXPECT_EQ(values_of(column, 1), (Words{"3", "null", "5"}));
  MadeColumn words = strings("x", {"a", "bb", "ccc", "d"});
  words.offset = 1;
  words.length = 3;
  EXPECT_EQ(values_of(words, 1), (Words{"ccc", "d"}));
}

TEST(ArrowTable, EmptyBatchesMayHaveNoBuffers) {
  const MadeColumn nothing{"x", "u", 0, {std::nullopt, std::nullopt, std::nullopt}};
  EXPECT_EQ(values_of(nothing), Words{});
  EXPECT_EQ(values_of({"x", "n", 2, {}}), (Words{"null", "null"}));
  EXPECT_EQ(table_of({{nothing}, {strings("x", {"a"})}}).rows(), 1);
}

TEST(ArrowTable, WhatCarelessProducersDoIsRefused) {
  MadeColumn words = strings("x", {"a", "bb"});
  words.buffers[1] = bytes<std::int32_t>({0, 3, 1});
  EXPECT_EQ(error_of(words), "the Arrow stream: column 'x': the Arrow array is broken: its offsets descend");
  words.buffers[1] = bytes<std::int32_t>({-1, 0, 1});
  EXPECT_NE(error_of(words).find("an offset below 0"), std::string::npos);
  words = strings("x", {"a", "bb"});
  words.buffers[2] = std::nullopt;
  EXPECT_NE(error_of(words).find("its bytes are missing"), std::string::npos);
  words = strings("x", {"a"});
  words.length = 1;
  EXPECT_NE(error_of(words, 2).find("broken"), std::string::npos) << "fewer values than the batch has rows";
  MadeColumn view = views("x", {"longer than twelve"});
  view.buffers[3] = bytes<std::int64_t>({10});
  EXPECT_NE(error_of(view).find("goes past the end of its buffer"), std::string::npos);
  view.buffers = {std::nullopt, view.buffers[1], std::nullopt};
  EXPECT_NE(error_of(view).find("a missing buffer"), std::string::npos);
  MadeColumn index = numbers<std::int8_t>("x", "c", {0, 3});
  index.dictionary = std::make_shared<MadeColumn>(strings("", {"ham", "spam"}));
  EXPECT_NE(error_of(index).find("an index beyond its dictionary"), std::string::npos);
  MadeColumn nulls = numbers<double>("x", "g", {1});
  nulls.null_count = 1;
  EXPECT_NE(error_of(nulls).find("nulls without a validity buffer"), std::string::npos);
  nulls.null_count = 0;
  nulls.buffers[1] = std::nullopt;
  EXPECT_NE(error_of(nulls).find("its values are missing"), std::string::npos);
  nulls.buffers.pop_back();
  EXPECT_NE(error_of(nulls).find("1 buffers but needs 2"), std::string::npos);
  MadeColumn list{"x", "+l", 1, {std::nullopt, bytes<std::int32_t>({0, 3})}, 0, 0, {numbers<double>("", "g", {1, 2})}};
  EXPECT_NE(error_of(list).find("its offsets go past the end"), std::string::npos);
}

TEST(ArrowTable, TypesThatCannotBeReadAreNamed) {
  EXPECT_EQ(
      error_of({"when", "ttu", 0, {}}),
      "the Arrow stream: column 'when' has the Arrow format 'ttu': its values are neither numbers, strings, dates "
      "nor vectors");
  EXPECT_NE(error_of({"x", "z", 0, {}}).find("'z'"), std::string::npos);
  EXPECT_NE(error_of({"x", "+s", 0, {}}).find("'+s'"), std::string::npos);
  EXPECT_NE(error_of({"x", "+l", 0, {}, 0, 0, {strings("", {})}}).find("floating-point"), std::string::npos);
  EXPECT_NE(error_of({"x", "d:1", 0, {}}).find("'d:1'"), std::string::npos);
}

TEST(ArrowTable, EverythingIsReleasedOnceWhateverHappens) {
  const MadeColumn x = numbers<double>("x", "g", {1, 2, 3}), y = strings("y", {"a", "b", "a"});
  Released released;
  {
    ArrowArrayStream stream = stream_of({{x, y}, {x, y}}, released);
    std::unique_ptr<Source> source = load(&stream, {});
    EXPECT_EQ(stream.release, nullptr) << "the stream is the table's now";
    EXPECT_EQ(released.streams, 1);
    EXPECT_EQ(released.schemas, 1);
    EXPECT_EQ(released.arrays, 0) << "rows as written need the batches";
    EXPECT_EQ(source->written(std::vector<std::int64_t>{4})[0].label, "b");
  }
  EXPECT_EQ(released.arrays, 2);
  Released failed;
  ArrowArrayStream stream = stream_of({{x, y}}, failed, 0, "the disk is gone");
  EXPECT_EQ(error_of([&] { ArrowTable table(&stream); }), "the Arrow stream: the disk is gone");
  EXPECT_EQ(failed.streams + failed.schemas + failed.arrays, 3);
  EXPECT_NE(error_of([&] { ArrowTable table(&stream); }).find("already been released"), std::string::npos);
}

/// A table of every kind, as Arrow in batches of `step` rows and as CSV.
struct Drawn {
  test::MadeBatches batches;
  std::string csv = "amount,when,card,note,size,country,label\n";
};

Drawn drawn(std::uint64_t seed, std::size_t rows, std::size_t step) {
  Drawn out;
  Random random(seed);
  for (std::size_t begin = 0; begin < rows; begin += step) {
    std::vector<double> amount;
    std::vector<std::int32_t> when;
    std::vector<int> valid;
    std::vector<std::optional<std::string>> card, note, label;
    std::vector<std::int16_t> size;
    std::vector<std::int8_t> country;
    const std::vector<std::optional<std::string>> countries{"AT", "NA", "DE"};
    for (std::size_t i = begin; i < std::min(rows, begin + step); ++i) {
      amount.push_back(static_cast<double>(random.below(1000)) / 8);
      valid.push_back(random.below(10) > 0 ? 1 : 0);
      when.push_back(static_cast<std::int32_t>(19000 + random.below(400)));
      card.push_back("c" + std::to_string(random.below(20)));
      note.push_back("word" + std::to_string(random.below(9)) + " and \"more\" of, " +
                     std::to_string(random.below(500)));
      size.push_back(static_cast<std::int16_t>(random.below(100)));
      country.push_back(static_cast<std::int8_t>(random.below(3)));
      label.push_back(random.below(2) > 0 ? "ham" : "spam");
      if (random.below(15) == 0) card.back() = std::nullopt;
      std::string quoted = *note.back();
      quoted.replace(quoted.find("\"more\""), 6, "\"\"more\"\"");
      if (valid.back() != 0) out.csv += fmt::format("{}", amount.back());
      const MadeColumn day = numbers<std::int32_t>("x", "tdD", {when.back()});
      out.csv += "," + values_of(day)[0] + "," + card.back().value_or("") + ",\"" + quoted + "\"," +
                 std::to_string(size.back()) + "," + *countries[static_cast<std::size_t>(country.back())] + "," +
                 *label.back() + "\n";
    }
    MadeColumn amounts = numbers("amount", "g", amount);
    amounts.buffers[0] = bits(valid);
    MadeColumn places = numbers("country", "c", country);
    places.dictionary = std::make_shared<MadeColumn>(strings("", countries));
    out.batches.push_back({amounts, numbers("when", "tdD", when), strings("card", card), strings("note", note),
                           numbers("size", "s", size), places, strings("label", label)});
  }
  return out;
}

TEST(ArrowTable, TheSameTableAsCsvHasTheSameMapAndTheSameRows) {
  for (const std::size_t step : {7, 300}) {
    const Drawn both = drawn(step, 300, step);
    const test::TempFile file(both.csv, ".csv");
    const ArrowTable table = table_of(both.batches);
    TableSpec spec;
    spec.scale = Scale::kStandard;
    spec.cross = {"card*country"};
    const FittedTable csv = fit_table(std::span(&file.path(), 1), {}, spec, *solo());
    for (const int threads : {1, 3}) {
      ReadOptions options;
      options.threads = threads;
      const FittedTable fitted = fit_table(table, options, spec);
      EXPECT_EQ(fitted.map, csv.map);
      options.table = std::make_shared<const TableMap>(fitted.map);
      const std::unique_ptr<Source> ours = load(table, options), theirs = load(file.path(), options);
      EXPECT_EQ(rows_of(*ours), rows_of(*theirs));
      EXPECT_EQ(ours->schema().classes, theirs->schema().classes);
      EXPECT_EQ(ours->shape().features, theirs->shape().features);
      const std::vector<std::int64_t> asked{0, 17, 299};
      const std::vector<WrittenRow> a = ours->written(asked), b = theirs->written(asked);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        EXPECT_EQ(a[i].label, b[i].label);
        ASSERT_EQ(a[i].values.size(), b[i].values.size());
        for (std::size_t k = 0; k < a[i].values.size(); ++k) {
          EXPECT_EQ(a[i].values[k].column, b[i].values[k].column);
          EXPECT_EQ(a[i].values[k].binary, b[i].values[k].binary);
        }
      }
    }
  }
}

TEST(ArrowTable, NumbersAloneNeedNoMapAndAreTakenAsTheyAre) {
  const test::MadeBatches batches{{numbers<double>("x", "g", {1.5, 2, -0.25}),
                                   numbers<std::int32_t>("n", "i", {7, 0, 1}),
                                   numbers<std::int8_t>("y", "c", {1, -1, 1})}};
  const ArrowTable table = table_of(batches);
  const FittedTable fitted = fit_table(table, {}, {});
  EXPECT_TRUE(fitted.map.empty());
  const test::TempFile file("x,n,y\n1.5,7,1\n2,0,-1\n-0.25,1,1\n", ".csv");
  for (const bool wide : {false, true}) {
    ReadOptions options;
    options.double_values = wide;
    const std::unique_ptr<Source> ours = load(table, options), theirs = load(file.path(), options);
    EXPECT_EQ(rows_of(*ours), rows_of(*theirs));
    EXPECT_EQ(ours->schema().feature_names, theirs->schema().feature_names);
    EXPECT_EQ(ours->schema().classes, theirs->schema().classes);
  }
  const std::vector<WrittenRow> row = load(table, {})->written(std::vector<std::int64_t>{2});
  EXPECT_EQ(row[0].values[0].binary, -0.25) << "a binary number is its value";
  EXPECT_EQ(row[0].values[1].decimal, "1") << "an integer is its decimal";
}

TEST(ArrowTable, ListsOfFloatsAreVectors) {
  MadeColumn list{"v",
                  "+l",
                  3,
                  {std::nullopt, bytes<std::int32_t>({1, 3, 5, 7})},
                  0,
                  0,
                  {numbers<float>("", "f", {9, 1, 2, 3, 4, 5, 6})}};
  MadeColumn fixed{"w", "+w:2", 3, {std::nullopt}, 0, 0, {numbers<double>("", "g", {9, 9, 1, 0, 0, 1, 5, 5})}};
  fixed.offset = 1;
  const MadeColumn y = strings("y", {"a", "b", "a"});
  const ArrowTable table = table_of({{list, fixed, y}});
  const FittedTable fitted = fit_table(table, {}, {});
  ASSERT_EQ(fitted.map.encoders.size(), 2U);
  EXPECT_EQ(encoded_name(fitted.map, 1), "v[1]");
  ReadOptions options;
  options.table = std::make_shared<const TableMap>(fitted.map);
  const auto rows = rows_of(*load(table, options));
  EXPECT_EQ(std::bit_cast<double>(rows[1].value[0]), 3);
  EXPECT_EQ(std::bit_cast<double>(rows[2].value.back()), 5);
  list.buffers[1] = bytes<std::int32_t>({1, 3, 4, 7});
  const ArrowTable uneven = table_of({{list, fixed, y}});
  EXPECT_NE(error_of([&] { fit_table(uneven, {}, {}); }).find("row 2: expected 2 finite numbers in column 'v'"),
            std::string::npos);
}

TEST(ArrowTable, AskedForKindsOverruleTypes) {
  const ArrowTable table = table_of({{numbers<std::int32_t>("shop", "i", {7, 8, 7, 8}),
                                      strings("size", {"1.5", "2", "NA", "4"}), strings("y", {"a", "b", "a", "b"})}});
  TableSpec spec;
  spec.category = {"shop"};
  const FittedTable fitted = fit_table(table, {}, spec);
  EXPECT_EQ(fitted.map.encoders[0].terms()->terms, (Words{"7", "8"}));
  EXPECT_TRUE(fitted.map.encoders[1].is<NumberEncoder>()) << "strings are what the same CSV would be";
  EXPECT_TRUE(fitted.map.encoders[1].has_indicator());
}

TEST(ArrowTable, WhatDoesNotFitIsNamedByRowAndColumn) {
  const double inf = std::numeric_limits<double>::infinity();
  const MadeColumn y = strings("y", {"a", "b", std::nullopt}), x = numbers<double>("x", "g", {1, inf, 2});
  const ArrowTable table = table_of({{x, y}});
  EXPECT_NE(error_of([&] { load(table, {}); }).find("row 3: this row has no label"), std::string::npos);
  ReadOptions options;
  options.drop_missing_labels = true;
  EXPECT_NE(error_of([&] { load(table, options); }).find("row 2: expected a finite number in column 'x'"),
            std::string::npos);
  const ArrowTable fine = table_of({{numbers<double>("x", "g", {1, 2, 3}), strings("y", {"a", std::nullopt, "b"})}});
  const std::unique_ptr<Source> source = load(fine, options);
  EXPECT_EQ(source->shape().rows, 2);
  EXPECT_EQ(source->schema().dropped, 1);
  EXPECT_EQ(source->written(std::vector<std::int64_t>{1})[0].label, "b") << "rows that were left out aren't counted";
}

TEST(ArrowTable, BoolsAreNumbersAsFeaturesAndWordsAsLabels) {
  const ArrowTable table =
      table_of({{{"x", "b", 3, {std::nullopt, bits({1, 0, 1})}}, {"y", "b", 3, {std::nullopt, bits({1, 0, 0})}}}});
  const TableMap map = fit_table(table, {}, {}).map;
  ASSERT_EQ(map.encoders.size(), 1U);
  EXPECT_EQ(map.encoders[0].get<NumberEncoder>()->style, "true/false");
  const std::unique_ptr<Source> source = load(table, {});
  EXPECT_EQ(source->schema().classes, (Words{"false", "true"}));
}

}  // namespace
}  // namespace linsep
