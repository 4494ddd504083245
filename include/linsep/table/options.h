// The options of tables, as one table for the command line, Python and the manual.
#pragma once

#include "linsep/options.h"
#include "linsep/table/fit.h"

namespace linsep {

const OptionTable& table_options();

/// The given options. The others have their defaults, or with `as_written` those of proofs (TableSpec::as_written).
/// Throws a usage Error.
TableSpec table_spec(const Options& given, bool as_written = false);

}  // namespace linsep
