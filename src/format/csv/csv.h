// The CSV and TSV text format: one row per line, fields between delimiters, quotes as in RFC 4180. See
// docs/formats/csv.md.
#pragma once

#include <string_view>

#include "format/text/format.h"
#include "linsep/read.h"

namespace linsep {

/// `first_bytes` are the beginning of the input: at least its first row that isn't empty, or all there is. A byte-order
/// mark and a header there are skipped. `options.format` kTsv makes a tab the delimiter unless one is given; every
/// other format a comma. Throws a usage Error for options that don't fit the columns, a TextError for a first row that
/// can't be read or can't be what the options ask for.
TextFormat csv_format(std::string_view first_bytes, const ReadOptions& options);

}  // namespace linsep
