// From a chunk of CSV to a page, and to rows as they were written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "format/csv/columns.h"
#include "format/csv/fields.h"
#include "format/labels/missing.h"
#include "format/text/format.h"

namespace linsep::csv {

struct TableColumns;

/// All that a parser must know.
struct Layout {
  Syntax syntax;
  Columns columns;
  bool double_values = false;
  bool labelled = true;     ///< else labels are read past and every label of the page is 0
  bool regression = false;  ///< a label must be a number
  bool exact = false;       ///< a number that is too small for its type is an error
  MissingLabels missing = {};
  std::int64_t looked_at = 0;  ///< features were numbers in so many first rows; 0: nobody has looked
  std::shared_ptr<const TableColumns> table = nullptr;  ///< what features are made of; null: they are numbers
};

/// TextFormat::parse: a dense page. Plain decimals take a fast path that agrees bit for bit with parse_number.
ParsedPage parse_rows(const Layout& layout, const Chunk& chunk);

/// The same page without the fast path: the oracle of the tests.
ParsedPage parse_rows_strictly(const Layout& layout, const Chunk& chunk);

/// A label as written. Blanks in quotes belong to a word, but not to a number.
std::string label_text(const Field& field);

/// TextFormat::written: every feature column of the rows asked for, in the order of the features.
std::vector<WrittenRow> written_rows(const Layout& layout, const Chunk& chunk, const std::vector<std::int64_t>& rows);

/// TextFormat::fields: those of the columns asked for, row by row.
std::vector<std::string> raw_fields(const Layout& layout, const Chunk& chunk, std::span<const std::size_t> columns);

}  // namespace linsep::csv
