// ScannedRows are rows of files or of an Arrow stream. They are read when they are first used, and for that use.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linsep/options.h"
#include "linsep/read.h"
#include "linsep/table/arrow.h"
#include "linsep/table/fit.h"
#include "purpose.h"
#include "rows.h"
#include "supervise.h"

namespace linsep::python {

/// The user's choices about a table's columns: options of `table_options()`, and separately lists of columns, since a
/// column's name may contain a comma.
struct ColumnChoice {
  Options options;
  std::map<std::string, std::vector<std::string>> lists;  ///< "number", "category", "text", "cross", "missing-words"
  std::vector<TableSpec::Date> dates;

  TableSpec spec(bool as_written) const;
};

/// What rows are read from.
class RowOrigin {
 public:
  RowOrigin() = default;
  RowOrigin(const RowOrigin&) = delete;
  RowOrigin& operator=(const RowOrigin&) = delete;
  virtual ~RowOrigin() = default;

  /// How Errors refer to it.
  virtual const std::string& name() const = 0;
  virtual FittedTable fit(const ReadOptions& options, const TableSpec& spec, const Observer& observe) = 0;
  virtual std::unique_ptr<Source> load(const ReadOptions& options, const Observer& observe) = 0;
  /// Rows together with what is written in them. They may be gone through once.
  virtual std::unique_ptr<Source> to_explain(const Model& model, const ReadOptions& read) = 0;
  /// What a column holds: "bool", "integer", "number" or "text", or "" if the input has no types. Known once rows have
  /// been loaded.
  virtual std::string type_of(const std::string& /*column*/) const { return ""; }
  virtual std::vector<std::string> files() const { return {}; }
  /// Called once rows have been loaded. Releases what isn't needed until they are read again.
  virtual void close() {}
};

/// Reads choices about a table's columns by their names. Returns nothing for None. Throws a usage Error.
std::optional<ColumnChoice> column_choice(nb::handle given);
/// Takes over the stream of an object with __arrow_c_stream__. REQUIRES: the GIL.
ArrowArrayStream stream_of(const nb::object& producer);
/// Reads reading options by their names. Throws a usage Error.
ReadOptions read_options(const nb::typed<nb::dict, nb::str, nb::any>& given);

/// Files whose rows follow one another.
std::unique_ptr<RowOrigin> files(std::vector<std::string> paths);

class ScannedRows : public RowStore {
 public:
  /// Without `columns` nothing is fitted, and columns are numbers, taken as they are.
  ScannedRows(std::unique_ptr<RowOrigin> origin, ReadOptions read, std::optional<ColumnChoice> columns);

  Source& load(const Watch& watch) override;
  Source& load_for(const Watch& watch, const Purpose& purpose) override;
  std::unique_ptr<Source> to_explain(const Model& model) override { return origin_->to_explain(model, read_); }
  const Source* loaded() const override { return source_.get(); }
  bool weighted() const override { return !read_.weight.empty(); }
  std::uint64_t memory() const override { return read_.memory; }
  bool in_memory() const override { return read_.memory == 0; }
  std::string label_type() const override;
  std::vector<std::string> files() const override { return origin_->files(); }
  std::string account() const override { return account_ ? account_text(*account_) : ""; }
  std::vector<std::string> take_warnings() override { return std::exchange(warnings_, {}); }

 private:
  /// How the rows are read, and how their table is fitted if they have one.
  struct Way {
    ReadOptions read;
    std::optional<TableSpec> fit;
  };
  Way way_for(const Purpose& purpose) const;
  bool goes(const Way& way) const;
  void read(Way way, const Watch& watch);

  std::unique_ptr<RowOrigin> origin_;
  ReadOptions read_;
  std::optional<ColumnChoice> columns_;

  std::atomic<bool> stop_{false};  // the source may look at it for as long as it lives
  std::unique_ptr<Source> source_;
  Way gone_;  // how source_ was read
  std::optional<TableAccount> account_;
  std::vector<std::string> warnings_;
};

}  // namespace linsep::python
