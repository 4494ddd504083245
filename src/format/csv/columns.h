// Columns of CSV: whether there is a header, and the purpose of each column. See docs/reference/formats/csv.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/read.h"
#include "linsep/table/map.h"
#include "table/encode.h"

namespace linsep::csv {

enum class Role : std::uint8_t { kIgnored, kFeature, kLabel, kId, kWeight };

struct Columns {
  bool header = false;
  bool has_label = false;
  std::vector<std::string> names;      ///< of every column, from the header (see unique_names). Empty without a header
  std::vector<std::string> repeated;   ///< names that the header has more than once
  std::vector<Role> role;              ///< of every column
  std::vector<std::uint32_t> feature;  ///< of every column, valid if the role is kFeature
  std::uint32_t features = 0;          ///< number of columns for features
  std::vector<std::string> labels;     ///< names of the label columns if there may be several, else empty
  std::vector<std::uint32_t> label;    ///< of every column: its index in `labels`, valid if the role is kLabel
  std::string label_reason;            ///< for a table: why this is the label, if the user didn't choose it

  std::size_t size() const { return role.size(); }
  /// "column 'age'", or "column 3" without a header.
  std::string shown(std::size_t column) const;
  /// What the command line calls the column: age, 'body mass' or 3.
  std::string argument(std::size_t column) const;
  /// Names by feature number. Empty without a header.
  std::vector<std::string> feature_names() const;
};

/// Names of a header, made unique. The second column called city becomes city.2 and the third city.3, or the next free
/// name. A column without a name becomes `column 3`, by its number. `repeated` gets the repeated names.
std::vector<std::string> unique_names(std::span<const std::string> fields, std::vector<std::string>& repeated);

/// Whether a field is a number, even one too large for a double.
bool is_number(std::string_view field);

/// What a certificate keeps about the columns. It names none of several label columns.
Reading reading_of(const Columns& columns, char delimiter);

/// The index of a column given by name or by number from 1. Throws a usage Error about `option` if there is no such
/// column, or more than one.
std::size_t column_named(const Columns& columns, const std::string& text, std::string_view option);

/// Decides by the fields of the first row and the options. Throws a usage Error if the options name a column that
/// doesn't exist or give one two purposes. Throws an input Error if the columns can't be the requested features.
Columns find_columns(const std::vector<std::string>& first_row, const ReadOptions& options);

/// The same for a table whose columns a map asks for by name or number. These are the features, in that order, wherever
/// they are. The label is the column that the options name. Without one, it is the only column called label, class,
/// target, outcome or y (in any case, not counting ids, weights and ignored columns). Without that, it is the last
/// column without another purpose.
Columns find_asked_columns(const std::vector<std::string>& first_row, const ReadOptions& options, bool header,
                           bool by_number, std::span<const std::string> asked);

/// A column that an option names as a feature.
struct NamedColumn {
  std::string text, option;
};

/// The same for a table to be fitted, in which all columns without another purpose are features, in the table's order.
/// Appends the index of each of `named` to `place`. Throws a usage Error for those that don't exist, too.
Columns find_free_columns(const std::vector<std::string>& first_row, const ReadOptions& options, bool header,
                          std::span<const NamedColumn> named, std::vector<std::size_t>& place);

/// A column's number as people write it, starting from 1.
std::optional<std::uint64_t> column_number(std::string_view text);

/// Whether a field of the first row can only be a name. A missing or infinite value is no name, because its row would
/// then be lost silently.
bool is_name(std::string_view field);

/// Without names to go by, a file for a model of `features` features has a label only if it has one more column.
bool has_room_for_label(std::size_t candidates, const ReadOptions& options);

/// Whether a table with numeric features has a header: the options request it or name a column, or a feature's field is
/// a name.
bool has_header(const std::vector<std::string>& fields, const ReadOptions& options);

/// Whether a table whose fields may be words has a header. It has one if the options request it or name a column
/// (`named` comes from other options). Otherwise no field of the first row may be a number. Then there is a header if a
/// name stands above a column of numbers. There is also one if all fields are names (the first may be empty, above
/// numbers) and none of them recurs in its column. `columns` has the fields below the first row, column by column, as
/// far as they were read.
bool has_table_header(std::span<const std::string_view> first_row,
                      std::span<const std::vector<std::string_view>> columns, const ReadOptions& options,
                      std::span<const std::string> named);

/// What the fields of a table's columns must be according to a map or a plan.
struct TableColumns {
  std::vector<AskedColumn> asked;          ///< in the order of Columns::feature
  std::vector<std::string> missing_words;  ///< TableMap's
  char decimal = '.';
  bool header = true;

  // From a plan, for messages.
  bool fitting = false;        ///< kinds are just being found out or requested, so options would help
  std::int64_t looked_at = 0;  ///< number of rows from which kinds were found out
  std::vector<bool> found;     ///< of each column: its kind was inferred, not requested
  std::vector<bool> empty;     ///< of each column: all its values were missing, so its kind is unknown
  bool refuse_holes = false;

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const AskedColumn& column : asked) out.push_back(column.name);
    return out;
  }
};

/// The columns that a map asks for.
TableColumns table_columns(const TableMap& map);

}  // namespace linsep::csv
