#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "linsep/picture/document.h"

namespace linsep {
namespace {

TEST(PictureJson, AnEmptyPictureHasFormatVersionAndAbout) {
  const auto json = nlohmann::json::parse(picture_to_json({}));
  EXPECT_EQ(json["format"], "linsep-picture");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json.size(), 3U);
  EXPECT_FALSE(json["about"].contains("title"));
  EXPECT_FALSE(json["about"].contains("rows"));
}

TEST(PictureJson, NothingInATextCanEndAScript) {
  Picture picture;
  picture.about.title = "</script><!-- \" \\ \n \xff \xe2\x80\xae";
  const std::string text = picture_to_json(picture);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text)["about"]["title"], "</script><!-- \" \\ \n \xef\xbf\xbd \xe2\x80\xae");
}

TEST(PictureJson, NumbersHaveSixDigitsUnlessTheyDecide) {
  Picture picture;
  picture.weights.emplace();
  picture.weights->norm = 1.0 / 3;
  picture.weights->offset = 1.0 / 3;
  picture.weights->rest_share = std::numeric_limits<double>::quiet_NaN();
  const std::string text = picture_to_json(picture);
  EXPECT_NE(text.find("\"norm\":0.333333,"), std::string::npos);
  EXPECT_NE(text.find("\"offset\":0.3333333333333333}"), std::string::npos);
  EXPECT_NE(text.find("\"rest_share\":null"), std::string::npos);
}

TEST(PictureJson, PlacesKeepTheDigitsThatTellThemApart) {
  Picture picture;
  picture.plane.emplace();
  picture.plane->kind = "features";
  picture.plane->x = {"when", 1.6e9, 1.6e9 + 10, {}};
  picture.points.emplace();
  picture.points->at.resize(1);
  picture.points->at[0].x = 1.6e9 + 1.25;
  picture.points->at[0].y = 1.0 / 3;
  const auto json = nlohmann::json::parse(picture_to_json(picture));
  EXPECT_EQ(json["points"]["x"][0], 1.6e9 + 1.25);
  EXPECT_EQ(json["points"]["y"][0], 0.333333);
}

TEST(PictureJson, RecordsAreColumnsAndRowsCountFromOne) {
  Picture picture;
  picture.points.emplace();
  picture.points->at.resize(2);
  picture.points->at[0].x = 1;
  picture.points->at[1].row = 4;
  picture.points->at[1].x = 3;
  picture.points->at[1].margin = std::numeric_limits<double>::quiet_NaN();
  picture.proof.emplace();
  picture.proof->packing = {{0, 1}, {5, 6}};
  const auto json = nlohmann::json::parse(picture_to_json(picture));
  EXPECT_EQ(json["points"]["row"], (std::vector<int>{1, 5}));
  EXPECT_EQ(json["points"]["x"], (std::vector<double>{1, 3}));
  EXPECT_TRUE(json["points"]["margin"][1].is_null());
  EXPECT_FALSE(json["points"].contains("id"));
  EXPECT_EQ(json["proof"]["packing"], (std::vector<std::vector<int>>{{1, 2}, {6, 7}}));
}

}  // namespace
}  // namespace linsep
