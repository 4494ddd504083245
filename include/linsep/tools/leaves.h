// A data set as the checkers of a certificate see it, with one canonical leaf per row.
#pragma once

#include <functional>
#include <string_view>

#include "linsep/certificate.h"
#include "linsep/optimality.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

/// Calls `write` with every line of the leaves file (docs/reference/formats/certificate.md), without newlines. The
/// first is the data set as a JSON object. Then comes a leaf for each row, salted if the options ask for it. One pass
/// by `written`. Throws an input Error if a row has no leaf, and a usage Error if there aren't two classes.
void write_leaves(Source& data, const std::function<void(std::string_view line)>& write,
                  const ProofOptions& options = {}, const Observer& observe = {});

/// The result of `verify_certificate` for a data set with these leaves. They stand one on each line below a line about
/// the data, as `write_leaves` writes them without a salt.
CheckResult verify_leaves(const Certificate& certificate, std::string_view leaves, const ProofOptions& options = {});
/// The same as `verify_optimality`.
OptimalityCheck verify_leaves(const OptimalityProof& proof, std::string_view leaves, const ProofOptions& options = {});

/// About how long it takes to go through all leaves, for callers with little time. Extrapolates from the first rows. 0
/// without a clock, and if the number of rows isn't known.
double leaf_seconds(Source& data, const ProofOptions& options);

}  // namespace linsep
