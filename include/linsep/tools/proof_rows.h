// Single rows that a proof names, by number, label and id, with shares that sum to 1. Also a proof's numbers as
// doubles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

/// A row that a proof names.
struct NamedRow {
  std::int64_t row = 0;  ///< from 0
  std::string label;     ///< as written
  std::string id;        ///< "" if there is no id column
  bool blank = false;    ///< it has no entry, so no feature is other than 0

  bool operator==(const NamedRow&) const = default;
};

/// A row of a witness. Its share is α divided by the sum over its class (through the origin, over all rows).
struct WitnessRow {
  NamedRow name;
  std::string alpha;        ///< as in the certificate
  double share = 0;         ///< rounded
  std::string exact_share;  ///< "1/2", "3/7", or "" if it would take long to find out
};

/// The rows of a witness in its order. Reads them again from the data, by `written`. Throws an input Error if an α
/// isn't an exact number.
std::vector<WitnessRow> witness_rows(const RowWeights& witness, bool origin, Source& data);
/// The same for many witnesses, in one reading.
std::vector<std::vector<WitnessRow>> witness_rows(const std::vector<RowWeights>& witnesses, bool origin, Source& data);

/// Only the weights and shares, over all rows together. Names are left empty.
std::vector<WitnessRow> shares_of(const RowWeights& witness);

/// The first rows, at most `limit`, that the certificate's levels separate. Decided exactly, by going through the data
/// as far as needed, every worker its own shard. Ends early with what it has if `limits` require it. A collective call.
/// REQUIRES: the certificate has levels and is about two classes, or one against the rest.
std::vector<NamedRow> separated_rows(const Certificate& certificate, Source& shard, std::size_t limit,
                                     const RunLimits& limits, Comm& comm, const Observer& observe = {});

/// A number of a certificate ("p", "p/q", "1.25") rounded to a double. Throws an input Error if it isn't one.
double exact_to_double(const std::string& exact);

}  // namespace linsep
