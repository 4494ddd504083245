// What the command line says of a table's columns, and the map that is fitted for it.
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
  std::string columns;  ///< --columns: what `linsep columns --json` printed
  std::string model;    ///< --table: a model whose map is taken as it is

  TableChoice();

  void declare(CommandOptions& command);
  /// Whether an option of tables was given.
  bool given() const;
  /// `as_written`: with the defaults of proofs.
  TableSpec spec(bool as_written = false) const;

  /// Finds out what the columns are, fits a map where one is needed and puts it into `reading`. Says on standard error,
  /// unless `quiet`, what was made of each column. Nothing is done with data that is no table. Collective.
  std::optional<TableAccount> take(const InputOptions& data, TableSpec spec, ReadOptions& reading, bool quiet) const;
  /// The same from the first rows alone, for rows that are read once.
  void take_first_rows(const InputOptions& data, ReadOptions& reading, bool quiet) const;
};

}  // namespace linsep::app
