#include <gtest/gtest.h>

#include "linsep/certificate.h"
#include "linsep/error.h"

namespace linsep {
namespace {

TEST(CertificateFile, IsReadAgainAsItWasWritten) {
  Certificate certificate;
  certificate.claim = Claim::kOverlapping;
  certificate.witness = {{0, "1/2"}, {1, "1/2"}};
  certificate.span.emplace();
  certificate.span->rows = {0, 1};
  certificate.data = {2, 1, "-1", "1", std::string(64, '0')};
  const std::string path = testing::TempDir() + "/linsep_certificate_test.json";
  save_certificate(certificate, path);
  EXPECT_EQ(load_certificate(path), certificate);
  EXPECT_THROW(load_certificate(path + ".absent"), Error);
  EXPECT_THROW(save_certificate(certificate, testing::TempDir() + "/absent/x.json"), Error);
}

}  // namespace
}  // namespace linsep
