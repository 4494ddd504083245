// What several learners put into their saved states.
#pragma once

#include <vector>

#include "core/bytes.h"
#include "linsep/model.h"

namespace linsep {

inline void save_rows(ByteWriter& writer, const KeptRows& rows) {
  writer.numbers(rows.start);
  writer.numbers(rows.column);
  writer.numbers(rows.value);
}

/// Columns lie below `features`. Throws an input Error where they don't, or where rows aren't sound otherwise.
inline KeptRows load_rows(ByteReader& reader, std::size_t features) {
  KeptRows rows;
  rows.start = reader.numbers<std::uint64_t>();
  rows.column = reader.numbers<std::uint32_t>();
  rows.value = reader.numbers<double>(rows.column.size());
  bool good = !rows.start.empty() && rows.start.front() == 0 && rows.start.back() == rows.column.size();
  for (std::size_t i = 1; good && i < rows.start.size(); ++i) good = rows.start[i - 1] <= rows.start[i];
  for (std::size_t i = 1; good && i < rows.start.size(); ++i) {
    for (std::uint64_t k = rows.start[i - 1]; k < rows.start[i]; ++k) {
      good = good && rows.column[k] < features && (k == rows.start[i - 1] || rows.column[k - 1] < rows.column[k]);
    }
  }
  require_state(good, "it holds rows that don't fit together");
  return rows;
}

/// Appends the row's nonzero entries.
template <class Row>
void keep_row(KeptRows& rows, const Row& x) {
  for_each_entry(x, [&](std::uint32_t column, double value) {
    if (value == 0) return;
    rows.column.push_back(column);
    rows.value.push_back(value);
  });
  rows.start.push_back(rows.column.size());
}

}  // namespace linsep
