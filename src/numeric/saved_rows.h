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

inline KeptRows load_rows(ByteReader& reader) {
  KeptRows rows;
  rows.start = reader.numbers<std::uint64_t>();
  rows.column = reader.numbers<std::uint32_t>();
  rows.value = reader.numbers<double>();
  bool good = !rows.start.empty() && rows.start.front() == 0 && rows.start.back() == rows.column.size() &&
              rows.column.size() == rows.value.size();
  for (std::size_t i = 1; good && i < rows.start.size(); ++i) good = rows.start[i - 1] <= rows.start[i];
  if (!good) throw input_error("this saved state holds rows that don't fit together");
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

/// Throws an input Error unless `holds`: for sizes within a saved state that must agree.
inline void require_state(bool holds) {
  if (!holds) throw input_error("this saved state doesn't fit together");
}

}  // namespace linsep
