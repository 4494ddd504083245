// A table's map from its first rows alone, for rows that are read once.
#pragma once

#include <span>
#include <string>

#include "linsep/read.h"
#include "linsep/table/fit.h"

namespace linsep {

/// What `fit_table` does, but of the first megabyte of rows only, so that a stream can be encoded as it comes: numbers
/// aren't scaled, every category and text is hashed into all of its buckets, and terms have no idf. What stands for a
/// hole, whether a column has an indicator, and which columns vary, the first rows say. Standard input is read from its
/// beginning again by the next source that is opened. Throws a usage Error that names the columns where `spec` asks for
/// something that all rows would have to be known for, and what to say instead; for a pipe other than standard input;
/// and for Parquet and Arrow files.
FittedTable fit_first_rows(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec);

}  // namespace linsep
