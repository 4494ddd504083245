#include "train/certify/require_accepted.h"

#include <string>

#include "linsep/error.h"
#include "linsep/map.h"
#include "proof/columns.h"

namespace linsep {

bool states_something(const Certificate& certificate) {
  if (certificate.claim == Claim::kSeparable && certificate.levels.empty()) return certificate.data.rows > 0;
  return certificate.claim != Claim::kUndecided || !certificate.levels.empty() || !certificate.witness.empty() ||
         certificate.margin.at_most_squared;
}

void require_known_map(const FeatureMap& map, std::uint32_t features) {
  Columns columns;
  columns.map = map;
  columns.features = features;
  if (columns.mapped()) return;
  throw usage_error("certify can't ask about the map " + map_text(map) +
                    ": a certificate knows products of at most 9 features and 4294967294 columns");
}

void require_accepted(const Certificate& certificate, Source& source, const RunLimits& limits, Comm& comm,
                      const Observer& observe) {
  if (!states_something(certificate)) return;
  ProofOptions options;
  options.threads = limits.threads;
  const CheckResult check = check_unsealed(certificate, source, comm, options, observe);
  if (check.valid) return;
  throw bug_error("this is a bug in linsep, please report it with the data: a proof that the rows are " +
                  std::string(claim_name(certificate.claim)) + " was found, but the checker refused it (" +
                  check.reason + "). No verdict is given");
}

}  // namespace linsep
