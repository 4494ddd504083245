// Real data: what is known of a few public sets. Skipped unless LINSEP_DATA names their folder.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/read.h"

namespace linsep {
namespace {

class RealData : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("LINSEP_DATA");
    if (folder == nullptr) GTEST_SKIP() << "LINSEP_DATA is not set";
    folder_ = folder;
  }

  std::unique_ptr<Source> read(const std::string& name, const std::string& label = "") {
    ReadOptions options;
    options.double_values = true;
    options.label = label;
    return load((folder_ / name).string(), options);
  }

  /// Certifies, and expects the checker to agree.
  CertifyOutcome certified(Source& source, const CertifyOptions& options = {}) {
    CertifyOutcome outcome = certify(source, options, *solo());
    seal_certificate(outcome.certificate, source);
    const CheckResult result = verify_certificate(outcome.certificate, &source);
    EXPECT_TRUE(result.valid) << result.reason;
    return outcome;
  }

  Claim claim_of(const std::string& name) { return certified(*read(name)).certificate.claim; }

  std::filesystem::path folder_;
};

TEST_F(RealData, BreastCancerAndSonarAreSeparable) {
  EXPECT_EQ(claim_of("breast_cancer.csv"), Claim::kSeparable);
  EXPECT_EQ(claim_of("sonar.csv"), Claim::kSeparable);
}

TEST_F(RealData, SpambaseIsNotSeparable) { EXPECT_EQ(claim_of("spambase.csv"), Claim::kOverlapping); }

TEST_F(RealData, EndometrialIsQuasiSeparableByNV) {
  const auto source = read("endometrial.csv", "HG");
  const CertifyOutcome outcome = certified(*source);
  EXPECT_EQ(outcome.certificate.claim, Claim::kQuasiSeparable);
  ASSERT_EQ(outcome.estimates.size(), 4U);
  for (const CoefficientEstimate& estimate : outcome.estimates) {
    const bool nv = estimate.column < 3 && source->schema().feature_names[estimate.column] == "NV";
    EXPECT_EQ(estimate.estimate, nv ? Estimate::kPlusInfinity : Estimate::kFinite) << estimate.column;
  }
}

TEST_F(RealData, PcmacIsSeparableByPeelingAlone) {
  const CertifyOutcome outcome = certified(*read("pcmac.svm"));
  EXPECT_EQ(outcome.certificate.claim, Claim::kSeparable);
  EXPECT_EQ(outcome.peeled, outcome.rows);
}

TEST_F(RealData, AdultAndWebAreQuasiSeparable) {
  const CertifyOutcome adult = certified(*read("a9a.svm"));
  EXPECT_EQ(adult.certificate.claim, Claim::kQuasiSeparable);
  EXPECT_EQ(adult.separated, 87);
  for (const CoefficientEstimate& estimate : adult.estimates) EXPECT_NE(estimate.estimate, Estimate::kUnknown);
  const CertifyOutcome web = certified(*read("w8a.svm"));
  EXPECT_EQ(web.certificate.claim, Claim::kQuasiSeparable);
  EXPECT_GE(web.separated, 7592);
  for (const CoefficientEstimate& estimate : web.estimates) EXPECT_NE(estimate.estimate, Estimate::kUnknown);
}

TEST_F(RealData, MadelonOverlaps) {
  const CertifyOutcome outcome = certified(*read("madelon.svm"));
  EXPECT_EQ(outcome.certificate.claim, Claim::kOverlapping);
  EXPECT_EQ(outcome.certificate.witness.size(), 502U);
}

TEST_F(RealData, AdultCantBeLearntWithFewerThan1433Mistakes) {
  const auto source = read("a9a.svm");
  CertifyOptions options;
  options.mistakes = true;
  options.mistake_limit = 1433;
  const CertifyOutcome outcome = certified(*source, options);
  EXPECT_EQ(outcome.mistakes_at_least, 1433);
  EXPECT_GT(outcome.mistakes_at_most, 1433);
}

}  // namespace
}  // namespace linsep
