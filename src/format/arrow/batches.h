// What an ArrowTable holds: the columns, and the arrays of all batches.
#pragma once

#include <string>
#include <vector>

#include "format/arrow/type.h"
#include "linsep/table/arrow.h"

namespace linsep {

struct ArrowTable::Batches {
  Batches() = default;
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;
  ~Batches() { release(); }
  /// Lets the arrays go.
  void release() {
    for (ArrowArray& array : arrays) {
      if (array.release != nullptr) array.release(&array);
    }
    arrays.clear();
  }

  std::string name;
  std::vector<arrow::Column> columns;
  std::vector<std::string> names;  ///< of the columns
  std::vector<ArrowArray> arrays;  ///< structs, with a child for each column; all checked
  std::int64_t rows = 0;           ///< of all that came, also of those that aren't held any more
  std::int64_t first_row = 0;      ///< of the first array held
};

namespace arrow {

/// Some rows of one array.
struct Slice {
  const ArrowArray* array = nullptr;
  std::int64_t begin = 0, rows = 0;  ///< of the array, its offset apart
  std::int64_t first_row = 0;        ///< of the table

  /// Row `row` of the slice, as a row of the children.
  std::int64_t child_row(std::int64_t row) const { return array->offset + begin + row; }
};

/// All rows in slices of at most `most` rows.
std::vector<Slice> slices_of(const ArrowTable::Batches& batches, std::int64_t most);

}  // namespace arrow
}  // namespace linsep
