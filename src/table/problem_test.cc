#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "table/testing.h"

namespace linsep {
namespace {

/// The problem of a map with one encoder after a change.
template <class Change>
std::string after(Encoder encoder, const Change& change) {
  std::visit(
      [&](auto& kind) {
        if constexpr (std::is_invocable_v<const Change&, decltype(kind)>) change(kind);
      },
      encoder.kind);
  return problem_of(table_of(std::move(encoder)));
}

TEST(Problem, OfASoundMapIsNone) {
  EXPECT_EQ(problem_of(table_example()), "");
  EXPECT_EQ(problem_of(TableMap{}), "");
}

TEST(Problem, OfRulesFromAnotherTime) {
  TableMap map = table_example();
  map.rules = 2;
  EXPECT_EQ(problem_of(map), "the table has version 2 of the rules; this program has 1");
}

TEST(Problem, OfNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto says = [](const auto& change) { return after(number_example(), change); };
  EXPECT_EQ(says([](NumberEncoder& e) { e.factor = 0; }),
            "column 'age' of the table: its factor should be a number above 0");
  EXPECT_NE(says([](NumberEncoder& e) { e.factor = -1; }), "");
  EXPECT_NE(says([&](NumberEncoder& e) { e.factor = nan; }), "");
  EXPECT_NE(says([&](NumberEncoder& e) { e.shift = nan; }), "");
  EXPECT_NE(says([&](NumberEncoder& e) { e.mean = nan; }), "");
  EXPECT_NE(says([](NumberEncoder& e) { e.fill = 1e300; }), "") << "more than a float";
  EXPECT_NE(says([](NumberEncoder& e) { e.scale = Scale::kNone; }), "") << "with a factor";
  EXPECT_NE(says([](NumberEncoder& e) { e.scale = Scale::kAuto; }), "");
}

TEST(Problem, OfValuesAndTerms) {
  EXPECT_NE(after(category_example(), [](CategoryEncoder& e) { e.terms.push_back("bob"); }), "");
  EXPECT_NE(after(category_example(), [](CategoryEncoder& e) { e.buckets = {1}; }), "");
  const auto says = [](const auto& change) { return after(text_example(), change); };
  EXPECT_NE(says([](TextEncoder& e) { e.terms[0] = "free prize"; }), "") << "twice";
  EXPECT_NE(says([](TextEncoder& e) { e.terms[0] = "free prize now"; }), "") << "three words";
  EXPECT_NE(says([](TextEncoder& e) { e.terms[0] = "free  prize"; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.terms[0] = ""; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.words = {}; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.words = {2, 1}; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.words = {0, 1}; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.words = {1, 9}; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.chars = {3, 4}; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.idf.pop_back(); }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.idf[0] = -1; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.idf[0] = 1e-200; }), "") << "its square is 0";
  EXPECT_EQ(says([](TextEncoder& e) { e.idf[0] = 0; }), "");
  EXPECT_EQ(says([](TextEncoder& e) { e.idf.clear(); }), "");
}

TEST(Problem, OfBuckets) {
  const auto says = [](const auto& change) { return after(hashed_example(), change); };
  EXPECT_NE(says([](TextEncoder& e) { e.bits = 9; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.bits = 29; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.bits = -1; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.buckets[2] = 1024; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.buckets[1] = 3; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.names[1].bucket = 1024; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.names[1].bucket = 3; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.terms = {"a"}; }), "");
  EXPECT_NE(says([](TextEncoder& e) { e.every_bucket = true; }), "");
}

TEST(Problem, OfDates) {
  const auto says = [](const auto& change) { return after(date_example(), change); };
  EXPECT_NE(says([](DateEncoder& e) { e.format = "%Q"; }), "");
  EXPECT_NE(says([](DateEncoder& e) { e.parts.clear(); }), "");
  EXPECT_NE(says([](DateEncoder& e) { e.parts.push_back(DateEncoder::Part::kDays); }), "");
}

TEST(Problem, OfCrosses) {
  TableMap map = table_example();
  as<CrossEncoder>(map.encoders.back()).second = "country";
  EXPECT_EQ(problem_of(map), "column 'age' of the table: there is no column 'country' to cross") << "no number";
  map = table_example();
  as<CrossEncoder>(map.encoders.end()[-3]).terms[0] = "FR";
  EXPECT_NE(problem_of(map), "") << "a value of one column";
  map = table_example();
  as<CrossEncoder>(map.encoders.back()).terms = {"a"};
  EXPECT_NE(problem_of(map), "") << "they would be lost in a file";
}

TEST(Problem, OfColumns) {
  TableMap map;
  map.encoders = {number_example(), category_example()};
  map.encoders[1].column = "age";
  EXPECT_EQ(problem_of(map), "column 'age' is encoded in two different ways");
  map = table_of(number_example());
  map.header = false;
  EXPECT_NE(problem_of(map), "") << "a name, where there are numbers";
  map.encoders[0].column = "12";
  EXPECT_EQ(problem_of(map), "");
}

TEST(Problem, OfTooManyFeatures) {
  TableMap map;
  for (const char* column : {"a", "b"}) {
    Encoder e = vector_example();
    e.column = column;
    as<VectorEncoder>(e).size = 0x80000000;
    map.encoders.push_back(e);
  }
  EXPECT_NE(problem_of(map), "");
  map.encoders.pop_back();
  EXPECT_EQ(problem_of(map), "");
}

}  // namespace
}  // namespace linsep
