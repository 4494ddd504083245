#include "format/csv/csv.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>

#include "core/random.h"
#include "format/csv/parse.h"
#include "format/csv/plain.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// A chunk with the readable surroundings that a parser may rely on.
class PaddedText {
 public:
  explicit PaddedText(std::string_view text) : bytes_(std::string(64, '9')), size_(text.size()) {
    bytes_ += text;
    if (!text.ends_with('\n')) bytes_ += '\n';
    bytes_ += std::string(64, '9');
  }
  Chunk chunk() const { return {std::string_view(bytes_).substr(64, size_), 0}; }

 private:
  std::string bytes_;
  std::size_t size_;
};

/// The contents of a page, as plain values.
struct Table {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  std::vector<double> weights;

  bool operator==(const Table&) const = default;
};

void append(Table& table, const ParsedPage& parsed) {
  for_each_row(parsed.page.batch, [&](const auto& row, std::int64_t i) {
    table.rows.emplace_back();
    for_each_entry(row, [&](std::uint32_t, double value) { table.rows.back().push_back(value); });
    const double label = parsed.page.batch.label[static_cast<std::size_t>(i)];
    const auto& words = parsed.label_words;
    table.labels.push_back(words.empty() ? std::to_string(std::lround(label)) : words[static_cast<std::size_t>(label)]);
    if (!parsed.page.batch.weight.empty()) table.weights.push_back(parsed.page.batch.weight_of(i));
  });
}

/// Reads a text in chunks of about `chunk_bytes`, like the reader.
Table read(const std::string& text, const ReadOptions& options = {}, std::size_t chunk_bytes = 1 << 20) {
  const TextFormat format = csv_format(text, options);
  Table table;
  std::string_view rest = std::string_view(text).substr(format.header_bytes);
  while (!rest.empty()) {
    std::size_t length = std::min(chunk_bytes, rest.size());
    std::size_t whole = 0;
    while ((whole = format.whole_rows(rest.substr(0, length))) == 0 && length < rest.size()) ++length;
    if (whole == 0) whole = rest.size();
    append(table, format.parse(PaddedText(rest.substr(0, whole)).chunk()));
    rest.remove_prefix(whole);
  }
  return table;
}

