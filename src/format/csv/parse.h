// Turns a chunk of CSV into a page, into rows as they were written, and into fields as they are in the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/columns.h"
#include "format/csv/fields.h"
#include "format/labels/labels.h"
#include "format/text/format.h"

namespace linsep::csv {

struct TableColumns;

/// Everything a parser needs.
struct Layout {
  Syntax syntax;
  Columns columns;
  bool double_values = false;
  bool labelled = true;     ///< if false, labels are skipped and every label of the page is 0
  bool regression = false;  ///< a label must be a number
  bool exact = false;       ///< a number that is too small for its type is an error
  MissingLabels missing = {};
  bool for_model = false;      ///< the features are those of a model
  std::int64_t looked_at = 0;  ///< features were numbers in this many first rows, or 0 if nobody has looked
  std::shared_ptr<const TableColumns> table = nullptr;  ///< what features are made of, or null if they are numbers
};

/// Implements TextFormat::parse with a dense page. Plain decimals take a fast path that agrees bit for bit with
/// parse_number.
ParsedPage parse_rows(const Layout& layout, const Chunk& chunk);

/// The same page without the fast path, as the oracle of the tests.
ParsedPage parse_rows_strictly(const Layout& layout, const Chunk& chunk);

/// A label as written. Blanks in quotes are part of a word, but not of a number.
std::string label_text(const Field& field);

/// Implements TextFormat::written, with every feature column of the requested rows, in the order of the features.
std::vector<WrittenRow> written_rows(const Layout& layout, const Chunk& chunk, const std::vector<std::int64_t>& rows);

/// Implements TextFormat::fields, with those of the requested columns, row by row.
std::vector<std::string> raw_fields(const Layout& layout, const Chunk& chunk, std::span<const std::size_t> columns);

class RowLabels {
 public:
  /// REQUIRES: room for a label of every row at `label` and, if a column has weights, for a weight at `weight`.
  /// `layout` outlives this object.
  RowLabels(const Layout& layout, std::string_view text, double* label, double* weight)
      : layout_(layout), text_(text), labels_(label), weight_(weight), row_(layout.columns.labels.size()) {}

  /// Takes a field of a column that isn't a feature's. Throws TextError.
  void take(const Field& field, std::size_t column);
  /// Called after the last field of a row. Returns false if the row has no label and is left out.
  bool end_row();

  /// Rows that are left out, and names of labels (see ParsedPage).
  std::int64_t dropped() const { return dropped_; }
  std::vector<std::string>& words() { return labels_.words(); }

 private:
  void take_label(const Field& field, std::size_t column);
  void take_missing(const Field& field);
  double read_number(const Field& field, std::size_t column, std::string_view wanted) const;
  [[noreturn]] void refuse_tiny(const Field& field) const;

  const Layout& layout_;
  std::string_view text_;
  PageLabels labels_;
  double* weight_;
  std::size_t rows_ = 0;
  bool unlabelled_ = false;  ///< the current row has no label and is left out
  std::int64_t dropped_ = 0;
  std::vector<std::string> row_;  ///< the labels of the current row in several columns
};

/// Whether a column has row weights.
bool has_weights(const Columns& columns);

/// The error about a field that isn't what its column needs. `hint` may contain a "{}" for each of `options`.
TextError misfit(const Columns& columns, std::string_view text, const Field& field, std::string_view wanted,
                 std::size_t column, std::string_view hint = "", std::vector<std::string> options = {});

/// The error about a row that ends before or continues after its last column. `field` is where that shows.
TextError wrong_count(const Layout& layout, std::string_view text, const Field& field, std::size_t column);

}  // namespace linsep::csv
