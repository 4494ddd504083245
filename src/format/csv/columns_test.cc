#include "format/csv/columns.h"

#include <gtest/gtest.h>

#include "core/colliding_testing.h"
#include "linsep/error.h"

namespace linsep::csv {
namespace {

using Fields = std::vector<std::string>;

/// The roles as one letter per column, with f, L, i, w, and '-' for ignored.
std::string roles(const Columns& columns) {
  std::string text;
  for (const Role role : columns.role) {
    text += role == Role::kFeature  ? 'f'
            : role == Role::kLabel  ? 'L'
            : role == Role::kId     ? 'i'
            : role == Role::kWeight ? 'w'
                                    : '-';
  }
  return text;
}

std::string roles(const Fields& first_row, const ReadOptions& options = {}) {
  return roles(find_columns(first_row, options));
}

std::string message(const Fields& first_row, const ReadOptions& options, Error::Kind kind) {
  try {
    find_columns(first_row, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}

/// The time that everything done with the names of a header takes.
double seconds_of_header(Fields names) {
  names.push_back("y");
  ReadOptions options;
  options.label = "y";
  options.ignore = {names[0]};
  return test::seconds_of([&] { EXPECT_EQ(find_columns(names, options).features, names.size() - 2); });
}

TEST(CsvColumns, NamesThatAreMadeToCollideCostNoMoreThanOthers) {
  constexpr std::size_t kNames = 10000;
  EXPECT_LT(seconds_of_header(test::colliding_names(kNames)),
            10 * seconds_of_header(test::ordinary_names(kNames)) + 0.1);
}

const Fields kPatients = {"name", "age", "weight", "outcome"};

TEST(CsvColumns, OfAFirstRowWithAWordAmongItsFeaturesAreAHeader) {
  EXPECT_TRUE(find_columns({"a", "1", "y"}, {}).header);
  EXPECT_TRUE(find_columns({"", "a", "y"}, {}).header);
  EXPECT_FALSE(find_columns({"1", " 2.5e3 ", "y"}, {}).header) << "a word as label is no header";
  EXPECT_FALSE(find_columns({"1", "", "y"}, {}).header) << "a missing value is no name";
  for (const char* value : {"nan", "-inf", "Infinity", "NA", "N/A", "null", "None", "?"}) {
    EXPECT_FALSE(find_columns({"1", value, "y"}, {}).header) << value;
  }
}

TEST(CsvColumns, HaveAHeaderWhenTheOptionsSaySoOrNameAColumn) {
  ReadOptions options;
  options.header = true;
  EXPECT_TRUE(find_columns({"1", "2", "3"}, options).header);
  options.header = false;
  EXPECT_FALSE(find_columns({"a", "b", "c"}, options).header);
  options.header.reset();
  options.label = "2019";
  EXPECT_THROW(find_columns({"2018", "2019", "2020"}, options), Error) << "a number alone calls for no header";
  options.ignore = {"id"};
  EXPECT_EQ(message({"1", "2"}, options, Error::Kind::kUsage), "'ignore' id: no such column; the columns are 1, 2");
}

TEST(CsvColumns, OtherThanFeaturesDoNotMakeAHeader) {
  ReadOptions options;
  options.id = "1";
  options.ignore = {"3"};
  const Columns columns = find_columns({"row one", "2", "text", "yes"}, options);
  EXPECT_FALSE(columns.header);
  EXPECT_EQ(roles(columns), "if-L");
}

TEST(CsvColumns, HaveTheLabelLastUnlessToldOtherwise) {
  EXPECT_EQ(roles({"a", "b", "c"}), "ffL");
  ReadOptions options;
  options.label = "a";
  EXPECT_EQ(roles({"a", "b", "c"}, options), "Lff");
  options.label = "2";
  EXPECT_EQ(roles({"a", "b", "c"}, options), "fLf");
  EXPECT_EQ(roles({"1", "2", "3"}, options), "fLf");
}

TEST(CsvColumns, HaveTheLabelInTheLastColumnWithoutAnotherPurpose) {
  ReadOptions options;
  options.ignore = {"c"};
  EXPECT_EQ(roles({"a", "b", "c"}, options), "fL-");
}

TEST(CsvColumns, AreFoundByNameBeforeNumber) {
  ReadOptions options;
  options.header = true;
  options.label = "2";
  EXPECT_EQ(roles({"1", "3", "2"}, options), "ffL");
  options.label = "4";
  EXPECT_EQ(message({"1", "3", "2"}, options, Error::Kind::kUsage), "'label' 4: no such column; the input has 3");
}

TEST(CsvColumns, CanBeIdWeightAndIgnored) {
  ReadOptions options;
  options.id = "name";
  options.weight = "weight";
  const Columns columns = find_columns(kPatients, options);
  EXPECT_EQ(roles(columns), "ifwL");
  EXPECT_EQ(columns.features, 1U);
  EXPECT_EQ(columns.feature_names(), (Fields{"age"}));
  options = {};
  options.ignore = {"name", "weight", "name"};
  EXPECT_EQ(roles(kPatients, options), "-f-L");
}

TEST(CsvColumns, ThatAreNotThereAreRefusedWithTheNearest) {
  ReadOptions options;
  options.label = "outcom";
  EXPECT_EQ(message(kPatients, options, Error::Kind::kUsage),
            "'label' outcom: no such column (did you mean outcome?); the columns are name, age, weight, outcome");
  options.label = "Age";
  EXPECT_EQ(message(kPatients, options, Error::Kind::kUsage),
            "'label' Age: no such column (did you mean age?); the columns are name, age, weight, outcome");
  options.label = "0";
  EXPECT_EQ(message(kPatients, options, Error::Kind::kUsage), "'label' 0: no such column; the input has 4");
  options.label = "outcome";
  options.header = false;
  EXPECT_EQ(message(kPatients, options, Error::Kind::kUsage),
            "'label' outcome: without a header a column is given by its number, from 1 to 4");
}

TEST(CsvColumns, HaveOnePurposeEach) {
  ReadOptions options;
  options.label = "age";
  options.ignore = {"age"};
  EXPECT_EQ(message(kPatients, options, Error::Kind::kUsage), "'label' age: this column already has another purpose");
  options = {};
  options.label = "a";
  EXPECT_EQ(message({"a", "b", "a"}, options, Error::Kind::kUsage),
            "'label' a: more than one column has this name; give its number");
}

ReadOptions unlabelled(std::uint32_t features, std::string label = "") {
  ReadOptions options;
  options.labelled = false;
  options.features = features;
  options.label = std::move(label);
  return options;
}

TEST(CsvColumns, WithoutLabelsAreCountedAgainstTheModel) {
  EXPECT_EQ(roles({"a", "b", "c"}, unlabelled(3)), "fff");
  EXPECT_EQ(roles({"1", "2", "3"}, unlabelled(3)), "fff");
  EXPECT_EQ(roles({"1", "2", "3"}, unlabelled(2)), "ffL");
  EXPECT_EQ(roles({"x"}, unlabelled(1)), "f");
  EXPECT_EQ(roles({"1", "2", "3"}, unlabelled(0)), "ffL") << "nothing is known: the last is the label, as in training";
  EXPECT_EQ(roles({"1", "2", "3"}, unlabelled(3, "1")), "fff");
  EXPECT_EQ(roles({"1", "2", "3"}, unlabelled(2, "1")), "Lff");
  EXPECT_EQ(message({"1", "2", "3"}, unlabelled(4), Error::Kind::kInput),
            "the input has 3 columns for features, but the model has 4 features");
  EXPECT_EQ(message({"1", "2", "3", "4"}, unlabelled(2), Error::Kind::kInput),
            "the input has 3 columns for features, but the model has 2 features");
}

TEST(CsvColumns, WithoutTheNamedLabelAreAllFeatures) {
  EXPECT_EQ(roles({"a", "b", "c"}, unlabelled(3, "y")), "fff");
  EXPECT_EQ(roles({"a", "y", "c"}, unlabelled(2, "y")), "fLf");
  EXPECT_EQ(roles({"a", "y", "c"}, unlabelled(0, "y")), "fLf");
}

TEST(CsvColumns, AreMatchedToAModelByName) {
  ReadOptions options = unlabelled(2);
  options.feature_names = {"a", "b"};
  Columns columns = find_columns({"extra", "b", "y", "a"}, options);
  EXPECT_EQ(roles(columns), "-f-f");
  EXPECT_EQ(columns.feature[1], 1U);
  EXPECT_EQ(columns.feature[3], 0U);
  EXPECT_EQ(columns.feature_names(), options.feature_names);
  options.label = "y";
  EXPECT_EQ(roles({"extra", "b", "y", "a"}, options), "-fLf");
  options.labelled = true;
  options.label = "";
  EXPECT_EQ(roles({"extra", "b", "y", "a"}, options), "-fLf") << "the last that is no feature";
  EXPECT_EQ(message({"b", "y"}, options, Error::Kind::kInput),
            "the model's feature 'a' has no column; the columns are b, y");
  EXPECT_EQ(message({"b", "a"}, options, Error::Kind::kInput), "no column is left for the label");
  EXPECT_EQ(roles({"1", "2", "3"}, options), "ffL") << "without a header there is nothing to match";
}

TEST(CsvColumns, AreCalledByNameOrNumber) {
  const Columns named = find_columns({"age", "body mass", "", "y"}, {});
  EXPECT_EQ(named.shown(0), "column 'age'");
  EXPECT_EQ(named.argument(0), "age");
  EXPECT_EQ(named.argument(1), "'body mass'");
  EXPECT_EQ(named.feature_names(), (Fields{"age", "body mass", "column 3"}));
  const Columns numbered = find_columns({"1", "2", "3"}, {});
  EXPECT_EQ(numbered.shown(1), "column 2");
  EXPECT_EQ(numbered.argument(1), "2");
  EXPECT_TRUE(numbered.feature_names().empty());
}

}  // namespace
}  // namespace linsep::csv