/// "line:column: message" of the error. Lines are counted in the text after the header.
std::string error_of(const std::string& text, const ReadOptions& options = {}) {
  try {
    read(text, options);
  } catch (const TextError& error) {
    return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Csv, ReadsNumbersAndNumericLabels) {
  const Table table = read("1,2.5,0\n-3,.5,1\n+4,1e2,1\n");
  EXPECT_EQ(table.rows, (std::vector<std::vector<double>>{{1, 2.5}, {-3, 0.5}, {4, 100}}));
  EXPECT_EQ(table.labels, (std::vector<std::string>{"0", "1", "1"}));
}

TEST(Csv, ReadsHeaderQuotesBlanksEmptyLinesAndCrLf) {
  const std::string text =
      "\xef\xbb\xbf\r\n\"a\",b,\"the class\"\r\n 1 ,\t\"2\",yes\r\n\r\n  \n\" 3\",4 , no \r\n5,6,\"it, \"\"is\"\"\"";
  const Table table = read(text);
  EXPECT_EQ(csv_format(text, {}).feature_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(csv_format(text, {}).header_lines, 2U);
  EXPECT_EQ(table.rows, (std::vector<std::vector<double>>{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(table.labels, (std::vector<std::string>{"yes", "no", "it, \"is\""}));
}

TEST(Csv, ReadsTabsAndOtherDelimiters) {
  ReadOptions options;
  options.format = ReadOptions::Format::kTsv;
  EXPECT_EQ(read("1\t2\ta, b\n", options).labels, (std::vector<std::string>{"a, b"}));
  options.delimiter = ';';
  EXPECT_EQ(read("1;2;x\n", options).rows.front(), (std::vector<double>{1, 2}));
  EXPECT_EQ(read("1;2;x\n3;4;y\n").rows.front(), (std::vector<double>{1, 2})) << "found out";
  EXPECT_EQ(read("1|2|x\n3|4|\"a;b\"\n").labels, (std::vector<std::string>{"x", "a;b"})) << "; isn't in every row";
  options.delimiter = ' ';
  EXPECT_EQ(read("1 2 x\n", options).rows.front(), (std::vector<double>{1, 2}));
  for (const char c : {'"', '\n', '\r', '.', '-', '+', '7', 'e'}) {
    options.delimiter = c;
    EXPECT_THROW(csv_format("1,2", options), Error) << c;
  }
}

TEST(Csv, ReadsWeightsAndPassesOverOtherColumns) {
  ReadOptions options;
  options.label = "y";
  options.weight = "w";
  options.id = "who";
  options.ignore = {"note"};
  const Table table = read("y,who,a,w,note\nno,\"A, B\",1,0.5,\"two\nlines\"\nyes,C,2,3,nan\n", options);
  EXPECT_EQ(table.rows, (std::vector<std::vector<double>>{{1}, {2}}));
  EXPECT_EQ(table.labels, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(table.weights, (std::vector<double>{0.5, 3}));
  EXPECT_EQ(error_of("y,who,a,w,note\nno,A,1,-1,\n", options),
            "0:8: expected a weight of 0 or more in column 'w', found '-1'");
}

TEST(Csv, LabelsAreWordsFromTheFirstWordOn) {
  const Table table = read("1,0\n2,1.0\n3,maybe\n4,inf\n");
  EXPECT_EQ(table.labels, (std::vector<std::string>{"0", "1", "maybe", "inf"}));
}

TEST(Csv, UnlabelledRowsHaveNoLabelOrOneThatIsReadPast) {
  ReadOptions options;
  options.labelled = false;
  options.features = 2;
  EXPECT_EQ(read("a,b\n1,2\n", options).rows.front(), (std::vector<double>{1, 2}));
  const Table past = read("a,b,y\n1,2,?\n3,4,\n", options);
  EXPECT_EQ(past.rows, (std::vector<std::vector<double>>{{1, 2}, {3, 4}}));
  EXPECT_EQ(past.labels, (std::vector<std::string>{"0", "0"}));
}

TEST(Csv, OfAnotherColumnOrderFitsTheModel) {
  ReadOptions options;
  options.feature_names = {"a", "b"};
  EXPECT_EQ(read("b,note,a,y\n2,x,1,0\n", options).rows.front(), (std::vector<double>{1, 2}));
}

TEST(Csv, SaysWhatIsWrongAndWhere) {
  struct Case {
    const char* text;
    const char* error;
  };
  const Case cases[] = {
      {"age,y\n1,0\nabc,1\n",
       "1:1: expected a number in column 'age', found 'abc'; to use words and dates, fit a table first (fit_table, "
       "ReadOptions::table), or leave the column out with {} age"},
      {"1,2,0\n1, x y ,1\n",
       "1:4: expected a number in column 2, found 'x y'; to use words and dates, fit a table first (fit_table, "
       "ReadOptions::table), or leave the column out with {} 2"},
      {"1,2,0\n1,,1\n", "1:3: expected a number in column 2, found nothing"},
      {"1,2,0\n1,\"\",1\n", "1:4: expected a number in column 2, found nothing"},
      {"1,2,0\n1,nan,1\n", "1:3: expected a finite number in column 2, found 'nan'"},
      {"1,2,0\n1,-Inf,1\n", "1:3: expected a finite number in column 2, found '-Inf'"},
      {"1,2,0\n1,2e,1\n", "1:3: expected a number in column 2, found '2e'"},
      {"1,2,0\n1,1.2.3,1\n", "1:3: expected a number in column 2, found '1.2.3'"},
      {"1,2,0\n1,2 3,1\n", "1:3: expected a number in column 2, found '2 3'"},
      {"1,2,0\n1,0x10,1\n", "1:3: expected a number in column 2, found '0x10'"},
      {"1,2,0\n1,+-1,1\n",
       "1:3: expected a number in column 2, found '+-1'; to use words and dates, fit a table first (fit_table, "
       "ReadOptions::table), or leave the column out with {} 2"},
      {"1,2,0\n1,1e39,1\n",
       "1:3: expected a number within the range of a float (or ask for double values) in column 2, found '1e39'"},
      {"1,2,0\n1,2, \n",
       "1:6: this row has no label (the field is empty): fill it in, or leave such rows out with {} drop"},
      {"1,2,0\n1,2,N/A\n", "1:5: this row has no label ('N/A'): fill it in, or leave such rows out with {} drop"},
      {"1,2,0\n1,2,1e999\n", "1:5: expected a label no larger than 1.8e308 in column 3, found '1e999'"},
      {"1,2,0\n1,2\n", "1:4: expected 3 fields, as in the first row, found 2"},
      {"1,2,0\n1\n", "1:2: expected 3 fields, as in the first row, found 1"},
      {"a,b,y\n1,2,3,4,5\n", "0:6: expected 3 fields, as in the header, found 5"},
      {"a,b,y\n1,2,3,\n", "0:6: expected 3 fields, as in the header, found 4"},
      {"a,y\n\"1\nx\",2\n", "0:2: expected a number in column 'a', found '1\\nx'"},
      {"a,y\n\"1\",\"2\n3\"x\n",
       "1:3: expected ',' or the end of the line after a closing quote, found 'x' (a quote within a quoted field is "
       "written twice)"},
      {"a,y\n1,\"2\n", "0:3: a quote is opened here and never closed"},
      {"a;b;y\n1;2\n",
       "0:1: no column is left for features: the first row has 1 field; perhaps the delimiter is ';' ({})"},
      {"\"a\n", "0:1: a quote is opened here and never closed"},
  };
  for (const Case& c : cases) EXPECT_EQ(error_of(c.text), c.error) << testing::PrintToString(c.text);
}

TEST(Csv, TargetsOfARegressionAreNumbers) {
  ReadOptions options;
  options.regression = true;
  EXPECT_EQ(error_of("1,2\n3,four\n", options), "1:3: expected a number as label in column 2, found 'four'");
}

TEST(Csv, DoublesReachFartherThanFloats) {
  ReadOptions options;
  options.double_values = true;
  EXPECT_EQ(read("1e39,0\n0.1,1\n", options).rows, (std::vector<std::vector<double>>{{1e39}, {0.1}}));
  EXPECT_EQ(error_of("1,0\n1e309,1\n", options), "1:1: expected a finite number in column 1, found '1e309'");
}

TEST(Csv, ExactValuesAreNeverTooSmallForTheirType) {
  ReadOptions options;
  options.double_values = true;
  EXPECT_EQ(read("-1e-400,1\n1,0\n", options).rows, (std::vector<std::vector<double>>{{-0.0}, {1}}));
  options.exact_values = true;
  const std::string refused =
      " is too small for a double: a proof needs numbers of at least 2.3e-308 in size, or 0; multiply the column by a "
      "power of ten";
  EXPECT_EQ(error_of("1,0\n-1e-400,1\n", options), "1:1: '-1e-400'" + refused);
  EXPECT_EQ(error_of("1,0\n 5e-324 ,1\n", options), "1:2: '5e-324'" + refused);
  EXPECT_EQ(error_of("1,0\n1,1e-400\n", options), "1:3: '1e-400'" + refused);
  EXPECT_EQ(read("0e-400,1\n2.2250738585072014e-308,0\n", options).rows,
            (std::vector<std::vector<double>>{{0}, {0x1p-1022}}));
}

TEST(Csv, WithoutRowsIsAnEmptyPage) {
  EXPECT_EQ(read("").rows.size(), 0U);
  EXPECT_EQ(read("\n \r\n\n").rows.size(), 0U);
  EXPECT_EQ(read("a,b\n").rows.size(), 0U);
}

TEST(Csv, CutAtEveryByteGivesTheSameRows) {
  const std::string text =
      "id,a,b,y\r\n\"x\ny\", 1 ,\"2\",no\n\n\"\"\"q\"\"\n\n,\",3,4.25,\"ma\nybe\"\r\n z ,-5e-1,+6,yes\r\n5\" "
      "pipe,7,8,no";
  ReadOptions options;
  options.id = "id";
  const Table whole = read(text, options);
  ASSERT_EQ(whole.rows, (std::vector<std::vector<double>>{{1, 2}, {3, 4.25}, {-0.5, 6}, {7, 8}}));
  for (std::size_t bytes = 1; bytes <= text.size(); ++bytes) {
    const Table cut = read(text, options, bytes);
    EXPECT_EQ(cut, whole) << bytes;
  }
}

TEST(Csv, CountsLinesAndBytesOfAPage) {
  const TextFormat format = csv_format("1,0\n", {});
  const Page page = format.parse(PaddedText("1,\"a\nb\"\n\n2,c\n").chunk()).page;
  EXPECT_EQ(page.batch.rows, 2);
  EXPECT_EQ(page.lines, 4U);
  EXPECT_EQ(page.bytes, 13U);
}

TEST(Csv, RowsAreAnsweredAsWritten) {
  ReadOptions options;
  options.id = "who";
  const std::string text = "a,who,b,y\n 1.50 ,x,\"+2\",yes\n\n3,y,4,no\n5e0,\"z \"\"Z\"\"\",0006,\"a \"\"b\"\"\"\n";
  const TextFormat format = csv_format(text, options);
  const PaddedText padded(text.substr(format.header_bytes));
  const auto rows = format.written(padded.chunk(), {0, 2});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].row, 0);
  EXPECT_EQ(rows[0].id, "x");
  EXPECT_EQ(rows[0].label, "yes");
  ASSERT_EQ(rows[0].values.size(), 2U);
  EXPECT_EQ(rows[0].values[0].decimal, "1.50");
  EXPECT_EQ(rows[0].values[1].decimal, "+2");
  EXPECT_EQ(rows[0].values[1].column, 1U);
  EXPECT_EQ(rows[1].row, 2);
  EXPECT_EQ(rows[1].id, "z \"Z\"");
  EXPECT_EQ(rows[1].label, "a \"b\"");
  EXPECT_EQ(rows[1].values[0].decimal, "5e0");
  EXPECT_EQ(rows[1].values[1].decimal, "0006");
}

TEST(CsvPlain, MarksOfAllBytesAtAllPlacesAreTheSameInBothVersions) {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t place = 0; place < 16; ++place) {
      for (const char rest : {'5', '.', ',', '\xff', '/', ':'}) {
        std::string text(16, rest);
        text[place] = static_cast<char>(byte);
        csv::Marks expected;
        for (std::size_t i = 0; i < 16; ++i) {
          if (text[i] < '0' || text[i] > '9') expected.others |= 1U << i;
          if (text[i] == '.') expected.points |= 1U << i;
        }
        ASSERT_EQ(csv::marks_of(text.data()), expected) << byte;
        ASSERT_EQ(csv::portable_marks(text.data()), expected) << byte;
      }
    }
  }
}

/// A decimal of any shape that a number may have, with enough digits to be hard.
std::string drawn_number() {
  std::string text = *rc::gen::element<std::string>("", "", "-", "+");
  const auto digits = [](int most) {
    return *rc::gen::container<std::string>(static_cast<std::size_t>(*rc::gen::inRange(0, most + 1)),
                                            rc::gen::elementOf(std::string("0123456789")));
  };
  const int most = *rc::gen::element(1, 3, 7, 8, 9, 17, 25);
  const std::string whole = digits(most);
  const std::string fraction = digits(*rc::gen::element(0, 2, 7, 8, 9, 15, 16, 17, 25));
  text += whole.empty() && fraction.empty() ? std::string(1, '0') : whole;
  if (!fraction.empty() || *rc::gen::inRange(0, 4) == 0) text.append(1, '.').append(fraction);
  if (*rc::gen::inRange(0, 4) == 0) text.append(1, 'e').append(std::to_string(*rc::gen::inRange(-20, 12)));
  return text;
}

template <class V>
V by_library(const std::string& text) {
  if constexpr (sizeof(V) == sizeof(float)) {
    return std::strtof(text.c_str(), nullptr);
  } else {
    return std::strtod(text.c_str(), nullptr);
  }
}

template <class V>
void check_rounding() {
  std::string text;
  std::vector<V> expected;
  for (int row = 0; row < 50; ++row) {
    for (int column = 0; column < 3; ++column) {
      const std::string number = drawn_number();
      expected.push_back(by_library<V>(number));
      text += number + ",";
    }
    text += "1\n";
  }
  ReadOptions options;
  options.header = false;
  options.double_values = sizeof(V) == sizeof(double);
  const TextFormat format = csv_format(text, options);
  const PaddedText padded(text);
  const Page page = format.parse(padded.chunk()).page;
  std::vector<V> got;
  for_each_row(page.batch, [&](const auto& row, std::int64_t) {
    for_each_entry(row, [&](std::uint32_t, double value) { got.push_back(static_cast<V>(value)); });
  });
  RC_ASSERT(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    RC_ASSERT(got[i] == expected[i] && std::signbit(got[i]) == std::signbit(expected[i]));
  }
}

RC_GTEST_PROP(CsvProperty, FloatsAreCorrectlyRounded, ()) { check_rounding<float>(); }
RC_GTEST_PROP(CsvProperty, DoublesAreCorrectlyRounded, ()) { check_rounding<double>(); }

TEST(Csv, DecimalsBesideTheMiddleOfTwoFloatsAreRoundedOnce) {
  // 1 + 2⁻²⁴ lies half way between two floats. The 16th digit and those beyond decide, or a tie goes to even.
  EXPECT_EQ(read("1.00000005960464477,0\n").rows[0][0], 1.0);
  EXPECT_EQ(read("1.00000005960464478,0\n").rows[0][0], 1.0 + 0x1p-23);
  EXPECT_EQ(read("8388608.5,0\n8388609.5,1\n").rows, (std::vector<std::vector<double>>{{8388608}, {8388610}}));
}

/// Text that is nearly CSV: numbers, and now and then a byte that does harm.
RC_GTEST_PROP(CsvProperty, TheFastPathAgreesWithTheStrictParser, ()) {
  std::string text;
  const int rows = *rc::gen::inRange(1, 6);
  for (int row = 0; row < rows; ++row) {
    text += drawn_number() + "," + drawn_number() + (*rc::gen::element<std::string>("\n", "\r\n", "\n\n"));
  }
  const int harms = *rc::gen::inRange(0, 3);
  for (int k = 0; k < harms; ++k) {
    const auto at = static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(text.size())));
    text[at] = *rc::gen::elementOf(std::string(",\"\n\r .-+ex\t9\0", 13));
  }
  csv::Layout layout;
  layout.labelled = false;
  ReadOptions options;
  options.header = false;
  options.labelled = false;
  options.features = 2;
  layout.columns = csv::find_columns({"1", "2"}, options);
  layout.double_values = *rc::gen::arbitrary<bool>();
  layout.exact = *rc::gen::arbitrary<bool>();
  const PaddedText padded(text);
  const auto outcome = [&](auto&& parse) {
    try {
      Table table;
      append(table, parse(layout, padded.chunk()));
      return testing::PrintToString(table.rows);
    } catch (const TextError& error) {
      return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
    }
  };
  RC_ASSERT(outcome(csv::parse_rows) == outcome(csv::parse_rows_strictly));
}

