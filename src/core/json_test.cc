#include "core/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "linsep/error.h"

namespace linsep {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

std::string error_of(const std::string& text) {
  try {
    parse_json_text(text, "m.json", "a model file", [](const nlohmann::json&) {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Json, NestedTooDeeplyIsRefusedWhereItBecomesSo) {
  EXPECT_EQ(error_of(nested(64)), "");
  EXPECT_EQ(error_of("{\n " + nested(64)), "m.json:2:65: not a model file: it is nested too deeply");
  EXPECT_EQ(error_of(std::string(3'000'000, '[')), "m.json:1:65: not a model file: it is nested too deeply");
  std::string objects;
  for (int i = 0; i < 65; ++i) objects += "{\"a\":";
  EXPECT_EQ(error_of(objects), "m.json:1:321: not a model file: it is nested too deeply");
}

TEST(Json, AFieldThatStandsTwiceInAnObjectIsRefused) {
  EXPECT_EQ(error_of(R"({"a": 1, "b": {"a": 2}, "\u0061": 3})"),
            "m.json: not a model file: the field \"a\" stands twice");
  EXPECT_EQ(error_of(R"([{"a": 1}, {"a": 2, "b": [{"a": 3}]}])"), "");
}

TEST(Json, OnlyAStrictObjectIsAnObject) {
  EXPECT_EQ(strict_json_object(R"({"a": [1]})"), nlohmann::json({{"a", {1}}}));
  for (const std::string text : {"[1]", "{", R"({"a": 1, "a": 1})", "", "3"}) {
    EXPECT_EQ(strict_json_object(text), nullptr) << text;
  }
  EXPECT_EQ(strict_json_object("{\"a\": " + nested(64) + "}"), nullptr);
}

TEST(Json, BracketsInWordsAndBehindOneAnotherAreNotDeep) {
  std::string side_by_side = "[";
  for (int i = 0; i < 1000; ++i) side_by_side += "[],{},";
  EXPECT_EQ(error_of(side_by_side + "0]"), "");
  EXPECT_EQ(error_of("[\"" + std::string(1000, '[') + R"(\"[[\\"])"), "");
}

}  // namespace
}  // namespace linsep
