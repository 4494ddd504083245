// What a certificate may state about coefficients, the radius and a perceptron's mistakes.
#include <gtest/gtest.h>

#include "linsep/certificate.h"
#include "proof/test_source.h"

namespace linsep {
namespace {

bool accepted(Certificate certificate, TestSource&& rows) {
  seal_certificate(certificate, rows);
  return verify_certificate(certificate, &rows).valid;
}
std::string refusal(Certificate certificate, TestSource&& rows) {
  seal_certificate(certificate, rows);
  const CheckResult result = verify_certificate(certificate, &rows);
  return result.valid ? "valid" : result.reason;
}

/// Column 1 separates. Column 2 has rows of both signs on either side. The rows are x = (1, ±1) and (−1, ±1), through
/// the origin.
TestSource cross() {
  return TestSource({{"1", {{1, "1"}, {2, "1"}}},
                     {"1", {{1, "1"}, {2, "-1"}}},
                     {"-1", {{1, "-1"}, {2, "1"}}},
                     {"-1", {{1, "-1"}, {2, "-1"}}}},
                    2);
}
Certificate separable_cross() {
  Certificate certificate;
  certificate.claim = Claim::kSeparable;
  certificate.origin = true;
  certificate.levels = {{{0, "2"}, {1, "1"}}};
  certificate.data.features = 2;
  return certificate;
}

TEST(VerifyCoefficients, ASumOfRowsThatIsOneColumnSendsItToInfinity) {
  Certificate certificate = separable_cross();
  certificate.coefficients.plus_infinity = {{0, {{0, "1"}, {1, "1"}}}};
  EXPECT_TRUE(accepted(certificate, cross()));
  EXPECT_EQ(refusal(certificate, cross()), "valid");
  certificate.coefficients.plus_infinity = {{0, {{0, "1"}, {1, "2"}}}};
  EXPECT_FALSE(accepted(certificate, cross()));
  certificate.coefficients.plus_infinity = {{1, {{0, "1"}, {1, "1"}}}};
  EXPECT_FALSE(accepted(certificate, cross()));
  certificate.coefficients.plus_infinity.clear();
  certificate.coefficients.minus_infinity = {{0, {{0, "1"}, {1, "1"}}}};
  EXPECT_EQ(refusal(certificate, cross()), "an infinite coefficient has another sign");
  certificate.coefficients.minus_infinity = {{0, {}}};
  EXPECT_EQ(refusal(certificate, cross()), "an infinite coefficient has no rows");
}

TEST(VerifyCoefficients, TwoDirectionsThatDisagreeLeaveAColumnUndetermined) {
  Certificate certificate = separable_cross();
  certificate.coefficients.undetermined = {1};
  certificate.coefficients.directions = {{{0, "2"}, {1, "1"}}};
  EXPECT_EQ(refusal(certificate, cross()), "no two directions disagree on a coefficient");
  certificate.coefficients.steps = {{1, "-3"}};
  EXPECT_EQ(refusal(certificate, cross()), "valid");
  certificate.coefficients.steps = {{1, "-3.01"}};
  EXPECT_EQ(refusal(certificate, cross()), "row 1 is on the wrong side of a direction with a step");
  certificate.coefficients.steps.clear();
  certificate.coefficients.directions.push_back({{0, "1"}, {1, "-1"}});
  EXPECT_EQ(refusal(certificate, cross()), "valid");
  certificate.coefficients.directions.push_back({{1, "-1"}});
  EXPECT_EQ(refusal(certificate, cross()), "row 1 is on the wrong side of a direction");
}

TEST(VerifyCoefficients, NoColumnHasTwoFates) {
  Certificate certificate = separable_cross();
  certificate.coefficients.undetermined = {1, 1};
  certificate.coefficients.directions = {{{0, "2"}, {1, "1"}}, {{0, "2"}, {1, "-1"}}};
  EXPECT_EQ(refusal(certificate, cross()), "a coefficient is listed twice");
  certificate.coefficients.undetermined = {1};
  EXPECT_EQ(refusal(certificate, cross()), "valid");
  certificate.coefficients.finite = {0};
  EXPECT_EQ(refusal(certificate, cross()), "a finite coefficient isn't 0 in every direction");
}

/// Rows 1 and 2 overlap at x = (0, 1). Rows 3 and 4 are separated by column 1 alone.
TestSource quasi() {
  return TestSource({{"1", {{2, "1"}}}, {"-1", {{2, "1"}}}, {"1", {{1, "1"}, {2, "5"}}}, {"-1", {{1, "-2"}}}}, 2);
}
Certificate quasi_separable() {
  Certificate certificate;
  certificate.claim = Claim::kQuasiSeparable;
  certificate.origin = true;
  certificate.levels = {{{0, "1"}}};
  certificate.left_at_zero = 2;
  certificate.witness = {{0, "1"}, {1, "1"}};
  certificate.span.emplace();
  certificate.span->rows = {0};
  certificate.span->dependent = {{0, {}}};
  certificate.data.features = 2;
  return certificate;
}

TEST(VerifyCoefficients, RowsAtZeroHoldOthersFinite) {
  Certificate certificate = quasi_separable();
  certificate.coefficients.finite = {1};
  certificate.coefficients.plus_infinity = {{0, {{2, "1"}}}};
  EXPECT_EQ(refusal(certificate, quasi()), "valid");
  certificate.coefficients.plus_infinity = {{0, {{0, "1"}}}};
  EXPECT_EQ(refusal(certificate, quasi()), "a row behind an infinite coefficient is not separated");
  certificate.coefficients.plus_infinity.clear();
  certificate.coefficients.finite = {0};
  EXPECT_EQ(refusal(certificate, quasi()), "a finite coefficient isn't 0 in every direction");
  certificate.coefficients.finite = {1};
  certificate.span.reset();
  EXPECT_EQ(refusal(certificate, quasi()), "coefficients need separable rows, or quasi-separable ones with a span");
}

TEST(VerifyMargin, RadiusAndMistakeBoundAreBounds) {
  Certificate certificate = separable_cross();
  certificate.margin.at_least_squared = "1/5";
  certificate.margin.radius_squared = "2";
  certificate.margin.mistake_bound = "10";
  EXPECT_EQ(refusal(certificate, cross()), "valid");
  certificate.margin.mistake_bound = "9.99";
  EXPECT_EQ(refusal(certificate, cross()), "a perceptron could make more mistakes than claimed");
  certificate.margin.mistake_bound = "10";
  certificate.margin.radius_squared = "1.99";
  EXPECT_EQ(refusal(certificate, cross()), "row 1 is longer than the radius");
  certificate.margin.radius_squared.reset();
  EXPECT_EQ(refusal(certificate, cross()), "the mistake bound has no parts");
}

TEST(VerifyMargin, TinyAndHugeValuesHaveARadius) {
  const auto rows = [] { return TestSource({{"1", {{1, "1e-200"}}}, {"-1", {{1, "-3e-200"}}}}, 1); };
  Certificate certificate;
  certificate.claim = Claim::kSeparable;
  certificate.origin = true;
  certificate.levels = {{{0, "1"}}};
  certificate.data.features = 1;
  certificate.margin.radius_squared = "0." + std::string(399, '0') + "9";
  EXPECT_EQ(refusal(certificate, rows()), "valid");
  certificate.margin.radius_squared = "0." + std::string(399, '0') + "8";
  EXPECT_EQ(refusal(certificate, rows()), "row 2 is longer than the radius");
}

TEST(VerifySalt, SaltedRowsNeedTheSecret) {
  const ProofOptions salted = [] {
    ProofOptions options;
    options.secret = std::string(64, 'a');
    return options;
  }();
  Certificate certificate = quasi_separable();
  TestSource rows = quasi();
  seal_certificate(certificate, rows, salted);
  EXPECT_NE(certificate.rows[0].leaf.find(" #"), std::string::npos);
  EXPECT_TRUE(verify_certificate(certificate, &rows, salted).valid);
  EXPECT_EQ(verify_certificate(certificate, &rows).reason,
            "the digests differ: the rows are salted, and the salt is needed");
  EXPECT_TRUE(verify_certificate(certificate, nullptr).needs_data);
  ProofOptions other = salted;
  other.secret.back() = 'b';
  EXPECT_FALSE(verify_certificate(certificate, &rows, other).valid);
  EXPECT_NE(digest_rows(rows).root, digest_rows(rows, salted).root);
  other.secret = "short";
  EXPECT_ANY_THROW(digest_rows(rows, other));
}

TEST(VerifyLimits, RowsWithTooManyProductsAreRefused) {
  std::vector<std::pair<std::uint32_t, std::string>> values;
  for (std::uint32_t j = 1; j <= 40; ++j) values.emplace_back(j, "1");
  TestSource rows({{"1", values}, {"-1", values}}, 40);
  Certificate certificate;
  certificate.claim = Claim::kUndecided;
  certificate.map = {FeatureMap::Kind::kPolynomial, 9};
  certificate.witness = {{0, "1"}, {1, "1"}};
  certificate.data.features = 40;
  seal_certificate(certificate, rows);
  EXPECT_EQ(verify_certificate(certificate, nullptr).reason, "a row has more than 131072 entries under the map");
  certificate.map.degree = 3;
  EXPECT_TRUE(verify_certificate(certificate, nullptr).valid);
}

TEST(VerifyLimits, NumbersOfAHundredThousandDigitsAreRefused) {
  Certificate certificate = quasi_separable();
  certificate.levels = {{{0, std::string(100'001, '1')}}};
  EXPECT_EQ(refusal(certificate, quasi()), "a weight is not an exact number");
  certificate.levels = {{{0, std::string(100'000, '1')}}};
  EXPECT_EQ(refusal(certificate, quasi()), "valid");
}

}  // namespace
}  // namespace linsep
