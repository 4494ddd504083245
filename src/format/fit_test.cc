#include "linsep/table/fit.h"

#include <gtest/gtest.h>

#include <memory>

#include "format/load.h"
#include "format/table/plan.h"
#include "format/text/test_input.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

using test::rows_of;
using test::TempFile;

FittedTable fit(const std::string& path, const TableSpec& spec = {}, const ReadOptions& options = {},
                const Stations& stations = {}) {
  return fit_table_with(std::span(&path, 1), options, spec, stations, *solo());
}

ReadOptions encoded(const TableMap& map, ReadOptions options = {}) {
  options.table = std::make_shared<const TableMap>(map);
  return options;
}

/// "name purpose[: reason]" of each column.
std::string columns_of(const FittedTable& fitted) {
  std::string text;
  for (const ColumnAccount& column : fitted.account.columns) {
    text += (text.empty() ? "" : "; ") + column.name + " " + column.purpose;
    if (!column.reason.empty()) text += ": " + column.reason;
  }
  return text;
}

std::string error_of(const std::string& text, const TableSpec& spec = {}, const ReadOptions& options = {}) {
  const TempFile file(text, ".csv");
  try {
    const FittedTable fitted = fit(file.path(), spec, options);
    load(file.path(), encoded(fitted.map, options));
  } catch (const Error& error) {
    const std::string what = error.spelled("--", "");
    return what.starts_with(file.path()) ? "F" + what.substr(file.path().size()) : what;
  }
  return "no error";
}

constexpr const char* kMail =
    "size,sender,when,text,label\n"
    "3,bob,2026-11-15,free prize for you,spam\n"
    "5.5,ann,2026-11-16,see you at noon,ham\n"
    ",bob,2026-11-17,\"a \"\"free\"\" lunch, at\nnoon today\",ham\n"
    "NA,,2026-11-18,the free prize again,spam\n";

TEST(FitTable, FindsWhatColumnsAre) {
  const TempFile file(kMail, ".csv");
  const FittedTable fitted = fit(file.path());
  EXPECT_EQ(columns_of(fitted), "size number; sender category; when date; text text; label label: by its name");
  EXPECT_TRUE(fitted.account.header);
  EXPECT_EQ(fitted.account.rows, 4);
  EXPECT_EQ(fitted.account.looked_at, 4);
  EXPECT_EQ(fitted.map.encoders.size(), 4U);
  EXPECT_EQ(fitted.account.columns.back().detail, "ham (negative, 2), spam (positive, 2)");
}

/// Rows as "feature=value …", with the map's names of features.
std::string named_rows(Source& source) {
  std::string text;
  source.rewind(0);
  while (const auto batch = source.next()) {
    for_each_row(*batch, [&](const auto& row, std::int64_t i) {
      text += std::to_string(static_cast<int>(batch->label[static_cast<std::size_t>(i)])) + ":";
      for_each_entry(row, [&](std::uint32_t column, double value) {
        text += " " + encoded_name(*source.schema().table, column) + "=" + std::to_string(value).substr(0, 4);
      });
      text += "\n";
    });
  }
  return text;
}

TEST(FitTable, ItsMapEncodesTheRowsThatAreLoaded) {
  const TempFile file("a,b,y\n1,x,no\n,z,yes\n-2.5,x,no\n0,\"z\",yes\n", ".csv");
  TableSpec spec;
  spec.as_written = true;
  const FittedTable fitted = fit(file.path(), spec);
  const auto source = load(file.path(), encoded(fitted.map));
  EXPECT_EQ(named_rows(*source),
            "-1: a=1.00 b=x=1.00\n1: a is missing=1.00 b=z=1.00\n-1: a=-2.5 b=x=1.00\n1: b=z=1.00\n");
  EXPECT_EQ(source->shape().features, fitted.account.features);
  EXPECT_TRUE(source->schema().feature_names.empty());
  EXPECT_EQ(source->schema().classes, (std::vector<std::string>{"no", "yes"}));
}

