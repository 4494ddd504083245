// RowReader reads some rows of an Arrow table as a TableBatch, with their labels and weights, by the rules for CSV. All
// rows are read by any number of threads.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/arrow/batches.h"
#include "format/arrow/value.h"
#include "format/csv/columns.h"
#include "format/csv/parse.h"
#include "format/text/format.h"
#include "table/number_style.h"
#include "table/table_batch.h"

namespace linsep::arrow {

/// Each thread needs its own.
class RowReader {
 public:
  /// REQUIRES: layout.table, whose columns are the features of layout.columns. Both outlive this object.
  RowReader(const ArrowTable::Batches& batches, const csv::Layout& layout);

  /// The rows of a slice, except those left out without a label, as views into the batches and this object until the
  /// next call. If `keep_written`, also keeps ids, labels and exact decimals of numbers (a number without a decimal is
  /// the binary value). A row with fields that don't fit gives one Error that lists all of them, with the row's number.
  const TableBatch& read(const Slice& slice, bool keep_written = false);

  // These are about the latest slice.
  /// A page with labels, weights and dropped rows, but no features.
  ParsedPage page();
  const std::vector<std::int64_t>& kept() const { return kept_; }  ///< rows of the slice
  const std::vector<std::string>& ids() const { return ids_; }
  const std::vector<std::string>& weights() const { return weights_; }
  const std::vector<std::string>& labels() const { return labels_; }
  /// Makes an Error about a row of the slice.
  Error error_at(std::int64_t row, std::vector<std::string> options, const std::string& message) const;

 private:
  struct Cells {
    std::vector<double> number;
    std::vector<std::string_view> text;
    std::vector<std::int64_t> seconds;
    std::vector<std::uint8_t> missing;
    bool holes = false;
  };
  /// A field that doesn't fit.
  struct Fault {
    std::int64_t row = 0;  ///< in the slice
    std::size_t column = 0;
    std::string text;
  };
  struct Storage;

  void read_labels();
  void keep_label_texts();
  void read_feature(std::size_t column);
  bool take(const Cell& cell, std::size_t place);
  bool take_number(const Cell& cell, const NumberStyle& style, Cells& cells);
  bool take_date(const Cell& cell, const std::string& format, Cells& cells);
  bool take_text(const Cell& cell, Cells& cells);
  bool take_vector(const Cell& cell, std::uint32_t size, Cells& cells);
  Error refusal() const;
  Cell cell(std::size_t column, std::int64_t row) const;

  const ArrowTable::Batches& batches_;
  const csv::Layout& layout_;
  const csv::TableColumns& table_;
  std::vector<NumberStyle> styles_;  ///< of each requested column that has numbers
  Slice slice_;
  bool keep_ = false;
  std::vector<Cells> cells_;  ///< of each requested column
  TableBatch batch_;
  std::deque<std::string> made_;  ///< texts that the batches lack
  std::vector<std::int64_t> kept_;
  std::vector<std::string> ids_, labels_, weights_;
  std::vector<Fault> faults_;  ///< of the first row that has any
  std::shared_ptr<Storage> storage_;
  std::vector<std::string> words_;
  std::int64_t dropped_ = 0;
};

inline constexpr std::int64_t kSliceRows = 8192;

/// How rows are read, with columns found by name like those of CSV with a header.
csv::Layout layout_of(const ArrowTable::Batches& batches, const ReadOptions& options,
                      std::shared_ptr<const csv::TableColumns> table);

/// Calls `f(slice, worker)` for slices 0 … slices − 1 on any number of threads. Whatever the threads, the exception
/// thrown is that of the first slice that throws.
void for_each_slice(std::size_t slices, const ReadOptions& options,
                    const std::function<void(std::size_t slice, std::size_t worker)>& f);

}  // namespace linsep::arrow
