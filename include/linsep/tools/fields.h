// Fields of a table as they stand in its text, together with the rows that are read from it. They are passed through to
// predictions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/source.h"

namespace linsep {

/// The names of the columns (given by name, or number from 1). Without a header, "column 3". `source` comes from
/// `open_stream`. Throws a usage Error for a column that doesn't exist, and if `source` isn't read from CSV or TSV
/// text.
std::vector<std::string> field_names(Source& source, std::span<const std::string> columns);

/// The types of the columns. Parquet and Arrow files have types. Fields of CSV and TSV are text, and so are dates.
enum class FieldType { kText, kNumber, kInteger, kUnsigned, kBool };
std::vector<FieldType> field_types(Source& source, std::span<const std::string> columns);

/// The fields of these columns in the rows that `source` handed out last, before its next call. All of the first row
/// come first, then all of the second, and so on. Quotes around a field are taken off. A null is empty.
std::vector<std::string> fields_of_batch(Source& source, std::span<const std::string> columns);

/// The text as a field of CSV, in quotes if it needs them.
std::string csv_field(std::string_view text, char delimiter);

}  // namespace linsep
