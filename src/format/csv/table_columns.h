// TableColumns: what the fields of a table's columns must be, as a map or a plan has it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/table/map.h"
#include "table/encode.h"

namespace linsep::csv {

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
