// Turns rows of an Arrow table into pages of encoded rows, all at once or a batch of the stream at a time.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/arrow/batches.h"
#include "format/arrow/rows.h"
#include "format/csv/parse.h"
#include "format/labels/columns.h"
#include "format/shards/pieces.h"
#include "linsep/read.h"
#include "linsep/tools/fields.h"
#include "table/encode.h"

namespace linsep::arrow {

/// The rules that all threads share.
struct PageRules {
  /// Decides like `load`, from the columns of `batches`, which outlives this object. Throws Error.
  PageRules(const ArrowTable::Batches& all, const ReadOptions& options);

  std::uint32_t features() const { return table ? table->features() : layout.columns.features; }
  /// Sets the names of features, or the table.
  void describe(Schema& schema) const;

  const ArrowTable::Batches& batches;
  csv::Layout layout;
  std::shared_ptr<const PreparedTable> table;  ///< null if features are numbers, taken as they are
  std::shared_ptr<const TableMap> map;
  std::shared_ptr<TableCounts> counts;
};

/// The scratch memory of a thread.
struct ParserScratch {
  explicit ParserScratch(const PageRules& rules) : reader(rules.batches, rules.layout) {
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
  std::vector<std::int64_t> kept;  ///< rows of the slice if some are left out, or empty for all

  /// A row of the page as a row of the slice.
  std::int64_t slice_row(std::int64_t row) const { return kept.empty() ? row : kept[static_cast<std::size_t>(row)]; }
};

/// Hands the labels of a page to `labels`. Throws an Error that names the row if one is refused.
void take_labels(ReadSlice& read, LabelColumns& labels, const std::string& name);

/// Turns slices into pages, with scratch memory for each thread.
class SliceReader {
 public:
  /// REQUIRES: `rules` outlive this object.
  SliceReader(const PageRules& rules, const ReadOptions& options);
  /// Results are in order, for any number of threads. An Error is that of the first slice that has one.
  std::vector<ReadSlice> read(const std::vector<Slice>& slices);

 private:
  const PageRules& rules_;
  ReadOptions options_;
  std::vector<std::unique_ptr<ParserScratch>> scratch_;  ///< of each thread, once it has one
};

/// Holds one batch of the stream and the pages of its rows.
class PageStream : public linsep::PageStream {
 public:
  /// Streams the rows in `range`.
  PageStream(std::unique_ptr<Intake> intake, const ReadOptions& options, RowRange range = {});

  const FileLayout& layout() const override { return layout_; }
  std::optional<ReadPage> next() override;
  std::int64_t dropped() const override { return dropped_; }
  Error error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const override;
  std::vector<std::string> names(std::span<const std::string> columns) const override;
  std::vector<FieldType> types(std::span<const std::string> columns) const override;
  std::vector<std::string> fields(std::span<const std::string> columns) const override;

 private:
  std::vector<std::size_t> places_of(std::span<const std::string> columns) const;

  std::unique_ptr<Intake> intake_;
  RowRange range_;
  ArrowTable::Batches batches_;
  std::optional<PageRules> rules_;
  FileLayout layout_;
  std::optional<SliceReader> slices_;
  std::deque<ReadSlice> waiting_;  ///< the first is the latest one handed out
  std::int64_t rows_ = 0, dropped_ = 0;
  std::int64_t last_rows_ = 0;  ///< of the latest page handed out
  bool begun_ = false;          ///< the first of `waiting_` was handed out
};

}  // namespace linsep::arrow

namespace linsep {

/// The pages of Parquet and Arrow files. Throws a system Error if there is no module.
std::unique_ptr<PageStream> open_arrow_pages(std::span<const std::string> paths, const ReadOptions& options,
                                             arrow::RowRange range = {});

}  // namespace linsep
