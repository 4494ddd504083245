// Columns of CSV: whether there is a header, and what each column is for. See docs/reference/formats/csv.md.
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
  std::vector<std::string> names;      ///< of every column, from the header, see unique_names; empty without one
  std::vector<std::string> repeated;   ///< names that the header has more than once
  std::vector<Role> role;              ///< of every column
  std::vector<std::uint32_t> feature;  ///< of every column; valid where the role is kFeature
  std::uint32_t features = 0;          ///< columns for features
  std::vector<std::string> labels;     ///< names of the label columns where there may be several; else empty
  std::vector<std::uint32_t> label;    ///< of every column: its index in `labels`; valid where the role is kLabel
  std::string label_reason;            ///< of a table: why it is the label, where that wasn't asked for

  std::size_t size() const { return role.size(); }
  /// "column 'age'", or "column 3" without a header.
  std::string shown(std::size_t column) const;
  /// What the command line would call it: age, 'body mass' or 3.
  std::string argument(std::size_t column) const;
  /// Names by feature number; empty without a header.
  std::vector<std::string> feature_names() const;
};

/// Names of a header: the second of a name that is there again is called city.2, the third city.3, or the next that is
/// free; a column without a name `column 3`, by its number. `repeated` gets the names that are there again.
std::vector<std::string> unique_names(std::span<const std::string> fields, std::vector<std::string>& repeated);

/// Whether a field is a number, perhaps one that no double can hold.
bool is_number(std::string_view field);

/// What a certificate keeps of them. Of several label columns none is named.
Reading reading_of(const Columns& columns, char delimiter);

/// The place of a column that is given by name or by number from 1. Throws a usage Error about `option` where there is
/// none, or more than one.
std::size_t column_named(const Columns& columns, const std::string& text, std::string_view option);

/// Decides from the fields of the first row and the options. Throws a usage Error where the options name a column that
/// isn't there or give one two purposes, an input Error where the columns can't be the features that are asked for.
Columns find_columns(const std::vector<std::string>& first_row, const ReadOptions& options);

/// The same of a table whose columns a map asks for, by name or number: these are the features, in that order, wherever
/// they stand. The label is the one that the options name; else the only column that is called
/// label, class, target, outcome or y (any case; ids, weights and ignored columns apart); else the last without another
/// purpose.
Columns find_asked_columns(const std::vector<std::string>& first_row, const ReadOptions& options, bool header,
                           bool by_number, std::span<const std::string> asked);

/// A column that an option names for a feature.
struct NamedColumn {
  std::string text, option;
};

/// The same of a table to be fitted: all columns without another purpose are features, in the table's order. Appends to
/// `place` where each of `named` stands. Throws a usage Error also for those that aren't there.
Columns find_free_columns(const std::vector<std::string>& first_row, const ReadOptions& options, bool header,
                          std::span<const NamedColumn> named, std::vector<std::size_t>& place);

/// A column's number as people write it, from 1.
std::optional<std::uint64_t> column_number(std::string_view text);

/// Whether a field of the first row can only be a name. A missing or infinite value is no name: taken for one, its row
/// would be lost without a word.
bool is_name(std::string_view field);

/// Without names to go by, a file for a model of `features` features has a label only if it has a column more.
bool has_room_for_label(std::size_t candidates, const ReadOptions& options);

/// Where features are numbers: the options say so or name a column, or a feature's field is a name.
bool has_header(const std::vector<std::string>& fields, const ReadOptions& options);

/// Where fields may be words: the options say so or name a column (`named`: of others than they have); or no field of
/// the first row is a number, and either a name stands above a column of numbers, or all fields are names (the
/// first may be nothing, above numbers), and none stands in its column again. `columns`: the
/// fields below the first row, column by column, as far as they were looked at.
bool has_table_header(std::span<const std::string_view> first_row,
                      std::span<const std::vector<std::string_view>> columns, const ReadOptions& options,
                      std::span<const std::string> named);

/// What the fields of a table's columns must be, as a map or a plan has it.
struct TableColumns {
  std::vector<AskedColumn> asked;          ///< in the order of Columns::feature
  std::vector<std::string> missing_words;  ///< TableMap's
  char decimal = '.';
  bool header = true;

  // Of a plan, for messages.
  bool fitting = false;        ///< kinds are found out or asked for just now: options would help
  std::int64_t looked_at = 0;  ///< rows that kinds were found out from
  std::vector<bool> found;     ///< of each column: its kind was found out, not asked for
  std::vector<bool> empty;     ///< of each column: it had holes only, so that nothing is known of its kind
  bool refuse_holes = false;

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const AskedColumn& column : asked) out.push_back(column.name);
    return out;
  }
};

/// What a map asks for.
TableColumns table_columns(const TableMap& map);

}  // namespace linsep::csv
