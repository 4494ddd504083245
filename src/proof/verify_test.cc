#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>

#include "linsep/certificate.h"
#include "linsep/error.h"
#include "proof/linear_form.h"
#include "proof/quick_form.h"
#include "proof/test_source.h"

namespace linsep {
namespace {

TestSource square(const std::vector<std::string>& labels) {
  return TestSource(
      {{labels[0], {}}, {labels[1], {{2, "1"}}}, {labels[2], {{1, "1"}}}, {labels[3], {{1, "1"}, {2, "1"}}}}, 2);
}
TestSource xor_rows() { return square({"-1", "1", "1", "-1"}); }

Certificate xor_certificate() {
  Certificate certificate;
  certificate.claim = Claim::kOverlapping;
  certificate.witness = {{0, "1/2"}, {1, "1/2"}, {2, "1/2"}, {3, "0.5"}};
  certificate.span.emplace();
  certificate.span->rows = {0, 1, 2};
  certificate.data.features = 2;
  TestSource data = xor_rows();
  seal_certificate(certificate, data);
  return certificate;
}

TEST(Verify, XorOverlapsWithAndWithoutTheData) {
  const Certificate certificate = xor_certificate();
  TestSource data = xor_rows();
  EXPECT_TRUE(verify_certificate(certificate, &data).valid) << verify_certificate(certificate, &data).reason;
  EXPECT_TRUE(verify_certificate(certificate, nullptr).valid);
  EXPECT_EQ(certificate.rows[1].leaf, "2 +1 2:1");
}

TEST(Verify, HearsAnInterruptAndTellsOfTheRows) {
  const Certificate certificate = xor_certificate();
  TestSource data = xor_rows();
  std::int64_t rows = 0;
  const auto observe = [&](const Progress& progress) {
    EXPECT_EQ(progress.phase, Phase::kChecking);
    rows = progress.rows;
  };
  EXPECT_TRUE(verify_certificate(certificate, &data, {}, observe).valid);
  EXPECT_EQ(rows, 4);
  const std::atomic<bool> stop = true;
  ProofOptions limits;
  limits.interrupt = &stop;
  try {
    verify_certificate(certificate, &data, limits);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInterrupted);
  }
}

TEST(Verify, WithoutCarriedRowsTheDataIsNeeded) {
  Certificate certificate = xor_certificate();
  certificate.rows.clear();
  const CheckResult alone = verify_certificate(certificate, nullptr);
  EXPECT_FALSE(alone.valid);
  EXPECT_TRUE(alone.needs_data);
  TestSource data = xor_rows();
  EXPECT_TRUE(verify_certificate(certificate, &data).valid);
}

TEST(Verify, OtherDataIsRefusedByItsDigest) {
  const Certificate certificate = xor_certificate();
  TestSource other = square({"-1", "1", "1", "1"});
  const CheckResult result = verify_certificate(certificate, &other);
  EXPECT_FALSE(result.valid);
  EXPECT_FALSE(result.needs_data);
  EXPECT_EQ(result.reason, "the certificate is about other data: the digests differ");
}

TEST(Verify, AndIsSeparableWithItsMargin) {
  Certificate certificate;
  certificate.claim = Claim::kSeparable;
  certificate.levels = {{{0, "2"}, {1, "2"}, {2, "-3"}}};
  certificate.margin.at_least_squared = "1/8";
  certificate.margin.at_most_squared = "0.125";
  certificate.margin.alpha = {{1, "1"}, {2, "1"}, {3, "2"}};
  certificate.data.features = 2;
  TestSource data = square({"-1", "-1", "-1", "1"});
  seal_certificate(certificate, data);
  const CheckResult result = verify_certificate(certificate, &data);
  EXPECT_TRUE(result.valid) << result.reason;
  EXPECT_EQ(result.proven.size(), 3U);
  EXPECT_TRUE(verify_certificate(certificate, nullptr).needs_data);
  certificate.margin.at_least_squared = "0.1251";
  EXPECT_EQ(verify_certificate(certificate, &data).reason, "the margin is smaller than claimed");
}

TEST(Verify, ARowOnTheBoundaryIsNotSeparated) {
  Certificate certificate;
  certificate.claim = Claim::kSeparable;
  certificate.levels = {{{0, "1"}, {1, "1"}, {2, "-1"}}};
  certificate.data.features = 2;
  TestSource data = square({"-1", "-1", "-1", "1"});
  seal_certificate(certificate, data);
  EXPECT_FALSE(verify_certificate(certificate, &data).valid);
  certificate.left_at_zero = 2;
  EXPECT_EQ(verify_certificate(certificate, &data).reason, "its parts don't prove the claim");
}

TEST(Verify, ThroughTheOriginARowOfZerosCanNotBeSeparated) {
  Certificate certificate;
  certificate.claim = Claim::kQuasiSeparable;
  certificate.origin = true;
  certificate.levels = {{{0, "1"}, {1, "1"}}};
  certificate.left_at_zero = 1;
  certificate.witness = {{0, "1"}};
  certificate.data.features = 2;
  TestSource data = square({"-1", "1", "1", "1"});
  seal_certificate(certificate, data);
  EXPECT_TRUE(verify_certificate(certificate, &data).valid) << verify_certificate(certificate, &data).reason;
}

TEST(Verify, AFileThatIsNoCertificateSaysWhy) {
  for (const char* text :
       {"", "{", "[]", "{}", R"({"linsep_certificate": 2})", R"({"linsep_certificate": 1, "claim": "maybe"})"}) {
    EXPECT_THROW(certificate_from_json(text, "proof.json"), Error) << text;
  }
}

TEST(Certificate, WhatTwoReadersCouldTakeInTwoWaysIsRefused) {
  const std::string good = certificate_to_json(xor_certificate());
  const auto with = [&good](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  EXPECT_NO_THROW(certificate_from_json(good, "proof.json"));
  const std::string deep = std::string(20, '[') + std::string(20, ']');
  for (const std::string& text : {
           with("\"claim\"", "\"extra\": 1, \"claim\""),
           with("\"claim\"", "\"origin\": false, \"claim\""),
           with("\"rows\": 4", "\"rows\": 4, \"rows\": 4"),
           with("\"rows\": 4", "\"rows\": 4, \"column\": 4"),
           with("\"linsep_certificate\": 2", "\"linsep_certificate\": true"),
           with("\"rows\": 4", "\"rows\": 4.0"),
           with("\"claim\"", "\"levels\": " + deep + ", \"claim\""),
           with("\"claim\"", "\"left_at_zero\": 0, \"claim\""),
           "\xef\xbb\xbf" + good,
           good + std::string(1, '\0') + "x",
       }) {
    EXPECT_THROW(certificate_from_json(text, "proof.json"), Error) << text;
  }
  EXPECT_FALSE(verify_certificate(certificate_from_json(with("\"1/2\"", "\"\u0661/2\""), "p"), nullptr).valid);
}

TEST(Certificate, VersionOneIsStillChecked) {
  const Certificate old = certificate_from_json(
      R"({"linsep_certificate": 1, "claim": "overlapping", "origin": false, "map": "none",
          "data": {"rows": 4, "features": 2, "negative": "-1", "positive": "1",
                   "root": "0d651e368bbb781871299d841203579909e95b5d04e01a9844ffcc2b410841d9"},
          "witness": [{"row": 1, "alpha": "1/2"}, {"row": 2, "alpha": "1/2"}, {"row": 3, "alpha": "1/2"},
                      {"row": 4, "alpha": "1/2"}],
          "span": {"prime": "2305843009213693951", "rows": [1, 2, 3], "dependent": {}}})",
      "old.json");
  TestSource data = xor_rows();
  EXPECT_EQ(verify_certificate(old, &data).reason,
            "overlapping: no linear classifier separates these rows, and quasi-separation is ruled out too");
  EXPECT_TRUE(verify_certificate(old, nullptr).needs_data);
  EXPECT_EQ(certificate_from_json(certificate_to_json(old), "again.json"), old);
}

