// A data set as the checkers of a certificate see it: canonical leaves, one per row.
#pragma once

#include <functional>
#include <string_view>

#include "linsep/certificate.h"
#include "linsep/optimality.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

/// Calls `write` with every line of the leaves file (docs/reference/formats/certificate.md), without newlines: the data
/// set as a JSON object, then a leaf for each row, salted where the options say so. One pass by `written`. Throws an
/// input Error where a row has no leaf, a usage Error where there aren't two classes.
void write_leaves(Source& data, const std::function<void(std::string_view line)>& write,
                  const ProofOptions& options = {}, const Observer& observe = {});

/// What `verify_certificate` finds of a data set that has these leaves, one each line below a line about the data, as
/// `write_leaves` writes them without a salt.
CheckResult verify_leaves(const Certificate& certificate, std::string_view leaves, const ProofOptions& options = {});
/// The same as `verify_optimality`.
OptimalityCheck verify_leaves(const OptimalityProof& proof, std::string_view leaves, const ProofOptions& options = {});

/// About how long going through all leaves takes, for whoever has little time: that of the first rows, extrapolated.
/// 0 without a clock, and where the number of rows isn't known.
double leaf_seconds(Source& data, const ProofOptions& options);

}  // namespace linsep
