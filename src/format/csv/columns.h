// Columns of CSV: whether there is a header, and what each column is for. See docs/formats/csv.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
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
  std::uint32_t features = 0;
  std::vector<std::string> labels;   ///< names of the label columns where there may be several; else empty
  std::vector<std::uint32_t> label;  ///< of every column: its index in `labels`; valid where the role is kLabel

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

/// Decides from the fields of the first row and the options. Throws a usage Error where the options name a column that
/// isn't there or give one two purposes, an input Error where the columns can't be the features that are asked for.
Columns find_columns(const std::vector<std::string>& first_row, const ReadOptions& options);

}  // namespace linsep::csv
