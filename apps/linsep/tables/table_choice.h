// The wishes of the command line for a table's columns, and the map that is fitted for it.
#pragma once

#include <optional>
#include <string>

#include "linsep/table/fit.h"
#include "options/table_options.h"
#include "reading.h"

namespace linsep::app {

/// The heading of these options in help.
inline constexpr const char* kColumnsOfTables = "Columns of tables";

struct TableChoice {
  TableOptions options;
  std::string columns;  ///< --columns is what `linsep columns --json` printed
  std::string model;    ///< --table is a model whose map is used unchanged

  TableChoice();

  void declare(CommandOptions& command);
  /// Whether an option of tables was given.
  bool given() const;
  /// With `as_written`, has the defaults of proofs.
  TableSpec spec(bool as_written = false) const;

  /// Finds out what the columns are, fits a map if one is needed and puts it into `reading`. Unless `quiet`, prints on
  /// standard error what was made of each column. Nothing is done with data that is no table. Collective.
  std::optional<TableAccount> take(const InputOptions& data, TableSpec spec, ReadOptions& reading, bool quiet) const;
  /// The same from the first rows alone, for rows that are read once.
  void take_first_rows(const InputOptions& data, ReadOptions& reading, bool quiet) const;
};

}  // namespace linsep::app
