// Makes a table's map from its first rows alone, for rows that are read once.
#pragma once

#include <span>
#include <string>

#include "linsep/read.h"
#include "linsep/table/fit.h"

namespace linsep {

/// Like `fit_table`, but with the first megabyte of rows only, so that a stream can be encoded as it comes. Numbers
/// aren't scaled, every category and text is hashed into all of its buckets, and terms have no idf. The first rows
/// decide what stands for a hole, whether a column has an indicator, and which columns vary. The next source that is
/// opened reads standard input from its beginning again. Throws a usage Error for a pipe other than standard input, for
/// Parquet and Arrow files, and if `spec` asks for something that needs all rows. In the last case it names the columns
/// and what to use instead.
FittedTable fit_first_rows(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec);

}  // namespace linsep
