// Replaces learners and limits on memory in a build that only decides separation and fits logit.
#include <functional>

#include "certify/mistakes.h"
#include "linsep/error.h"
#include "train/certify/steps.h"
#include "train/memory.h"

namespace linsep {

MemoryNeed certify_need(const Shape& /*shape*/, bool /*mistakes*/) { return {}; }
MemoryNeed proof_need(const Shape& /*shape*/) { return {}; }
void share_memory(Source& /*source*/, const MemoryNeed& /*need*/, std::uint64_t /*memory*/, Comm& /*comm*/,
                  const SmallerChoices& /*smaller*/) {}

namespace {

[[noreturn]] void refuse_bounds() {
  throw usage_error("bounds on mistakes need learners, which this build doesn't have");
}

}  // namespace

WitnessPacking pack_conflicts(const CertifyOptions& /*options*/, const Finder& /*finder*/, const Deadline& /*deadline*/,
                              Comm& /*comm*/) {
  refuse_bounds();
}

void state_bounds(const WitnessPacking& /*packing*/, CertifyOutcome& /*outcome*/) { refuse_bounds(); }

void bound_mistakes(Source& /*source*/, const CertifyOptions& /*options*/, const Finder& /*finder*/,
                    const Deadline& /*deadline*/, Comm& /*comm*/, const Observer& /*observe*/,
                    WitnessPacking& /*packing*/, CertifyOutcome& /*outcome*/, const std::function<void()>& /*keep*/) {
  refuse_bounds();
}

}  // namespace linsep
