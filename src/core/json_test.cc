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

TEST(Json, BracketsInWordsAndBehindOneAnotherAreNotDeep) {
  std::string side_by_side = "[";
  for (int i = 0; i < 1000; ++i) side_by_side += "[],{},";
  EXPECT_EQ(error_of(side_by_side + "0]"), "");
  EXPECT_EQ(error_of("[\"" + std::string(1000, '[') + R"(\"[[\\"])"), "");
}

}  // namespace
}  // namespace linsep
