// certify for more than two classes, as one class against the rest and for all classes jointly.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/progress.h"
#include "linsep/source.h"
#include "linsep/tools/proof_rows.h"

namespace linsep {

/// Whether a linear classifier can tell one class (an index in the schema's list) from all others together. It is
/// `certify` with that class as the positive one. The certificate's data names the class. A collective call. REQUIRES:
/// rows of more than two classes.
CertifyOutcome certify_against_the_rest(Source& source, std::size_t positive, const CertifyOptions& options, Comm& comm,
                                        const Observer& observe = {});

/// Whether some classifier with one linear score z_c = θ_c·x + θ0_c per class gives every row its largest score at the
/// row's own class. The rows of the certificate are pairs of a row and another class. Its columns are those of every
/// class but the last, whose score is 0 (docs/reference/formats/certificate.md, "Several classes"). The same goes for
/// `separated`, `peeled` and the columns of `estimates`. There is no margin, and no common point. Throws a usage Error
/// if `options` ask for a map or for mistakes. A collective call. REQUIRES: rows of more than two classes.
CertifyOutcome certify_jointly(Source& source, const CertifyOptions& options, Comm& comm, const Observer& observe = {});

/// A row of a joint witness and the class that it is compared with.
struct RivalRow {
  WitnessRow row;     ///< its share is α divided by the sum of all α
  std::string rival;  ///< a class
};
/// The witness of a joint certificate in its order. Reads its rows again from the data, by `written`.
std::vector<RivalRow> rival_rows(const Certificate& certificate, Source& data);

}  // namespace linsep
