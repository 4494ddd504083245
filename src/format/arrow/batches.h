// What an ArrowTable holds, which is the columns and the arrays of all batches, and Intake, which takes them over from
// a stream.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "format/arrow/value.h"
#include "linsep/comm.h"
#include "linsep/table/arrow.h"

namespace linsep {

struct ArrowTable::Batches {
  Batches() = default;
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;
  ~Batches() { release(); }
  /// Releases the arrays.
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
  std::int64_t rows = 0;           ///< of all batches so far, including those no longer held
  std::int64_t first_row = 0;      ///< of the first array held
};

namespace arrow {

/// Consecutive rows of one array.
struct Slice {
  const ArrowArray* array = nullptr;
  std::int64_t begin = 0, rows = 0;  ///< in the array, not counting its offset
  std::int64_t first_row = 0;        ///< in the table

  /// Row `row` of the slice as a row of the children.
  std::int64_t child_row(std::int64_t row) const { return array->offset + begin + row; }
};

/// All rows in slices of at most `most` rows.
std::vector<Slice> slices_of(const ArrowTable::Batches& batches, std::int64_t most);

/// Rows of a table.
struct RowRange {
  std::int64_t begin = 0, end = std::numeric_limits<std::int64_t>::max();
};
/// This worker's contiguous share of `rows` rows, in rank order.
RowRange own_rows(std::int64_t rows, const Comm& comm);
/// Slices of the rows in a range only.
std::vector<Slice> slices_of(const ArrowTable::Batches& batches, std::int64_t most, RowRange range);

/// Takes the columns and then the batches of a stream, each checked as it arrives.
class Intake {
 public:
  /// Takes the stream over, and releases it at the end, even if an Error is thrown. Errors refer to it as `name`.
  Intake(ArrowArrayStream* stream, std::string name);
  Intake(const Intake&) = delete;
  Intake& operator=(const Intake&) = delete;
  ~Intake();

  /// Sets the name, the columns and their names, but no arrays.
  void describe(ArrowTable::Batches& out) const;
  /// Appends the next batch to `out`. Returns false at the end. REQUIRES: `out` was described by this object.
  bool next(ArrowTable::Batches& out);

 private:
  [[noreturn]] void fail(int code) const;
  void read_schema();
  void check(const ArrowArray& array) const;

  ArrowArrayStream stream_;
  std::string name_;
  std::vector<Column> columns_;
  std::vector<std::string> names_;
};

}  // namespace arrow
}  // namespace linsep
