#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linsep/arrays.h"
#include "linsep/picture/make.h"
#include "linsep/specs.h"

namespace linsep {
namespace {

using Numbers = std::vector<double>;

const Numbers kCorners = {0, 0, 0, 1, 1, 0, 1, 1};

std::string said(const Picture& picture, const std::string& section, const std::string& role = "headline") {
  for (const Picture::Sentence& one : picture.sentences) {
    if (one.section == section && one.role == role) return one.text;
  }
  return "";
}

/// A picture of rows and a perceptron that was trained on them, with its visits.
Picture trained(const Numbers& y, bool no_rows = false) {
  const auto source = label_rows(dense_rows(kCorners, 2), y);
  TrainSpec spec = Perceptron{};
  spec.visits = 5000;
  const Outcome outcome = fit(*source, spec);
  PictureInput input;
  input.data = source.get();
  input.models.push_back({"perceptron", &outcome.model, std::nullopt});
  input.trained = &outcome;
  PictureSpec asked;
  asked.no_rows = no_rows;
  return make_picture(input, asked);
}

TEST(Told, ARunWithItsBoundVisitsAndRows) {
  const Picture picture = trained({-1, -1, -1, 1});
  EXPECT_EQ(said(picture, "summary"),
            "A line separates the classes: z = 2·x1 + 2·x2 − 3, proven margin 0.353553. The perceptron found one after "
            "18 mistakes; the theory allows at most 51.");
  ASSERT_TRUE(picture.events && picture.alpha && picture.bound && picture.proof);
  EXPECT_EQ(picture.events->visits, 36);
  EXPECT_EQ(picture.events->at.size(), 36U);
  EXPECT_EQ(picture.events->theta.size(), 72U);
  EXPECT_EQ(picture.events->at.back().norm, std::sqrt(29.0));
  std::vector<std::int64_t> rows, alpha;
  for (const auto& row : picture.alpha->rows) {
    rows.push_back(row.row);
    alpha.push_back(row.alpha);
  }
  EXPECT_EQ(rows, (std::vector<std::int64_t>{3, 1, 2, 0}));
  EXPECT_EQ(alpha, (std::vector<std::int64_t>{7, 5, 4, 2}));
  EXPECT_EQ(picture.alpha->rows[0].label, 1);
  EXPECT_EQ(picture.alpha->rest, "");
}

TEST(Told, AVerdictThatIsFoundHere) {
  const Picture picture = trained({-1, 1, 1, -1});
  ASSERT_TRUE(picture.proof.has_value());
  EXPECT_EQ(picture.proof->verdict, "overlapping");
  ASSERT_EQ(picture.proof->witness.size(), 4U);
  for (const auto& row : picture.proof->witness) EXPECT_EQ(row.share, 0.5);
  EXPECT_EQ(picture.proof->common_point, (PlanePoint{0.5, 0.5}));
  EXPECT_EQ(said(picture, "proof"), "No linear classifier separates these rows: 4 of them prove it.");
  EXPECT_FALSE(picture.bound.has_value());
}

TEST(Told, AProofIsShownOnlyOfItsOwnRows) {
  const auto rows = label_rows(dense_rows(kCorners, 2), Numbers{-1, -1, -1, 1});
  const auto others = label_rows(dense_rows(kCorners, 2), Numbers{-1, 1, 1, -1});
  Certificate proof = certify(*rows).certificate;
  seal_certificate(proof, *rows);
  const auto shown = [&](Source* data, const Certificate& certificate) {
    PictureInput input;
    input.data = data;
    input.proof = &certificate;
    return make_picture(input, {});
  };
  const auto made = [](const Picture& picture) {
    for (const Picture::ProvenanceEntry& line : picture.made) {
      if (line.name == "Proof") return line.value;
    }
    return std::string();
  };
  EXPECT_EQ(shown(rows.get(), proof).proof->verdict, "separable");
  EXPECT_EQ(
      made(shown(rows.get(), proof)),
      "checked against these rows while this page was made, by a checker that shares no arithmetic with the search");
  const Picture of_others = shown(others.get(), proof);
  EXPECT_FALSE(of_others.proof.has_value());
  EXPECT_EQ(said(of_others, "summary", "note"), made(of_others));
  EXPECT_TRUE(made(of_others).starts_with("The proof doesn't match these rows: "));
  Certificate forged = proof;
  forged.margin.at_least_squared = "100";
  EXPECT_FALSE(shown(rows.get(), forged).proof.has_value());
  const Picture alone = shown(nullptr, forged);
  EXPECT_EQ(said(alone, "summary"), "The proof can't be checked without its rows.");
}

TEST(Told, WithoutRowsNoRowIsNamed) {
  const Picture picture = trained({-1, 1, 1, -1}, true);
  ASSERT_TRUE(picture.proof.has_value());
  EXPECT_EQ(picture.proof->witness_rows, 4);
  EXPECT_TRUE(picture.proof->witness.empty());
  EXPECT_FALSE(picture.alpha || picture.events);
}

TEST(Told, AtMostOneHeadlineASection) {
  const Picture picture = trained({-1, -1, -1, 1});
  std::vector<std::string> sections;
  for (const Picture::Sentence& one : picture.sentences) {
    EXPECT_FALSE(one.text.empty());
    if (one.role == "headline") sections.push_back(one.section);
  }
  std::ranges::sort(sections);
  EXPECT_EQ(std::ranges::adjacent_find(sections), sections.end());
}

}  // namespace
}  // namespace linsep
