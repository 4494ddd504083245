// Rows of a witness, and how a search ended, as people read them.
#pragma once

#include <string>
#include <vector>

#include "linsep/certify.h"
#include "linsep/tools/proof_rows.h"

namespace linsep::app {

/// "3", or "3 (smith)" where rows have ids.
std::string row_words(const NamedRow& row);
/// A share as people read it: "½", "3/7", "0.0123".
std::string share_words(const WitnessRow& row);
/// The heaviest rows of a long witness, else all: indices in its order. A table may be a little longer rather than end
/// in "and 1 more".
std::vector<std::size_t> shown_rows(const std::vector<double>& shares);
/// Cells in columns, each row of the table a line that begins with two blanks.
std::string aligned(const std::vector<std::vector<std::string>>& cells);
/// "1 pass", "1,000 passes".
std::string passes_words(std::int64_t passes);
/// "0.3 s", "under 0.01 s".
std::string time_words(double seconds);
/// Why a search ended before all was known: "the time ran out".
std::string ending_words(const CertifyOutcome& outcome);

}  // namespace linsep::app
