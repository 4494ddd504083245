// Rows: what Python hands to every call that goes over rows: arrays as they are, or files that are read at the first
// use.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "linsep/batch.h"
#include "linsep/comm.h"
#include "linsep/source.h"
#include "purpose.h"
#include "supervise.h"

namespace linsep::python {

namespace nb = nanobind;

/// Where rows come from. Arrays have their source from the beginning; what reads files or Arrow streams loads them in
/// its first `load`, and keeps them.
class RowStore {
 public:
  RowStore() = default;
  RowStore(const RowStore&) = delete;
  RowStore& operator=(const RowStore&) = delete;
  virtual ~RowStore() = default;

  /// The source, loaded now if it wasn't yet: `watch.observe` is told and `watch.interrupt` ends it with an
  /// Error of kind kInterrupted. Runs on the working thread, without the GIL.
  virtual Source& load(const Watch& watch) = 0;
  /// The same for a purpose, which decides how a file's rows become numbers. Rows of arrays are the same for all.
  virtual Source& load_for(const Watch& watch, const Purpose& /*purpose*/) { return load(watch); }
  /// A source that also tells what is written in the rows, for `explain`; nullptr where the usual one is as good.
  virtual std::unique_ptr<Source> to_explain(const Model& /*model*/) { return nullptr; }
  /// The source where there is one already, else nullptr.
  virtual const Source* loaded() const = 0;
  /// The rows as one batch, where they are arrays; else nullptr. Such rows can be cut into slices that hear interrupts.
  virtual const Batch* arrays() const { return nullptr; }
  /// Throws an input Error where arrays aren't what they were when they were checked. Without the GIL.
  virtual void require_unchanged() const {}
  virtual bool weighted() const { return false; }
  virtual bool labelled() const { return true; }
  /// Bytes that a run over them may use; 0: what the system has left.
  virtual std::uint64_t memory() const { return 0; }
  /// Whether the rows lie in memory (once they are loaded).
  virtual bool in_memory() const { return true; }
  /// A row's name (rows count from 0), "" where it has none: given beside arrays. Names from files are in
  /// WrittenRow::id.
  virtual std::string id_of(std::int64_t /*row*/) const { return ""; }
  /// What the label's column holds, where the input has types: "bool", "integer", "number" or "text"; else "".
  virtual std::string label_type() const { return ""; }
  /// The workers that share the rows, where calls are collective; else nullptr.
  virtual Comm* workers() { return nullptr; }
  /// The files that the rows are read from; none of other rows.
  virtual std::vector<std::string> files() const { return {}; }
  /// What was found in a table and done with it, in words; "" where the rows are no table.
  virtual std::string account() const { return ""; }
  /// Sentences about columns that aren't as the model's were that the rows were read for, each given once.
  virtual std::vector<std::string> take_warnings() { return {}; }
};

/// The Python class. A source has a place in its pass, so one call uses it at a time (`RowsLock`).
class Rows {
 public:
  explicit Rows(std::unique_ptr<RowStore> store) : store_(std::move(store)) {}

  RowStore& store() { return *store_; }
  const RowStore& store() const { return *store_; }
  /// REQUIRES: the working thread of a call that has a `RowsLock`.
  Source& source(const Watch& watch) { return store_->load(watch); }
  Source& source(const Watch& watch, const Purpose& purpose) { return store_->load_for(watch, purpose); }
  /// The workers that share them; one alone otherwise.
  Comm& comm() {
    Comm* const workers = store_->workers();
    return workers != nullptr ? *workers : *alone_;
  }

 private:
  friend class RowsLock;
  std::unique_ptr<RowStore> store_;
  std::unique_ptr<Comm> alone_ = solo();
  std::atomic<bool> used_{false};
};

/// Warns of what was noticed when rows were read. REQUIRES: the GIL, and a `RowsLock`.
void warn_of_columns(Rows& rows);

/// The right to use rows until the end of a call. Throws a usage Error where another call has it, and an input Error
/// where the arrays were changed. REQUIRES: the GIL.
class RowsLock {
 public:
  explicit RowsLock(Rows& rows);
  RowsLock(const RowsLock&) = delete;
  RowsLock& operator=(const RowsLock&) = delete;
  ~RowsLock() { rows_.used_ = false; }

 private:
  Rows& rows_;
};

/// Rows first … first + count − 1 of a batch, without a copy.
Batch slice_of(const Batch& batch, std::int64_t first, std::int64_t count);

}  // namespace linsep::python