TEST(Certificate, TheFileKeepsEverything) {
  Certificate certificate = xor_certificate();
  certificate.map = {FeatureMap::Kind::kPolynomial, 2};
  certificate.levels = {{{0, "1"}, {3, "-1/3"}}, {{5, "0.25"}}};
  certificate.left_at_zero = 7;
  certificate.span->dependent = {{1, {{0, "2"}, {5, "-1"}}}, {2, {}}};
  certificate.margin = {"1/7", "2/7", {{3, "1"}}, "17/2", "35"};
  certificate.coefficients = {{{0, {{1, "1"}}}}, {{2, {{0, "2"}, {3, "1/2"}}}}, {1}, {3, 5}, {{{0, "1"}}}, {{4, "-2"}}};
  certificate.data.names = {"a", "b\n\u00e9"};
  certificate.data.reading = {"csv", ";", true, "y", {"id", "w"}};
  certificate.mistakes = {{{{0, "1"}, {1, "2"}}, {{2, "3"}}}, 17, {{4, "9"}}};
  certificate.stopped_because = "the time limit";
  const std::string text = certificate_to_json(certificate);
  EXPECT_EQ(certificate_from_json(text, "proof.json"), certificate);
  EXPECT_EQ(certificate_to_json(certificate_from_json(text, "proof.json")), text);
  EXPECT_NE(text.find("\"1*2\": \"-1/3\""), std::string::npos);
}

