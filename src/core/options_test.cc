#include "linsep/options.h"

#include <gtest/gtest.h>

#include "linsep/error.h"

namespace linsep {
namespace {

const OptionTable& table() {
  static const OptionTable kTable = {
      flag_option("origin", "Go through the origin."),
      integer_option("passes", 100, 1, 1e9, "At most this many passes."),
      number_option("rate", 1.0, 0, 100, "Learning rate."),
      choice_option("order", "given", {"given", "shuffled"}, "Order of rows."),
      numbers_option("init", "First weights."),
      text_option("note", "", "Anything."),
  };
  return kTable;
}

std::string message(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    return error.what();
  }
  return "no error";
}

TEST(Options, WhatIsNotGivenHasItsDefault) {
  const Options options = complete_options(table(), {{"rate", 0.5}});
  EXPECT_EQ(get_number(options, "rate"), 0.5);
  EXPECT_EQ(get_integer(options, "passes"), 100);
  EXPECT_EQ(get_text(options, "order"), "given");
  EXPECT_FALSE(get_flag(options, "origin"));
  EXPECT_TRUE(get_numbers(options, "init").empty());
}

TEST(Options, AWholeNumberServesAsANumber) {
  EXPECT_EQ(get_number(complete_options(table(), {{"rate", std::int64_t{2}}}), "rate"), 2.0);
}

TEST(Options, AnUnknownNameIsRefusedWithTheNearestOne) {
  EXPECT_EQ(message([] { complete_options(table(), {{"pases", std::int64_t{3}}}); }),
            "there is no option 'pases'; did you mean 'passes'?");
}

TEST(Options, ABadValueIsRefusedWithWhatIsAllowed) {
  const auto parse = [](std::string_view name, std::string_view text) {
    return message([&] { parse_option(*find_option(table(), name), text); });
  };
  EXPECT_EQ(parse("passes", "0"), "'passes' takes a whole number from 1 to 1000000000, not '0'");
  EXPECT_EQ(parse("passes", "3x"), "'passes' takes a whole number from 1 to 1000000000, not '3x'");
  EXPECT_EQ(parse("rate", "nan"), "'rate' takes a number from 0 to 100, not 'nan'");
  EXPECT_EQ(parse("order", "sorted"), "'order' takes one of given, shuffled, not 'sorted'");
  EXPECT_EQ(parse("init", "1,,2"), "'init' takes numbers separated by commas, not '1,,2'");
}

TEST(Options, TextReadsBackAsTheSameValue) {
  for (const auto& [name, text] : std::vector<std::pair<std::string_view, std::string>>{
           {"origin", "true"}, {"passes", "17"}, {"rate", "0.1"}, {"order", "shuffled"}, {"init", "-1,0.25"}}) {
    const OptionSpec& spec = *find_option(table(), name);
    EXPECT_EQ(option_text(parse_option(spec, text)), text);
  }
}

TEST(OptionError, NamesTheOptionApartFromTheSentence) {
  const Error error = option_error("order", "a stream keeps its rows in the given order: leave out {}");
  EXPECT_EQ(error.kind(), Error::Kind::kUsage);
  EXPECT_EQ(error.option(), "order");
  EXPECT_STREQ(error.what(), "a stream keeps its rows in the given order: leave out 'order'");
  EXPECT_EQ(error.reason(), error.what());
  EXPECT_EQ(error.spelled("--", ""), "a stream keeps its rows in the given order: leave out --order");
}

TEST(OptionError, NamesSeveralOptionsInTheirOrder) {
  const Error error = options_error({"lambdas", "Cs"}, "{} and {} say the same as {}");
  EXPECT_EQ(error.option(), "lambdas");
  EXPECT_STREQ(error.what(), "'lambdas' and 'Cs' say the same as {}");
  EXPECT_EQ(error.spelled("-", "!"), "-lambdas! and -Cs! say the same as {}");
}

TEST(OptionError, OfAPlaceHasAReasonWithoutIt) {
  const Error error(Error::Kind::kInput, {.file = "a.csv", .line = 3, .column = 7}, {"ignore"}, "no number; try {} 2");
  EXPECT_STREQ(error.what(), "a.csv:3:7: no number; try 'ignore' 2");
  EXPECT_EQ(error.reason(), "no number; try 'ignore' 2");
  EXPECT_EQ(error.spelled("--", ""), "a.csv:3:7: no number; try --ignore 2");
}

TEST(OptionError, OfATableSaysWhichOptionItWas) {
  try {
    parse_option(*find_option(table(), "passes"), "0");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.option(), "passes");
    EXPECT_EQ(error.spelled("--", ""), "--passes takes a whole number from 1 to 1000000000, not '0'");
  }
}

TEST(Options, OfAGroupCarryItsName) {
  for (const OptionSpec& row : grouped("stopping", table())) EXPECT_EQ(row.group, "stopping") << row.name;
  EXPECT_EQ(table().front().group, "");
}

TEST(NearestWord, IsSilentWhenNothingIsNear) {
  const std::vector<std::string_view> words = {"train", "predict"};
  EXPECT_EQ(nearest_word("tarin", words), "train");
  EXPECT_EQ(nearest_word("xyzzy", words), "");
}

TEST(Error, SaysWhereInTheOrderThatEditorsUnderstand) {
  EXPECT_STREQ(Error({.file = "a.svm", .line = 3, .column = 7}, "expected ':'").what(), "a.svm:3:7: expected ':'");
}

}  // namespace
}  // namespace linsep
