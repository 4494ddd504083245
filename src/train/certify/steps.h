// The steps of a certify run after the finder. The run may state only what the checker accepts, and had the time to
// check.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/deadline.h"
#include "linsep/certificate.h"
#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

class Finder;
class WitnessPacking;
struct Separability;

/// Whether a certificate states anything at all. An undecided one may not, and one of no rows doesn't.
bool states_something(const Certificate& certificate);

/// Throws a usage Error if rows have several labels.
void require_one_label(const Schema& schema);

/// Throws a usage Error if no certificate could be about this map of this many features.
void require_known_map(const FeatureMap& map, std::uint32_t features);

/// Runs the checker of `proof` on what was found, and throws an Error of kind kBug if it refuses. Only the threads
/// among the limits count. What was found is checked even if time has run out or the user has interrupted. A collective
/// call.
void require_accepted(const Certificate& certificate, Source& source, const RunLimits& limits, Comm& comm,
                      const Observer& observe = {});

/// Seconds beyond the deadline that are left to write down and check what was found: all, the claim, its witness.
struct Grace {
  static constexpr double kStating = 0.2, kChecking = 0.35, kCheckingLess = 0.5, kCheckingWitness = 0.6;
};

/// Does the work until `grace` seconds after the deadline. Several workers must all do the same, so theirs always runs
/// to its end. False if it was cut off.
template <class Work>
bool run_until(const Deadline& deadline, double grace, const Comm& comm, const Work& work) {
  return (comm.size() == 1 ? deadline.extended(grace) : Deadline()).run(work);
}

/// The parts of an outcome that have been checked so far, if the run has limits. Empty at first.
struct CheckedParts {
  std::optional<Certificate> certificate;
  std::optional<std::int64_t> mistakes_at_least, mistakes_at_most;
};

/// Reduces an outcome to what was checked before. If nothing was, it becomes undecided because of a limit of the run.
void keep_accepted_before(CertifyOutcome& outcome, const CheckedParts& before, const CertifyOptions& options);

/// Checks the statements of an outcome (require_accepted), and records that they were checked. If the run is over and
/// that takes too long, the outcome states less. It is then what was checked before, or the claim without coefficients
/// and mistakes, or only the witness, or nothing. A collective call.
void keep_accepted(CertifyOutcome& outcome, CheckedParts& before, Source& source, const CertifyOptions& options,
                   const Deadline& deadline, Comm& comm, const Observer& observe);

/// Fills in `estimates` and the certificate's `coefficients`. Goes over the rows a few times if there are few of them.
/// If there are many, it hardly goes over them at all, and some columns stay unknown. REQUIRES: the claim is separable,
/// or quasi-separable with a span. Collective.
void add_estimates(Source& source, const CertifyOptions& options, const Finder& finder, const Separability& found,
                   const Deadline& deadline, Comm& comm, const Observer& observe, CertifyOutcome& outcome);

/// Packs rows that conflict as disjoint witnesses, which give the first bound on mistakes. REQUIRES: `finder` and
/// `comm` outlive the result. Collective.
WitnessPacking pack_conflicts(const CertifyOptions& options, const Finder& finder, const Deadline& deadline,
                              Comm& comm);

/// States what is packed as bounds. If the verdict has no witness, it takes the first of these, which shows that a
/// mistake can't be avoided. If nothing is packed, the verdict's witness is the bound.
void state_bounds(const WitnessPacking& packing, CertifyOutcome& outcome);

/// Sets the outcome's bounds and the certificate's proof of them, starting from what is packed. `keep` is called on the
/// way, whenever they have improved and the next step takes longer. REQUIRES: the finder's run over `source` has ended,
/// and the outcome has the witness that it found. Collective.
void bound_mistakes(Source& source, const CertifyOptions& options, const Finder& finder, const Deadline& deadline,
                    Comm& comm, const Observer& observe, WitnessPacking& packing, CertifyOutcome& outcome,
                    const std::function<void()>& keep);

}  // namespace linsep
