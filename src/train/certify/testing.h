// For the tests of certify: a run on a small set, and its outcome compared with oracle and checker.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "linsep/certify.h"
#include "linsep/comm.h"
#include "train/certify/oracle.h"

namespace linsep {

inline CertifyOutcome certified(const SmallSet& set, bool origin = false, FeatureMap map = {},
                                std::int64_t rows_at_once = 1000) {
  SmallSource source(set, rows_at_once);
  CertifyOptions options;
  options.origin = origin;
  options.map = map;
  CertifyOutcome outcome = certify(source, options, *solo());
  return outcome;
}

/// Expects that the verdict is the oracle's and that the checker accepts the certificate.
inline void expect_truth(const SmallSet& set, bool origin, const std::string& what) {
  CertifyOutcome outcome = certified(set, origin);
  const Truth truth = truth_of(set, origin);
  ASSERT_EQ(claim_name(outcome.certificate.claim), claim_name(truth.claim)) << what;
  if (truth.claim == Claim::kQuasiSeparable) {
    ASSERT_EQ(outcome.certificate.left_at_zero, truth.at_zero) << what;
    ASSERT_EQ(outcome.separated, static_cast<std::int64_t>(set.rows()) - truth.at_zero) << what;
  }
  if (truth.claim != Claim::kSeparable) {
    ASSERT_TRUE(outcome.certificate.span.has_value()) << what;
    ASSERT_LE(outcome.certificate.witness.size(), 2 * (set.features + 1)) << what;
  }
  SmallSource source(set);
  seal_certificate(outcome.certificate, source);
  const CheckResult result = verify_certificate(outcome.certificate, &source);
  ASSERT_TRUE(result.valid) << what << ": " << result.reason << "\n" << certificate_to_json(outcome.certificate);
}

}  // namespace linsep
