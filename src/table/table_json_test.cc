#include <gtest/gtest.h>

#include "linsep/error.h"
#include "table/testing.h"

namespace linsep {
namespace {

std::string refusal(const std::string& json) {
  try {
    table_from_json(json, "t");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInput);
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(TableJson, ReadsBackToTheSameMapOfEveryKind) {
  const TableMap map = table_example();
  EXPECT_EQ(table_from_json(table_to_json(map), "t"), map);
  EXPECT_EQ(table_from_json(table_to_json({}), "t"), TableMap{});
}

TEST(TableJson, HasItsKeysInAFixedOrder) {
  TableMap map;
  map.rows = 3;
  map.encoders = {number_example(), text_example()};
  EXPECT_EQ(
      table_to_json(map),
      "{\"rules\": 1, \"rows\": 3, \"single\": true, \"header\": true, \"decimal\": \".\", \"missing_words\": [], "
      "\"columns\": [\n"
      "    {\"name\": \"age\", \"kind\": \"number\", \"scale\": \"deviation\", \"shift\": 0.1, \"factor\": 0.125, "
      "\"fill\": 41.5, \"mean\": 41.5, \"missing\": true},\n"
      "    {\"name\": \"body\", \"kind\": \"text\", \"words\": [1, 2], \"chars\": [], \"tf\": \"sqrt\", \"terms\": "
      "[\"free\", \"free prize\", \"état\"], \"idf\": [1, 2.5, 0.3333333333333333], \"norm\": true}\n"
      "  ]}");
}

TEST(TableJson, HasBytesThatAreNoUtf8AsNumbers) {
  EXPECT_NE(table_to_json(table_of(category_example())).find("{\"bytes\": \"ÿ\\u0001\"}"), std::string::npos);
}

TEST(TableJson, IsRefusedWhereItIsntAMap) {
  const std::string json = table_to_json(table_example());
  EXPECT_EQ(refusal(replaced(json, "\"rules\": 1", "\"rules\": 2")),
            "t: not a table map: the table has version 2 of the rules of words, numbers and dates; this program has 1");
  EXPECT_EQ(refusal(replaced(json, "0.125", "0")),
            "t: not a table map: column 'age' of the table: its factor should be a number above 0");
  EXPECT_EQ(refusal(replaced(json, "\"rare\"", "\"rere\"")),
            "t: not a table map: the field \"columns[1].rare\" is missing");
  EXPECT_EQ(refusal(replaced(json, "\"name\"", "\"more\": 1, \"name\"")),
            "t: not a table map: the field \"columns[0].more\" is not one of this format");
  EXPECT_NE(refusal(replaced(json, "\"kind\": \"text\"", "\"kind\": \"words\"")), "");
  EXPECT_NE(refusal(replaced(json, "\"bits\": 10", "\"bits\": 0")), "");
  EXPECT_NE(refusal(replaced(json, "[3, \"win\", \"now\"]", "[3, \"win\"]")), "");
  EXPECT_EQ(refusal("{"),
            "t:1:2: not valid JSON: syntax error while parsing object key - unexpected end of input; "
            "expected string literal");
}

}  // namespace
}  // namespace linsep