TEST(Csv, TenThousandBrokenInputsAreReadOrRefused) {
  const std::string whole =
      "\xef\xbb\xbfid,a,b,w,y\r\n\"x\ny\", 1 ,\"2\",1,no\n\n\"\"\"q\"\"\n\n,\",3,4.25,2e0,\"ma\nybe\"\r\n z "
      ",-5e-1,+6,.5,yes\r\n";
  const std::string bytes = std::string("\0\xff,\"\n\r\t .+-e09", 14) + "nainf\xef";
  int refused = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    Random random(11, i);
    std::string text = whole.substr(0, random.below(2) == 0 ? whole.size() : random.below(whole.size()));
    for (std::uint64_t k = random.below(4); k > 0 && !text.empty(); --k) {
      const std::size_t at = random.below(text.size());
      switch (random.below(3)) {
        case 0:
          text[at] = bytes[random.below(bytes.size())];
          break;
        case 1:
          text.insert(at, 1 + random.below(3), bytes[random.below(bytes.size())]);
          break;
        default:
          text.erase(at, 1 + random.below(3));
      }
    }
    ReadOptions options;
    options.double_values = random.below(2) == 0;
    if (random.below(2) == 0) options.weight.assign(1, '4');
    if (random.below(2) == 0) options.id.assign(1, '1');
    if (random.below(4) == 0) options.labelled = false;
    try {
      read(text, options, 1 + random.below(40));
      const TextFormat format = csv_format(text, options);
      const PaddedText padded(std::string_view(text).substr(format.header_bytes));
      format.written(padded.chunk(), {0, 1, 2});
    } catch (const TextError& error) {
      ++refused;
      EXPECT_FALSE(error.message.empty());
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 3000);
  EXPECT_LT(refused, 9900);
}

}  // namespace
}  // namespace linsep
