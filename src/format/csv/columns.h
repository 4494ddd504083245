// Columns of CSV: whether there is a header, and what each column is for. See docs/formats/csv.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/read.h"

namespace linsep::csv {

enum class Role : std::uint8_t { kIgnored, kFeature, kLabel, kId, kWeight };

struct Columns {
  bool header = false;
  bool has_label = false;
  std::vector<std::string> names;      ///< of every column, from the header; empty without one
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

}  // namespace linsep::csv