TEST(FitTable, NumbersAloneNeedNoMap) {
  const TempFile file("a,b,kind\n1,2,x\n3,4,z\n", ".csv");
  EXPECT_TRUE(fit(file.path()).map.empty());
  EXPECT_EQ(columns_of(fit(file.path())), "a number; b number; kind label");
  TableSpec scaled;
  scaled.scale = Scale::kDeviation;
  EXPECT_FALSE(fit(file.path(), scaled).map.empty());
  const TempFile codes("a,b,kind\n007,2,x\n003,4,z\n007,5,z\n", ".csv");
  EXPECT_FALSE(fit(codes.path()).map.empty()) << "007 is a code";
  const TempFile named("y,a,b\n1,2,3\n0,4,5\n", ".csv");
  EXPECT_EQ(columns_of(fit(named.path())), "y label: by its name; a number; b number");
  EXPECT_EQ(load(named.path(), encoded(fit(named.path()).map))->shape().features, 2U);
}

TEST(FitTable, TellsOfEveryFieldOfARowThatDoesNotFit) {
  TableSpec spec;
  spec.number = {"age"};
  spec.date = {{"when", "%d.%m.%Y"}};
  EXPECT_EQ(error_of("age,when,who,y\n41,01.02.2026,a,1\n4O,2026,b,0\n", spec),
            "F:3:1: expected a number in column 'age', found '4O'; use --missing-words 4O, --category age or --ignore "
            "age; also expected a date of the form %d.%m.%Y in column 'when', found '2026'; use --missing-words 2026, "
            "--category when or --ignore when");
}

TEST(FitTable, ANumberThatIsTooLargeIsNoCategory) {
  EXPECT_EQ(
      error_of("a,who,y\n1,ann,1\n1e400,bob,0\n"),
      "F:3:1: expected a finite number in column 'a' (as in the first 2 rows), found '1e400'; use --missing-words "
      "1e400, --category a or --ignore a");
}

TEST(FitTable, BooleansAreNumbersOfTheirOwnStyle) {
  const TempFile file("flag,n,y\nTrue,1,1\nFALSE,2,0\n,3,0\n", ".csv");
  const FittedTable fitted = fit(file.path());
  ASSERT_EQ(fitted.map.encoders.size(), 2U);
  ASSERT_TRUE(fitted.map.encoders[0].is<NumberEncoder>());
  EXPECT_EQ(fitted.map.encoders[0].get<NumberEncoder>()->style, "true/false");
  EXPECT_EQ(error_of("flag,n,y\nTrue,1,1\nfalse,2,0\nyes,3,0\n"), "no error");
  TableSpec spec;
  spec.number = {"flag"};
  EXPECT_EQ(error_of("flag,n,y\nTrue,1,1\nfalse,2,0\n", spec), "no error");
}

TEST(FitTable, NamesTheRowsItLookedAtWhereALaterOneIsOtherwise) {
  std::string text = "age,who,y\n";
  for (int i = 0; i < 200000; ++i) text += std::to_string(i % 90) + (i % 2 == 0 ? ",ann,1\n" : ",bob,0\n");
  text += "4O,ann,1\n";
  const std::string words = error_of(text);
  EXPECT_TRUE(words.starts_with("F:200002:1: expected a number in column 'age' (as in the first ")) << words;
  EXPECT_TRUE(words.ends_with(" rows), found '4O'; use --missing-words 4O, --category age or --ignore age")) << words;
  std::string numbers = "age,y\n";
  for (int i = 0; i < 300000; ++i) numbers += i % 2 == 0 ? "17,1\n" : "18,0\n";
  const std::string plain = error_of(numbers + "{},1\n");
  EXPECT_TRUE(plain.starts_with("F:300002:1: expected a number in column 'age' (as in the first ")) << plain;
  EXPECT_TRUE(plain.ends_with("found '()'; use --missing-words …, --category age or --ignore age")) << plain;
  EXPECT_TRUE(error_of(numbers + ",1\n").ends_with("found nothing; use --number age or --ignore age"));
}