// A checker refuses them for it, whoever rewrote the file in between.
TEST(Certificate, TheFileKeepsProofsOfBoundsThatItDoesNotState) {
  Certificate certificate = xor_certificate();
  certificate.margin.alpha = {{0, "1"}};
  certificate.mistakes.weights = {{1, "2"}};
  const Certificate again = certificate_from_json(certificate_to_json(certificate), "proof.json");
  EXPECT_EQ(again, certificate);
  TestSource data = xor_rows();
  EXPECT_FALSE(verify_certificate(again, &data).valid);
}

TEST(Certificate, ColumnsMustBeThoseOfTheData) {
  Certificate certificate;
  certificate.data.features = 3;
  TestSource data = xor_rows();
  EXPECT_THROW(seal_certificate(certificate, data), Error);
}

// Values and norms equal those of the rationals that the decimals represent, whatever the number of digits.
RC_GTEST_PROP(LinearForm, QuickValuesAreTheValues, ()) {
  const Columns columns{{}, 4, false};
  const auto digits = rc::gen::elementOf(std::vector<int>{1, 3, 9, 10, 18, 19, 25, 36, 70});
  const auto number = [&](bool fraction) {
    std::string text = *rc::gen::arbitrary<bool>() ? "-" : "";
    const bool below_one = fraction && *rc::gen::arbitrary<bool>();
    text += std::to_string(below_one ? 0 : *rc::gen::inRange(1, 10));
    for (int k = below_one ? 1 : *digits; k > 1; --k) text += static_cast<char>('0' + *rc::gen::inRange(0, 10));
    if (fraction) {
      text += '.';
      for (int k = *digits; k > 1; --k) text += static_cast<char>('0' + *rc::gen::inRange(0, 10));
      text += '7';
    }
    return text;
  };
  std::vector<std::pair<std::uint32_t, Rational>> weights;
  for (std::uint32_t j = 0; j < 5; ++j) weights.emplace_back(j, Rational(integer_of(number(false))));
  std::string leaf = "1 +1";
  for (int j = 1; j <= 4; ++j) leaf += " " + std::to_string(j) + ":" + number(*rc::gen::arbitrary<bool>());
  CheckedRow row(columns);
  RC_ASSERT(row.read(leaf));
  Rational value = 0, squared = -1;  // the intercept's entry isn't counted
  for (const auto& [column, x] : row.mapped()) {
    value += weights[column].second * x;
    squared += x * x;
  }
  const LinearForm form(columns, weights);
  RC_ASSERT(form.value(row) == value);
  RC_ASSERT(form.sign(row) == sign_of(value));
  RC_ASSERT(row.squared_norm() == squared);
}

// The value written may lie half a unit in the last place beyond the float that is stored.
TEST(QuickForm, BoundsTheSquaredNormOfFloatsFromAboveAndClosely) {
  for (const double written : {0.1, 1 + 0x1p-24, 3e38, 1e-30, 0x1p-150}) {
    const std::vector<float> x(5, static_cast<float>(written));
    const Rational square = Rational(5) * Rational(written) * Rational(written);
    const double bound = squared_norm_at_most(DenseRow<float>{x.data(), x.size()}, 5);
    EXPECT_GE(Rational(bound), square) << written;
    EXPECT_LE(Rational(bound), square * Rational(1 + 0x1p-21) + Rational(0x1p-130)) << written;
  }
  const std::vector<float> endless(2, std::numeric_limits<float>::infinity());
  EXPECT_FALSE(std::isfinite(squared_norm_at_most(DenseRow<float>{endless.data(), endless.size()}, 2)));
}

TEST(LinearForm, SumsThatCancelAreZero) {
  const Columns columns{{}, 2, false};
  CheckedRow row(columns);
  const std::string leaf = "1 +1 1:0.1 2:0.2";
  ASSERT_TRUE(row.read(leaf));
  EXPECT_EQ(LinearForm(columns, {{0, Rational(2)}, {1, Rational(-1)}}).sign(row), 0);
  EXPECT_EQ(LinearForm(columns, {{0, Rational(1)}, {1, Rational(1)}, {2, Rational(-3, 10)}}).sign(row), 0);
  EXPECT_EQ(LinearForm(columns, {}).sign(row), 0);
}

}  // namespace
}  // namespace linsep
