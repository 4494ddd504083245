// What stands in for learners and for limits on memory in a build that only decides separation and fits logit.
#include <functional>

#include "linsep/error.h"
#include "train/certify/steps.h"
#include "train/memory.h"

namespace linsep {

MemoryNeed certify_need(const Shape& /*shape*/, bool /*mistakes*/) { return {}; }
MemoryNeed proof_need(const Shape& /*shape*/) { return {}; }
void share_memory(Source& /*source*/, const MemoryNeed& /*need*/, std::uint64_t /*memory*/, Comm& /*comm*/,
                  const SmallerChoices& /*smaller*/) {}

void bound_mistakes(Source& /*source*/, const CertifyOptions& /*options*/, const Finder& /*finder*/,
                    const Deadline& /*deadline*/, Comm& /*comm*/, const Observer& /*observe*/,
                    CertifyOutcome& /*outcome*/, const std::function<void()>& /*keep*/) {
  throw usage_error("bounds on mistakes need learners, which this build doesn't have");
}

}  // namespace linsep
