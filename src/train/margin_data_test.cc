// Optima of public data sets, as known from other programs. Skipped unless LINSEP_DATA is set.
#include <gtest/gtest.h>

#include <cstdlib>

#include "linsep/comm.h"
#include "linsep/read.h"
#include "linsep/train.h"

namespace linsep {
namespace {

TEST(MarginOnPublicData, ReachesLibsvmsOptimum) {
  const char* folder = std::getenv("LINSEP_DATA");
  if (folder == nullptr) GTEST_SKIP() << "LINSEP_DATA does not say where the public data sets are";
  const auto source = load(std::string(folder) + "/a9a.svm", {});
  const double n = static_cast<double>(source->shape().rows), least = 11433.3872;
  for (const char* solver : {"auto", "dual", "interior"}) {
    TrainSpec spec;
    spec.learner = "margin";
    spec.options = {{"solver", std::string(solver)}, {"C", 1.0}, {"gap", 1e-5}};
    const Outcome outcome = fit(*source, spec, {}, *solo());
    ASSERT_EQ(outcome.reason, StopReason::kConverged) << solver;
    const double reached = n * *outcome.history.back().objective;
    EXPECT_GE(reached, least - 1e-3) << solver;
    EXPECT_LE(reached, least * (1 + 1e-5)) << solver;
  }
}

}  // namespace
}  // namespace linsep
