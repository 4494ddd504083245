// Rows are what Python passes to every call that goes over rows: arrays as they are, or files that are read at the
// first use.
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

/// The origin of rows. Arrays have their source from the beginning. Files and Arrow streams are loaded in the first
/// `load` and kept.
class RowStore {
 public:
  RowStore() = default;
  RowStore(const RowStore&) = delete;
  RowStore& operator=(const RowStore&) = delete;
  virtual ~RowStore() = default;

  /// Returns the source, and loads it if that hasn't happened yet. Loading reports to `watch.observe`, and
  /// `watch.interrupt` ends it with an Error of kind kInterrupted. Runs on the working thread, without the GIL.
  virtual Source& load(const Watch& watch) = 0;
  /// Like `load`, for a purpose that decides how a file's rows become numbers. Rows of arrays are the same for all.
  virtual Source& load_for(const Watch& watch, const Purpose& /*purpose*/) { return load(watch); }
  /// A source for `explain` that also has the rows as written, or nullptr if the usual one is as good.
  virtual std::unique_ptr<Source> to_explain(const Model& /*model*/) { return nullptr; }
  /// The source if it is already loaded, else nullptr.
  virtual const Source* loaded() const = 0;
  /// The rows as one batch if they are arrays, else nullptr. Such rows can be cut into slices between which interrupts
  /// are noticed.
  virtual const Batch* arrays() const { return nullptr; }
  /// Throws an input Error if arrays changed since they were checked. Runs without the GIL.
  virtual void require_unchanged() const {}
  virtual bool weighted() const { return false; }
  virtual bool labelled() const { return true; }
  /// How many bytes a run over the rows may use, or 0 for what the system has left.
  virtual std::uint64_t memory() const { return 0; }
  /// Whether the rows are in memory (once they are loaded).
  virtual bool in_memory() const { return true; }
  /// The name given to a row (rows count from 0) along with arrays, or "". Names from files are in WrittenRow::id.
  virtual std::string id_of(std::int64_t /*row*/) const { return ""; }
  /// What the label's column holds, if the input has types: "bool", "integer", "number" or "text". Else "".
  virtual std::string label_type() const { return ""; }
  /// The workers that share the rows if calls are collective, else nullptr.
  virtual Comm* workers() { return nullptr; }
  /// The files that the rows are read from. Other rows have none.
  virtual std::vector<std::string> files() const { return {}; }
  /// A description of what was found in a table and done with it, or "" if the rows are no table.
  virtual std::string account() const { return ""; }
  /// Sentences about columns that differ from those of the model that the rows were read for. Each is returned once.
  virtual std::vector<std::string> take_warnings() { return {}; }
};

/// The Python class. A source has a position in its pass, so one call uses it at a time (`RowsLock`).
class Rows {
 public:
  explicit Rows(std::unique_ptr<RowStore> store) : store_(std::move(store)) {}

  RowStore& store() { return *store_; }
  const RowStore& store() const { return *store_; }
  /// REQUIRES: the working thread of a call that has a `RowsLock`.
  Source& source(const Watch& watch) { return store_->load(watch); }
  Source& source(const Watch& watch, const Purpose& purpose) { return store_->load_for(watch, purpose); }
  /// The workers that share the rows, or a single worker.
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

/// Warns about what was noticed when rows were read. REQUIRES: the GIL, and a `RowsLock`.
void warn_of_columns(Rows& rows);

/// The right to use rows until the end of a call. Throws a usage Error if another call has it, and an input Error if
/// the arrays were changed. REQUIRES: the GIL.
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
