// What a proof says about single rows, as people want to read it: by number and id, with shares that sum to 1.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "data/rows_of_all.h"
#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/source.h"

namespace linsep::app {

/// A row that a proof names.
struct NamedRow {
  std::int64_t row = 0;  ///< from 0
  std::string label;     ///< as written
  std::string id;        ///< "": there is no id column
};

/// A row of a witness.
struct WitnessRow {
  NamedRow name;
  std::string alpha;   ///< as in the certificate
  double share = 0;    ///< of its class; through the origin: of all rows
  std::string weight;  ///< the share in words: "½", "3/7", "0.0123"
};

/// The rows of a witness in its order. Reads them again from the data.
std::vector<WitnessRow> witness_rows(const RowWeights& witness, bool origin, Source& data);
/// The same for many witnesses.
std::vector<std::vector<WitnessRow>> witness_rows(const std::vector<RowWeights>& witnesses, bool origin, Source& data);

/// The first rows, at most `limit`, that the certificate's levels separate. Decided exactly, by going through the data
/// as far as needed, every worker its own `shard` of `all`; ends early with what it has when `interrupt` is set. A
/// collective call. REQUIRES: the certificate has levels.
std::vector<NamedRow> separated_rows(const Certificate& certificate, Source& shard, const RowsOfAll& all,
                                     std::size_t limit, const std::atomic<bool>& interrupt, Comm& comm);

/// A number of the certificate rounded to a double.
double rounded(const std::string& exact);

}  // namespace linsep::app
