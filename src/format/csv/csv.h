// The CSV and TSV text format: one row per line, delimiters between fields, quotes as in RFC 4180. See
// docs/reference/formats/csv.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "format/csv/columns.h"
#include "format/text/format.h"
#include "linsep/read.h"
#include "table/table_batch.h"

namespace linsep {

/// `first_bytes` are the beginning of the input. They hold at least its first row that isn't empty, or all there is. A
/// byte-order mark and a header are skipped. With `options.format` kTsv the delimiter is a tab unless one is given, and
/// for other formats it is detected (csv/fields.h). With `options.table` rows are encoded. Throws a usage Error for
/// options that don't fit the columns. Throws a TextError for a first row that can't be read, or that can't be what the
/// options request.
TextFormat csv_format(std::string_view first_bytes, const ReadOptions& options);

/// Takes the rows of a chunk, which begins at byte `first_byte`. `page` has their labels. Called from any thread, for
/// chunks in any order.
using TakeTable = std::function<void(const TableBatch& rows, std::uint64_t first_byte, const ParsedPage& page)>;

/// The same text as a table whose rows are handed to `take`. Its pages have labels, but no features.
TextFormat table_format(std::string_view first_bytes, const ReadOptions& options,
                        const std::shared_ptr<const csv::TableColumns>& table, TakeTable take);

/// The byte between fields that `csv_format` uses. Throws a usage Error for an impossible one.
char delimiter_of(std::string_view first_bytes, const ReadOptions& options);

/// How many bytes of the text a byte-order mark takes.
std::size_t byte_order_mark(std::string_view text);

}  // namespace linsep
