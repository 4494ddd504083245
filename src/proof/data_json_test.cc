#include "proof/data_json.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "linsep/table/map.h"

namespace linsep {
namespace {

Schema table_of(std::size_t terms) {
  TableMap map;
  TextEncoder text;
  text.words = {1, 1};
  for (std::size_t i = 0; i < terms; ++i) text.terms.push_back("a_word_with_the_number_" + std::to_string(i));
  map.encoders.push_back({"body", text});
  Schema schema{{"ham", "spam"}, {}};
  schema.table = std::make_shared<const TableMap>(std::move(map));
  return schema;
}

TEST(DataJson, SaysWhatRowsOfATableWereEncodedBy) {
  const Schema schema = table_of(3);
  const DataDigest data = described_data(schema, 5, 3);
  EXPECT_EQ(table_from_json(data.table, "a proof"), *schema.table);
  const auto json = nlohmann::json::parse(data_json(data, 2));
  EXPECT_EQ(json.at("table"), data.table);
  EXPECT_FALSE(nlohmann::json::parse(data_json(data, 1)).contains("table"));
}

TEST(DataJson, HasTheHashOfALongMapOnly) {
  const std::string text = table_text(table_of(40000));
  EXPECT_TRUE(text.starts_with("sha256:"));
  EXPECT_EQ(text.size(), 7U + 64U);
  EXPECT_NE(text, table_text(table_of(40001)));
}

TEST(DataJson, HasNoTableWhereFeaturesAreTheColumnsThemselves) {
  Schema schema{{"ham", "spam"}, {"a"}};
  EXPECT_EQ(table_text(schema), "");
  schema.table = std::make_shared<const TableMap>();
  EXPECT_FALSE(nlohmann::json::parse(data_json(described_data(schema, 5, 1), 2)).contains("table"));
}

}  // namespace
}  // namespace linsep
