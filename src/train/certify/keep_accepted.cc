#include "train/certify/keep_accepted.h"

#include <string>
#include <utility>

#include "core/poll.h"
#include "linsep/train.h"
#include "train/certify/require_accepted.h"

namespace linsep {
namespace {

void keep_claim(CertifyOutcome& outcome) {
  outcome.certificate.coefficients = {};
  outcome.certificate.mistakes = {};
  for (CoefficientEstimate& estimate : outcome.estimates) estimate.estimate = Estimate::kUnknown;
  if (outcome.certificate.claim == Claim::kSeparable) return;  // then no mistake is needed
  outcome.mistakes_at_least = outcome.mistakes_at_most = std::nullopt;
}

void keep_witness(CertifyOutcome& outcome, const CertifyOptions& options) {
  RowWeights witness = std::move(outcome.certificate.witness);
  std::vector<double> point = std::move(outcome.common_point);
  keep_nothing(outcome, options);
  outcome.certificate.witness = std::move(witness);
  outcome.common_point = std::move(point);
}

}  // namespace

void keep_nothing(CertifyOutcome& outcome, const CertifyOptions& options) {
  outcome.reason = options.interrupted() ? StopReason::kInterrupted : StopReason::kTime;
  Certificate& certificate = outcome.certificate;
  Certificate kept;
  kept.origin = options.origin;
  kept.map = options.map;
  kept.data = std::move(certificate.data);
  kept.claim = Claim::kUndecided;
  kept.stopped_because = std::string(stop_reason_name(outcome.reason));
  certificate = std::move(kept);
  outcome.estimates.clear();
  outcome.common_point.clear();
  outcome.margin = outcome.radius = outcome.mistake_bound = std::nullopt;
  outcome.mistakes_at_least = outcome.mistakes_at_most = std::nullopt;
  outcome.peeled = outcome.separated = 0;
}

void keep_accepted(CertifyOutcome& outcome, bool claim_was_checked, Source& source, const CertifyOptions& options,
                   const RunEnd& end, Comm& comm, const Observer& observe) {
  const auto accepted = [&](double grace) {
    return unless_stopped(end.within(grace),
                          [&] { require_accepted(outcome.certificate, source, options, comm, observe); });
  };
  if (accepted(RunEnd::kChecking)) return;
  const Certificate& certificate = outcome.certificate;
  const bool more_than_the_claim =
      !certificate.coefficients.empty() || certificate.mistakes.at_most || !certificate.mistakes.witnesses.empty();
  keep_claim(outcome);
  if (claim_was_checked) return;
  if (more_than_the_claim && accepted(RunEnd::kCheckingLess)) return;
  keep_witness(outcome, options);
  if (!certificate.witness.empty() && accepted(RunEnd::kCheckingWitness)) return;
  keep_nothing(outcome, options);
}

}  // namespace linsep
