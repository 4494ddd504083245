// Fields of a table as they stand in its text, beside the rows that are read from it: for what is passed through.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "linsep/source.h"

namespace linsep {

/// What the columns (by name, or number from 1) are called; without a header "column 3". `source` comes from
/// `open_stream`. Throws a usage Error for a column that isn't there, and where `source` isn't read from CSV or TSV
/// text.
std::vector<std::string> field_names(Source& source, std::span<const std::string> columns);

/// What the columns hold: of Parquet and Arrow files their types; fields of CSV and TSV are text, and so are dates.
enum class FieldType { kText, kNumber, kInteger, kUnsigned, kBool };
std::vector<FieldType> field_types(Source& source, std::span<const std::string> columns);

/// The fields of these columns in the rows that `source` handed out last, before its next call: all of the first row,
/// of the second, and so on. Quotes around a field are taken off; a null is empty.
std::vector<std::string> fields_of_batch(Source& source, std::span<const std::string> columns);

}  // namespace linsep
