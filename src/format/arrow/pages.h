// How rows of an Arrow table become pages of encoded rows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/arrow/batches.h"
#include "format/arrow/rows.h"
#include "format/csv/parse.h"
#include "format/labels/columns.h"
#include "linsep/read.h"
#include "table/encode.h"

namespace linsep::arrow {

/// What all threads share.
struct PageRules {
  /// As `load` does. `batches`: of which the columns are looked at; outlives this object. Throws Error.
  PageRules(const ArrowTable::Batches& all, const ReadOptions& options);

  std::uint32_t features() const { return table ? table->features() : layout.columns.features; }
  /// The names of features, or the table.
  void describe(Schema& schema) const;

  const ArrowTable::Batches& batches;
  csv::Layout layout;
  std::shared_ptr<const PreparedTable> table;  ///< null: features are numbers, taken as they are
  std::shared_ptr<const TableMap> map;
  std::shared_ptr<TableCounts> counts;
};

/// What a thread works with.
struct Desk {
  explicit Desk(const PageRules& rules) : reader(rules.batches, rules.layout) {
    if (rules.table) encoder.emplace(rules.table);
  }

  RowReader reader;
  std::optional<TableEncoder> encoder;
  EncodedRows rows;
};

/// The rows of a slice that aren't left out.
struct ReadSlice {
  Slice slice;
  ParsedPage parsed;
  std::vector<std::int64_t> kept;  ///< rows of the slice, where some are left out; empty: all

  /// A row of the page as a row of the slice.
  std::int64_t slice_row(std::int64_t row) const { return kept.empty() ? row : kept[static_cast<std::size_t>(row)]; }
};

/// Hands the labels of a page to `labels`; what is wrong with one is an Error that names its row.
void take_labels(ReadSlice& read, LabelColumns& labels, const std::string& name);

/// The desks of all threads.
class Desks {
 public:
  /// `rules` outlive this object.
  Desks(const PageRules& rules, const ReadOptions& options);
  /// In order, by any number of threads; an Error is that of the first slice that has one.
  std::vector<ReadSlice> read(const std::vector<Slice>& slices);

 private:
  const PageRules& rules_;
  ReadOptions options_;
  std::vector<std::unique_ptr<Desk>> desks_;  ///< of each thread, once it has one
};

}  // namespace linsep::arrow
