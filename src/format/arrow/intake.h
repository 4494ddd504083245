// Intake: the columns and then the batches of an Arrow stream, each checked as it comes in.
#pragma once

#include <string>

#include "format/arrow/batches.h"
#include "linsep/table/arrow.h"

namespace linsep::arrow {

class Intake {
 public:
  /// Takes the stream over, and releases it at the end, also where an Error is thrown. `name` is what Errors speak of.
  Intake(ArrowArrayStream* stream, std::string name);
  Intake(const Intake&) = delete;
  Intake& operator=(const Intake&) = delete;
  ~Intake();

  /// Name, columns and their names; no arrays.
  void describe(ArrowTable::Batches& out) const;
  /// Appends the next batch to `out`; false at the end. REQUIRES: `out` was described by this object.
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

}  // namespace linsep::arrow
