// The steps of a certify run after the finder, and what it may state: only what the checker accepts, and had the time
// to check.
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

/// Whether a certificate states anything at all: an undecided one may not, nor does one of no rows.
bool states_something(const Certificate& certificate);

/// Throws a usage Error where rows have several labels.
void require_one_label(const Schema& schema);

/// Throws a usage Error where no certificate could be about this map of so many features.
void require_known_map(const FeatureMap& map, std::uint32_t features);

/// Runs the checker of `proof` on what was found, and throws an Error of kind kBug where it refuses. A collective call.
/// Of the limits, threads count: what was found is checked even where time has run out or the user has had enough.
void require_accepted(const Certificate& certificate, Source& source, const RunLimits& limits, Comm& comm,
                      const Observer& observe = {});

/// Seconds beyond the deadline until which what was found is written down and checked: all, the claim, its witness.
struct Grace {
  static constexpr double kStating = 0.2, kChecking = 0.35, kCheckingLess = 0.5, kCheckingWitness = 0.6;
};

/// Does the work until `grace` seconds after the deadline. Several workers must all do the same, so theirs always comes
/// to its end. False: it was cut off.
template <class Work>
bool run_until(const Deadline& deadline, double grace, const Comm& comm, const Work& work) {
  return (comm.size() == 1 ? deadline.extended(grace) : Deadline()).run(work);
}

/// What of an outcome has been checked so far, where the run has limits; nothing at first.
struct CheckedParts {
  std::optional<Certificate> certificate;
  std::optional<std::int64_t> mistakes_at_least, mistakes_at_most;
};

/// Nothing of an outcome is left but what was checked before: else it is undecided, because of a limit of the run.
void keep_accepted_before(CertifyOutcome& outcome, const CheckedParts& before, const CertifyOptions& options);

/// Checks what an outcome states (require_accepted), and notes that it was. Where the run is over and that takes too
/// long, less is stated: what was checked before; else the claim without coefficients and mistakes; or the witness
/// alone; or nothing. A collective call.
void keep_accepted(CertifyOutcome& outcome, CheckedParts& before, Source& source, const CertifyOptions& options,
                   const Deadline& deadline, Comm& comm, const Observer& observe);

/// Fills in `estimates` and the certificate's `coefficients`. REQUIRES: the claim is separable, or quasi-separable with
/// a span. Goes over the rows a few times where they are few, and hardly ever where they are many: then some columns
/// stay unknown. Collective.
void add_estimates(Source& source, const CertifyOptions& options, const Finder& finder, const Separability& found,
                   const Deadline& deadline, Comm& comm, const Observer& observe, CertifyOutcome& outcome);

/// Rows that conflict, as disjoint witnesses: the first bound on mistakes. REQUIRES: `finder` and `comm` outlive the
/// result. Collective.
WitnessPacking pack_conflicts(const CertifyOptions& options, const Finder& finder, const Deadline& deadline,
                              Comm& comm);

/// What is packed, as bounds. A witness of their own shows that a mistake can't be avoided where the verdict has none,
/// and the other way round.
void state_bounds(const WitnessPacking& packing, CertifyOutcome& outcome);

/// Sets the outcome's bounds and the certificate's proof of them, beginning with what is packed. `keep` is called on
/// the way, whenever they are better than before and what comes next takes longer. REQUIRES: the finder's run over
/// `source` has ended, and the outcome has the witness that it found. Collective.
void bound_mistakes(Source& source, const CertifyOptions& options, const Finder& finder, const Deadline& deadline,
                    Comm& comm, const Observer& observe, WitnessPacking& packing, CertifyOutcome& outcome,
                    const std::function<void()>& keep);

}  // namespace linsep
