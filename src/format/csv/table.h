// Turns a chunk of CSV into a TableBatch, and into a page of encoded rows.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/parse.h"
#include "format/text/format.h"
#include "format/text/pool.h"
#include "linsep/table/fit.h"
#include "linsep/table/map.h"
#include "table/encode.h"
#include "table/number_style.h"
#include "table/table_batch.h"

namespace linsep {

/// Throws the Error about an encoded value that the page's type can't hold.
using RefuseValue = std::function<void(std::size_t row, std::uint32_t feature, double value)>;

/// Adds features to a page that has labels and weights. They are floats or doubles as the map demands, and dense if all
/// are numbers. Values that are 0 as floats are left out of sparse rows, like all zeros. They are counted in
/// `parsed.tiny` or, if values must be `exact`, refused.
void fill_page(const EncodedRows& rows, const PreparedTable& table, bool exact, const RefuseValue& refuse,
               ParsedPage& parsed);
}  // namespace linsep

namespace linsep::csv {

/// Each thread needs its own. It is reused for each chunk, so memory is kept.
class TableSplitter {
 public:
  /// REQUIRES: layout.table. `layout` outlives this object.
  explicit TableSplitter(const Layout& layout);

  /// The rows of a chunk, as views into it and into this object, until the next call. A row with fields that don't fit
  /// gives one TextError that lists all of them. If `keep_decimals`, also keeps numbers as written.
  const TableBatch& split(const Chunk& chunk, bool keep_decimals = false);
  /// The same without the fast path, as the oracle of the tests.
  const TableBatch& split_strictly(const Chunk& chunk);

  // These are about the latest chunk.
  /// A page with labels, weights, lines and dropped rows, but no features.
  ParsedPage page();
  /// The beginning of each row in the chunk.
  const std::vector<const char*>& rows() const { return begin_; }
  /// The content of the id column in each row. Empty without `keep_decimals`.
  const std::vector<std::string>& ids() const { return ids_; }
  const std::vector<std::string>& weights() const { return weight_; }
  /// The label of each row as written; likewise.
  const std::vector<std::string>& labels() const { return label_; }
  /// Numbers that aren't 0 as written, but 0 or below 2⁻¹⁰²² as doubles. `column` is an index among the requested ones.
  const TinyValues& tiny() const { return tiny_; }

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
  std::vector<NumberStyle> styles_;  ///< of each requested column that has numbers
  bool numeric_words_ = false;       ///< some word for a missing value may be a number
  bool fast_ = true;
  bool keep_ = false;
  std::vector<Cells> cells_;  ///< of each requested column
  TableBatch batch_;
  std::deque<std::string> unquoted_;  ///< fields whose doubled quotes were made single
  std::vector<Fault> faults_;         ///< of the current row
  std::vector<const char*> begin_;
  std::vector<std::string> ids_, label_, weight_;
  TinyValues tiny_, tiny_of_row_;

  // These are about the current chunk.
  Chunk chunk_;
  const char* end_ = nullptr;
  std::uint64_t lines_ = 0;
  std::size_t rows_ = 0;
  struct Storage;
  std::shared_ptr<Storage> storage_;
  std::unique_ptr<RowLabels> labels_;
};

/// Any number of threads may use it at once.
class TableReader {
 public:
  /// `layout` has the columns that the map asks for. `counts` may be null.
  TableReader(std::shared_ptr<const Layout> layout, std::shared_ptr<const TableMap> map,
              std::shared_ptr<TableCounts> counts);
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  /// Implements TextFormat::parse. Values are floats or doubles as the map demands, and dense if all are numbers.
  ParsedPage parse(const Chunk& chunk);
  /// Implements TextFormat::written, with the values of each row that aren't 0. A number that is taken as it is appears
  /// as its decimal, and everything else as a double.
  std::vector<WrittenRow> written(const Chunk& chunk, const std::vector<std::int64_t>& rows);

 private:
  struct Scratch;
  std::shared_ptr<const PreparedTable> prepared();
  std::unique_ptr<Scratch> scratch();

  std::shared_ptr<const Layout> layout_;
  std::shared_ptr<const TableMap> map_;
  std::shared_ptr<TableCounts> counts_;
  std::once_flag once_;
  std::shared_ptr<const PreparedTable> prepared_;  ///< made when the first chunk arrives
  Pool<Scratch> scratch_;
};

}  // namespace linsep::csv
