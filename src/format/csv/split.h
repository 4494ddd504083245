// TableSplitter: from a chunk of CSV to a TableBatch, with the labels and weights of its rows.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/parse.h"
#include "format/csv/row_labels.h"
#include "format/csv/table_columns.h"
#include "table/table_batch.h"

namespace linsep::csv {

/// One for each thread, used again for each chunk: memory is kept.
class TableSplitter {
 public:
  /// REQUIRES: layout.table. `layout` outlives this object.
  explicit TableSplitter(const Layout& layout);

  /// The rows of a chunk, as views into it and into this object, until the next call. A row some of whose fields don't
  /// fit is one TextError that lists all of them. `keep_decimals`: what is written of numbers is wanted, too.
  const TableBatch& split(const Chunk& chunk, bool keep_decimals = false);
  /// The same without the fast path: the oracle of the tests.
  const TableBatch& split_strictly(const Chunk& chunk);

  // Of the last chunk.
  /// A page with labels, weights, lines and dropped rows, but no features.
  ParsedPage page();
  /// Where each row begins in the chunk.
  const std::vector<const char*>& rows() const { return begin_; }
  /// What the id column says in each row; empty without `keep_decimals`.
  const std::vector<std::string>& ids() const { return ids_; }
  /// The label of each row as written; likewise.
  const std::vector<std::string>& labels() const { return label_; }
  /// The first number that isn't 0 as written, but 0 or below 2⁻¹⁰²² as a double; `column`: of those asked for.
  const TinyValue& tiny() const { return tiny_; }

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
    Field field;
    std::size_t column = 0;
  };

  void begin(const Chunk& chunk);
  void split_rows();
  const char* read_row(const char* at);
  const char* read_plain_number(const char* at, Cells& cells, bool last) const;
  void take(const Field& field, std::size_t column);
  bool take_number(const Field& field, std::size_t column, Cells& cells);
  bool take_date(const Field& field, std::size_t column, Cells& cells);
  void take_text(const Field& field, Cells& cells);
  void keep_written(const Field& field, std::size_t column);
  bool is_missing(std::string_view field) const;
  void end_row();
  TextError refusal() const;
  void borrow();

  const Layout& layout_;
  const TableColumns& table_;
  bool numeric_words_ = false;  ///< some word for a hole is a number
  bool fast_ = true;
  bool keep_ = false;
  std::vector<Cells> cells_;  ///< of each column asked for
  TableBatch batch_;
  std::deque<std::string> unquoted_;  ///< fields whose doubled quotes were made single
  std::vector<Fault> faults_;         ///< of the row at hand
  std::vector<const char*> begin_;
  std::vector<std::string> ids_, label_;
  TinyValue tiny_;

  // Of the chunk at hand.
  Chunk chunk_;
  const char* end_ = nullptr;
  std::uint64_t lines_ = 0;
  std::size_t rows_ = 0;
  struct Storage;
  std::shared_ptr<Storage> storage_;
  std::unique_ptr<RowLabels> labels_;
};

}  // namespace linsep::csv