TEST(FitTable, AColumnOfHolesThatHasAValueLaterAsksWhatItIs) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < 300000; ++i) text += i % 2 == 0 ? ",u,1\n" : ",v,0\n";
  const std::string words = error_of(text + "7,u,1\n");
  EXPECT_TRUE(words.starts_with("F:300002:1: expected no value in column 'a' (it had none in the first ")) << words;
  EXPECT_TRUE(words.ends_with("found '7'; use --number a, --category a, --text a or --ignore a")) << words;
}

TEST(FitTable, RefusesColumnsThatAreNotThere) {
  TableSpec spec;
  spec.text = {"bdy"};
  EXPECT_EQ(error_of("body,y\na b c,1\n", spec),
            "--text bdy: no such column (did you mean body?); the columns are body, y");
  spec.text = {"body"};
  spec.category = {"body"};
  EXPECT_EQ(error_of("body,y\na b c,1\n", spec), "--text body: this column already has another purpose");
}

TEST(FitTable, AModelsColumnsAreFoundWhereverTheyStand) {
  const TempFile file(kMail, ".csv");
  const FittedTable fitted = fit(file.path());
  ReadOptions options = encoded(fitted.map);
  options.labelled = false;
  const TempFile other("text,x,Sender,when,size\n", ".csv");
  try {
    load(other.path(), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what())
                    .ends_with(":1:1: the column 'sender' is not in the header (did you mean Sender?); the "
                               "columns are text, x, Sender, when, size"))
        << error.what();
  }
  const TempFile turned("text,x,sender,when,size\nfree prize for you,?,bob,2026-11-15,3\n", ".csv");
  const auto source = load(turned.path(), options);
  const auto whole = load(file.path(), options);
  EXPECT_EQ(rows_of(*source).front(), rows_of(*whole).front());
}

TEST(FitTable, SeparatorsAndDecimalCommasAreFound) {
  const TempFile file(
      "\xef\xbb\xbf"
      "price;kind;y\n12,5;a;1\n3;b;0\n0,25;a;1\n",
      ".csv");
  TableSpec spec;
  spec.as_written = true;
  const FittedTable fitted = fit(file.path(), spec);
  EXPECT_EQ(fitted.account.delimiter, ';');
  EXPECT_EQ(fitted.map.decimal, ',');
  const auto source = load(file.path(), encoded(fitted.map));
  const std::int64_t rows[] = {0, 2};
  const auto written = source->written(rows);
  EXPECT_EQ(written[0].values[0].decimal, "12.5");
  EXPECT_EQ(written[1].values[0].decimal, "0.25");
  EXPECT_EQ(written[1].values[1].binary, 1);
  EXPECT_EQ(error_of("a;b;y\n1,234;x;1\n", spec),
            "F:2:1: '1,234' may be 1.234 or 1234: use --decimal , for a decimal comma, or --decimal . for thousands");
  EXPECT_EQ(fit(TempFile("a|b|y\nu|x|1\nv|x|0\nu|w|0\n", ".csv").path()).account.delimiter, '|');
  EXPECT_TRUE(error_of(std::string("\xff\xfe"
                                   "a\0,\0",
                                   6))
                  .starts_with("F:1:1: this is UTF-16"));
  EXPECT_TRUE(error_of(std::string("a,b\nu\0,x\nv,w\n", 13)).starts_with("F:2:2: a NUL byte"));
}

TEST(FitTable, AHeaderIsToldFromRowsOfWords) {
  const auto header = [](const std::string& text) {
    Sample sample;
    read_sample(TempFile(text, ".csv").path(), {}, sample);
    return plan_table(sample, {}, {}).account.header;
  };
  EXPECT_TRUE(header("colour,taste\nred,good\ngreen,bad\n"));
  EXPECT_FALSE(header("red,good\ngreen,bad\nred,bad\n")) << "a word stands in its column again";
  EXPECT_TRUE(header("red,red\ngreen,bad\n")) << "names that repeat are renamed";
  EXPECT_TRUE(header("red,good\n1,bad\n2,bad\n")) << "a word above numbers";
  EXPECT_FALSE(header("red,1\nred,0\n")) << "a number";
  EXPECT_TRUE(header(",taste,y\n1,good,a\n2,bad,b\n")) << "an unnamed column of numbers";
}

}  // namespace
}  // namespace linsep
