#include "linsep/tools/statement.h"

#include <gtest/gtest.h>

namespace linsep {
namespace {

/// A certificate of six rows and one feature. Two of the rows can be separated.
Certificate of(Claim claim) {
  Certificate certificate;
  certificate.claim = claim;
  certificate.data.rows = 6;
  certificate.data.features = 1;
  if (claim == Claim::kSeparable || claim == Claim::kQuasiSeparable) certificate.levels = {{{0, "1"}}};
  if (claim == Claim::kQuasiSeparable) certificate.left_at_zero = 4;
  if (claim == Claim::kQuasiSeparable || claim == Claim::kOverlapping) certificate.witness = {{0, "1"}, {1, "1"}};
  return certificate;
}

std::string said(const Certificate& certificate) { return claim_words(statement_of(certificate)); }

TEST(Statement, OfTwoClasses) {
  EXPECT_EQ(said(of(Claim::kSeparable)), "separable: some linear classifier makes no mistake on these rows");
  EXPECT_EQ(said(of(Claim::kQuasiSeparable)),
            "quasi-separable: no linear classifier separates all rows, but one separates 2 and has the other 4 on its "
            "boundary");
  EXPECT_EQ(said(of(Claim::kOverlapping)),
            "overlapping: no linear classifier separates these rows, and quasi-separation is ruled out too");
}

TEST(Statement, NamesTheOriginAndTheMap) {
  Certificate certificate = of(Claim::kOverlapping);
  certificate.origin = true;
  certificate.map = {FeatureMap::Kind::kPolynomial, 2};
  const Statement statement = statement_of(certificate);
  EXPECT_EQ(not_separable_words(statement),
            "no linear classifier on the map polynomial:2 through the origin separates these rows");
  EXPECT_EQ(least_words(statement, 1),
            "every linear classifier on the map polynomial:2 through the origin makes at least 1 mistake");
  EXPECT_EQ(regression_words(statement), "logistic regression on the map polynomial:2 through the origin");
  EXPECT_EQ(classifier_words(statement, "perceptron"), "perceptron on the map polynomial:2 through the origin");
}

TEST(Statement, NamesTheClassThatIsSeparatedFromTheRest) {
  const auto against = [](Claim claim) {
    Certificate certificate = of(claim);
    certificate.data.classes = {"A", "B", "C"};
    certificate.data.positive = "B";
    return certificate;
  };
  EXPECT_EQ(said(against(Claim::kSeparable)), "separable: some linear classifier separates B from the rest");
  EXPECT_EQ(said(against(Claim::kQuasiSeparable)),
            "quasi-separable: no linear classifier separates B from the rest, but one separates 2 rows and has the "
            "other 4 on its boundary");
  EXPECT_EQ(said(against(Claim::kOverlapping)),
            "overlapping: no linear classifier separates B from the rest, and quasi-separation is ruled out too");
  const Statement statement = statement_of(against(Claim::kOverlapping));
  EXPECT_EQ(least_words(statement, 3),
            "every linear classifier makes at least 3 mistakes in separating B from the rest");
  EXPECT_EQ(regression_words(statement), "logistic regression of B against the rest");
}

TEST(Statement, OfAllClassesCountsComparisons) {
  const auto jointly = [](Claim claim) {
    Certificate certificate = of(claim);
    certificate.data.classes = {"A", "B", "C"};
    return certificate;
  };
  EXPECT_EQ(said(jointly(Claim::kSeparable)),
            "jointly separable: some linear classifier with one score per class gets every row right");
  EXPECT_EQ(
      said(jointly(Claim::kQuasiSeparable)),
      "jointly quasi-separable: no linear classifier with one score per class gets every row right, but one never "
      "scores a row's own class lower than another, and scores it higher in 8 of 12 comparisons");
  EXPECT_EQ(said(jointly(Claim::kOverlapping)),
            "jointly overlapping: no linear classifier with one score per class gets every row right, and one that "
            "never scores a row's own class lower than another has nothing but ties");
  EXPECT_EQ(regression_words(statement_of(jointly(Claim::kOverlapping))),
            "multinomial logistic regression (with C as the reference class)");
}

TEST(Statement, OfAnUndecidedProofIsWhatIsKnown) {
  Certificate certificate = of(Claim::kUndecided);
  EXPECT_EQ(said(certificate), "undecided");
  certificate.levels = {{{0, "1"}}};
  certificate.left_at_zero = 5;
  EXPECT_EQ(said(certificate), "undecided: some linear classifier separates 1 row and has no row on the wrong side");
  certificate.witness = {{0, "1"}, {1, "1"}};
  EXPECT_EQ(said(certificate), "undecided: no linear classifier separates these rows");
  certificate.data.classes = {"A", "B", "C"};
  EXPECT_EQ(said(certificate), "jointly undecided: no linear classifier with one score per class gets every row right");
}

TEST(Statement, BeginsASentenceWithACapitalLetter) {
  EXPECT_EQ(capitalized("no line"), "No line");
  EXPECT_EQ(capitalized("δ"), "δ");
  EXPECT_EQ(capitalized(""), "");
}

}  // namespace
}  // namespace linsep
