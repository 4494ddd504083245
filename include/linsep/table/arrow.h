// Tables from Arrow. An ArrowArrayStream, as pyarrow, polars, pandas, DuckDB and Arrow C++ hand it out, is fitted, read
// and encoded like the same table in CSV. No Arrow library is needed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "linsep/read.h"
#include "linsep/table/fit.h"

// The Arrow C data interface and the C stream interface, as in their specification.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
}
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
extern "C" {
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
}
#endif

namespace linsep {

/// The batches of a stream, held by reference, because a stream is read once but a table is gone through several times.
/// Copies share the batches. They are released with the last of the copies and of the sources made from them.
class ArrowTable {
 public:
  /// Takes the stream over, reads it to its end and releases it, even if an Error is thrown. Throws an input Error with
  /// the producer's message, or one that names column and format if a column can't be read. Errors call the table
  /// `name`.
  explicit ArrowTable(ArrowArrayStream* stream, std::string name = "the Arrow stream");

  const std::string& name() const;
  std::int64_t rows() const;
  const std::vector<std::string>& columns() const;  ///< names, in order

  struct Batches;
  const std::shared_ptr<const Batches>& batches() const { return batches_; }

 private:
  std::shared_ptr<const Batches> batches_;
};

/// Like `fit_table` for files. Integers, floating-point numbers, bool and decimals are numbers. Dates and timestamps
/// are dates. Dictionaries are categories. Strings are taken for what the same fields in CSV would be. Lists of
/// floating-point numbers are vectors. Columns of type null are left out. A null is a missing value, and so are NaN and
/// an empty string.
FittedTable fit_table(const ArrowTable& table, const ReadOptions& options, const TableSpec& spec,
                      const Observer& observe = {});

/// Like `load` for a file: all rows in memory, encoded by `options.table`. Without it every column must be a number.
std::unique_ptr<Source> load(const ArrowTable& table, const ReadOptions& options, const Observer& observe = {});
/// Takes the stream over, see ArrowTable.
std::unique_ptr<Source> load(ArrowArrayStream* stream, const ReadOptions& options, const Observer& observe = {});

}  // namespace linsep
